// SPDX-License-Identifier: MIT
// Storage images of all dimensions: loads, out of bounds too, sizes, stores, atomics.
//! buffer 0.0 u32 : 0
//! image a r32_uint 1d 8 : u32 eval 8 { i }
//! image b r32_uint 3d 4x4x4 : u32 eval 64 { i }
//! image c r32_uint cube 4x4 : u32 eval 96 { i }
//! image d r32_uint 2d-array 4x4 layers=3 mips=2 : u32 eval 60 { i }
//! bind 0.1 storage-image a
//! bind 0.2 storage-image b
//! bind 0.3 storage-image c
//! bind 0.4 storage-image d mip=1 layer=1 layers=2
//! buffer 0.5 u32 : 0*320
//! dispatch 1
//! compare a u32
//! compare b u32
//! compare c u32
//! compare d u32
//! compare 0.5 u32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 1, r32ui) uniform uimage1D a;
layout(set = 0, binding = 2, r32ui) uniform uimage3D b;
layout(set = 0, binding = 3, r32ui) uniform uimageCube c;
layout(set = 0, binding = 4, r32ui) uniform uimage2DArray d;
layout(set = 0, binding = 5) buffer O { uint o[]; };
void main() {
  int i = int(gl_LocalInvocationIndex);
  o[i] = imageLoad(a, i - 8).x;
  o[64 + i] = imageLoad(b, ivec3(i % 4, i / 4 % 4, i / 16)).x;
  o[128 + i] = imageLoad(c, ivec3(i % 4, i / 4 % 4, i / 16)).x;
  o[192 + i] = imageLoad(d, ivec3(i % 3, i / 4 % 4, i / 16)).x;
  if (i == 0) {
    o[256] = imageSize(a);
    o[257] = imageSize(b).z;
    o[258] = imageSize(c).x;
    o[259] = imageSize(d).z;
    o[260] = imageSize(d).x;
  }
  memoryBarrierImage();
  barrier();
  imageAtomicAdd(a, i % 10, 3u);
  imageAtomicMax(b, ivec3(i % 4, i / 4 % 4, i / 16), 40u);
  imageStore(c, ivec3(i % 4, i / 4 % 4, i / 16), uvec4(1000 + i));
  imageAtomicAdd(d, ivec3(i % 3, i / 4 % 4, i / 16), uint(i));
}
