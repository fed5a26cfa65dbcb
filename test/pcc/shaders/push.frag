// SPDX-License-Identifier: MIT
#version 450
layout(push_constant) uniform Push { layout(offset = 64) vec4 tint; };
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
void main() { color = tint * at.xyxy; }
