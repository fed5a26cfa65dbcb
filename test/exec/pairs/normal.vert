#version 450
// SPDX-License-Identifier: MIT
// In front of geometry shaders of the corpus that belong to no pipeline.
layout(location = 0) in vec3 position;
layout(location = 0) out vec3 normal;
void main() {
  gl_Position = vec4(position.xy * 0.9, 0.5, 1);
  normal = position;
}
