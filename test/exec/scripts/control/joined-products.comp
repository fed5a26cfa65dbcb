// SPDX-License-Identifier: MIT
// Sums of 64-bit products behind branches and loops, whose parts come from different blocks: what was
// computed in front of a change of EXEC and what was computed behind it are read together.
//! requires shaderInt64
//! foreach SHAPE 0 1 2
//! buffer 0.0 u32 : 0*256
//! compare 0.0 u32
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer O { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex, x = i * 7u, y = i ^ 5u, z = i * 3u + 1u;
  uint64_t w = i;
#if SHAPE == 0
  w ^= uint64_t(y + x) * y;
  z += z ^ i;
  if (((y + i) & 3u) == 1u) {
    for (uint k = 0u; k < (y & 3u); ++k) {
      z ^= z;
      if (((x ^ z) & 7u) == 2u) break;
    }
  } else {
    w ^= uint64_t(x) * (x + x);
    w ^= uint64_t(i + i) * y;
  }
  y ^= z ^ i;
#elif SHAPE == 1
  if ((x & 1u) == 1u) {
    if (((i ^ i) & 3u) == 1u)
      w += uint64_t(y) * (y + z);
    if (((x + y) & 3u) == 1u) {
    }
  } else {
    for (uint k = 0u; k < ((z + i) & 3u); ++k) {
      z ^= y;
      if (((z + i) & 7u) == 2u) break;
    }
  }
  w += uint64_t(z) * (z + x);
  if ((i & 1u) == 1u) {
    z ^= z;
    z += z;
  } else {
    y ^= y;
  }
  x ^= z;
#else
  for (uint k = 0u; k < (i & 7u); ++k) {
    if (((x + k) & 3u) == 1u)
      w += uint64_t(y + k) * z;
    else
      x += y ^ k;
    y += z;
    w ^= uint64_t(x) * (y + 3u);
    if (((y ^ x) & 15u) == 2u) break;
  }
  w += uint64_t(z ^ y) * (x + 1u);
#endif
  o[i * 4u] = x;
  o[i * 4u + 1u] = y;
  o[i * 4u + 2u] = z;
  o[i * 4u + 3u] = uint(w) ^ uint(w >> 32);
}
