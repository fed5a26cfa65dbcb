// SPDX-License-Identifier: MIT
// Signs of zeros that are products and packed as halves, where they are to be kept.
//! buffer 0.0 f32 : -1 0 1 2
//! buffer 0.1 u32 : 0*4
//! expect 0.1 u32 : 0x80008000 0 0 0
#version 450
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  b[i] = packHalf2x16(vec2(a[i] * a[1], a[1] * a[i]));
}
