// SPDX-License-Identifier: MIT
// Small arrays with computed indices: of scalars, of vectors whole and by component, of structures, with an offset that
// goes with the index, written in a loop by lanes with indices of their own; a vector that is indexed like an array.
//! buffer 0.0 u32 : 0 1 2 3 4 3 1 0
//! buffer 0.1 u32 : 0*56
//! expect 0.1 u32 : 100 111 122 133 144 135 116 107
//! ...  1000 1101 1202 1303 1004 1305 1106 1007
//! ...  10 21 32 43 54 43 21 10
//! ...  7 8 9 10 7 10 8 7
//! ...  5 0 1 2 3 2 0 5
//! ...  0 5 10 15 20 15 5 0
//! ...  1 4 9 16 25 16 4 1
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
struct Pair { uint first, second; };
void main() {
  const uint i = gl_LocalInvocationIndex, k = a[i];
  uint scalars[5] = uint[5](100u, 110u, 120u, 130u, 140u);
  scalars[k] += i;
  b[i] = scalars[k];
  uvec4 vectors[5] = uvec4[5](uvec4(0), uvec4(0), uvec4(0), uvec4(0), uvec4(0));
  vectors[k] = uvec4(1000u, 1100u, 1200u, 1300u);
  vectors[k][k & 3u] += i;
  b[8 + i] = vectors[k][k & 3u];
  Pair pairs[5] = Pair[5](Pair(10, 0), Pair(20, 1), Pair(30, 2), Pair(40, 3), Pair(50, 4));
  b[16 + i] = pairs[k].first + pairs[k].second;
  uvec4 one = uvec4(7u, 8u, 9u, 10u);
  b[24 + i] = one[k & 3u];
  uint last[6] = uint[6](5u, 0u, 1u, 2u, 3u, 4u);
  last[k + 1u] += 0u;
  b[32 + i] = last[k];
  uint sums[5] = uint[5](0u, 0u, 0u, 0u, 0u);
  for (uint j = 0; j < 5u; ++j)
    sums[(k + j) % 5u] += k;
  b[40 + i] = sums[0] + sums[1] + sums[2] + sums[3] + sums[k];
  float squares[5];
  for (uint j = 0; j < 5u; ++j)
    squares[(k + j) % 5u] = float(((k + j) % 5u + 1u) * ((k + j) % 5u + 1u));
  b[48 + i] = uint(squares[k]);
}
