#version 460
layout(location = 0) in vec4 position;
layout(location = 1) in uvec2 id;
layout(location = 0) out vec4 colour;
layout(location = 1) flat out ivec2 code;
layout(location = 2) noperspective out vec2 uv[2];
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };
void main() {
  gl_Position = position;
  gl_PointSize = float(gl_VertexIndex + gl_DrawID + gl_BaseInstance);
  gl_ClipDistance[0] = position.x;
  gl_ClipDistance[1] = position.y;
  colour = position * 2.0;
  code = ivec2(id) + gl_InstanceIndex;
  uv[0] = position.xy;
  uv[1] = position.zw;
}
