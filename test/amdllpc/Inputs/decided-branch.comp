// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std140) uniform U { vec4 u[4]; };
layout(set = 0, binding = 1) buffer O { vec4 o[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  if (i < 100u)
    o[i] = u[0] * u[1];
  else
    o[i + 7u] = u[2] / u[3];
}
