// SPDX-License-Identifier: MIT
// What kernels know of their place.
__kernel void places(__global ulong *out) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;
  ulong sum = 0;
  for (uint d = 0; d < 3; ++d)
    sum = sum * 7 + get_local_id(d) * 1000 + get_group_id(d) * 100 + get_num_groups(d) * 10 +
          get_local_size(d) + get_global_offset(d);
  out[at] = sum;
}
