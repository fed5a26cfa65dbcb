#version 460
layout(quads, fractional_odd_spacing, ccw) in;
layout(location = 0) in vec2 uv[];
layout(location = 1) patch in vec3 normal;
layout(location = 0) out vec3 shade;
void main() {
  gl_Position = mix(gl_in[0].gl_Position, gl_in[gl_PatchVerticesIn - 1].gl_Position, gl_TessCoord.x);
  shade = normal + vec3(uv[gl_PrimitiveID & 3], gl_TessLevelOuter[1]);
}
