// SPDX-License-Identifier: MIT
#version 450
layout(binding = 0) buffer Data { vec4 data[]; };
void main() { data[gl_VertexIndex].x = 1.0; gl_Position = vec4(0.0); gl_PointSize = 1.0; }
