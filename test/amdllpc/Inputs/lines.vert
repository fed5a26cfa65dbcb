#version 450
layout(set = 0, binding = 0) uniform U { mat4 m; } u;
layout(location = 0) in vec4 position;
layout(location = 1) in vec2 coordinate;
layout(location = 0) out vec2 tex;
void main() {
  vec4 p = u.m * position;
  tex = sin(coordinate);
  p.z = sqrt(p.z);
  gl_Position = p;
}
