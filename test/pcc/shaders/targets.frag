// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
layout(location = 1) out uvec2 numbers;
layout(location = 3) out vec4 halves;
void main() { color = vec4(at, at); numbers = uvec2(at * 255.0); halves = vec4(at, 0.0, 0.5); }
