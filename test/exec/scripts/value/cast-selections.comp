// SPDX-License-Identifier: MIT
// Constants chosen by component and read as numbers of other sizes.
//! requires shaderInt64 shaderInt16
//! buffer 0.0 u32 : random(81,256)
//! buffer 0.1 u32 : 0*256
//! expect 0.1 u32 : eval 256 { i / 64 == 0 ? (b0_0[i%64*4] < b0_0[i%64*4+2] ? 9 : 7) :
//! ... i / 64 == 1 ? (b0_0[i%64*4+1] < b0_0[i%64*4+3] ? 4 : 2) :
//! ... i / 64 == 2 ? (b0_0[i%64*4] < b0_0[i%64*4+2] ? 3 : 1) * 5 + (b0_0[i%64*4+1] < b0_0[i%64*4+3] ? 4 : 2) * 327680 :
//! ... (b0_0[i%64*4] < b0_0[i%64*4+2] ? 30 : 10) + (b0_0[i%64*4+1] < b0_0[i%64*4+3] ? 40 : 20) * 65536 + 5 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uvec4 a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  bvec2 isLess = lessThan(a[i].xy, a[i].zw);
  uint64_t wide = packUint2x32(mix(uvec2(1, 2), uvec2(3, 4), isLess)) + 6ul;
  b[i] = uint(wide);
  b[i + 64u] = uint(wide >> 32);
  b[i + 128u] = packUint2x16(mix(u16vec2(1us, 2us), u16vec2(3us, 4us), isLess)) * 5u;
  u16vec4 four = mix(u16vec4(10us, 20us, 1us, 2us), u16vec4(30us, 40us, 3us, 4us), isLess.xyxy);
  b[i + 192u] = unpack32(pack64(four) + 5ul).x;
}
