// SPDX-License-Identifier: MIT
#version 450
layout(constant_id = 4) const int steps = 1;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
void main() {
  color = vec4(0.0);
  for (int i = 0; i < steps; ++i)
    color += vec4(sin(at * float(i)), 0.0, 1.0);
}
