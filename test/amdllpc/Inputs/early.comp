#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float b[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if ((i & 3u) != 0u)
    return;
  float x = b[i];
  for (uint k = 0u; k < 5u + (i & 1u); ++k)
    x = sin(x);
  b[i] = x;
}
