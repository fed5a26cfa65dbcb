// Values of all work-items of a workgroup, and of a subgroup.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

kernel void integers(global int *out, global long *wide) {
  const size_t i = get_global_linear_id(), local_id = get_local_linear_id();
  const int x = ((int)i * 7 + 3) % 32 - 16;
  global int *own = out + 11 * i;
  own[0] = work_group_reduce_add(x);
  own[1] = work_group_scan_inclusive_add(x);
  own[2] = work_group_scan_exclusive_add(x);
  own[3] = work_group_reduce_min(x);
  own[4] = work_group_scan_inclusive_max(x);
  own[5] = work_group_scan_exclusive_min(x);
  own[6] = (int)work_group_reduce_max((uint)x);
  own[7] = work_group_broadcast(x, 5, 1);
  own[8] = work_group_all(x > -17);
  own[9] = work_group_all(x > -16);
  own[10] = work_group_any(local_id == 77) + 2 * work_group_any(x == 99);
  wide[i] = work_group_scan_inclusive_add((long)x << 33);
}

kernel void floats(global float *out) {
  const size_t i = get_global_linear_id();
  const float x = (float)((int)i % 40) / 4 - 3;
  global float *own = out + 5 * i;
  own[0] = work_group_reduce_add(x);
  own[1] = work_group_scan_exclusive_add(x);
  own[2] = work_group_reduce_max(x);
  own[3] = work_group_scan_exclusive_min(x);
  own[4] = work_group_broadcast(x, 39);
}

// Sums of subgroups by their sizes, which GPUs choose: 0 where all is right.
kernel void subgroups(global int *out) {
  const uint i = get_global_id(0), lane = get_sub_group_local_id();
  const uint lanes = get_sub_group_size(), first = i - lane;
  int wrong = 0;
  wrong |= sub_group_reduce_add(i) != lanes * first + lanes * (lanes - 1) / 2;
  wrong |= 2 * (sub_group_scan_inclusive_add(i) != (lane + 1) * first + lane * (lane + 1) / 2);
  wrong |= 4 * (sub_group_broadcast(i, 3) != first + 3);
  wrong |= 8 * !sub_group_all(i >= first);
  wrong |= 16 * sub_group_any(i < first);
  out[i] = wrong;
}

kernel void copy_bytes(global uchar *out, global uchar *in, uint bytes) {
  if (get_global_id(0) == 0)
    __builtin_memcpy(out + 1, in + 2, bytes);
}
