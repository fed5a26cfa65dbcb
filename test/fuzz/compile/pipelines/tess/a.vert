#version 460
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 uv;
void main() {
  gl_Position = position;
  uv = position.xy;
}
