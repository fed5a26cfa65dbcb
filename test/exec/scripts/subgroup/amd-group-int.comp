// SPDX-License-Identifier: MIT
// Group operations of SPV_AMD_shader_ballot on integers: in uniform control flow (OpGroupIAdd and
// the like) and among the lanes of one side of a branch (OpGroupIAddNonUniformAMD and the like).
//! skip validation: the layer does not know that AMD_shader_ballot allows OpGroup operations
//! requires subgroupSizeControl shaderInt64 VK_AMD_shader_ballot VK_EXT_shader_subgroup_ballot
//! subgroup 32 64
//! foreach T i32 u32 i64
//! foreach D 0 1
//! buffer x ${T} : random(43,128)
//! buffer lim ${T} : eval 1 { fold(j, 0, 64, 0, ${T}(acc * 2 + 1) > acc ? acc * 2 + 1 : acc) }
//! buffer 0.1 ${T} : 0*384
//! buffer 0.2 ${T} : 0*384
//! buffer 0.3 ${T} : 0*384
//! bind 0.0 storage x
//! expect 0.1 ${T} : eval 384 { fold(j, i%128/SG*SG, i < 128 ? i/SG*SG+SG : i%128+(i<256), 0, (j-i)%2==0 || ${D}==0 ? acc + x[j] : acc) }
//! expect 0.2 ${T} : eval 384 { fold(j, i%128/SG*SG, i < 128 ? i/SG*SG+SG : i%128+(i<256), lim[0], (j-i)%2==0 || ${D}==0 ? min(acc, x[j]) : acc) }
//! expect 0.3 ${T} : eval 384 { fold(j, i%128/SG*SG, i < 128 ? i/SG*SG+SG : i%128+(i<256), ${T}(lim[0]+1), (j-i)%2==0 || ${D}==0 ? max(acc, x[j]) : acc) }
#version 450
#extension GL_ARB_shader_ballot : require
#extension GL_AMD_shader_ballot : require
#extension GL_ARB_gpu_shader_int64 : require
#define i32 int
#define u32 uint
#define i64 int64_t
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer X { T x[]; };
layout(set = 0, binding = 1) buffer R1 { T add[]; };
layout(set = 0, binding = 2) buffer R2 { T lo[]; };
layout(set = 0, binding = 3) buffer R3 { T hi[]; };
void uniformly(uint i, T v) {
  add[i] = addInvocationsAMD(v); add[128 + i] = addInvocationsInclusiveScanAMD(v); add[256 + i] = addInvocationsExclusiveScanAMD(v);
  lo[i] = minInvocationsAMD(v); lo[128 + i] = minInvocationsInclusiveScanAMD(v); lo[256 + i] = minInvocationsExclusiveScanAMD(v);
  hi[i] = maxInvocationsAMD(v); hi[128 + i] = maxInvocationsInclusiveScanAMD(v); hi[256 + i] = maxInvocationsExclusiveScanAMD(v);
}
void apart(uint i, T v) {
  add[i] = addInvocationsNonUniformAMD(v); add[128 + i] = addInvocationsInclusiveScanNonUniformAMD(v); add[256 + i] = addInvocationsExclusiveScanNonUniformAMD(v);
  lo[i] = minInvocationsNonUniformAMD(v); lo[128 + i] = minInvocationsInclusiveScanNonUniformAMD(v); lo[256 + i] = minInvocationsExclusiveScanNonUniformAMD(v);
  hi[i] = maxInvocationsNonUniformAMD(v); hi[128 + i] = maxInvocationsInclusiveScanNonUniformAMD(v); hi[256 + i] = maxInvocationsExclusiveScanNonUniformAMD(v);
}
void main() {
  uint i = gl_LocalInvocationIndex;
  T v = x[i];
#if D == 0
  uniformly(i, v);
#else
  if ((i & 1) != 0) apart(i, v); else apart(i, v);
#endif
}
