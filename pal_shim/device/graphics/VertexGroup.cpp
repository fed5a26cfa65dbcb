//===- VertexGroup.cpp - the vertices and primitives of a group of waves ---===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/VertexGroup.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pal::device {

/// Which vertices of a primitive are its own, those of adjacency left out. Vulkan specification,
/// "Primitive Topologies".
static ArrayRef<uint8_t> cornersOf(PrimitiveTopology topology, bool adjacency) {
  static constexpr uint8_t plain[] = {0, 1, 2, 3, 4, 5}, lineAdjacency[] = {1, 2},
                           triangleAdjacency[] = {0, 2, 4};
  switch (topology) {
  case PrimitiveTopology::PointList:
    return ArrayRef(plain, 1);
  case PrimitiveTopology::LineList:
  case PrimitiveTopology::LineStrip:
    return ArrayRef(plain, 2);
  case PrimitiveTopology::LineListAdjacency:
  case PrimitiveTopology::LineStripAdjacency:
    return adjacency ? ArrayRef(plain, 4) : lineAdjacency;
  case PrimitiveTopology::TriangleListAdjacency:
  case PrimitiveTopology::TriangleStripAdjacency:
    return adjacency ? ArrayRef(plain, 6) : triangleAdjacency;
  default:
    return ArrayRef(plain, 3);
  }
}

VertexGroup::VertexGroup(const VertexStream &stream, PrimitiveTopology topology,
                         const Limits &limits)
    : stream(stream), corners(cornersOf(topology, limits.adjacency)), limits(limits) {}

bool VertexGroup::add(uint64_t number) {
  const AssembledPrimitives &all = stream.primitives;
  auto instance = uint32_t(number / all.count());
  auto index = size_t(number % all.count());
  const uint32_t *positions = &all.positions[index * all.verticesPerPrimitive];
  auto key = [&](unsigned corner) { return uint64_t(instance) << 32 | positions[corner]; };
  auto mayReuse = [&](unsigned corner) {
    return limits.reuse && !(limits.ownProvokingVertex && corner == all.provoking[index]);
  };
  // Corners of one primitive that are the same vertex may be counted twice here: harmless.
  unsigned added = 0;
  for (unsigned corner : corners)
    added += !mayReuse(corner) || !known.count(key(corner));
  bool hasRoom = limits.countsAfterwards ? groupVertices.size() < limits.vertices
                                         : groupVertices.size() + added <= limits.vertices;
  if (groupPrimitives.size() + 1 > limits.primitives || !hasRoom)
    return false;

  Primitive primitive;
  primitive.id = uint32_t(index);
  primitive.continuesLine = all.continues[index];
  for (unsigned i = 0; i < corners.size(); ++i) {
    unsigned corner = corners[i];
    if (corner == all.provoking[index])
      primitive.provoking = uint8_t(i);
    auto found = known.find(key(corner));
    if (mayReuse(corner) && found != known.end()) {
      primitive.vertices[i] = found->second;
      continue;
    }
    auto place = uint16_t(groupVertices.size());
    primitive.vertices[i] = place;
    groupVertices.push_back({stream.ids[positions[corner]], instance, primitive.id});
    known[key(corner)] = place;
  }
  groupPrimitives.push_back(primitive);
  return true;
}

void VertexGroup::clear() {
  groupVertices.clear();
  groupPrimitives.clear();
  known.clear();
}

} // namespace pal::device
