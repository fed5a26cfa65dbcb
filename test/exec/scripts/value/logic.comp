// SPDX-License-Identifier: MIT
// Boolean vectors: any, all, comparison, selection by component, logical operations.
//! buffer 0.0 u32 : 0..63
//! buffer 0.1 u32 : 0*64
//! expect 0.1 u32 : eval 64 {
//! ... ((i & 7) != 0) + 2 * ((i & 7) == 7) + 4 * (((i & 7) ^ (i / 8)) == 0) + 8 * ((i & 1) != ((i / 8) & 1))
//! ... + 16 * ((i & 1) == ((i / 8) & 1)) + 32 * ((i & 1) && ((i / 8) & 1)) + 64 * ((i & 1) || ((i / 8) & 1)) + 128 * !(i & 1)
//! ... + 1000 * ((i & 1 ? 1 : 5) + (i & 2 ? 2 : 6) + (i & 4 ? 3 : 7)) }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationID.x, v = a[i];
  bvec3 p = bvec3((v & 1) != 0, (v & 2) != 0, (v & 4) != 0), q = bvec3((v & 8) != 0, (v & 16) != 0, (v & 32) != 0);
  uint r = uint(any(p)) + 2 * uint(all(p)) + 4 * uint(p == q) + 8 * uint(p.x != q.x) + 16 * uint(p.x == q.x);
  r += 32 * uint(p.x && q.x) + 64 * uint(p.x || q.x) + 128 * uint(not(p).x);
  uvec3 s = mix(uvec3(5, 6, 7), uvec3(1, 2, 3), p);
  b[i] = r + 1000 * (s.x + s.y + s.z);
}
