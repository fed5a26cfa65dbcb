#version 460
layout(vertices = 4) out;
layout(location = 0) in vec2 uv[];
layout(location = 0) out vec2 out_uv[];
layout(location = 1) patch out vec3 normal;
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  out_uv[gl_InvocationID] = uv[gl_InvocationID ^ 1];
  barrier();
  if (gl_InvocationID == 0) {
    normal = vec3(out_uv[1], gl_PrimitiveID);
    gl_TessLevelOuter = float[4](1.0, 2.0, uv[0].x, 4.0);
    gl_TessLevelInner = float[2](3.0, uv[1].y);
  }
}
