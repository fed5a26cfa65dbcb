// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) in vec3 position;
layout(location = 3) in vec4 tint;
layout(location = 4) in uvec2 numbers;
layout(location = 0) out vec2 at;
void main() {
  at = tint.xy + vec2(numbers);
  gl_Position = vec4(position, tint.w);
}
