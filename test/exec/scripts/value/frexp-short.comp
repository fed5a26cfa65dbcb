// SPDX-License-Identifier: MIT
// VK_AMD_gpu_shader_int16: frexp (FrexpStruct) and ldexp with exponents of 16 bits, of halves and of floats.
// lavapipe has no VK_AMD_gpu_shader_int16.
//! requires VK_AMD_gpu_shader_int16 VK_AMD_gpu_shader_half_float shaderInt16 shaderFloat16
//! buffer 0.0 f32 : eval 64 { (i % 2 ? -1 : 1) * (1 + i % 8 / 8.0) * (fold(k, 0, i % 24, 1.0, acc * 2)) / 8192 }
//! buffer 0.1 i32 : 0*256
//! dispatch 1
//! expect 0.1 i32 : eval 256 { i % 4 == 3 ? 1 : i / 4 % 24 - 12 }
#version 450
#extension GL_AMD_gpu_shader_half_float : require
#extension GL_AMD_gpu_shader_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float x[]; };
layout(set = 0, binding = 1) buffer Out { ivec4 result[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float16_t h = float16_t(x[i]);
  int16_t e;
  i16vec2 pair;
  float16_t m = frexp(h, e);
  f16vec2 halves = frexp(f16vec2(h, h * 2.0hf), pair);
  bool fits = ldexp(m, e) == h && all(equal(ldexp(halves, pair), f16vec2(h, h * 2.0hf)));
  result[i] = ivec4(e, pair.x, pair.y - 1s, fits ? 1 : 0);
}
