// SPDX-License-Identifier: MIT
// Push constants of every type and a dynamic index into an array of them.
//! requires shaderInt8 shaderInt16 shaderInt64 shaderFloat64 shaderFloat16 storagePushConstant8 storagePushConstant16
//! push f32 : 1.5 -2
//! push u8 : 200 7
//! push i16 : -300
//! push f16 : 0.5 4
//! push i64 : -5000000000
//! push f64 : 0.0625
//! push u32 : 10 20 30 40 50 60 70 80
//! buffer 0.0 f64 : 0*16
//! dispatch 8
//! expect 0.0 f64 : 10 20 30 40 50 60 70 80 1.5 -2 207 -300 4.5 -5000000000 0.0625 9
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 1) in;
layout(push_constant) uniform P {
  vec2 f; uint8_t x, y; int16_t s; f16vec2 h; int64_t l; double d; uint list[8];
};
layout(set = 0, binding = 0) buffer B { double b[]; };
void main() {
  uint i = gl_WorkGroupID.x;
  b[i] = list[i];
  if (i == 0) {
    b[8] = f.x; b[9] = f.y; b[10] = double(uint(x) + uint(y)); b[11] = double(int(s));
    b[12] = double(float(h.x + h.y)); b[13] = double(l); b[14] = d; b[15] = 9.0;
  }
}
