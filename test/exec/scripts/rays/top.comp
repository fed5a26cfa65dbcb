// A structure of instances: each is there once, with its words, matrices that are inverse to each
// other, and a box around the box of what it shows. Instances of nothing are not there.
//! requires accelerationStructure bufferDeviceAddress shaderInt64 shaderFloat64
//! skip lavapipe: the nodes are Kiln's
//! skip gfx1201: its nodes are others
//! foreach HOW clone compact serialize
//! foreach POINTERS 0 1
//! buffer vertices none f32 : random(3,360)
//! buffer boxes none f32 : -1 -2 -3 4 5 6 7 7 7 8 9 10
//! buffer empty none f32 : nan*9
//! buffer 0.0 u32 : 0*3
//! buffer 0.1 u32 : 0*16
//! buffer 0.2 u64 : 0
//! accel a bottom
//! geometry triangles vertices 40
//! accel b bottom
//! geometry aabbs boxes 2
//! accel c bottom
//! geometry triangles empty 1
//! accel top top flags=update,compact pointers=${POINTERS}
//! instance a index=100 mask=1 offset=7
//! instance null index=101
//! instance b at=10,20,30 index=102 mask=255 flags=15
//! instance c index=103
//! instance a transform=0.36,0.48,-0.8,1,-0.8,0.6,0,2,0.48,0.64,0.6,3 index=104 mask=0
//! instance b transform=3,0,0,0,0,-4,0,0,1,0,0.5,100 index=105 flags=4
//! instance a transform=1e-3,0,0,1e5,0,1e3,0,-1e5,0,0,1,0 index=106 flags=2
//! accel copied ${HOW} top
//! address 0.2@0 copied
//! expect 0.0 u32 : 5 0 0
//! expect 0.1 u32 : 1 0 1 0 1 1 1 0*9
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Result { uint found, wrongNodes, wrongWords; };
layout(set = 0, binding = 1) buffer Seen { uint seen[]; };
layout(set = 0, binding = 2) buffer Root { uint64_t structure; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Word { uint value; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Vector { vec3 value; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Row { vec4 value; };

uint load(uint64_t address) { return Word(address).value; }
vec3 loadVector(uint64_t address) { return Vector(address).value; }
dvec4 loadRow(uint64_t address) { return dvec4(Row(address).value); }

// By instance: mask | flags of the node, whether it shows boxes, SBT offset.
const uint masks[7] = uint[7](1, 255, 255, 255, 0, 255, 255);
// not forced non-opaque: bit 30; all four flags of the API; force opaque; flip
const uint flags[7] = uint[7](0x40000000, 0x40000000, 0xB0000000, 0x40000000, 0x40000000, 0xC0000000, 0x50000000);

void instance(uint64_t node, vec3 low, vec3 high) {
  uint index = load(node + 64);
  if (index >= 7) {
    wrongNodes++;
    return;
  }
  found++;
  seen[index]++;
  if (load(node + 8) != (100 + index | masks[index] << 24) ||
      load(node + 12) != (flags[index] | (index == 0 ? 7 : 0)))
    wrongWords++;
  uint64_t shown = packUint2x32(uvec2(load(node), load(node + 4))) << 3;
  if (load(shown) != 0x31534152u || load(shown + 4) != (index == 2 || index == 5 ? 1 : 0))
    wrongWords++;
  dvec4 toWorld[3], toObject[3];
  for (uint row = 0; row < 3; ++row) {
    toWorld[row] = loadRow(node + 80 + 16 * row);
    toObject[row] = loadRow(node + 16 + 16 * row);
  }
  dvec3 boxLow = dvec3(loadVector(shown + 32)), boxHigh = dvec3(loadVector(shown + 44));
  for (uint corner = 0; corner < 8; ++corner) {
    dvec4 point = dvec4((corner & 1) != 0 ? boxHigh.x : boxLow.x, (corner & 2) != 0 ? boxHigh.y : boxLow.y,
                        (corner & 4) != 0 ? boxHigh.z : boxLow.z, 1);
    dvec4 world = dvec4(dot(toWorld[0], point), dot(toWorld[1], point), dot(toWorld[2], point), 1);
    for (uint axis = 0; axis < 3; ++axis) {
      // not inside, or too far outside of all corners
      if (world[axis] < double(low[axis]) || world[axis] > double(high[axis]))
        wrongNodes++;
      double size = dot(abs(toWorld[axis]), abs(point));
      if (abs(dot(toObject[axis], world) - point[axis]) > 1e-5lf * dot(abs(toObject[axis]), abs(world)))
        wrongNodes++;
      if (double(high[axis] - low[axis]) > 4.0lf * size + 100.0lf)
        wrongNodes++;
    }
  }
}

void main() {
  if (load(structure + 4) != 2 || load(structure + 8) != 7 || load(structure + 12) != 5)
    wrongNodes++;
  uint stack[16];
  uint height = 1;
  stack[0] = 21;
  while (height > 0) {
    uint64_t node = structure + 8 * uint64_t(stack[--height] & ~7u);
    for (uint child = 0; child < 4; ++child) {
      uint id = load(node + 4 * child);
      if (id == 0xFFFFFFFFu)
        continue;
      if ((id & 7) == 6)
        instance(structure + 8 * uint64_t(id & ~7u), loadVector(node + 16 + 24 * child),
                 loadVector(node + 28 + 24 * child));
      else if ((id & 7) == 5 && height < 16)
        stack[height++] = id;
      else
        wrongNodes++;
    }
  }
}
