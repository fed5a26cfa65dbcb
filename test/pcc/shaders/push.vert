// SPDX-License-Identifier: MIT
#version 450
layout(push_constant) uniform Push { mat4 transform; };
layout(location = 0) out vec2 at;
void main() {
  at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  gl_Position = transform * vec4(at, 0.0, 1.0);
}
