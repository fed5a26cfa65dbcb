#version 450
layout(location = 0) out vec4 color;
void main() {
  float shade = 0.5;
  shade += sin(gl_FragCoord.y);
  color = vec4(shade);
}
