// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 5) readonly buffer In { uint from[]; };
layout(set = 2, binding = 5) buffer Out { uint to[]; };
layout(set = 3, binding = 1) uniform Numbers { uvec4 numbers[4]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  to[i] = from[i] + numbers[i & 3u].x;
}
