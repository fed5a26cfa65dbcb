//===- InputAssembler.cpp - vertices of a draw to primitives ---------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/InputAssembler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cstring>

using namespace llvm;

namespace pal::device {

namespace {

Error badLaunch(const Twine &message) {
  return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch, message.str());
}

/// Places of a primitive's vertices in its run.
struct Places {
  void set(std::initializer_list<uint64_t> of, unsigned provokingOne) {
    copy(of, vertices.begin());
    provoking = uint8_t(provokingOne);
  }
  std::array<uint64_t, maxPatchVertices> vertices = {};
  uint8_t provoking = 0;
  bool continues = false;
};

/// What is asked for.
struct Wanted {
  uint64_t number = 0; ///< in the run
  uint64_t length = 0; ///< of the run
  unsigned vertices = 0;
  bool last = false; ///< provoking vertex
};

/// What a topology makes of a run.
struct Assembly {
  unsigned vertices; ///< of a primitive; 0: of a patch
  uint64_t (*count)(uint64_t length, unsigned vertices);
  void (*place)(const Wanted &wanted, const Assembly &self, Places &places);
  uint8_t provokingFirst, provokingLast; ///< of lists and line strips
};

/// Every `vertices` vertices a primitive, in their order.
uint64_t listCount(uint64_t length, unsigned vertices) { return length / vertices; }
void list(const Wanted &wanted, const Assembly &self, Places &places) {
  for (unsigned i = 0; i < wanted.vertices; ++i)
    places.vertices[i] = wanted.number * wanted.vertices + i;
  places.provoking = wanted.last ? self.provokingLast : self.provokingFirst;
}

/// A primitive begins at every vertex.
uint64_t stripCount(uint64_t length, unsigned vertices) {
  return length < vertices ? 0 : length - vertices + 1;
}
void lineStrip(const Wanted &wanted, const Assembly &self, Places &places) {
  for (unsigned i = 0; i < wanted.vertices; ++i)
    places.vertices[i] = wanted.number + i;
  places.provoking = wanted.last ? self.provokingLast : self.provokingFirst;
  places.continues = wanted.number != 0;
}

// The vertex order of strips and fans keeps the winding and puts the provoking vertex first or
// last, as hardware does. Barycentric coordinates refer to it ("Barycentric Interpolation",
// with triStripVertexOrderIndependentOfProvokingVertex false).
void triangleStrip(const Wanted &wanted, const Assembly &, Places &places) {
  uint64_t a = wanted.number, b = a + 1, c = a + 2;
  bool isOdd = a & 1;
  if (wanted.last)
    isOdd ? places.set({b, a, c}, 2) : places.set({a, b, c}, 2);
  else
    isOdd ? places.set({a, c, b}, 0) : places.set({a, b, c}, 0);
}
void triangleFan(const Wanted &wanted, const Assembly &, Places &places) {
  uint64_t a = wanted.number + 1, b = a + 1;
  wanted.last ? places.set({0, a, b}, 2) : places.set({a, b, 0}, 0);
}

/// The table of "Triangle Strips With Adjacency". Triangle i has the vertices 2i, 2i + 2, 2i + 4;
/// the vertex across from the first and the last edge of the strip is another than in between.
uint64_t adjacencyCount(uint64_t length, unsigned) { return length < 6 ? 0 : length / 2 - 2; }
void triangleStripAdjacency(const Wanted &wanted, const Assembly &self, Places &places) {
  uint64_t i = wanted.number, count = self.count(wanted.length, wanted.vertices);
  uint64_t a = 2 * i, b = a + 2, c = a + 4, side = a + 3;
  uint64_t before = i == 0 ? 1 : a - 2;
  uint64_t after = i + 1 == count ? a + 5 : a + 6;
  if (i & 1)
    places.set({b, before, a, side, c, after}, wanted.last ? 4 : 2);
  else
    places.set({a, before, b, after, c, side}, wanted.last ? 4 : 0);
}

const Assembly &assemblyOf(PrimitiveTopology topology) {
  static constexpr Assembly table[] = {
      {1, listCount, list, 0, 0},                        // PointList
      {2, listCount, list, 0, 1},                        // LineList
      {2, stripCount, lineStrip, 0, 1},                  // LineStrip
      {3, listCount, list, 0, 2},                        // TriangleList
      {3, stripCount, triangleStrip, 0, 2},              // TriangleStrip
      {3, stripCount, triangleFan, 0, 2},                // TriangleFan
      {4, listCount, list, 1, 2},                        // LineListAdjacency
      {4, stripCount, lineStrip, 1, 2},                  // LineStripAdjacency
      {6, listCount, list, 0, 4},                        // TriangleListAdjacency
      {6, adjacencyCount, triangleStripAdjacency, 0, 4}, // TriangleStripAdjacency
      {0, listCount, list, 0, 0},                        // PatchList
  };
  return table[unsigned(topology)];
}

uint32_t readIndex(const uint8_t *at, unsigned bytes) {
  uint32_t value = 0;
  memcpy(&value, at, bytes); // little-endian, as the GPU is
  return value;
}

} // namespace

