#version 460
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 colour;
void main() {
  gl_Position = position;
  colour = position;
}
