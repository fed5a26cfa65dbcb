#version 450
// SPDX-License-Identifier: MIT
// In front of evaluation shaders of the corpus that belong to no pipeline.
layout(vertices = 3) out;
layout(location = 0) in vec3 normal[];
layout(location = 0) out vec3 normals[];
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  normals[gl_InvocationID] = normal[gl_InvocationID];
  gl_TessLevelOuter = float[](3, 4, 5, 6);
  gl_TessLevelInner = float[](4, 3);
}
