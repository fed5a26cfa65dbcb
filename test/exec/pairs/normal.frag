#version 450
// SPDX-License-Identifier: MIT
// Behind geometry shaders of the corpus that belong to no pipeline.
layout(location = 0) in vec3 normal;
layout(location = 0) out vec4 color;
void main() { color = vec4(normal * 0.5 + 0.5, 1); }
