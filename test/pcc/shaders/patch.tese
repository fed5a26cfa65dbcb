// SPDX-License-Identifier: MIT
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in vec2 at[];
layout(location = 0) out vec2 atOut;
void main() {
  atOut = at[0] * gl_TessCoord.x + at[1] * gl_TessCoord.y + at[2] * gl_TessCoord.z;
  gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y +
                gl_in[2].gl_Position * gl_TessCoord.z;
}
