// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer Data { vec4 data[]; };
void main() { data[gl_LocalInvocationIndex] = textureLod(image, vec2(gl_LocalInvocationID.xy) / 8.0, 0.0); }
