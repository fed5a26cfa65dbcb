// Pointers that may point to private, local or global memory, and what says which.
int get(int *p, int i) { return p[i]; }
void put(int *p, int i, int v) { p[i] = v; }
kernel void k(global int *out, local int *l, int n) {
  int i = get_global_id(0), w = get_local_id(0);
  int own[4] = {1, 2, 3, 4};
  put(own, i & 3, 10 * i);
  put(l, w, i);
  barrier(CLK_LOCAL_MEM_FENCE);
  int *any = n > 5 ? (int*)out : (i & 1) ? (int*)own : (int*)l;
  int r = get(own, i & 3) + get(l, w ^ 1) + get(any, 2);
  if (to_global(any)) r += 1000;
  if (to_local(any)) r += 2000;
  if (to_private(any)) r += 4000;
  out[i] = r + 10000 * get_work_dim();
}
