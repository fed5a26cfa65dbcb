#version 460
#extension GL_EXT_mesh_shader : require
layout(location = 0) in vec4 colour;
layout(location = 1) perprimitiveEXT in vec2 extra;
layout(location = 0) out vec4 target;
void main() { target = colour + extra.xyxy; }
