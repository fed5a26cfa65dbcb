// Structures that are none: boxes that hold themselves or each other, instances of the structure that they are in. Rays
// end, soon. Written as memory (lgc/include/lgc/AccelerationStructure.def).
//! requires bufferDeviceAddress rayQuery
//! skip lavapipe: the structure is Kiln's
//! skip gfx1201: its structures are others (cycles-wide.comp)
//! skip validation: the structure is made without the API
//! buffer structures u32 : 0*4096
//! bind 0.1 storage structures
//! buffer 0.0 u32 : 0*2
//! address 0.0@0 structures
//! buffer 0.2 u32 : 9*16
//! dispatch 1
//! expect 0.2 u32 : 1*16
#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Places { uvec2 base; };
layout(set = 0, binding = 1) buffer Words { uint words[]; };
layout(set = 0, binding = 2) buffer Result { uint results[]; };

const uint size = 2048, root = 128, leaf = 256, box = 512, instance = 640; // bytes of a structure, places in it
const uint rootId = root / 8 | 5, leafId = leaf / 8, boxId = box / 8 | 5, instanceId = instance / 8 | 6, none = ~0u;

// All children have the same bounds.
void writeBox(uint at, uvec4 children) {
  for (uint i = 0; i < 4; ++i) {
    words[at / 4 + i] = children[i];
    for (uint k = 0; k < 6; ++k)
      words[at / 4 + 4 + 6 * i + k] = floatBitsToUint(children[i] == none ? uintBitsToFloat(0x7FC00000) : k < 3 ? -4.0 : 4.0);
  }
}

// A triangle around the origin, a box that leads back to the root, an instance of structure `of`.
void writeStructure(uint start, uvec4 children, uvec4 others, uint of) {
  writeBox(start + root, children);
  writeBox(start + box, others);
  const float corners[9] = float[9](-1, -1, 0, 1, -1, 0, 0, 1, 0);
  for (uint i = 0; i < 9; ++i)
    words[(start + leaf) / 4 + i] = floatBitsToUint(corners[i]);
  words[(start + leaf) / 4 + 13] = 0x80000000; // geometry 0, opaque
  words[(start + leaf) / 4 + 15] = 0x89;
  uint node = (start + instance) / 4;
  uint carry;
  words[node] = uaddCarry(base.x >> 3 | base.y << 29, of / 8, carry);
  words[node + 1] = (base.y >> 3) + carry;
  words[node + 2] = 0xFF000000; // mask
  words[node + 3] = 0x40000000; // not forced non-opaque
  for (uint i = 0; i < 3; ++i)
    for (uint k = 0; k < 3; ++k)
      words[node + 4 + 4 * i + k] = floatBitsToUint(float(i == k));
}

void main() {
  uint lane = gl_LocalInvocationIndex;
  if (lane == 0) {
    writeStructure(0 * size, uvec4(rootId, leafId, none, none), uvec4(none), 0);
    writeStructure(1 * size, uvec4(leafId, rootId, none, rootId), uvec4(none), 0);
    writeStructure(2 * size, uvec4(boxId, boxId, boxId, boxId), uvec4(rootId, leafId, rootId, rootId), 0);
    // A cycle without anything in it.
    writeStructure(3 * size, uvec4(boxId, none, none, none), uvec4(rootId, rootId, none, none), 0);
    // Around by way of instances, of what ends and of what does not; an instance in itself.
    writeStructure(4 * size, uvec4(instanceId, rootId, none, none), uvec4(none), 0);
    writeStructure(5 * size, uvec4(instanceId, none, none, none), uvec4(none), 3 * size);
    writeStructure(6 * size, uvec4(boxId, instanceId, rootId, leafId), uvec4(instanceId, leafId, none, rootId), 6 * size);
    writeStructure(7 * size, uvec4(leafId, instanceId, leafId, leafId), uvec4(none), 7 * size);
  }
  memoryBarrierBuffer();
  barrier();
  uint carry, low = uaddCarry(base.x, lane / 2 * size, carry);
  rayQueryEXT query;
  rayQueryInitializeEXT(query, accelerationStructureEXT(uvec2(low, base.y + carry)), 0, 0xFF,
                        vec3(0, 0, (lane & 1) != 0 ? 3 : -3), 0, vec3(0, 0, (lane & 1) != 0 ? -1 : 1), 100);
  while (rayQueryProceedEXT(query))
    ;
  results[lane] = uint(rayQueryGetIntersectionTypeEXT(query, true) < 2);
}
