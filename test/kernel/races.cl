// Kernels with and without data races, for races.py.
#ifndef BARRIER
#define BARRIER
#endif

kernel void neighbour(global int *out, local int *tile) {
  int i = get_local_id(0);
  tile[i] = i;
  BARRIER;
  out[get_global_id(0)] = tile[(i + 1) % get_local_size(0)];
}

kernel void loop(global int *out, local int *tile) {
  int i = get_local_id(0), sum = 0;
  for (int n = 0; n < 3; ++n) {
    tile[i] = i + n;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[get_local_size(0) - 1 - i];
    BARRIER;
  }
  out[get_global_id(0)] = sum;
}

kernel void in_global(global int *out, global int *tile) {
  int i = get_local_id(0);
  global int *own = tile + get_group_id(0) * get_local_size(0);
  own[i] = i;
  BARRIER;
  out[get_global_id(0)] = own[(i + 1) % get_local_size(0)];
}

kernel void groups(global int *out) { out[get_local_id(0)] = get_group_id(0); }

kernel void same_value(global int *out) { out[0] = 7; }

kernel void other_value(global int *out) { out[0] = get_global_id(0); }

kernel void atomics(global int *out) { atomic_add(out, 1); }

kernel void atomic_and_plain(global int *out, global int *sum) {
  atomic_add(sum, 1);
  out[get_global_id(0)] = *sum;
}

kernel void local_atomics(global int *out, local int *sum) {
  if (get_local_id(0) == 0)
    *sum = 0;
  BARRIER;
  atomic_add(sum, 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = *sum;
}

kernel void bytes(global uchar *out, global ushort *halves) {
  out[get_global_id(0)] = get_global_id(0);
  halves[get_global_id(0)] = get_global_id(0) >> 1;
}

// The last byte of each is the first of the next one.
kernel void overlap(global uchar *out) {
  vstore4((uchar4)(get_global_id(0)), 0, out + 3 * get_global_id(0));
}

kernel void uniform_read(global int *out, global int *in) {
  out[get_global_id(0)] = in[0];
}

kernel void read_what_one_writes(global int *out, global int *in) {
  if (get_global_id(0) == 5)
    in[0] = 1;
  out[get_global_id(0)] = in[0];
}

kernel void vectors(global float4 *out, local float4 *tile) {
  int i = get_local_id(0);
  tile[i] = (float4)(i);
  BARRIER;
  out[get_global_id(0)] = tile[i ^ 1];
}

kernel void own_cells(global int *out, local int *tile) {
  int i = get_local_id(0);
  tile[2 * i] = i;
  tile[2 * i + 1] = -i;
  out[get_global_id(0)] = tile[2 * i] + tile[2 * i + 1];
}
