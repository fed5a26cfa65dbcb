// SPDX-License-Identifier: MIT
// Functions of integers, floats and components, whose results are exact.
__kernel void functions(__global const int *in, __global const float *from, __global int *out,
                        __global uint *words, __global float *floats) {
  size_t i = get_global_id(0);
  int x = in[i], y = in[i + 4];
  uint u = (uint)x, v = (uint)y;
  __global int *o = out + 24 * i;
  o[0] = (int)clz(u);
  o[1] = hadd(x, y);
  o[2] = rhadd(x, y);
  o[3] = min(x, y) + max(x, y) * 3;
  o[4] = mad_hi(x, y, 7);
  o[5] = mad_sat(x, y, 11);
  o[6] = mul24(x & 0xfff, y & 0xfff);
  o[7] = sub_sat(x, y);
  o[8] = add_sat(x, y);
  o[9] = (int)upsample((short)x, (ushort)y);
  o[10] = (int)abs(x);
  o[11] = clamp((short)x, (short)-100, (short)300);
  int4 a = (int4)(x, y, 1, 2), b = (int4)(3, 4, x - y, y);
  int4 c = shuffle(a, (uint4)(3, u & 3u, 1, 6));
  int8 d = shuffle2(a, b, (uint8)(0, 7, 5, v & 7u, 2, 4, 1, 3));
  vstore4(c, 3, o);
  vstore8(d, 2, o);
  __global uint *w = words + 8 * i;
  w[0] = hadd(u, v);
  w[1] = mul_hi(u, v);
  w[2] = mad_hi(u, v, 5u);
  w[3] = mad_sat(u, 3u, v);
  w[4] = min(u, v) ^ max(u, v);
  w[5] = clamp(u, 5u, 70000u);
  w[6] = abs_diff(u, v) + mad24(u & 255u, v & 255u, 1u) + mul24(u & 15u, v & 15u);
  w[7] = add_sat(u, v) ^ upsample((ushort)u, (ushort)v);
  float f = from[i], g = from[i + 4];
  __global float *r = floats + 20 * i;
  r[0] = ceil(f) + trunc(g) * 10 + rint(f) * 100 + round(g) * 1000;
  r[1] = copysign(f, g);
  r[2] = fabs(f) + fdim(f, g);
  r[3] = fmax(f, g) * 4 + fmin(f, g);
  r[4] = clamp(f, -1.0f, 1.0f);
  r[5] = mix(f, g, 0.25f);
  r[6] = step(f, g) + 2 * sign(f);
  r[7] = smoothstep(0.0f, 4.0f, f);
  r[8] = mad(f, g, 0.5f);
  float4 p = (float4)(f, g, 1, 0), q = (float4)(2, f, g, 0);
  vstore3(cross(p, q).xyz, 3, r);
  r[12] = rsqrt(16.0f) + sqrt(f * f);
  r[13] = isfinite(f / (g - g)) + 2 * isnormal(f) + 4 * signbit(f) + 8 * islessgreater(f, g);
  r[14] = isordered(f, g) + 2 * isunordered(f, as_float(0x7fc00000)) + 4 * isnan(f) + 8 * isinf(f);
  r[15] = exp2(4.0f) + log2(8.0f);
  r[16] = native_recip(4.0f) + native_sqrt(9.0f);
  r[17] = fast_length((float2)(3, 4));
  r[18] = select(f, g, x & 1);
  r[19] = as_float(bitselect(as_int(f), as_int(g), 0x7fffff));
}
