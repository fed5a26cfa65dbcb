// SPDX-License-Identifier: MIT
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) in vec2 at[];
layout(location = 0) out vec2 atOut;
void main() {
  for (int copy = 0; copy < 2; ++copy) {
    for (int i = 0; i < 3; ++i) {
      atOut = at[i];
      gl_Position = gl_in[i].gl_Position + vec4(float(copy), 0.0, 0.0, 0.0);
      EmitVertex();
    }
    EndPrimitive();
  }
}
