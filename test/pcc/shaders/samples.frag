// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
void main() { color = vec4(at, float(gl_SampleID), 0.5); gl_SampleMask[0] = gl_SampleMaskIn[0] & 5; }
