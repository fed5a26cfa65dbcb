// SPDX-License-Identifier: MIT
// Reductions and scans take vectors component by component.
//! requires subgroupSizeControl shaderSubgroupExtendedTypes shaderFloat16 shaderInt16 shaderInt64
//! requires storageBuffer16BitAccess
//! subgroup 8 32 64
//! buffer 0.0 u32 : 0*280
//! buffer 0.1 u16 : 0*280
//! buffer 0.2 i64 : 0*140
//! buffer 0.3 f16 : 0*280
//! expect 0.0 u32 : eval 280 { fold(j, i/4/SG*SG, min(i/4/SG*SG+SG,70), 0, acc + j * (i%4 + 1) + i%4) }
//! expect 0.1 u16 : eval 280 { fold(j, i/4/SG*SG, i/4 + 1, 0, i%4 == 3 ? 0 : max(acc, j * 40503 * (i%4 + 1) & 65535)) }
//! expect 0.2 i64 : eval 140 { fold(j, i/2/SG*SG, i/2, 0, acc ^ (i%2 ? j * j << 33 : 0 - j)) }
//! expect 0.3 f16 : eval 280 { fold(j, i/4/SG*SG, min(i/4/SG*SG+SG,70), 0.0, i%4 == 3 ? 0.0 : acc + (j%(2 + i%4) - 1.0)) }
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 70) in;
layout(set = 0, binding = 0, std430) buffer A { uvec4 a[]; };
layout(set = 0, binding = 1, std430) buffer B { u16vec3 b[]; };
layout(set = 0, binding = 2, std430) buffer C { i64vec2 c[]; };
layout(set = 0, binding = 3, std430) buffer E { f16vec3 e[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  a[i] = subgroupAdd(i * uvec4(1, 2, 3, 4) + uvec4(0, 1, 2, 3));
  b[i] = subgroupInclusiveMax(u16vec3(i * 40503u * uvec3(1, 2, 3)));
  c[i] = subgroupExclusiveXor(i64vec2(-int64_t(i), int64_t(i * i) << 33));
  e[i] = subgroupAdd(f16vec3(uvec3(i) % uvec3(2, 3, 4)) - f16vec3(1));
}
