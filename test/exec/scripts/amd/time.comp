// SPDX-License-Identifier: MIT
// timeAMD() does not go backwards, except for the counter of 20 bits that GFX11 has.
//! requires VK_AMD_gcn_shader shaderInt64
//! buffer 0.0 u32 : 0*64
//! expect 0.0 u32 : 1*64
#version 450
#extension GL_AMD_gcn_shader : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer R { uint r[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uint64_t a = timeAMD();
  barrier();
  uint64_t b = timeAMD();
  r[i] = uint(b >= a || a < 1 << 20);
}
