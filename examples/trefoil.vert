#version 450
// The knot and the ground of examples/trefoil. The reflection in the ground is the knot drawn a
// second time, upside down: only where it is seen changes, not how it is lit.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 coordinate;

layout(set = 0, binding = 0) uniform Scene {
  mat4 camera; // world to clip space
  mat4 light;  // world to clip space of the shadow map
  vec4 eye;
  vec4 toLight; // a unit vector
  vec4 fog;     // colour, and density
};
layout(push_constant) uniform Draw {
  float up; // -1: mirrored
};

layout(location = 0) out vec3 worldPosition;
layout(location = 1) out vec3 worldNormal;
layout(location = 2) out vec2 surface;
layout(location = 3) out vec3 inShadowMap;

void main() {
  worldPosition = position;
  worldNormal = normal;
  surface = coordinate;
  vec4 lit = light * vec4(position, 1.0);
  inShadowMap = vec3(0.5 * lit.xy + 0.5, lit.z);
  gl_Position = camera * vec4(position.x, up * position.y, position.z, 1.0);
}
