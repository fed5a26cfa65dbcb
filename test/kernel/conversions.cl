// SPDX-License-Identifier: MIT
// Conversions that round and saturate, unions by value, aligned variables, halves that are rounded
// as the function says.
union both {
  struct {
    char c;
    int i;
  } s;
  uchar raw[8];
};

static int sum(union both b) { return b.raw[1] + 10 * b.raw[2] + 100 * b.raw[3] + b.s.c; }

__kernel void conversions(__global const float *in, __global int *out, union both given,
                          __global half *halves) {
  float x = in[get_global_id(0)];
  __global int *o = out + 16 * get_global_id(0);
  o[0] = convert_int_rte(x);
  o[1] = convert_int_rtp(x);
  o[2] = convert_int_rtn(x);
  o[3] = convert_int_rtz(x);
  o[4] = convert_uchar_sat(x * 150.0f);
  o[5] = convert_char_sat(x * 150.0f);
  o[6] = convert_uchar_sat((int)(x * 200.0f));
  o[7] = convert_short_sat((uint)(fabs(x) * 40000.0f));
  union both b = given;
  b.raw[1] += 1;
  o[8] = sum(given);
  o[9] = sum(b);
  uchar place[33] __attribute__((aligned(16)));
  for (int i = 0; i < 33; ++i)
    place[i] = (uchar)(i + o[0]);
  o[10] = (int)((ulong)&place[o[9] % 7] & 15) + place[(uint)o[1] % 33];
  vstore_half_rtz(x * 0.1f, get_global_id(0), halves);
}
