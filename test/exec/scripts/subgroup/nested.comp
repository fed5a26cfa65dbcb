// SPDX-License-Identifier: MIT
// Subgroup operations in nested branches, in the cases of a switch that share code, and behind
// them, where the lanes are together again.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! buffer key u32 : eval 140 { i * 2654435761 >> 9 & 7 }
//! buffer 0.1 u32 : 0*560
//! bind 0.0 storage key
//! expect 0.1 u32 : eval 560 {
//! ...  i < 140 ? fold(j, i/SG*SG, min(i/SG*SG+SG,140), 0, key[j] == key[i] ? acc + j : acc) + 1000 * key[i] :
//! ...  i < 280 ? fold(j, i%140/SG*SG, min(i%140/SG*SG+SG,140), 0, (key[j] + (key[j] == 3)) / 2 == (key[i%140] + (key[i%140] == 3)) / 2 ? acc + j : acc) :
//! ...  i < 420 ? fold(j, i%140/SG*SG, min(i%140/SG*SG+SG,140), 0, acc + key[j]) :
//! ...  fold(j, i%140/SG*SG, i%140, 0, key[j] / 4 == key[i%140] / 4 ? acc + 1 : acc) }
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 140) in;
layout(set = 0, binding = 0) readonly buffer X { uint key[]; };
layout(set = 0, binding = 1) buffer R { uint r[]; };
void main() {
  uint i = gl_LocalInvocationID.x, k = key[i], n = 0, half_ = 0;
  if ((k & 4) != 0) {
    if ((k & 2) != 0) {
      if ((k & 1) != 0) n = subgroupAdd(i) + 7000; else n = subgroupAdd(i) + 6000;
    } else {
      if ((k & 1) != 0) n = subgroupAdd(i) + 5000; else n = subgroupAdd(i) + 4000;
    }
    half_ = subgroupExclusiveAdd(1u);
  } else {
    if ((k & 2) != 0) {
      if ((k & 1) != 0) n = subgroupAdd(i) + 3000; else n = subgroupAdd(i) + 2000;
    } else {
      if ((k & 1) != 0) n = subgroupAdd(i) + 1000; else n = subgroupAdd(i);
    }
    half_ = subgroupExclusiveAdd(1u);
  }
  r[i] = n;
  r[420 + i] = half_;
  uint m = 0;
  switch (k) {
  case 0: case 1: m = subgroupAdd(i); break;
  case 2: m = subgroupAdd(i); break;
  case 3: case 4: case 5: m = subgroupAdd(i); break;
  default: m = subgroupAdd(i); break;
  }
  r[140 + i] = m;
  r[280 + i] = subgroupAdd(k);
}
