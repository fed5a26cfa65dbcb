// SPDX-License-Identifier: MIT
// Sums of workgroups, by memory that an argument points to, and a vector among the arguments.
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
reduce(__global const int *in, __global int *out, __local int *sums, int4 added) {
  uint local_id = get_local_id(0);
  sums[local_id] = in[get_global_id(0)] + added.y;
  for (uint step = get_local_size(0) / 2; step > 0; step >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (local_id < step)
      sums[local_id] += sums[local_id + step];
  }
  if (local_id == 0)
    out[get_group_id(0)] = sums[0];
}
