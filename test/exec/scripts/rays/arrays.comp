// SPDX-License-Identifier: MIT
// One triangle in the plane z = 0, instances at x = 0 and x = 10, rays straight down: what a query knows, by hand.
// An array of queries whose steps are taken in turns, through a function, with an index that differs between lanes.
//! buffer 0.1 f32 : 9*64
//! buffer 0.2 u32 : 9*64
//! skip validation: its validator wants variables as arguments, no elements of arrays
//! requires accelerationStructure rayQuery
//! buffer corners none f32 : 0 0 0  1 0 0  0 1 0
//! accel bottom bottom
//! geometry triangles corners 1
//! accel top top
//! instance bottom index=77 offset=5
//! instance bottom index=78 offset=6 flags=4 transform=2,0,0,10,0,2,0,0,0,0,2,0
//! bind 0.0 accel top
//! dispatch 1
// Lanes 0 to 3: x = 0.25, 10.5, 0.75, -1; twice as far into the second triangle.
//! expect 0.1 f32 ~abs=1e-6 : 3 0.25 0.5 0 3 0.25 0.25 0 0 0 0 0 0 0 0 0 9*48
// Type, instance, custom index, offset.
//! expect 0.2 u32 : 1 0 77 5 1 1 78 6 0 0 0 0 0 0 0 0 9*48
#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
layout(set = 0, binding = 1) buffer Floats { float floats[]; };
layout(set = 0, binding = 2) buffer Numbers { uint numbers[]; };

bool advance(rayQueryEXT query) {
  if (!rayQueryProceedEXT(query))
    return false;
  rayQueryConfirmIntersectionEXT(query);
  return true;
}

void main() {
  uint lane = gl_LocalInvocationIndex;
  rayQueryEXT queries[3];
  const float x[4] = float[4](0.25, 10.5, 0.75, -1);
  for (uint i = 0; i < 3; ++i)
    rayQueryInitializeEXT(queries[i], top, 0, 0xFF, vec3(i == lane % 3 ? x[lane] : 100.0, 0.5, 3), 0, vec3(0, 0, -1), 100);
  bool more = true;
  while (more) {
    more = false;
    for (uint i = 0; i < 3; ++i)
      more = advance(queries[(i + lane) % 3]) || more;
  }
  uint mine = lane % 3;
  for (uint i = 0; i < 3; ++i)
    if (i != mine && rayQueryGetIntersectionTypeEXT(queries[i], true) != 0)
      return;
  uint type = rayQueryGetIntersectionTypeEXT(queries[mine], true);
  for (uint i = 0; i < 4; ++i) {
    floats[4 * lane + i] = 0;
    numbers[4 * lane + i] = 0;
  }
  if (type == 0)
    return;
  vec2 weights = rayQueryGetIntersectionBarycentricsEXT(queries[mine], true);
  floats[4 * lane] = rayQueryGetIntersectionTEXT(queries[mine], true);
  floats[4 * lane + 1] = weights.x;
  floats[4 * lane + 2] = weights.y;
  numbers[4 * lane] = type;
  numbers[4 * lane + 1] = rayQueryGetIntersectionInstanceIdEXT(queries[mine], true);
  numbers[4 * lane + 2] = rayQueryGetIntersectionInstanceCustomIndexEXT(queries[mine], true);
  numbers[4 * lane + 3] = rayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetEXT(queries[mine], true);
}
