// SPDX-License-Identifier: MIT
// SPV_AMD_shader_ballot: swizzles inside quads and of 32 lanes, a write into one lane, and counts of
// lower lanes in a mask.
//! requires subgroupSizeControl shaderInt64 VK_AMD_shader_ballot VK_EXT_shader_subgroup_ballot
//! subgroup 32 64
//! buffer x u32 : random(37,128)
//! buffer y f32 : random(38,128)
//! buffer 0.2 u32 : 0*896
//! buffer 0.3 f32 : 0*256
//! bind 0.0 storage x
//! bind 0.1 storage y
//! expect 0.2 u32 : eval 896 {
//! ...  i < 128 ? x[i/4*4 + (i%4 == 0 ? 1 : i%4 == 1 ? 3 : i%4 == 2 ? 0 : 2)] :
//! ...  i < 256 ? x[i%128/4*4 + 2] :
//! ...  i < 384 ? x[i%128/32*32 + ((i%32 & 31 | 0) ^ 5)] :
//! ...  i < 512 ? x[i%128/32*32 + ((i%32 & 28 | 2) ^ 1)] :
//! ...  i < 640 ? (i%SG == 3 ? 424242 : x[i%128]) :
//! ...  i < 768 ? popcount(0x123456789abcdef & (1 << i%SG) - 1) :
//! ...  popcount(fold(j, 0, i%SG, 0, acc | (x[i%128/SG*SG+j] & 1) << j)) }
//! expect 0.3 f32 : eval 256 { i < 128 ? y[i/4*4 + 3 - i%4] : y[i%128/32*32 + (i%32 & 30)] }
#version 450
#extension GL_ARB_shader_ballot : require
#extension GL_AMD_shader_ballot : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer Y { float y[]; };
layout(set = 0, binding = 2) buffer R { uint r[]; };
layout(set = 0, binding = 3) buffer S { float s[]; };
void main() {
  uint i = gl_LocalInvocationIndex, v = x[i];
  r[i] = swizzleInvocationsAMD(v, uvec4(1, 3, 0, 2));
  r[128 + i] = swizzleInvocationsAMD(v, uvec4(2, 2, 2, 2));
  r[256 + i] = swizzleInvocationsMaskedAMD(v, uvec3(31, 0, 5));
  r[384 + i] = swizzleInvocationsMaskedAMD(v, uvec3(28, 2, 1));
  r[512 + i] = writeInvocationAMD(v, 424242u, 3u);
  r[640 + i] = mbcntAMD(0x123456789abcdeful);
  r[768 + i] = mbcntAMD(ballotARB((v & 1) != 0));
  s[i] = swizzleInvocationsAMD(y[i], uvec4(3, 2, 1, 0));
  s[128 + i] = swizzleInvocationsMaskedAMD(y[i], uvec3(30, 0, 0));
}
