// SPDX-License-Identifier: MIT
// Specialization constants of every type, given and by default.
//! requires shaderInt8 shaderInt16 shaderInt64 shaderFloat64 shaderFloat16
//! spec 0 u32 1
//! spec 1 i32 -5
//! spec 2 u32 4000000000
//! spec 3 f32 2.5
//! spec 4 f64 -0.125
//! spec 5 i64 -5000000000
//! spec 6 i16 -300
//! spec 7 u8 200
//! spec 8 f16 1.5
//! buffer 0.0 f64 : 0*12
//! expect 0.0 f64 : 1 -5 4000000000 2.5 -0.125 -5000000000 -300 200 1.5 77 -1 0
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const bool c0 = false;
layout(constant_id = 1) const int c1 = 1;
layout(constant_id = 2) const uint c2 = 1;
layout(constant_id = 3) const float c3 = 1.0;
layout(constant_id = 4) const double c4 = 1.0;
layout(constant_id = 5) const int64_t c5 = 1l;
layout(constant_id = 6) const int16_t c6 = 1s;
layout(constant_id = 7) const uint8_t c7 = uint8_t(1);
layout(constant_id = 8) const float16_t c8 = 1.0hf;
layout(constant_id = 9) const uint c9 = 77;
layout(constant_id = 10) const int c10 = -1;
layout(set = 0, binding = 0) buffer B { double b[]; };
void main() {
  b[0] = c0 ? 1.0 : 0.0;
  b[1] = c1; b[2] = c2; b[3] = c3; b[4] = c4; b[5] = double(c5); b[6] = double(int(c6));
  b[7] = double(uint(c7)); b[8] = double(float(c8)); b[9] = c9; b[10] = c10;
}
