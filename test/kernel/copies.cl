// SPDX-License-Identifier: MIT
// Copies by workgroups, with a stride, there and back; fewer and more elements than invocations.
__kernel void copies(__global const float4 *in, __global float4 *out, __local float4 *cache,
                     uint count) {
  size_t first = get_group_id(0) * count;
  event_t event = async_work_group_strided_copy(cache, in + first * 2, count, 2, 0);
  wait_group_events(1, &event);
  for (uint i = get_local_id(0); i < count; i += get_local_size(0))
    cache[i] = cache[i] * 2.0f + (float4)(0, 1, 2, 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  event = async_work_group_copy(out + first, cache, count, 0);
  wait_group_events(1, &event);
}
