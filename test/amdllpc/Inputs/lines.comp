#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float b[]; };
layout(set = 0, binding = 1) uniform U { float u[4]; };
layout(set = 0, binding = 2, r32f) uniform image2D image;
layout(push_constant) uniform P { float p; int count; };
float scaled(float x)
{
  return sqrt(x) * p;
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = b[i];
  if (x > 2.0) {
    x = exp2(x);
  } else {
    x = scaled(x);
  }
  for (int k = 0; k < count; ++k)
    x = sin(x) + u[k & 3];
  imageStore(image, ivec2(i, 0),
             vec4(x));
  b[i] = x;
}
