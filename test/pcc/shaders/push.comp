// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 32) in;
layout(push_constant) uniform Push { layout(offset = 16) uvec4 first; uint count; };
layout(binding = 0) buffer Data { uvec4 data[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count)
    data[i] = first + i;
}
