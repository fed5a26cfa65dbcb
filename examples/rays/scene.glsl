// SPDX-License-Identifier: MIT
// What all shaders of the picture share.
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;

const vec3 toLight = normalize(vec3(0.5, 0.8, 0.35));

// What a ray brings back; how many reflections it may still take.
struct Seen {
  vec3 colour;
  uint reflections;
};

vec3 skyColour(vec3 direction) {
  float up = max(direction.y, 0.0);
  return mix(vec3(0.75, 0.82, 0.9), vec3(0.2, 0.4, 0.75), sqrt(up)) +
         vec3(1.0, 0.85, 0.6) * pow(max(dot(direction, toLight), 0.0), 64.0);
}
