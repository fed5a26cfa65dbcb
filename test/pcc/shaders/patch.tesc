// SPDX-License-Identifier: MIT
#version 450
layout(vertices = 3) out;
layout(location = 0) in vec2 at[];
layout(location = 0) out vec2 atOut[];
void main() {
  atOut[gl_InvocationID] = at[gl_InvocationID];
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 4.0;
  gl_TessLevelInner[0] = 3.0;
}