uint32_t InputAssembler::idOf(uint64_t vertex) const {
  if (!indexBytes)
    return uint32_t(vertex);
  return vertex < availableIndices ? readIndex(indices + vertex * indexBytes, indexBytes) : 0;
}

uint64_t InputAssembler::primitivesOf(const Run &of) const {
  return assemblyOf(topology).count(of.length, perPrimitive);
}

/// Indices outside the buffer restart nothing.
InputAssembler::Run InputAssembler::runFrom(uint64_t begin, uint64_t firstPrimitive) const {
  uint64_t end = total;
  for (uint64_t i = begin; restartIndex && i < availableIndices; ++i)
    if (readIndex(indices + i * indexBytes, indexBytes) == *restartIndex) {
      end = i;
      break;
    }
  return {begin, end - begin, firstPrimitive};
}

bool InputAssembler::advance() {
  uint64_t begin = run.begin + run.length + 1;
  if (begin >= total)
    return false;
  run = runFrom(begin, run.firstPrimitive + primitivesOf(run));
  return true;
}

const AssembledPrimitive &InputAssembler::primitive(uint64_t number) {
  if (number < run.firstPrimitive)
    run = runFrom(0, 0);
  bool isThere = true;
  while (number - run.firstPrimitive >= primitivesOf(run) && isThere)
    isThere = advance();
  latest.vertexCount = perPrimitive;
  if (!isThere) {
    latest.ids = {};
    return latest;
  }
  const Assembly &assembly = assemblyOf(topology);
  Places places;
  assembly.place({number - run.firstPrimitive, run.length, perPrimitive, provokingLast}, assembly,
                 places);
  for (unsigned i = 0; i < perPrimitive; ++i)
    latest.ids[i] = idOf(run.begin + places.vertices[i]);
  latest.provoking = places.provoking;
  latest.continues = places.continues;
  return latest;
}

Expected<InputAssembler> InputAssembler::create(const InputAssembly &input, const DrawRange &range,
                                                bool provokingVertexLast, MemoryView &memory) {
  if (input.topology > PrimitiveTopology::PatchList)
    return badLaunch("there is no topology " + Twine(unsigned(input.topology)));
  bool isPatch = input.topology == PrimitiveTopology::PatchList;
  if (isPatch && (!input.patchControlPoints || input.patchControlPoints > maxPatchVertices))
    return badLaunch("patches of " + Twine(input.patchControlPoints) + " vertices");
  if (input.indexType > IndexType::U32)
    return badLaunch("there is no index type " + Twine(unsigned(input.indexType)));

  InputAssembler result;
  result.topology = input.topology;
  result.perPrimitive = isPatch ? input.patchControlPoints : assemblyOf(input.topology).vertices;
  result.provokingLast = provokingVertexLast;
  result.total = range.vertexCount;
  if (input.indexType != IndexType::None) {
    result.indexBytes = 1u << (unsigned(input.indexType) - unsigned(IndexType::U8));
    const auto allBits = uint32_t((uint64_t(1) << (result.indexBytes * 8)) - 1);
    if (input.primitiveRestart)
      result.restartIndex = input.restartIndex.value_or(allBits);
    uint64_t inBuffer = input.indexBuffer ? input.indexBytes / result.indexBytes : 0;
    uint64_t end = std::min(inBuffer, uint64_t(range.firstVertex) + range.vertexCount);
    if (end > range.firstVertex) {
      result.availableIndices = end - range.firstVertex;
      GpuAddress address = input.indexBuffer + uint64_t(range.firstVertex) * result.indexBytes;
      result.indices = memory.find(address, result.availableIndices * result.indexBytes);
      if (!result.indices)
        return make_error<DeviceFault>(DeviceFault::Kind::MemoryAccess,
                                       "index buffer: " + memory.describe(address));
    }
  }
  const Run first = result.run = result.runFrom(0, 0);
  do {
    result.vertexCount += result.run.length;
    result.primitiveCount += result.primitivesOf(result.run);
  } while (result.advance());
  result.run = first;
  return result;
}

} // namespace pal::device
