// SPDX-License-Identifier: MIT
// Dynamic uniform and storage buffers, in an array too.
//! buffer u u32 : eval 512 { i }
//! buffer s u32 : eval 512 { 1000 + i }
//! buffer 0.3 u32 : 0*4
//! bind 0.0 uniform-dynamic u offset=256 range=256 dynamic=512
//! bind 0.1[0] storage-dynamic s range=256 dynamic=256
//! bind 0.1[1] storage-dynamic s range=256 offset=512 dynamic=1024
//! expect 0.3 u32 : 195 1064 1387 3
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform U { uvec4 u[16]; };
layout(set = 0, binding = 1) buffer S { uint s[64]; } ss[2];
layout(set = 0, binding = 3) buffer O { uint o[]; };
void main() { o[0] = u[0].w; o[1] = ss[0].s[0]; o[2] = ss[1].s[3]; o[3] = 3; }
