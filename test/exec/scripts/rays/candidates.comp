// SPDX-License-Identifier: MIT
// Boxes that a shader decides about, one behind the other: whether they are opaque, hits made of them, the end of a query.
//! requires accelerationStructure rayQuery
//! skip lavapipe: llvmpipe of Debian 12 has no ray queries
//! buffer near none f32 : 0 0 0 1 1 1
//! buffer far none f32 : 0 0 -3 1 1 -2
//! accel boxes bottom
//! geometry aabbs near 1 opaque=1
//! geometry aabbs far 1 opaque=0
//! accel top top
//! instance boxes
//! bind 0.0 accel top
//! buffer 0.1 u32 : 9*8
// Bits of the geometries that were candidates, of those that were opaque; type and geometry of what is committed.
//! expect 0.1 u32 : 3 1 2 1 1 0 0 9
#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
layout(set = 0, binding = 1) buffer Numbers { uint numbers[]; };

void main() {
  rayQueryEXT query;
  uint seen = 0, opaque = 0;
  rayQueryInitializeEXT(query, top, 0, 0xFF, vec3(0.5, 0.5, 5), 0, vec3(0, 0, -1), 100);
  while (rayQueryProceedEXT(query)) {
    uint bit = 1u << rayQueryGetIntersectionGeometryIndexEXT(query, false);
    seen |= bit;
    if (rayQueryGetIntersectionCandidateAABBOpaqueEXT(query))
      opaque |= bit;
    if (bit == 2)
      rayQueryGenerateIntersectionEXT(query, 7.5);
  }
  numbers[0] = seen;
  numbers[1] = opaque;
  numbers[2] = rayQueryGetIntersectionTypeEXT(query, true);
  numbers[3] = rayQueryGetIntersectionGeometryIndexEXT(query, true);
  // The first candidate ends it.
  uint count = 0;
  rayQueryInitializeEXT(query, top, 0, 0xFF, vec3(0.5, 0.5, 5), 0, vec3(0, 0, -1), 100);
  while (rayQueryProceedEXT(query)) {
    ++count;
    rayQueryTerminateEXT(query);
  }
  numbers[4] = count;
  numbers[5] = rayQueryGetIntersectionTypeEXT(query, true);
  numbers[6] = rayQueryProceedEXT(query) ? 1 : 0;
}
