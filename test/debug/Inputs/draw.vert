#version 450
layout(location = 0) in vec2 unused;
layout(location = 0) out vec2 place;
layout(location = 1) flat out int first;
vec2 cornerOf(int number)
{
  vec2 corner = vec2(float(number & 1), float(number >> 1));
  return corner * 4.0 - 1.0;
}
void main() {
  vec2 at = cornerOf(gl_VertexIndex);
  place = at * 0.5 + 0.5;
  first = gl_VertexIndex + 7;
  gl_Position = vec4(at, 0.5, 1.0) + vec4(unused.xyxy) * 0.0;
}
