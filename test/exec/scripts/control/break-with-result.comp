// SPDX-License-Identifier: MIT
// A loop that some lanes leave with a result and others at its end, below a condition that not all of them meet:
// lane i looks for 3 * k = i % 16 with k below i % 12 and a weight, unless i % 12 is above 8. Lanes 3, 9, 10,
// 11, 16, 19 and 21 to 23 find one or need none; 5, 13 and 21 do not look: they are in the first result only.
//! buffer 0.0 u32 : 0*2
//! buffer 0.1 f32 : 1 1 0 1 1 0 1 1
//! dispatch 2
//! expect 0.0 u32 : 0xe92e28 0xc90e08
#version 450
layout(local_size_x = 32) in;
layout(std430, set = 0, binding = 0) buffer Result { uint found[2]; };
layout(std430, set = 0, binding = 1) readonly buffer Weights { float weights[8]; };
shared uint mask;

bool looks(uint lane) {
  bool result;
  uint count = lane % 12u;
  if (count <= 8u) {
    result = false;
    for (uint k = 0u; k < count; k++) {
      if (weights[k] > 0.5) {
        if (3u * k == lane % 16u) {
          result = true;
          break;
        }
      }
    }
  } else
    result = true;
  return result;
}

void main() {
  uint lane = gl_LocalInvocationIndex;
  if (lane == 0u)
    mask = 0u;
  barrier();
  if (lane < 29u) {
    if ((lane & 7u) == 5u) {
      if (gl_WorkGroupID.x == 0u)
        atomicOr(mask, 1u << lane);
    } else if (looks(lane))
      atomicOr(mask, 1u << lane);
  }
  barrier();
  if (lane == 0u)
    found[gl_WorkGroupID.x] = mask;
}
