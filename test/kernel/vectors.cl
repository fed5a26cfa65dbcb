// SPDX-License-Identifier: MIT
// Vectors of 3, 8 and 16 components, loads and stores of vectors and halves, integer functions.
__kernel void vectors(__global const int *in, __global int *out, __global half *halves,
                      __global float *floats) {
  size_t i = get_global_id(0);
  int3 three = vload3(i, in);
  int8 eight = vload8(i, in) + (int8)(1);
  int16 wide = (int16)(eight, eight.odd, eight.even) * (int16)(2);
  vstore3(three.zyx, 0, out + 32 * i);
  vstore8(eight.s76543210, 0, out + 32 * i + 3);
  vstore4(wide.sfedc, 0, out + 32 * i + 11);
  out[32 * i + 15] = (int)popcount((uint)three.x * 77u);
  out[32 * i + 16] = clamp(three.x * 3 - 20, -5, 17);
  out[32 * i + 17] = (int)rotate((uint)three.y + 1u, 31u);
  out[32 * i + 18] = mul_hi(three.x * 100000000, 30000000);
  out[32 * i + 19] = (int)add_sat((char)(three.x * 9), (char)100);
  out[32 * i + 20] = (int)sub_sat((uchar)three.x, (uchar)5);
  out[32 * i + 21] = (int)rhadd((uint)three.x, 4294967295u);
  out[32 * i + 22] = mad24(three.x - 4, 1000, three.y);
  out[32 * i + 23] = (int)clz((ushort)(three.z + 1));
  out[32 * i + 24] = (int)abs_diff(three.x, 7);
  out[32 * i + 25] = (int)bitselect((uint)0x0f0f, (uint)0x3333, (uint)three.x);
  out[32 * i + 26] = select(three.x, three.y, three.x & 1);
  vstore_half(floats[i] * 1.25f, i, halves);
  floats[i] = vload_half(i, halves) + fma(floats[i], 2.0f, 0.5f) + fmin(floats[i], 3.0f) +
              floor(floats[i] * 0.3f) + sqrt(floats[i] * floats[i]) + exp2(floats[i]);
}
