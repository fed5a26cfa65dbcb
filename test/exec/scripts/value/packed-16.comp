// SPDX-License-Identifier: MIT
// Vectors of halves and of short integers, whose instructions compute two elements at once: with values, constants and what
// all invocations share. The numbers are small, so that halves are exact.
//! requires shaderFloat16 shaderInt16 storageBuffer16BitAccess
//! buffer 0.0 f16 : eval 128 { i * 7 % 23 - 11 }
//! buffer 0.1 f16 : eval 128 { i * 5 % 17 - 8 }
//! buffer 0.2 f16 : 3 -2 5 7
//! buffer 0.3 f16 : 0*1280
//! buffer 0.4 i16 : random(5,128)
//! buffer 0.5 i16 : random(6,128)
//! buffer 0.6 i16 : 300 -2 5 1
//! buffer 0.7 i16 : 0*1280
//! expect 0.3 f16 : eval 1280 { i / 128 == 0 ? b0_0[i%128] + b0_1[i%128] :
//! ... i / 128 == 1 ? b0_0[i%128] - b0_2[i%4] :
//! ... i / 128 == 2 ? b0_0[i%128] * b0_1[i%128] :
//! ... i / 128 == 3 ? b0_0[i%128] * b0_1[i%128] + b0_2[i%4] :
//! ... i / 128 == 4 ? min(b0_0[i%128], b0_1[i%128]) :
//! ... i / 128 == 5 ? max(b0_0[i%128], i % 4 == 0 ? 1 : i % 4 == 1 ? -2 : i % 4 == 2 ? 3 : -4) :
//! ... i / 128 == 6 ? (i % 4 == 0 ? 100 : i % 4 == 1 ? 0.5 : i % 4 == 2 ? 2 : 40) - b0_0[i%128] :
//! ... i / 128 == 7 ? b0_0[i%128] * 2 + (i % 4 == 3 ? 9 : b0_1[i%128]) :
//! ... i / 128 == 8 ? b0_2[i%4] * b0_2[(i+1)%4] - b0_0[i%128/4*4+(i+1)%4] :
//! ... b0_0[i%128] * b0_1[i%128] * (i % 4 == 0 || i % 4 == 3 ? -1 : 1) }
//! expect 0.7 i16 : eval 1280 { i / 128 == 0 ? b0_4[i%128] + b0_5[i%128] :
//! ... i / 128 == 1 ? b0_4[i%128] - b0_6[i%4] :
//! ... i / 128 == 2 ? b0_4[i%128] * b0_5[i%128] :
//! ... i / 128 == 3 ? b0_4[i%128] << (b0_5[i%128] & 15) :
//! ... i / 128 == 4 ? b0_4[i%128] >> (b0_5[i%128] & 15) :
//! ... i / 128 == 5 ? (b0_4[i%128] & 0xffff) >> (b0_5[i%128] & 15) :
//! ... i / 128 == 6 ? (i % 4 == 0 ? 1000 : i % 4 == 1 ? 64 : i % 4 == 2 ? -1 : 0) - b0_4[i%128] :
//! ... i / 128 == 7 ? (b0_4[i%128] << 3) + (i % 4 == 3 ? 9 : b0_5[i%128]) :
//! ... i / 128 == 8 ? b0_6[i%4] * b0_6[(i+1)%4] - b0_4[i%128/4*4+(i+1)%4] :
//! ... b0_6[i%4] << (b0_4[i%128] & 15) }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer A { f16vec4 a[]; };
layout(set = 0, binding = 1) readonly buffer B { f16vec4 b[]; };
layout(set = 0, binding = 2) readonly buffer U { f16vec4 u; };
layout(set = 0, binding = 3) writeonly buffer R { f16vec4 r[]; };
layout(set = 0, binding = 4) readonly buffer Ai { i16vec4 ai[]; };
layout(set = 0, binding = 5) readonly buffer Bi { i16vec4 bi[]; };
layout(set = 0, binding = 6) readonly buffer Ui { i16vec4 ui; };
layout(set = 0, binding = 7) writeonly buffer Ri { i16vec4 ri[]; };
void halves(uint i) {
  f16vec4 x = a[i], y = b[i];
  r[i] = x + y;
  r[i + 32u] = x - u;
  r[i + 64u] = x * y;
  r[i + 96u] = fma(x, y, u);
  r[i + 128u] = min(x, y);
  r[i + 160u] = max(x, f16vec4(1, -2, 3, -4));
  r[i + 192u] = f16vec4(100, 0.5, 2, 40) - x;
  f16vec3 three = x.xyz * float16_t(2) + y.xyz; // an odd number
  r[i + 224u] = f16vec4(three, x.w * float16_t(2) + float16_t(9));
  r[i + 256u] = u * u.yzwx - x.yzwx;
  r[i + 288u] = f16vec4(-x.xy, x.zw) * f16vec4(y.x, -y.y, y.z, -y.w);
}
void shorts(uint i) {
  i16vec4 x = ai[i], y = bi[i], n = y & i16vec4(15);
  ri[i] = x + y;
  ri[i + 32u] = x - ui;
  ri[i + 64u] = x * y;
  ri[i + 96u] = x << n;
  ri[i + 128u] = x >> n;
  ri[i + 160u] = i16vec4(u16vec4(x) >> u16vec4(n));
  ri[i + 192u] = i16vec4(1000, 64, -1, 0) - x;
  i16vec3 three = (x.xyz << i16vec3(3)) + y.xyz;
  ri[i + 224u] = i16vec4(three, (x.w << int16_t(3)) + int16_t(9));
  ri[i + 256u] = ui * ui.yzwx - x.yzwx;
  ri[i + 288u] = ui << (x & i16vec4(15));
}
void main() {
  halves(gl_LocalInvocationIndex);
  shorts(gl_LocalInvocationIndex);
}
