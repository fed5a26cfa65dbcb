#version 450
// SPDX-License-Identifier: MIT
// Behind evaluation shaders of the corpus that belong to no pipeline and have no outputs.
layout(location = 0) out vec4 color;
void main() { color = vec4(1, 0.5, 0.25, 1); }
