// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Out { uint to[]; };
layout(binding = 3) readonly buffer In { uint from[]; } arrays[8];
void main() {
  uint i = gl_GlobalInvocationID.x;
  to[i] = arrays[nonuniformEXT(i & 7u)].from[i];
}
