// SPDX-License-Identifier: MIT
// What all kernels share: arguments, constants, memory as words.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

#define KILN_ACCEL(name, value) const uint name = uint(value);
#include "lgc/AccelerationStructure.def"
#define KILN_SCRATCH(name, value) const uint name = uint(value);
#include "Scratch.def"

/// Whether structures are those of gfx12.
layout(constant_id = 0) const bool isWide = false;
#define formatMagic (isWide ? wideMagic : structureMagic)

struct Identity {
  uint words[8];
};
#define KILN_ARGUMENT(type, name) type name;
layout(push_constant, scalar) uniform Arguments {
#include "Arguments.def"
} args;

layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer Word { uint value; };
layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer Pair { uvec2 value; };
layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer Quad { uvec4 value; };
layout(buffer_reference, scalar, buffer_reference_align = 1) buffer Byte { uint8_t value; };

uint load(uint64_t address) { return Word(address).value; }
void store(uint64_t address, uint value) { Word(address).value = value; }
uvec2 load2(uint64_t address) { return Pair(address).value; }
void store2(uint64_t address, uvec2 value) { Pair(address).value = value; }
uint64_t load64(uint64_t address) { return packUint2x32(load2(address)); }
void store64(uint64_t address, uint64_t value) { store2(address, unpackUint2x32(value)); }
float loadFloat(uint64_t address) { return uintBitsToFloat(load(address)); }
vec3 loadFloat3(uint64_t address) {
  return vec3(loadFloat(address), loadFloat(address + 4), loadFloat(address + 8));
}
void storeFloat3(uint64_t address, vec3 value) {
  store(address, floatBitsToUint(value.x));
  store(address + 4, floatBitsToUint(value.y));
  store(address + 8, floatBitsToUint(value.z));
}

const float largest = 3.40282346638528859812e38;
#define noNumber uintBitsToFloat(0x7FC00000u)

struct Bounds {
  vec3 low, high;
};
Bounds loadBounds(uint64_t address) { return Bounds(loadFloat3(address), loadFloat3(address + 12)); }
void storeBounds(uint64_t address, Bounds bounds) {
  storeFloat3(address, bounds.low);
  storeFloat3(address + 12, bounds.high);
}
Bounds merged(Bounds a, Bounds b) { return Bounds(min(a.low, b.low), max(a.high, b.high)); }

/// Whether \p value has a component that is no number. Why by bits: a comparison of a number with
/// itself may be folded.
bool hasNan(vec3 value) {
  uvec3 bits = floatBitsToUint(value) & 0x7FFFFFFFu;
  return any(greaterThan(bits, uvec3(0x7F800000u)));
}

/// Maps floats to integers of the same order, and back.
uint ordered(float value) {
  uint bits = floatBitsToUint(value);
  return bits ^ ((bits >> 31) != 0 ? 0xFFFFFFFFu : 0x80000000u);
}
float unordered(uint value) {
  return uintBitsToFloat(value ^ ((value >> 31) != 0 ? 0x80000000u : 0xFFFFFFFFu));
}

uint64_t scratchArray(uint place) {
  return args.scratch + stateBytes + uint64_t(place) * args.leafCount;
}
uint64_t leafBoundsAt(uint leaf) { return scratchArray(placeBounds) + 24ul * leaf; }
uint64_t treeAt(uint node) { return scratchArray(placeTree) + uint64_t(treeBytes) * node; }
uint64_t leafParentAt(uint place) { return scratchArray(placeLeafParents) + 4ul * place; }
uint64_t pairAt(uint place) { return scratchArray(placePairs) + uint64_t(pairBytes) * place; }

uint bytesOfLeaf(uint kind) {
  if (isWide)
    return kind == kindInstances ? wideInstanceBytes : wideNodeBytes;
  return kind == kindInstances ? instanceBytes : leafBytes;
}
uint typeOfLeaf(uint kind) {
  if (kind == kindInstances)
    return nodeInstance;
  return kind == kindAabbs && !isWide ? nodeAabb : nodeTriangle;
}
/// Places of leaves lie one after the other. Leaf i is at place i, but of a wide structure, where those
/// of one box have places in a row.
uint64_t leavesStart() {
  return isWide ? (uint64_t(widePlaces) + 4ul * args.leafCount + wideNodeBytes - 1) / wideNodeBytes * wideNodeBytes
                : leavesOffset;
}
uint idOfPlace(uint place) {
  return uint((leavesStart() + uint64_t(bytesOfLeaf(args.kind)) * place) >> 3) | typeOfLeaf(args.kind);
}
/// Where the id of a leaf of a wide structure is said.
uint64_t idOfLeafAt(uint64_t structure, uint leaf) { return structure + widePlaces + 4ul * leaf; }
/// nodeNone: a wide structure does not have the leaf.
uint leafId(uint leaf) { return isWide ? load(idOfLeafAt(args.structure, leaf)) : idOfPlace(leaf); }

uint64_t linksOf(uint64_t structure) {
  return structure + uint64_t(load(structure + headerLinksStart)) * nodeGranule;
}
/// Where the parent of a node is said; \p granule: its offset.
uint64_t linkAt(uint64_t links, uint granule) { return links + 4ul * granule; }
uint granuleOf(uint id) { return id >> 3; }
uint64_t nodeAt(uint64_t structure, uint id) { return structure + uint64_t(granuleOf(id)) * nodeGranule; }
