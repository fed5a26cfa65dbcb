// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_multiview : require
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 color;
void main() {
  vec4 both[2] = vec4[2](a, b);
  color = both[gl_ViewIndex];
}
