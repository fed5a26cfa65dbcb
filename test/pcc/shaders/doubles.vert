// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) in dvec2 wide;
layout(location = 1) in vec2 narrow;
void main() { gl_Position = vec4(vec2(wide), narrow); }
