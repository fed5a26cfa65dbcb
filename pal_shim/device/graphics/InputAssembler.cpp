//===- InputAssembler.cpp - vertices of a draw to primitives ---------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/InputAssembler.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <cstring>
#include <unordered_map>

using namespace llvm;

namespace pal::device {

namespace {

/// Vertices that one draw may have: what all tables of a draw together take stays below a GiB.
constexpr uint32_t maxDrawVertices = 1u << 24;
constexpr uint32_t maxPatchVertices = 32;

Error badLaunch(const Twine &message) {
  return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch, message.str());
}

/// Writes the primitives of one run of vertices, a run being what lies between two restarts.
/// \p run: positions in the vertex stream.
class Assembler {
public:
  Assembler(const InputAssembly &input, bool provokingLast, AssembledPrimitives &out)
      : input(input), last(provokingLast), out(out) {}

  void assemble(ArrayRef<uint32_t> run) { (this->*handler(input.topology).assemble)(run); }

  /// 0: no such topology.
  unsigned verticesPerPrimitive() const {
    if (input.topology > PrimitiveTopology::PatchList)
      return 0;
    if (input.topology == PrimitiveTopology::PatchList)
      return input.patchControlPoints;
    return handler(input.topology).vertices;
  }

private:
  struct Handler {
    void (Assembler::*assemble)(ArrayRef<uint32_t> run);
    unsigned vertices;
    uint8_t provokingFirst, provokingLast; ///< of lists and line strips
  };
  static const Handler &handler(PrimitiveTopology topology);

  void emit(std::initializer_list<uint32_t> positions, unsigned provoking, bool continues = false) {
    out.positions.insert(out.positions.end(), positions);
    finish(provoking, continues);
  }
  void finish(unsigned provoking, bool continues) {
    out.provoking.push_back(uint8_t(provoking));
    out.continues.push_back(continues);
  }
  unsigned provokingOf(const Handler &of) const {
    return last ? of.provokingLast : of.provokingFirst;
  }

  /// Every `vertices` vertices a primitive, in their order.
  void list(ArrayRef<uint32_t> run) {
    size_t vertices = verticesPerPrimitive();
    for (size_t i = 0; i + vertices <= run.size(); i += vertices) {
      out.positions.insert(out.positions.end(), run.begin() + i, run.begin() + i + vertices);
      finish(provokingOf(handler(input.topology)), false);
    }
  }
  /// A primitive begins at every vertex, in order: lines.
  void lineStrip(ArrayRef<uint32_t> run) {
    size_t vertices = verticesPerPrimitive();
    for (size_t i = 0; i + vertices <= run.size(); ++i) {
      out.positions.insert(out.positions.end(), run.begin() + i, run.begin() + i + vertices);
      finish(provokingOf(handler(input.topology)), i != 0);
    }
  }
  // The vertex order of strips and fans keeps the winding and puts the provoking vertex first or
  // last, as hardware does. Barycentric coordinates refer to it ("Barycentric Interpolation",
  // with triStripVertexOrderIndependentOfProvokingVertex false).
  void triangleStrip(ArrayRef<uint32_t> run) {
    for (size_t i = 0; i + 3 <= run.size(); ++i) {
      uint32_t a = run[i], b = run[i + 1], c = run[i + 2];
      bool isOdd = i & 1;
      if (last)
        isOdd ? emit({b, a, c}, 2) : emit({a, b, c}, 2);
      else
        isOdd ? emit({a, c, b}, 0) : emit({a, b, c}, 0);
    }
  }
  void triangleFan(ArrayRef<uint32_t> run) {
    for (size_t i = 0; i + 3 <= run.size(); ++i) {
      if (last)
        emit({run[0], run[i + 1], run[i + 2]}, 2);
      else
        emit({run[i + 1], run[i + 2], run[0]}, 0);
    }
  }
  /// The table of "Triangle Strips With Adjacency". Triangle i has the vertices 2i, 2i + 2, 2i + 4;
  /// the vertex across from the first and the last edge of the strip is another than in between.
  void triangleStripAdjacency(ArrayRef<uint32_t> run) {
    if (run.size() < 6)
      return;
    size_t count = run.size() / 2 - 2;
    for (size_t i = 0; i < count; ++i) {
      uint32_t a = run[2 * i], b = run[2 * i + 2], c = run[2 * i + 4];
      uint32_t before = i == 0 ? run[1] : run[2 * i - 2];
      uint32_t after = i + 1 == count ? run[2 * i + 5] : run[2 * i + 6];
      uint32_t side = run[2 * i + 3];
      if (i & 1)
        emit({b, before, a, side, c, after}, last ? 4 : 2);
      else
        emit({a, before, b, after, c, side}, last ? 4 : 0);
    }
  }

