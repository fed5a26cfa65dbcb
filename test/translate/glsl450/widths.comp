// RUN: amdllpc -auto-layout-desc -gfxip=10.1.0 -o %t.elf %s && pal-verify %t.elf
// RUN: amdllpc -auto-layout-desc -gfxip=10.3.0 -o %t.elf %s && pal-verify %t.elf
// RUN: amdllpc -auto-layout-desc -gfxip=11.5.0 -o %t.elf %s && pal-verify %t.elf
// RUN: amdllpc -auto-layout-desc -gfxip=12.0.1 -o %t.elf %s && pal-verify %t.elf
// All of GLSL.std.450 that has 16- and 64-bit forms compiles for every generation.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 64) in;
layout(binding = 0) buffer H { f16vec4 h[]; };
layout(binding = 1) buffer F { vec4 f[]; };
layout(binding = 2) buffer D { dvec4 d[]; };
layout(binding = 3) buffer I { ivec4 n[]; };

f16vec4 half4(f16vec4 a, f16vec4 b, f16vec4 c) {
  f16vec4 r = round(a) + roundEven(b) + trunc(c) + abs(a) + sign(b) + floor(c) + ceil(a) + fract(b);
  r += radians(a) + degrees(b) + sin(a) + cos(b) + tan(c) + asin(a) + acos(b) + atan(c) + atan(a, b);
  r += sinh(a) + cosh(b) + tanh(c) + asinh(a) + acosh(b) + atanh(c);
  r += pow(a, b) + exp(a) + log(b) + exp2(c) + log2(a) + sqrt(b) + inversesqrt(c);
  r += min(a, b) + max(b, c) + clamp(a, b, c) + mix(a, b, c) + step(a, b) + smoothstep(a, b, c) + fma(a, b, c);
  r += length(a) + distance(b, c) + normalize(a) + faceforward(a, b, c) + reflect(a, b) + refract(a, b, c.x);
  r.xyz += cross(a.xyz, b.xyz);
  f16vec4 whole;
  ivec4 e;
  r += modf(a, whole) + whole + frexp(b, e) + ldexp(c, e) + mod(a, b);
  f16mat4 m = f16mat4(a, b, c, r);
  return inverse(m) * r * determinant(m);
}

vec4 float4(vec4 a, vec4 b, vec4 c) {
  vec4 r = round(a) + sign(b) + tan(c) + asin(a) + acos(b) + atan(c) + atan(a, b);
  r += sinh(a) + cosh(b) + tanh(c) + asinh(a) + acosh(b) + atanh(c) + pow(a, b) + exp(a) + log(b);
  r += smoothstep(a, b, c) + normalize(a) + faceforward(a, b, c) + refract(a, b, c.x) + mod(a, b);
  vec4 whole;
  ivec4 e;
  r += modf(a, whole) + whole + frexp(b, e) + ldexp(c, e);
  uint p = packSnorm4x8(a) ^ packUnorm4x8(b) ^ packSnorm2x16(c.xy) ^ packUnorm2x16(a.xy) ^ packHalf2x16(b.zw);
  r += unpackSnorm4x8(p) + unpackUnorm4x8(p);
  r.xy += unpackSnorm2x16(p) + unpackUnorm2x16(p) + unpackHalf2x16(p);
  mat3 m3 = mat3(a.xyz, b.xyz, c.xyz);
  mat2 m2 = mat2(a.xy, b.xy);
  r.xyz += inverse(m3)[1] * determinant(m3);
  r.xy += inverse(m2)[1] * determinant(m2);
  mat4 m = mat4(a, b, c, r);
  return inverse(m) * r * determinant(m);
}

dvec4 double4(dvec4 a, dvec4 b, dvec4 c) {
  dvec4 r = round(a) + trunc(c) + abs(a) + sign(b) + floor(c) + ceil(a) + fract(b) + sqrt(b) + inversesqrt(c);
  r += min(a, b) + max(b, c) + clamp(a, b, c) + mix(a, b, c) + step(a, b) + smoothstep(a, b, c) + fma(a, b, c);
  r += length(a) + normalize(a) + faceforward(a, b, c) + reflect(a, b) + refract(a, b, c.x) + mod(a, b) + a / b;
  dvec4 whole;
  ivec4 e;
  r += modf(a, whole) + whole + frexp(b, e) + ldexp(c, e);
  r.x += packDouble2x32(unpackDouble2x32(r.y));
  dmat4 m = dmat4(a, b, c, r);
  return inverse(m) * r * determinant(m);
}

void main() {
  uint i = gl_LocalInvocationIndex;
  h[i] = half4(h[i], h[i + 64], h[i + 128]);
  f[i] = float4(f[i], f[i + 64], f[i + 128]);
  d[i] = double4(d[i], d[i + 64], d[i + 128]);
  ivec4 k = n[i];
  n[i] = abs(k) + sign(k) + findLSB(k) + findMSB(k) + findMSB(uvec4(k)) + min(k, k.yxwz) + clamp(k, k.wzyx, ivec4(9));
}
