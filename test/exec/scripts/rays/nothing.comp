// SPDX-License-Identifier: MIT
// Rays that are none, and structures that are not there: nothing is found, and nothing faults.
//! requires accelerationStructure rayQuery bufferDeviceAddress
//! skip lavapipe: llvmpipe of Debian 12 has no ray queries
//! skip validation: the rays are invalid
//! buffer vertices none f32 : 0 0 0 1 0 0 0 1 0
//! buffer inactive none f32 : nan*9
//! accel triangle bottom
//! geometry triangles vertices 1 opaque=1
//! accel empty bottom
//! geometry triangles inactive 1 opaque=1
//! accel top top
//! instance triangle
//! instance null
//! instance empty
//! instance triangle mask=0
//! bind 0.0 accel top
//! buffer 0.1 u32 : 9*16
//! expect 0.1 u32 : 1 0 0 0 0 0 0 0 0 9*7
#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
layout(set = 0, binding = 1) buffer Numbers { uint numbers[]; };

uint trace(vec3 origin, float least, vec3 direction, float most, uint mask) {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, top, 0, mask, origin, least, direction, most);
  rayQueryProceedEXT(query);
  return rayQueryGetIntersectionTypeEXT(query, true);
}

void main() {
  const vec3 above = vec3(0.25, 0.25, 1), down = vec3(0, 0, -1);
  float zero = numbers[15] == 9 ? 0 : 1;
  float nan = zero / zero;
  numbers[0] = trace(above, 0, down, 10, 0xFF);
  numbers[1] = trace(above, 0, down, 0.5, 0xFF);
  numbers[2] = trace(above, 2, down, 10, 0xFF);
  numbers[3] = trace(above, 0, -down, 10, 0xFF);
  numbers[4] = trace(above, 0, down, 10, 0);
  numbers[5] = trace(above, 5, down, 4, 0xFF);
  numbers[6] = trace(vec3(nan), 0, down, 10, 0xFF);
  numbers[7] = trace(above, 0, vec3(zero), 10, 0xFF);
  rayQueryEXT query;
  rayQueryInitializeEXT(query, accelerationStructureEXT(uvec2(0)), 0, 0xFF, above, 0, down, 10);
  numbers[8] = rayQueryProceedEXT(query) ? 1 : rayQueryGetIntersectionInstanceIdEXT(query, true);
}
