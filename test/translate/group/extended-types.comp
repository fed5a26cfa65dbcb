// RUN: amdllpc -auto-layout-desc -gfxip=10.1.0 -subgroup-size=64 -o %t.elf %s && pal-verify %t.elf
// RUN: amdllpc -auto-layout-desc -gfxip=10.3.0 -subgroup-size=32 -o %t.elf %s && pal-verify %t.elf
// RUN: amdllpc -auto-layout-desc -gfxip=11.0.0 -subgroup-size=64 -o %t.elf %s && pal-verify %t.elf
// RUN: amdllpc -auto-layout-desc -gfxip=12.0.1 -subgroup-size=32 -o %t.elf %s && pal-verify %t.elf
// 8-, 16- and 64-bit subgroup values and AMD's older extensions compile for every generation.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_subgroup_extended_types_int8 : enable
#extension GL_EXT_shader_subgroup_extended_types_int16 : enable
#extension GL_EXT_shader_subgroup_extended_types_int64 : enable
#extension GL_EXT_shader_subgroup_extended_types_float16 : enable
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_quad : enable
#extension GL_AMD_shader_trinary_minmax : enable
#extension GL_AMD_gcn_shader : enable
#extension GL_AMD_shader_ballot : enable
#extension GL_ARB_gpu_shader_int64 : enable
#extension GL_EXT_shader_realtime_clock : enable
#extension GL_ARB_shader_clock : enable
#extension GL_ARB_shader_ballot : enable
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { i8vec4 a[]; };
layout(binding = 1) buffer B { i16vec3 b[]; };
layout(binding = 2) buffer C { i64vec2 c[]; };
layout(binding = 3) buffer D { dvec2 d[]; };
layout(binding = 4) buffer E { f16vec3 e[]; };
layout(binding = 5) buffer F { vec3 f[]; };
layout(binding = 6) buffer G { uint64_t g[]; };
#define OPS(v) subgroupAdd(v) + subgroupInclusiveMin(v) + subgroupExclusiveMax(v) + subgroupClusteredMul(v, 4) + subgroupShuffle(v, i & 7) + subgroupQuadSwapDiagonal(v) + subgroupBroadcast(v, 3) + subgroupShuffleXor(v, 17)
void main() {
  uint i = gl_LocalInvocationIndex;
  a[i] = OPS(a[i]); b[i] = OPS(b[i]); c[i] = OPS(c[i]); d[i] = OPS(d[i]); e[i] = OPS(e[i]);
  f[i] = max3(f[i], f[i+1], f[i+2]) + mid3(f[i], f[i+3], f[i+4]) + min3(f[i], f[i+5], f[i+6]);
  f[i].xy += cubeFaceCoordAMD(f[i]); f[i].z += cubeFaceIndexAMD(f[i]);
  g[i] = timeAMD() + clockARB() + clockRealtimeEXT();
  f[i] += swizzleInvocationsAMD(f[i], uvec4(1,0,3,2)) + swizzleInvocationsMaskedAMD(f[i], uvec3(1,2,3)) + writeInvocationAMD(f[i], f[i+9], 3) + addInvocationsNonUniformAMD(f[i]) + float(mbcntAMD(g[i])) + minInvocationsAMD(f[i]);
  f[i] += readInvocationARB(f[i], 3) + readFirstInvocationARB(f[i]);
  g[i] += ballotARB(f[i].x > 0);
}
