// What is printed, and how conversions see their values. One work-item of all does it: others would print in between.
void say(constant char *name, float x) {
  if (x > 1) printf("%s %g is above 1\n", "value", x);
}

kernel void print(global int *out, float x, long big) {
  int i = get_global_id(0);
  out[i] = 1;
  if (i != 5) return;
  out[i] = printf("item %d of %lu, %5.2f|%-6d|%06d|%+d|%#x|%e\n", i, (ulong)get_global_size(0), x, i, i, i, 255, x) + 7;
  printf("%ld %lx %u %o %c%c 100%%\n", big, big, 4000000000u, 8, 'o', 'k');
  printf("%v4d %v2hhd %v4hlf %v3hlX\n", (int4)(1, -2, 3, i), (char2)(-1, 100), (float4)(x, 2, 3, 4), (int3)(10, 11, 12));
  printf("%.3s|%8s|\n", "abcdef", "right");
  say("x", x);
  for (int n = 0; n < 3; n++) printf("%d,", n);
  printf("\n");
}
