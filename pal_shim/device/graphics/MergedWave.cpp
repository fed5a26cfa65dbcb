//===- MergedWave.cpp - registers of merged vertex and geometry waves ------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/MergedWave.h"
#include "pal_shim/device/core/Launch.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace pal::device {

static constexpr unsigned firstUserSgpr = 8;

std::vector<GeometryLane> lanesOf(const VertexGroup &group) { return lanesOf(group, 1); }

std::vector<GeometryLane> lanesOf(const VertexGroup &group, unsigned invocations) {
  std::vector<GeometryLane> lanes;
  for (size_t primitive = 0; primitive < group.primitives().size(); ++primitive)
    for (unsigned invocation = 0; invocation < invocations; ++invocation)
      lanes.push_back({uint16_t(primitive), uint16_t(invocation)});
  return lanes;
}

unsigned MergedGroup::waves(unsigned waveSize) const {
  size_t most = std::max(group.vertices().size(), lanes.size());
  return unsigned((most + waveSize - 1) / waveSize);
}

/// HW(gfx12): in v0 the invocation stands above the first three vertices.
void MergedGroup::fillPacked(Wave &wave, unsigned lane, const GeometryLane &from) const {
  constexpr uint32_t edges = 1u << 8 | 1u << 17 | 1u << 26;
  const VertexGroup::Primitive &primitive = group.primitives()[from.primitive];
  auto pack = [&](unsigned first) {
    uint32_t word = edges;
    for (unsigned i = 0; i < 3; ++i)
      word |= uint32_t(primitive.vertices[first + i]) << (9 * i);
    return word;
  };
  const uint32_t values[] = {pack(0) | uint32_t(from.invocation) << 27, primitive.id, pack(3)};
  for (unsigned i = 0; i <= std::min(registers.geometryInputs, 2u); ++i)
    wave.v[i].lane[lane] = values[i];
}

void MergedGroup::fillPrimitive(Wave &wave, unsigned lane, const GeometryLane &from) const {
  if (isGfx12(wave.generation))
    return fillPacked(wave, lane, from);
  const VertexGroup::Primitive &primitive = group.primitives()[from.primitive];
  const std::array<uint16_t, 6> &v = primitive.vertices;
  auto pair = [&](unsigned first) {
    return v[first] * registers.vertexItemDwords | v[first + 1] * registers.vertexItemDwords << 16;
  };
  // Above the invocation there are edge flags.
  constexpr uint32_t edgesOfWord = 1u << 9 | 1u << 19 | 1u << 29, edges = 7u << 8;
  uint32_t first = isPassthrough ? v[0] | v[1] << 10 | v[2] << 20 | edgesOfWord : pair(0);
  const uint32_t values[] = {first, pair(2), primitive.id, from.invocation | edges, pair(4)};
  unsigned loaded = registers.geometryInputs < 3 ? registers.geometryInputs + 1 : 5;
  for (unsigned i = 0; i < loaded; ++i)
    wave.v[i].lane[lane] = values[i];
}

void MergedGroup::fillVertex(Wave &wave, unsigned lane, const VertexGroup::Vertex &vertex) const {
  auto [u, v] = vertex.point.coordinates();
  const uint32_t evaluated[] = {llvm::bit_cast<uint32_t>(u), llvm::bit_cast<uint32_t>(v),
                                vertex.patch, vertex.primitiveId};
  const uint32_t older[] = {vertex.id, wave.index * wave.lanes + lane, vertex.primitiveId,
                            vertex.instance};
  const uint32_t newer[] = {vertex.id, vertex.instance};
  bool isNewer = isGfx12(wave.generation);
  ArrayRef<uint32_t> values = isEvaluation ? ArrayRef(evaluated)
                              : isNewer    ? ArrayRef(newer)
                                           : ArrayRef(older);
  unsigned first = isNewer ? 3 : 5;
  for (unsigned i = 0; i < values.size() && i <= registers.vertexInputs; ++i)
    wave.v[first + i].lane[lane] = values[i];
}

void MergedGroup::fill(Wave &wave, unsigned index) const {
  ArrayRef<VertexGroup::Vertex> vertices = group.vertices();
  size_t first = size_t(index) * wave.lanes;
  auto own = [&](size_t count) {
    return uint32_t(std::clamp<size_t>(count, first, first + wave.lanes) - first);
  };
  uint32_t vertexLanes = own(vertices.size()), primitiveLanes = own(lanes.size());
  wave.s[3] = vertexLanes | primitiveLanes << 8 | index << 24;
  if (registers.isNgg) {
    wave.s[2] = (number & 0xFFF) | uint32_t(vertices.size()) << 12 | uint32_t(lanes.size()) << 22;
  } else {
    wave.s[2] = ringOffset + index * ringBytesPerWave;
    wave.s[3] |= messageId(index) << 16;
  }
  wave.s[4] = offChipBase;
  wave.s[5] = attributeRingBase;
  std::copy(userSgprs.begin(), userSgprs.end(), wave.s + firstUserSgpr);
  for (unsigned lane = 0; lane < primitiveLanes; ++lane)
    fillPrimitive(wave, lane, lanes[first + lane]);
  for (unsigned lane = 0; lane < vertexLanes; ++lane)
    fillVertex(wave, lane, vertices[first + lane]);
}

} // namespace pal::device
