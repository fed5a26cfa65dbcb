// SPDX-License-Identifier: MIT
#version 450
layout(push_constant, std430) uniform Push { vec4 first; mat3 turn[2]; layout(row_major) mat4x3 move; vec3 last[2]; };
layout(location = 0) out vec2 at;
void main() {
  at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  gl_Position = vec4(turn[1] * (move * first) + last[1], 1.0);
}
