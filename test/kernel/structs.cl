// SPDX-License-Identifier: MIT
// Structures by value and in buffers, a packed one, __constant memory of the program, __local
// variables, functions with structures of their own.
typedef struct {
  float3 place;
  int number;
  char letters[3];
} item;
typedef struct __attribute__((packed)) {
  char first;
  int second;
} tight;
__constant int table[4] = {1, 5, 9, 13};

static int changed(item copy) {
  copy.number += 100;
  return copy.number;
}

__kernel void structs(__global item *items, item added, __global tight *packed, tight one,
                      __global int *counts) {
  __local int shared[16];
  size_t i = get_global_id(0);
  item it = items[i];
  it.place += added.place;
  it.number += added.number + table[i & 3];
  it.letters[1] = (char)(it.number * 3);
  counts[i] = changed(it);
  shared[get_local_id(0)] = it.number;
  barrier(CLK_LOCAL_MEM_FENCE);
  it.letters[2] = (char)shared[get_local_id(0) ^ 1];
  items[i] = it;
  packed[i].first += one.first;
  packed[i].second += one.second * (int)get_global_size(0);
}
