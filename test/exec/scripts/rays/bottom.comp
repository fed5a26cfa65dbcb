// Builds a structure over triangles, makes another of it, and walks through the nodes of that one
// (lgc/AccelerationStructure.def): every triangle is there once, as it was given, and in all boxes
// above it.
//! requires accelerationStructure bufferDeviceAddress shaderInt64
//! skip lavapipe: the nodes are Kiln's
//! skip gfx1201: its nodes are others
//! foreach COUNT 1 2 3 5 37 1030 6000
//! foreach HOW clone compact serialize update
//! buffer vertices none f32 : random(7,54000)
//! buffer moved none f32 : random(8,54000)
//! bind 0.3 storage vertices
//! bind 0.4 storage moved
//! buffer 0.0 u32 : 0*3
//! buffer 0.1 u32 : 0*6000
//! buffer 0.2 u64 : 0
//! accel a bottom flags=update,compact
//! geometry triangles vertices ${COUNT} opaque=1
//! accel b ${HOW} a
//! geometry triangles moved ${COUNT} opaque=1
//! address 0.2@0 b
//! expect 0.0 u32 : ${COUNT} 0 0
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Result { uint found, twice, wrong; };
layout(set = 0, binding = 1) buffer Seen { uint seen[]; };
layout(set = 0, binding = 2) buffer Root { uint64_t structure; };
layout(set = 0, binding = 3, scalar) buffer Vertices { vec3 vertices[]; };
layout(set = 0, binding = 4, scalar) buffer Moved { vec3 moved[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Word { uint value; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Vector { vec3 value; };

#define clone 0
#define compact 1
#define serialize 2
#define update 3

uint load(uint64_t address) { return Word(address).value; }
vec3 loadVector(uint64_t address) { return Vector(address).value; }

struct Box {
  vec3 low, high;
};
bool isWithin(vec3 low, vec3 high, Box box) {
  return all(greaterThanEqual(low, box.low)) && all(lessThanEqual(high, box.high));
}

void leaf(uint64_t node, Box box) {
  uint primitive = load(node + 48);
  if (primitive >= COUNT || load(node + 52) != 0x80000000u || load(node + 60) != 0x89u) {
    wrong++;
    return;
  }
  found++;
  twice += seen[primitive]++;
  for (uint corner = 0; corner < 3; ++corner) {
    vec3 vertex = loadVector(node + 12 * corner);
#if HOW == update
    vec3 given = moved[3 * primitive + corner];
#else
    vec3 given = vertices[3 * primitive + corner];
#endif
    if (vertex != given || !isWithin(vertex, vertex, box))
      wrong++;
  }
}

void main() {
  // magic, kind, places of leaves, leaves, boxes
  uint boxes = load(structure + 16);
  if (load(structure) != 0x31534152u || load(structure + 4) != 0 || load(structure + 8) != COUNT ||
      load(structure + 12) != COUNT)
    wrong++;
  uint64_t links = structure + 64 * uint64_t(load(structure + 24));
  uint stack[64];
  Box above[64];
  uint height = 1;
  stack[0] = 21;
  above[0] = Box(loadVector(structure + 32), loadVector(structure + 44));
  if (load(links + 4 * (21 / 8)) != 0xFFFFFFFFu)
    wrong++;
  while (height > 0) {
    uint id = stack[--height];
    Box box = above[height];
    uint64_t node = structure + 8 * uint64_t(id & ~7u);
    boxes--;
    for (uint child = 0; child < 4; ++child) {
      uint childId = load(node + 4 * child);
      if (childId == 0xFFFFFFFFu)
        continue;
      Box childBox = Box(loadVector(node + 16 + 24 * child), loadVector(node + 28 + 24 * child));
      if (!isWithin(childBox.low, childBox.high, box) || load(links + 4 * (childId / 8)) != id)
        wrong++;
      if ((childId & 7) == 0) {
        leaf(structure + 8 * uint64_t(childId), childBox);
      } else if ((childId & 7) == 5 && height < 64) {
        stack[height] = childId;
        above[height++] = childBox;
      } else {
        wrong++;
      }
    }
  }
  if (boxes != 0)
    wrong++;
}
