// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) in vec2 at;
layout(location = 0, index = 0) out vec4 color;
layout(location = 0, index = 1) out vec4 factor;
void main() { color = vec4(at, at); factor = vec4(at.yx, 0.5, 0.5); }
