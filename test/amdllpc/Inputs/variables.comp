#version 450
// Values of named variables that are alive together.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { vec4 a[]; };
layout(binding = 1) buffer B { vec4 b[]; };
layout(push_constant) uniform P { uint n; };
struct Light { vec3 color; float power; };
vec3 tone(vec3 c, float e) {
  vec3 t = c * e;
  float lum = dot(t, vec3(0.2, 0.7, 0.1));
  return t / (1.0 + lum);
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 acc = vec4(0), weight = vec4(1);
  Light light;
  light.color = a[i].xyz;
  light.power = a[i + 1].w;
  float norm = 0;
  for (uint k = 0; k < n; ++k) {
    vec4 v = a[i * n + k];
    float len = dot(v, v);
    vec3 q = tone(v.xyz, len);
    acc += vec4(q, len) * weight;
    weight *= inversesqrt(len + 1.0);
    norm += len;
  }
  b[i] = acc / norm + vec4(tone(light.color, light.power), 1);
}
