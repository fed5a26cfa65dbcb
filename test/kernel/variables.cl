// __global variables of the program: with initializers, without, written, counted in.
typedef struct {
  char kind;
  short weights[3];
  float scale;
} Entry;

global int counter = 5;
global int zero;
global const Entry entries[2] = {{1, {10, -20, 30}, 0.5f}, {2, {7, 8, 9}, -2.0f}};
global long table[4] = {1, 2, 3, 1L << 40};

kernel void k(global long *out) {
  const int i = get_global_id(0);
  long sum = table[i & 3] + counter;
  atomic_add(&zero, i);
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 3)
    table[0] = 77;
  barrier(CLK_GLOBAL_MEM_FENCE);
  sum += 1000 * zero + 1000000 * table[0];
  const global Entry *entry = &entries[i & 1];
  out[i] = sum + (long)(entry->kind * entry->weights[i % 3] * entry->scale);
}
