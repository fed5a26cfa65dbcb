#version 450
// SPDX-License-Identifier: MIT
// Behind control shaders of the corpus that belong to no pipeline: what they make of a vertex is in its colour.
layout(triangles, equal_spacing, cw) in;
layout(location = 0) in vec3 values[];
layout(location = 0) out vec3 normal;
void main() {
  gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                gl_TessCoord.z * gl_in[2].gl_Position;
  normal = gl_TessCoord.x * values[0] + gl_TessCoord.y * values[1] + gl_TessCoord.z * values[2] +
           vec3(gl_TessLevelOuter[0], gl_TessLevelOuter[1], gl_TessLevelInner[0]) / 16;
}