  const InputAssembly &input;
  const bool last;
  AssembledPrimitives &out;
};

const Assembler::Handler &Assembler::handler(PrimitiveTopology topology) {
  using A = Assembler;
  static constexpr Handler table[] = {
      {&A::list, 1, 0, 0},                   // PointList
      {&A::list, 2, 0, 1},                   // LineList
      {&A::lineStrip, 2, 0, 1},              // LineStrip
      {&A::list, 3, 0, 2},                   // TriangleList
      {&A::triangleStrip, 3, 0, 2},          // TriangleStrip
      {&A::triangleFan, 3, 0, 2},            // TriangleFan
      {&A::list, 4, 1, 2},                   // LineListAdjacency
      {&A::lineStrip, 4, 1, 2},              // LineStripAdjacency
      {&A::list, 6, 0, 4},                   // TriangleListAdjacency
      {&A::triangleStripAdjacency, 6, 0, 4}, // TriangleStripAdjacency
      {&A::list, 0, 0, 0},                   // PatchList
  };
  return table[unsigned(topology)];
}

/// The indices of a draw; those beyond the buffer are 0.
class IndexReader {
public:
  static Expected<IndexReader> create(const InputAssembly &input, const DrawRange &range,
                                      MemoryView &memory) {
    IndexReader reader;
    reader.bytes = 1u << (unsigned(input.indexType) - unsigned(IndexType::U8));
    if (!input.indexBuffer)
      return reader;
    uint64_t total = input.indexBytes / reader.bytes;
    uint64_t end = std::min(total, uint64_t(range.firstVertex) + range.vertexCount);
    if (end <= range.firstVertex)
      return reader;
    reader.available = end - range.firstVertex;
    GpuAddress address = input.indexBuffer + uint64_t(range.firstVertex) * reader.bytes;
    reader.host = memory.find(address, reader.available * reader.bytes);
    if (!reader.host)
      return make_error<DeviceFault>(DeviceFault::Kind::MemoryAccess,
                                     "index buffer: " + memory.describe(address));
    return reader;
  }

  uint32_t read(uint64_t i) const {
    if (i >= available)
      return 0;
    uint32_t value = 0;
    memcpy(&value, host + i * bytes, bytes); // little-endian, as the GPU is
    return value;
  }
  /// The value that all bits of an index make.
  uint32_t restartIndex() const { return uint32_t((uint64_t(1) << (bytes * 8)) - 1); }

private:
  unsigned bytes = 4;
  uint64_t available = 0;
  const uint8_t *host = nullptr;
};

/// Equal indices are one vertex. The table serves indices up to a few times the number of vertices,
/// the map all others.
class VertexReuse {
public:
  VertexReuse(std::vector<uint32_t> &ids, size_t expected)
      : ids(ids), table(expected * 4 + 256, none) {}

  uint32_t position(uint32_t index) {
    uint32_t &slot =
        index < table.size() ? table[index] : others.try_emplace(index, none).first->second;
    if (slot == none) {
      slot = uint32_t(ids.size());
      ids.push_back(index);
    }
    return slot;
  }

private:
  static constexpr uint32_t none = ~0u;
  std::vector<uint32_t> &ids;
  std::vector<uint32_t> table;
  std::unordered_map<uint32_t, uint32_t> others;
};

void assembleDirect(const DrawRange &range, Assembler &assembler, VertexStream &stream) {
  stream.ids.resize(range.vertexCount);
  for (uint32_t i = 0; i < range.vertexCount; ++i)
    stream.ids[i] = i;
  assembler.assemble(stream.ids);
}

void assembleIndexed(const IndexReader &indices, bool restart, uint32_t count, Assembler &assembler,
                     VertexStream &stream) {
  VertexReuse reuse(stream.ids, count);
  std::vector<uint32_t> run;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t index = indices.read(i);
    if (restart && index == indices.restartIndex()) {
      assembler.assemble(run);
      run.clear();
      continue;
    }
    run.push_back(reuse.position(index));
  }
  assembler.assemble(run);
}

} // namespace

Expected<VertexStream> assembleInput(const InputAssembly &input, const DrawRange &range,
                                     bool provokingVertexLast, MemoryView &memory) {
  VertexStream stream;
  Assembler assembler(input, provokingVertexLast, stream.primitives);
  stream.primitives.verticesPerPrimitive = assembler.verticesPerPrimitive();
  if (input.topology > PrimitiveTopology::PatchList)
    return badLaunch("there is no topology " + Twine(unsigned(input.topology)));
  if (stream.primitives.verticesPerPrimitive == 0 ||
      stream.primitives.verticesPerPrimitive > maxPatchVertices)
    return badLaunch("patches of " + Twine(input.patchControlPoints) + " vertices");
  if (input.indexType > IndexType::U32)
    return badLaunch("there is no index type " + Twine(unsigned(input.indexType)));
  if (range.vertexCount > maxDrawVertices)
    return badLaunch("a draw of " + Twine(range.vertexCount) + " vertices; the device takes " +
                     Twine(maxDrawVertices));

  if (input.indexType == IndexType::None) {
    assembleDirect(range, assembler, stream);
    return stream;
  }
  Expected<IndexReader> indices = IndexReader::create(input, range, memory);
  if (!indices)
    return indices.takeError();
  assembleIndexed(*indices, input.primitiveRestart, range.vertexCount, assembler, stream);
  return stream;
}

} // namespace pal::device
