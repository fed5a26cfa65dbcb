// SPDX-License-Identifier: MIT
// Large functions that are called at many places: inlined, a hundred thousand instructions. They take
// and change private arrays, workgroup memory and buffers, and are called where lanes differ.
#define STEP(i) x = rotate(x, 7u) * 2654435761u + (words[(i) & 15] ^ (x >> 9));
#define STEPS(i) STEP(i) STEP(i + 3) STEP(i + 6) STEP(i + 9) STEP(i + 12) STEP(i + 15)
uint mix(uint x, const uint *words) {
  STEPS(0) STEPS(1) STEPS(2) STEPS(3) STEPS(4) STEPS(5) STEPS(6) STEPS(7)
  STEPS(8) STEPS(9) STEPS(10) STEPS(11) STEPS(12) STEPS(13) STEPS(14) STEPS(15)
  return x;
}

// Keeps no variable in memory, and calls others. Lanes leave it at different places.
void transform(const uint *words, uint *state, int rounds) {
  state[0] = mix(state[0] + state[7], words);
  if (rounds == 0)
    return;
  state[1] = mix(state[1] + state[0], words);
  state[2] = mix(state[2] + state[1], words);
  for (int i = 3; i < rounds; ++i)
    state[i & 7] = mix(state[i & 7] + state[(i - 1) & 7], words);
  uint x = mix(state[7] ^ state[3], words);
  STEPS(1) STEPS(2) STEPS(3) STEPS(4) STEPS(5) STEPS(6) STEPS(7) STEPS(8)
  state[7] = x;
}

#define ADD(i) sum += a * (float)(i); sum.xy += b.yx; scaled = scaled * 3 + c + (long)sum.w;
#define ADDS(i) ADD(i) ADD(i + 1) ADD(i + 2) ADD(i + 3) ADD(i + 4) ADD(i + 5) ADD(i + 6) ADD(i + 7)
// Vectors, and numbers of all widths.
float4 sums(float4 a, float2 b, char c, long d, __local uint *shared, __global uint *count) {
  float4 sum = (float4)(0.0f);
  long scaled = d;
  ADDS(1) ADDS(9) ADDS(17)
  *shared += (uint)scaled;
  atomic_add(count, (uint)c & 7u);
  return sum;
}

bool isOdd(uint x, const uint *words) { return mix(mix(x, words), words) & 1u; }

__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void
calls(__global const uint *in, __global uint *out, __global float4 *vectors, __global uint *count) {
  __local uint shared[8];
  uint words[16], state[16];
  const uint id = get_global_id(0);
  for (uint i = 0; i < 16; ++i)
    words[i] = in[(i + id) & 15];
  for (uint i = 0; i < 16; ++i)
    state[i] = i * 0x01020408u;
  shared[get_local_id(0)] = id;
  barrier(CLK_LOCAL_MEM_FENCE);
  transform(words, state, 0);
  transform(words, state, (int)(id & 3u) * 3);
  transform(state, words + 3, 5);
  if (id & 1u)
    transform(words, state, (int)id);
  else
    transform(words + 0, state, 4);
  for (uint i = 0; i < id; ++i)
    if (isOdd(i, words))
      transform(words, state, (int)i);
    else
      state[i & 7] ^= isOdd(i + 77u, state - 0) ? 5u : 9u;
  float4 v = sums((float4)(1.0f, 2.0f, (float)id, 0.5f), (float2)(3.0f, 4.0f), (char)-3, 1L << 40, shared + get_local_id(0), count);
  v += sums(v, v.zw, (char)id, (long)id << 33, shared + get_local_id(0), count + 1);
  vectors[id] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  transform(words, state, 8);
  transform(words, state, 9);
  for (uint i = 0; i < 8; ++i)
    out[8 * id + i] = state[i] + shared[i];
}
