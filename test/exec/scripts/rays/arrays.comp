// SPDX-License-Identifier: MIT
// One triangle in the plane z = 0, instances at x = 0 and x = 10, rays straight down: what a query knows, by hand.
// The structure is written as memory (lgc/AccelerationStructure.def); a workgroup of its own makes addresses of places.
// An array of queries whose steps are taken in turns, through a function, with an index that differs between lanes.
//! buffer 0.1 f32 : 9*64
//! buffer 0.2 u32 : 9*64
//! requires bufferDeviceAddress
//! skip lavapipe: the structure is Kiln's
//! skip validation: the structure is made without the API
//! buffer structure u32 : 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0xffffffff 0x36 0x26 0xffffffff 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x411ffb7f 0xb8d1b717 0xb8d1b717 0x41400553 0x400004ea 0x38d1b717 0xb8d1b717 0xb8d1b717 0xb8d1b717 0x3f80068e 0x3f80068e 0x38d1b717 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x0 0x0 0x0 0x0 0x40 0x0 0xff00004d 0x40000005 0x3f800000 0x0 0x0 0x80000000 0x0 0x3f800000 0x0 0x80000000 0x0 0x0 0x3f800000 0x80000000 0x0 0x0 0x0 0x0 0x3f800000 0x0 0x0 0x0 0x0 0x3f800000 0x0 0x0 0x0 0x0 0x3f800000 0x0 0x40 0x0 0xff00004e 0xc0000006 0x3f000000 0x0 0x0 0xc0a00000 0x0 0x3f000000 0x0 0x80000000 0x0 0x0 0x3f000000 0x80000000 0x1 0x0 0x0 0x0 0x40000000 0x0 0x0 0x41200000 0x0 0x40000000 0x0 0x0 0x0 0x0 0x40000000 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x20 0xffffffff 0xffffffff 0xffffffff 0x0 0x0 0x0 0x3f800000 0x3f800000 0x0 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x3f800000 0x0 0x0 0x0 0x3f800000 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x9
//! bind 0.4 storage structure
//! buffer 0.0 u32 : 0*4
//! address 0.0@0 structure
//! dispatch 1 base=1000,0,0
//! dispatch 1
// Lanes 0 to 3: x = 0.25, 10.5, 0.75, -1; twice as far into the second triangle.
//! expect 0.1 f32 ~abs=1e-6 : 3 0.25 0.5 0 3 0.25 0.25 0 0 0 0 0 0 0 0 0 9*48
// Type, instance, custom index, offset.
//! expect 0.2 u32 : 1 0 77 5 1 1 78 6 0 0 0 0 0 0 0 0 9*48
#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Places { uvec2 structure; uint state; };
layout(set = 0, binding = 4) buffer Words { uint words[]; };
#define top accelerationStructureEXT(structure)
// Places of structures in instances, from the start of the buffer on, become addresses.
void addAddresses() {
  uvec2 base = uvec2(structure.x >> 3 | structure.y << 29, structure.y >> 3);
  for (uint i = 0; i < 2; ++i) {
    uint at = (256 + i * 128) / 4;
    uint carry;
    words[at] = uaddCarry(words[at], base.x, carry);
    words[at + 1] = base.y + carry;
  }
}

layout(set = 0, binding = 1) buffer Floats { float floats[]; };
layout(set = 0, binding = 2) buffer Numbers { uint numbers[]; };

bool advance(rayQueryEXT query) {
  if (!rayQueryProceedEXT(query))
    return false;
  rayQueryConfirmIntersectionEXT(query);
  return true;
}

void main() {
  if (gl_WorkGroupID.x >= 1000) { if (gl_LocalInvocationIndex == 0) addAddresses(); return; }
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
