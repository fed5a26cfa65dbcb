#version 460
layout(location = 0) in vec3 shade;
layout(location = 0, index = 0) out vec4 first;
layout(location = 0, index = 1) out vec4 second;
void main() {
  first = vec4(shade, 1.0);
  second = first.wzyx;
}
