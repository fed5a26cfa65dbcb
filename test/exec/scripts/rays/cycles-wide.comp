// Structures that are none: boxes that hold themselves or each other, instances of the structure that they are in. Rays
// end, soon. Written as memory (lgc/include/lgc/AccelerationStructure.def), as of gfx12.
//! requires bufferDeviceAddress rayQuery
//! skip lavapipe: the structure is Kiln's
//! skip gfx1010: its structures are others (cycles.comp)
//! skip gfx1030: its structures are others (cycles.comp)
//! skip gfx1100: its structures are others (cycles.comp)
//! skip gfx1150: its structures are others (cycles.comp)
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

// Bytes of a structure, places in it: two boxes in a row.
const uint size = 2048, root = 128, box = 256, leaf = 512, instance = 1024;
const uint none = 0, toRoot = 1, toBox = 2, toLeaf = 3, toInstance = 4;

// All children have the same bounds. Of each kind all are one: the first of them takes the place, and the root is
// before the box. Leaves and instances are of one kind here.
void writeBox(uint at, uvec4 children) {
  uint word = at / 4;
  for (uint i = 0; i < 32; ++i)
    words[word + i] = 0;
  uvec4 count = uvec4(0); // of each
  for (uint i = 0; i < 4; ++i)
    if (children[i] != none)
      count[children[i] - 1]++;
  words[word] = (count[toRoot - 1] > 0 ? root : box) >> 3;
  words[word + 1] = (count[toInstance - 1] > 0 ? instance : leaf) >> 3;
  for (uint i = 0; i < 3; ++i)
    words[word + 3 + i] = floatBitsToUint(-4.0);
  uint number = 0;
  for (uint kind = toRoot; kind <= toInstance; ++kind)
    for (uint i = 0; i < count[kind - 1]; ++i) {
      uint child = word + 8 + 3 * number++;
      uint type = kind <= toBox ? 5 : kind == toLeaf ? 0 : 6;
      uint range = kind == toRoot && i + 1 == count[kind - 1] ? 1 : 0;
      words[child + 1] = 0xFFFFF000u;
      words[child + 2] = 0x00FFFFFFu | type << 24 | range << 28;
    }
  words[word + 6] = 0x828282 | (max(number, 1u) - 1) << 28; // 8 in each direction
  words[word + 7] = 0x7F;
  for (uint i = number; i < 8; ++i) {
    words[word + 8 + 3 * i] = ~0u;
    words[word + 9 + 3 * i] = 0xFFF;
  }
}

// A triangle around the origin, a box that leads back to the root, an instance of structure `of`.
void writeStructure(uint start, uvec4 children, uvec4 others, uint of) {
  writeBox(start + root, children);
  writeBox(start + box, others);
  const float corners[9] = float[9](-1, -1, 0, 1, -1, 0, 0, 1, 0);
  uint node = (start + leaf) / 4;
  for (uint i = 0; i < 32; ++i)
    words[node + i] = 0;
  words[node] = 0x0EE07FFFu;
  words[node + 1] = 0x000603BDu;
  for (uint i = 0; i < 9; ++i) {
    uint bits = floatBitsToUint(corners[i]);
    words[node + 1 + i] |= bits << 20;
    words[node + 2 + i] = bits >> 12;
  }
  words[node + 31] = (0x04200001u | 0x10000u) << 3; // opaque
  node = (start + instance) / 4;
  for (uint i = 0; i < 64; ++i)
    words[node + i] = 0;
  for (uint i = 0; i < 3; ++i)
    for (uint k = 0; k < 3; ++k)
      words[node + 4 * i + k] = floatBitsToUint(float(i == k));
  uint carry;
  words[node + 12] = uaddCarry(base.x >> 3 | base.y << 29, of / 8, carry);
  words[node + 13] = (base.y >> 3) + carry;
  words[node + 15] = 0xFF000000; // mask
  words[node + 45] = 0x40000000; // not forced non-opaque
}

void main() {
  uint lane = gl_LocalInvocationIndex;
  if (lane == 0) {
    writeStructure(0 * size, uvec4(toRoot, toLeaf, none, none), uvec4(none), 0);
    writeStructure(1 * size, uvec4(toLeaf, toRoot, none, toRoot), uvec4(none), 0);
    writeStructure(2 * size, uvec4(toBox, toBox, toBox, toBox), uvec4(toRoot, toLeaf, toRoot, toRoot), 0);
    // A cycle without anything in it.
    writeStructure(3 * size, uvec4(toBox, none, none, none), uvec4(toRoot, toRoot, none, none), 0);
    // Around by way of instances, of what ends and of what does not; an instance in itself.
    writeStructure(4 * size, uvec4(toInstance, toRoot, none, none), uvec4(none), 0);
    writeStructure(5 * size, uvec4(toInstance, none, none, none), uvec4(none), 3 * size);
    writeStructure(6 * size, uvec4(toBox, toInstance, toRoot, toLeaf), uvec4(toInstance, toLeaf, none, toRoot), 6 * size);
    writeStructure(7 * size, uvec4(toLeaf, toInstance, toLeaf, toLeaf), uvec4(none), 7 * size);
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
