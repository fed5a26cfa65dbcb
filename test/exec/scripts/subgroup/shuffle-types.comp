// SPDX-License-Identifier: MIT
// Shuffles of every type. Where the source lane does not exist or does not take part the result is
// undefined and not stored.
//! requires subgroupSizeControl shaderSubgroupExtendedTypes shaderInt8 shaderInt16 shaderInt64
//! requires shaderFloat16 shaderFloat64 storageBuffer8BitAccess storageBuffer16BitAccess
//! subgroup 8 32 64
//! foreach T u8 i16 u32 i64 f16 f32 f64
//! buffer x ${T} : random(17,128)
//! buffer 0.1 ${T} : 0*1152
//! bind 0.0 storage x
//! push u32 : 3
//! expect 0.1 ${T} : eval 1152 {
//! ...  i/128 == 0 ? x[i/SG*SG + (i%SG * 7 + 3) % SG] :
//! ...  i/128 == 1 ? x[i%128/SG*SG + (i%SG * i % SG)] :
//! ...  i/128 == 2 ? x[i%128 ^ 1] :
//! ...  i/128 == 3 ? x[i%128 ^ 7] :
//! ...  i/128 == 4 ? x[i%128/SG*SG + (i%SG ^ 3)] :
//! ...  i/128 == 5 ? (i%SG >= 1 ? x[i%128 - 1] : 0) :
//! ...  i/128 == 6 ? (i%SG >= 3 ? x[i%128 - 3] : 0) :
//! ...  i/128 == 7 ? (i%SG + 1 < SG ? x[i%128 + 1] : 0) :
//! ...  i%SG + 5 < SG ? x[i%128 + 5] : 0 }
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
#define u8 uint8_t
#define i16 int16_t
#define u32 uint
#define i64 int64_t
#define f16 float16_t
#define f32 float
#define f64 double
layout(local_size_x = 128) in;
layout(push_constant) uniform P { uint three; };
layout(set = 0, binding = 0) readonly buffer X { T x[]; };
layout(set = 0, binding = 1) buffer R { T r[]; };
void main() {
  uint i = gl_LocalInvocationID.x, lane = gl_SubgroupInvocationID, size = gl_SubgroupSize;
  T v = x[i];
  r[i] = subgroupShuffle(v, (lane * 7 + 3) % size);
  r[128 + i] = subgroupShuffle(v, lane * i % size);
  r[256 + i] = subgroupShuffleXor(v, 1);
  r[384 + i] = subgroupShuffleXor(v, 7);
  r[512 + i] = subgroupShuffleXor(v, three);
  T up1 = subgroupShuffleUp(v, 1), up3 = subgroupShuffleUp(v, three);
  T down1 = subgroupShuffleDown(v, 1), down5 = subgroupShuffleDown(v, three + 2);
  if (lane >= 1) r[640 + i] = up1;
  if (lane >= 3) r[768 + i] = up3;
  if (lane + 1 < size) r[896 + i] = down1;
  if (lane + 5 < size) r[1024 + i] = down5;
}
