#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float b[]; };
shared float padded[64 * 33], crowded[64 * 32];
void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_LocalInvocationIndex;
  float x = b[i];
  if ((i & 31u) < 8u)
    for (uint k = 0u; k < (i & 3u) + 2u; ++k)
      x = sin(x);
  padded[lane * 33u] = x;
  crowded[lane * 32u] = x;
  barrier();
  b[i] = x + padded[(63u - lane) * 33u] + crowded[(63u - lane) * 32u];
}
