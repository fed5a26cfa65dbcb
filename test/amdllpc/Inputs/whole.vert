#version 450
void main() {
  vec2 corner = vec2(float(gl_VertexIndex & 1), float(gl_VertexIndex >> 1));
  gl_Position = vec4(corner * 4.0 - 1.0, 0.5, 1.0);
}
