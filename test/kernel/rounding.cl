// SPDX-License-Identifier: MIT
// Conversions to floats in each rounding mode, and functions that are exact: bits.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void rounding(__global const int *ints, __global const double *doubles, __global uint *out,
                       __global half *halves) {
  size_t id = get_global_id(0);
  int i = ints[id];
  double d = doubles[id];
  float f = (float)d;
  __global uint *o = out + 12 * id;
  o[0] = as_uint(convert_float_rte(i));
  o[1] = as_uint(convert_float_rtz(i));
  o[2] = as_uint(convert_float_rtp(i));
  o[3] = as_uint(convert_float_rtn(i));
  o[4] = as_uint(convert_float_rte(d));
  o[5] = as_uint(convert_float_rtz(d));
  o[6] = as_uint(convert_float_rtp(d));
  o[7] = as_uint(convert_float_rtn(d));
  o[8] = as_uint(nextafter(f, 0.25f));
  o[9] = as_uint(maxmag(f, -0.75f));
  o[10] = as_uint(minmag(f, 0.75f));
  o[11] = as_uint(ldexp(f, i >> 24));
  vstore_half_rte(f, 4 * id, halves);
  vstore_half_rtz(f, 4 * id + 1, halves);
  vstore_half_rtp(f, 4 * id + 2, halves);
  vstore_half_rtn(f, 4 * id + 3, halves);
}
