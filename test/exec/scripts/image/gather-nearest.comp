// SPDX-License-Identifier: MIT
// Gathers and samples with nearest filters at the borders of texels and of the image, and between
// layers of arrays, which are rounded to the nearest.
//! requires shaderImageGatherExtended imageCubeArray
//! foreach WRAP repeat mirror clamp
//! image flat r32_sfloat 2d 8x8 : f32 eval 64 { (i * 37) % 64 }
//! image layered r32_sfloat 2d-array 8x8 layers=4 : f32 eval 256 { (i * 37) % 256 }
//! image cubes r32_sfloat cube-array 4x4 layers=18 : f32 eval 288 { (i * 37) % 288 }
//! sampler s filter=nearest wrap=${WRAP}
//! bind 0.0 combined flat s
//! bind 0.1 combined layered s
//! bind 0.2 combined cubes s
//! buffer 0.3 f32 : 0*1024
//! compare 0.3 f32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler2D flat2D;
layout(set = 0, binding = 1) uniform sampler2DArray layered;
layout(set = 0, binding = 2) uniform samplerCubeArray cubes;
layout(set = 0, binding = 3) buffer B { vec4 b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  // Corners and edges between texels: a gather's four texels meet there.
  vec2 corner = vec2(i % 8, i / 8) / 8.0, edge = corner + vec2(0.0, 0.25) / 8.0;
  float layer = float(i % 4) + (i % 3 == 0 ? 0.4375 : i % 3 == 1 ? -0.4375 : 0.0);
  b[i] = textureGather(flat2D, corner);
  b[64 + i] = textureGatherOffset(flat2D, edge, ivec2(-2, 1));
  b[128 + i] = textureGather(layered, vec3(corner, layer));
  vec3 direction = vec3(i % 2 == 1 ? 1.0 : -1.0, float(i / 2 % 4) * 0.5 - 0.75, float(i / 8) / 4.0 - 0.9);
  b[192 + i] = vec4(textureLod(flat2D, corner, 0.0).x, textureLod(layered, vec3(edge, layer), 0.0).x,
                    textureLod(cubes, vec4(direction, min(layer, 2.0)), 0.0).x,
                    textureLod(cubes, vec4(direction.yxz, min(layer, 2.0)), 0.0).x);
}
