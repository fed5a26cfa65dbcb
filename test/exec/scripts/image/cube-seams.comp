// SPDX-License-Identifier: MIT
// Cube maps whose faces are filtered each for itself (VK_EXT_non_seamless_cube_map): at an edge the face's own texels
// count, not the neighbour's.
//! requires nonSeamlessCubeMap
//! image cube r32_sfloat cube 4x4 : f32 eval 96 { i / 16 * 10 + 1 }
//! sampler apart filter=linear wrap=clamp seamless=0
//! sampler joined filter=linear wrap=clamp
//! bind 0.0 combined cube apart
//! bind 0.2 combined cube joined
//! buffer 0.3 f32 : 0*4
//! expect 0.3 f32 ~abs=0.02 : 1 21 21 11
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform samplerCube apart;
layout(set = 0, binding = 2) uniform samplerCube joined;
layout(set = 0, binding = 3) buffer B { float v[4]; };
void main() {
  // Just on this and that side of the edge between +x and +y, in the middle of a texel along it.
  const vec3 onX = vec3(1, 0.9999, 0.25), onY = vec3(0.9999, 1, 0.25);
  v[0] = textureLod(apart, onX, 0).x;
  v[1] = textureLod(apart, onY, 0).x;
  v[2] = textureLod(joined, vec3(0.25, 1, 0.25), 0).x;
  v[3] = textureLod(joined, onX, 0).x;
}
