// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_multiview : require
layout(location = 0) out vec2 at;
void main() {
  at = vec2(float(gl_ViewIndex), 0.0);
  gl_Position = vec4(float(gl_VertexIndex & 1) - 0.5 * float(gl_ViewIndex), gl_VertexIndex >> 1, 0.5, 1.0);
}
