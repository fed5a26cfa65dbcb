#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { vec4 b[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 sum = vec4(0);
  for (uint k = 0u; k < uint(b[i].w); ++k) {
    vec4 x = b[i + k], y = b[i + k * 2u];
    sum += vec4(dot(x, y), dot(x.yzwx, y), dot(x.zwxy, y), dot(x.wxyz, y)) * sum.yzwx;
  }
  b[i] = sum;
}
