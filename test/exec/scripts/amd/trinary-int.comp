// SPDX-License-Identifier: MIT
// Minimum, maximum and median of three integers, scalars and vectors.
//! requires VK_AMD_shader_trinary_minmax
//! foreach T i32 u32
//! buffer x ${T} : random(7,180) 0 0xffffffff 0x80000000 0x7fffffff 1 2 0 0xffffffff 0x80000000 0x7fffffff 0 5
//! buffer 0.1 ${T} : 0*384
//! bind 0.0 storage x
//! expect 0.1 ${T} : eval 384 {
//! ...  i/64 == 0 || i/64 == 3 ? min(x[i%64], min(x[64+i%64], x[128+i%64])) :
//! ...  i/64 == 1 || i/64 == 4 ? max(x[i%64], max(x[64+i%64], x[128+i%64])) :
//! ...  max(min(x[i%64], x[64+i%64]), min(max(x[i%64], x[64+i%64]), x[128+i%64])) }
#version 450
#extension GL_AMD_shader_trinary_minmax : require
#define i32 int
#define u32 uint
#define i32V ivec3
#define u32V uvec3
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer X { ${T} x[]; };
layout(set = 0, binding = 1) buffer R { ${T} r[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  ${T} a = x[i], b = x[64 + i], c = x[128 + i];
  r[i] = min3(a, b, c);
  r[64 + i] = max3(a, b, c);
  r[128 + i] = mid3(a, b, c);
  ${T}V u = ${T}V(1, 5, a), v = ${T}V(2, 4, b), w = ${T}V(3, 6, c);
  r[192 + i] = min3(u, v, w).z;
  r[256 + i] = max3(u, v, w).z;
  r[320 + i] = mid3(u, v, w).z;
}
