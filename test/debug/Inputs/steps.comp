#version 450
layout(local_size_x = 8, local_size_y = 2) in;
layout(set = 0, binding = 0) buffer B { float b[]; };
struct Light { vec3 color; float power; int ids[3]; bool on; };
float counter = 0.5;
float scaled(float x, vec2 by)
{
  float result = x * by.x;
  result += by.y;
  counter += 1.0;
  return result;
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 v = vec4(float(i), 1.5, -2.0, 0.125);
  mat2x3 m = mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, float(i));
  Light light;
  light.color = vec3(0.25, float(i), 4.0);
  light.power = 3.0;
  light.ids[0] = 7; light.ids[1] = int(i) - 3; light.ids[2] = -1;
  light.on = i > 3u;
  float sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    sum += scaled(float(k), vec2(2.0, v.y));
  }
  if ((i & 1u) == 1u) {
    sum = -sum;
  } else {
    sum = sum * 2.0;
  }
  b[i] = sum + light.power + m[1].z + counter;
}
