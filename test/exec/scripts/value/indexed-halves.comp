// SPDX-License-Identifier: MIT
// Bytes and halves of what is read from an array in registers with a uniform index.
//! buffer 0.0 u32 : random(61,512)
//! buffer n u32 : 0 5 2 7
//! bind 0.1 uniform n
//! buffer 0.2 u32 : 0*256
//! expect 0.2 u32 : eval 256 { i / 64 == 0 ? floor(b0_0[i%64*8] / 65536) : i / 64 == 1 ? b0_0[i%64*8+5] & 65535 :
//! ... i / 64 == 2 ? (b0_0[i%64*8+2] & 65535) * 65536 : floor(b0_0[i%64*8+7] / 256) & 255 }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) uniform B { uvec4 n; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint v[8];
  for (uint k = 0u; k < 8u; ++k)
    v[k] = a[i * 8u + k];
  c[i] = v[n.x & 7u] >> 16;
  c[i + 64u] = v[n.y & 7u] & 0xffffu;
  c[i + 128u] = v[n.z & 7u] << 16;
  c[i + 192u] = (v[n.w & 7u] >> 8) & 0xffu;
}
