// SPDX-License-Identifier: MIT
// The last three points of the patch are the triangle.
#version 450
layout(vertices = 3) out;
layout(location = 0) in vec2 at[];
layout(location = 0) out vec2 atOut[];
void main() {
  int point = gl_InvocationID + gl_PatchVerticesIn - 3;
  atOut[gl_InvocationID] = at[point];
  gl_out[gl_InvocationID].gl_Position = gl_in[point].gl_Position;
  gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 4.0;
  gl_TessLevelInner[0] = 3.0;
}
