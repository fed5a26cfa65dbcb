// SPDX-License-Identifier: MIT
#version 450
// squares[i] = i * i * scale
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint scale = 1;
layout(set = 0, binding = 0) writeonly buffer Squares { uint squares[]; };
layout(push_constant) uniform Count { uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count)
    squares[i] = i * i * scale;
}
