// SPDX-License-Identifier: MIT
#version 450
layout(input_attachment_index = 0, binding = 0) uniform subpassInput before;
layout(location = 0) in vec2 at;
layout(location = 1) out vec4 color;
void main() { color = subpassLoad(before) * at.x; }
