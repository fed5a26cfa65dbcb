// SPDX-License-Identifier: MIT
// The order of 64-bit numbers that all lanes share, as branches and as values.
//! requires shaderInt64
//! buffer 0.0 uniform u32 : 0 0 1 0  0xffffffff 0 0 1  0 0x80000000 0xffffffff 0x7fffffff  0xffffffff 0xffffffff 0 0
//! ... 7 5 7 5  0 0x80000000 1 0x80000000  0 5 0xffffffff 4  0 0xffffffff 0xffffffff 0
//! buffer 0.1 u32 : 0*16
//! expect 0.1 u32 : 51 51 60 60 170 51 204 60  51 51 60 60 170 51 204 60
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform A { uvec4 pairs[8]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  for (uint k = 0; k < 8u; ++k) {
    uint64_t x = packUint2x32(pairs[k].xy), y = packUint2x32(pairs[k].zw);
    int64_t s = int64_t(x), t = int64_t(y);
    if (x < y) b[k] += 1u;
    if (x <= y) b[k] += 2u;
    if (x > y) b[k] += 4u;
    if (x >= y) b[k] += 8u;
    if (s < t) b[k] += 16u;
    if (s <= t) b[k] += 32u;
    if (s > t) b[k] += 64u;
    if (s >= t) b[k] += 128u;
    b[8u + k] = (x < y ? 1u : 0u) | (x <= y ? 2u : 0u) | (x > y ? 4u : 0u) | (x >= y ? 8u : 0u) |
                (s < t ? 16u : 0u) | (s <= t ? 32u : 0u) | (s > t ? 64u : 0u) | (s >= t ? 128u : 0u);
  }
}
