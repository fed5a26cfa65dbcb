// SPDX-License-Identifier: MIT
// Instructions in the encodings that only some operands have: absolute values and bytes of VGPRs, halves and bytes that
// are the same in all lanes, comparisons of neither less nor greater with a condition that is no branch.
//! requires shaderInt8
//! buffer 0.0 f32 : 1 -2 4 -0.5 8 -1024 nan inf  1 2 3 nan 9 1024 1 inf
//! buffer 0.1 u32 : 0x12345678 0xff000001 0 0x7fffffff 5 0x80000000 0xabcdef01 0x0000ffff
//! ... 0x9abc0012 0x00010034 0xffff0000 0x800000ff 0x00050005 1 0x00ff00ee 0xfffe0000
//! buffer 0.2 uniform u32 : 0xc2004500 0x807f01fe
//! append f32 : 2
//! buffer 0.3 f32 : 0*8
//! buffer 0.4 u32 : 0*8
//! buffer 0.5 u32 : 0*8
//! buffer 0.6 u32 : 0*6
//! expect 0.3 f32 : 0 1 2 -1 3 10 nan inf
//! expect 0.4 u32 : 0x129abc 0xff0001 0xffff 0xffffff 0x50005 0x800000 0xeeef01 0xffff
//! expect 0.5 u32 : 5 3 0 3 0 5 5 5
//! expect 0.6 f32 : -3 5
//! expect 0.6@8 i32 : -2 1 127 -128
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Floats { float x[8]; float y[8]; };
layout(set = 0, binding = 1) buffer Words { uint a[8]; uint b[8]; };
layout(set = 0, binding = 2) uniform Same { uint halves; uint bytes; float limit; };
layout(set = 0, binding = 3) buffer Logarithms { float logarithm[8]; };
layout(set = 0, binding = 4) buffer Greatest { uint greatest[8]; };
layout(set = 0, binding = 5) buffer Relations { uint relation[8]; };
layout(set = 0, binding = 6) buffer Extended { float high; float low; int extended[4]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  logarithm[i] = log2(abs(x[i]));
  greatest[i] = max(a[i] & 0xffffu, b[i] >> 16) + max(a[i] >> 24, b[i] & 0xffu) * 65536u;
  // Neither less nor greater: equal or unordered.
  bool neither = !(abs(x[i]) < y[i] || abs(x[i]) > y[i]);
  bool near = !(y[i] < limit || y[i] > limit);
  relation[i] = (neither ? 1u : 0u) | (near ? 2u : 0u) | (neither != near ? 4u : 0u);
  if (i == 0) {
    vec2 both = unpackHalf2x16(halves);
    high = both.y;
    low = both.x;
    extended = int[](bitfieldExtract(int(bytes), 0, 8), bitfieldExtract(int(bytes), 8, 8), int(int8_t(bytes >> 16)),
                     bitfieldExtract(int(bytes), 24, 8));
  }
}
