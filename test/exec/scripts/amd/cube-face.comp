// SPDX-License-Identifier: MIT
// Faces of cube maps and places on them. The table of faces is that of the Vulkan specification,
// "Cube Map Face Selection": (s, t) = (sc, tc) / |rc| / 2 + 1/2.
//! requires VK_AMD_gcn_shader
//! buffer 0.0 f32 : 4 1 2  -4 1 2  1 4 2  1 -4 2  1 2 4  1 2 -4  -8 -3 5  0.5 0.25 -1
//! buffer 0.1 f32 : 0*24
//! expect 0.1 f32 ~abs=1e-6 : 0 0.25 0.375  1 0.75 0.375  2 0.625 0.75  3 0.625 0.25  4 0.625 0.25  5 0.375 0.25
//! ... 1 0.8125 0.6875  5 0.25 0.375
#version 450
#extension GL_AMD_gcn_shader : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) buffer R { float r[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  vec3 v = vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
  vec2 place = cubeFaceCoordAMD(v);
  r[3 * i] = cubeFaceIndexAMD(v);
  r[3 * i + 1] = place.x;
  r[3 * i + 2] = place.y;
}
