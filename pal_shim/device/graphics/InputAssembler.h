//===- InputAssembler.h - vertices of a draw to primitives -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Vulkan specification, chapter "Drawing Commands": topologies, restart, the order of vertices in
/// each primitive, which vertex is the provoking one.
#pragma once

#include "pal_shim/device/Draw.h"
#include "pal_shim/device/core/AddressSpace.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>

namespace pal::device {

/// Vulkan specification, "Required Limits": maxTessellationPatchSize of the driver.
constexpr unsigned maxPatchVertices = 32;

/// One primitive, its vertices as the API numbers them: with adjacency 4 or 6, patches up to 32.
struct AssembledPrimitive {
  /// What the vertex id register holds: the index for indexed draws, 0, 1, 2, ... for direct ones
  /// (the shader adds BaseVertex). Equal ids are the same vertex.
  llvm::ArrayRef<uint32_t> vertices() const { return llvm::ArrayRef(ids).take_front(vertexCount); }

  std::array<uint32_t, maxPatchVertices> ids = {};
  unsigned vertexCount = 0;
  /// Which of the vertices (of all, also the adjacent ones) is the provoking one; 0 for patches.
  uint8_t provoking = 0;
  bool continues = false; ///< a line of a strip after the first of the strip (stipple)
};

/// Makes the primitives of one instance of a draw when they are asked for, so that it needs no
/// memory, whatever the draw.
class InputAssembler {
public:
  /// Has no primitives.
  InputAssembler() = default;

  /// The regions of \p memory must live as long as this. Errors: DeviceFault MemoryAccess for an
  /// index buffer outside all allocations, BadLaunch for an impossible topology.
  static llvm::Expected<InputAssembler> create(const InputAssembly &input, const DrawRange &range,
                                               bool provokingVertexLast, MemoryView &memory);

  unsigned verticesPerPrimitive() const { return perPrimitive; }
  uint64_t primitives() const { return primitiveCount; }
  /// The restart index is none; vertices that no primitive has count.
  uint64_t vertices() const { return vertexCount; }

  /// Primitive \p number < primitives(), in the order of the API; valid until the next call. Fast
  /// in ascending order, with restart in others as slow as all primitives before. Should a shader
  /// have written the indices since create() counted the primitives, those that are no more are all
  /// vertex 0.
  const AssembledPrimitive &primitive(uint64_t number);

private:
  /// The vertices between two restarts.
  struct Run {
    uint64_t begin = 0, length = 0; ///< of the vertices of the draw
    uint64_t firstPrimitive = 0;
  };

  uint32_t idOf(uint64_t vertex) const;
  uint64_t primitivesOf(const Run &of) const;
  Run runFrom(uint64_t begin, uint64_t firstPrimitive) const;
  /// False after the last run.
  bool advance();

  PrimitiveTopology topology = PrimitiveTopology::PointList;
  unsigned perPrimitive = 1;
  bool provokingLast = false;
  std::optional<uint32_t> restartIndex; ///< none: nothing restarts
  uint64_t total = 0;                   ///< vertices of the draw, with restarts
  uint64_t vertexCount = 0, primitiveCount = 0;
  unsigned indexBytes = 0;          ///< 0: not indexed
  uint64_t availableIndices = 0;    ///< others are 0
  const uint8_t *indices = nullptr; ///< the first one
  Run run;                          ///< where the latest primitive was
  AssembledPrimitive latest;
};

} // namespace pal::device
