#version 450
// The depth of the knot as the light sees it: all there is in a shadow map.
layout(location = 0) in vec3 position;

layout(set = 0, binding = 0) uniform Scene {
  mat4 camera;
  mat4 light;
};

void main() { gl_Position = light * vec4(position, 1.0); }
