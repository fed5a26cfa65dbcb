// RUN: amdllpc -auto-layout-desc -emit-lgc -o - %s | FileCheck %s
// RUN: amdllpc -auto-layout-desc -gfxip=10.1.0 -o %t.elf %s && pal-verify %t.elf
// RUN: amdllpc -auto-layout-desc -gfxip=10.3.0 -o %t.elf %s && pal-verify %t.elf
// RUN: amdllpc -auto-layout-desc -gfxip=11.0.0 -subgroup-size=32 -o %t.elf %s && pal-verify %t.elf
// RUN: amdllpc -auto-layout-desc -gfxip=12.0.1 -subgroup-size=64 -o %t.elf %s && pal-verify %t.elf
// Each subgroup function is one operation.
#version 460
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_quad : enable
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) buffer OutF { vec3 f[]; };
void main() {
  uint x = o[gl_LocalInvocationIndex];
  vec3 v = f[gl_LocalInvocationIndex];
  bool c = (x & 1) != 0;
  uint r = 0;
  // CHECK: call i1 @lgc.subgroup.elect__i1()
  if (subgroupElect()) r += 1;
  // CHECK: call i1 @lgc.subgroup.all__i1_i1(
  if (subgroupAll(c)) r += 2;
  // CHECK: call i1 @lgc.subgroup.any__i1_i1(
  if (subgroupAny(c)) r += 4;
  // CHECK: call i1 @lgc.subgroup.all.equal__i1_v3f32(
  if (subgroupAllEqual(v)) r += 8;
  // CHECK: call i32 @lgc.subgroup.broadcast__i32_i32_i32(i32 {{%.*}}, i32 5)
  r += subgroupBroadcast(x, 5);
  // CHECK: call <3 x float> @lgc.subgroup.broadcast.first__v3f32_v3f32(
  v += subgroupBroadcastFirst(v);
  // CHECK: [[B:%.*]] = call <4 x i32> @lgc.subgroup.ballot__v4i32_i1(
  uvec4 b = subgroupBallot(c);
  // CHECK: call i1 @lgc.subgroup.inverse.ballot__i1_v4i32(
  if (subgroupInverseBallot(b)) r += 16;
  // CHECK: call i1 @lgc.subgroup.ballot.bit.extract__i1_v4i32_i32(
  if (subgroupBallotBitExtract(b, x & 31)) r += 32;
  // CHECK: call i32 @lgc.subgroup.ballot.bit.count__i32_i32_v4i32(i32 0,
  // CHECK: call i32 @lgc.subgroup.ballot.bit.count__i32_i32_v4i32(i32 1,
  // CHECK: call i32 @lgc.subgroup.ballot.bit.count__i32_i32_v4i32(i32 2,
  r += subgroupBallotBitCount(b) + subgroupBallotInclusiveBitCount(b) + subgroupBallotExclusiveBitCount(b);
  // CHECK: call i32 @lgc.subgroup.ballot.find.lsb__i32_v4i32(
  // CHECK: call i32 @lgc.subgroup.ballot.find.msb__i32_v4i32(
  r += subgroupBallotFindLSB(b) + subgroupBallotFindMSB(b);
  // CHECK: call i32 @lgc.subgroup.shuffle__i32_i32_i32(
  // CHECK: call i32 @lgc.subgroup.shuffle.xor__i32_i32_i32(i32 {{%.*}}, i32 3)
  // CHECK: call i32 @lgc.subgroup.shuffle.up__i32_i32_i32(
  // CHECK: call i32 @lgc.subgroup.shuffle.down__i32_i32_i32(
  r += subgroupShuffle(x, x & 31) ^ subgroupShuffleXor(x, 3) ^ subgroupShuffleUp(x, 1) ^ subgroupShuffleDown(x, 2);
  // IAdd = 0, FMul = 3, SMax = 7, UMin = 5, FMin = 6; Reduce, Inclusive, Exclusive = 0, 1, 2.
  // CHECK: call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 0, i32 0, i32 {{%.*}}, i32 0)
  r += subgroupAdd(x);
  // CHECK: call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 3, i32 1, <3 x float> {{%.*}}, i32 0)
  v += subgroupInclusiveMul(v);
  // CHECK: call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 7, i32 2, i32 {{%.*}}, i32 0)
  r += uint(subgroupExclusiveMax(int(x)));
  // CHECK: call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 6, i32 0, <3 x float> {{%.*}}, i32 8)
  v += subgroupClusteredMin(v, 8);
  // CHECK: call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 12, i32 0, i1 {{%.*}}, i32 0)
  if (subgroupXor(c)) r += 64;
  // CHECK: call i32 @lgc.subgroup.quad.broadcast__i32_i32_i32(i32 {{%.*}}, i32 2)
  // CHECK: call i32 @lgc.subgroup.quad.swap__i32_i32_i32(i32 {{%.*}}, i32 0)
  // CHECK: call i32 @lgc.subgroup.quad.swap__i32_i32_i32(i32 {{%.*}}, i32 1)
  // CHECK: call i32 @lgc.subgroup.quad.swap__i32_i32_i32(i32 {{%.*}}, i32 2)
  r += subgroupQuadBroadcast(x, 2) ^ subgroupQuadSwapHorizontal(x) ^ subgroupQuadSwapVertical(x) ^ subgroupQuadSwapDiagonal(x);
  o[gl_LocalInvocationIndex] = r;
  f[gl_LocalInvocationIndex] = v;
}
