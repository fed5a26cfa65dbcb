// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 16, local_size_y = 2) in;
layout(binding = 0) uniform Block { vec4 scale; vec4 bias; };
layout(binding = 1) buffer Data { vec4 data[]; };
void main() { data[gl_LocalInvocationIndex] = data[gl_LocalInvocationIndex] * scale + bias; }
