#version 460
layout(triangles, invocations = 2) in;
layout(triangle_strip, max_vertices = 6) out;
layout(xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16, location = 0) out vec4 shade;
layout(location = 0) in vec4 colour[];
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Layer = gl_InvocationID;
    gl_ViewportIndex = gl_PrimitiveIDIn & 3;
    gl_PrimitiveID = gl_PrimitiveIDIn;
    shade = colour[i];
    EmitVertex();
  }
  EndPrimitive();
}
