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

VertexGroup::VertexGroup(InputAssembler &input, PrimitiveTopology topology, const Limits &limits)
    : input(input), corners(cornersOf(topology, limits.adjacency)), limits(limits) {}

bool VertexGroup::place(Primitive primitive, ArrayRef<uint64_t> keys,
                        function_ref<Vertex(unsigned corner)> makeVertex) {
  auto mayReuse = [&](unsigned corner) {
    return limits.reuse && !(limits.ownProvokingVertex && corner == primitive.provoking);
  };
  // Corners of one primitive that are the same vertex may be counted twice here: harmless.
  unsigned added = 0;
  for (auto [corner, key] : enumerate(keys))
    added += !mayReuse(unsigned(corner)) || !known.count(key);
  bool hasRoom = limits.countsAfterwards ? groupVertices.size() < limits.vertices
                                         : groupVertices.size() + added <= limits.vertices;
  if (groupPrimitives.size() + 1 > limits.primitives || !hasRoom)
    return false;

  primitive.vertexCount = uint8_t(keys.size());
  for (unsigned corner = 0; corner < keys.size(); ++corner) {
    auto found = known.find(keys[corner]);
    if (mayReuse(corner) && found != known.end()) {
      primitive.vertices[corner] = found->second;
      continue;
    }
    auto index = uint16_t(groupVertices.size());
    primitive.vertices[corner] = index;
    groupVertices.push_back(makeVertex(corner));
    known[keys[corner]] = index;
  }
  groupPrimitives.push_back(primitive);
  return true;
}

static uint64_t keyOf(uint32_t high, uint32_t low) { return uint64_t(high) << 32 | low; }

bool VertexGroup::add(uint64_t number) {
  auto instance = uint32_t(number / input.primitives());
  uint64_t index = number % input.primitives();
  const AssembledPrimitive &source = input.primitive(index);
  Primitive primitive;
  primitive.id = uint32_t(index);
  primitive.continuesLine = source.continues;
  // Vertices of adjacency are never the provoking one.
  const auto provoking = unsigned(find(corners, source.provoking) - corners.begin());
  // Odd triangles of strips with adjacency: geometry shaders see them in the order of the table of
  // their topology, barycentric coordinates begin at the provoking vertex if that is the first.
  const unsigned first = corners.size() == 3 && provoking == 1 ? 1 : 0;
  primitive.provoking = uint8_t(provoking - first);
  auto idOf = [&](unsigned i) { return source.ids[corners[(i + first) % corners.size()]]; };
  std::array<uint64_t, 6> keys = {};
  for (unsigned i = 0; i < corners.size(); ++i)
    keys[i] = keyOf(instance, idOf(i));
  return place(primitive, ArrayRef(keys).take_front(corners.size()),
               [&](unsigned corner) { return Vertex{idOf(corner), instance, primitive.id}; });
}

bool VertexGroup::add(const Patch &patch, size_t index) {
  unsigned count = patch.parts.verticesPerPrimitive;
  ArrayRef<uint32_t> points(&patch.parts.indices[index * count], count);
  Primitive primitive;
  primitive.id = patch.id;
  primitive.provoking = patch.provokingVertexLast ? uint8_t(count - 1) : 0;
  std::array<uint64_t, 3> keys = {};
  for (unsigned i = 0; i < count; ++i)
    keys[i] = keyOf(patch.number, points[i]);
  return place(primitive, ArrayRef(keys).take_front(count), [&](unsigned corner) {
    return Vertex{.primitiveId = patch.id,
                  .point = patch.parts.points[points[corner]],
                  .patch = patch.number};
  });
}

void VertexGroup::clear() {
  groupVertices.clear();
  groupPrimitives.clear();
  known.clear();
}

} // namespace pal::device
