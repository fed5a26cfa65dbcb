// SPDX-License-Identifier: MIT
#version 450
layout(constant_id = 0) const int count = 16;
layout(push_constant) uniform Push { vec4 offsets[count]; };
layout(location = 0) in vec4 at[count];
void main() { gl_Position = at[0] + offsets[count - 1]; }
