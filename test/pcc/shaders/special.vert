// SPDX-License-Identifier: MIT
#version 450
layout(constant_id = 4) const float scale = 1.0;
layout(location = 0) out vec2 at;
void main() {
  at = vec2(gl_VertexIndex & 1, (gl_VertexIndex >> 1) + gl_InstanceIndex) * scale;
  gl_Position = vec4(at, 0.0, 1.0);
}
