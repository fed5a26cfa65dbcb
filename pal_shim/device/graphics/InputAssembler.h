//===- InputAssembler.h - vertices of a draw to primitives -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Vulkan specification, chapter "Drawing Commands": topologies, restart, the order of vertices in
/// each primitive, which vertex is the provoking one.
#pragma once

#include "pal_shim/device/Draw.h"
#include "pal_shim/device/core/AddressSpace.h"
#include <vector>

namespace pal::device {

/// Vertices of a primitive, as the API numbers them: with adjacency 4 or 6, patches up to 32.
struct AssembledPrimitives {
  unsigned verticesPerPrimitive = 3;
  /// verticesPerPrimitive numbers for each primitive. A number is the position in
  /// VertexStream::ids, so equal numbers are the same vertex.
  std::vector<uint32_t> positions;
  /// Which of the vertices (of all, also the adjacent ones) is the provoking one, by primitive; 0
  /// for patches.
  std::vector<uint8_t> provoking;
  /// Lines of strips after the first of the strip (stipple).
  std::vector<uint8_t> continues;

  size_t count() const {
    return verticesPerPrimitive ? positions.size() / verticesPerPrimitive : 0;
  }
};

struct VertexStream {
  /// What the vertex id register holds for each position: the index for indexed draws, 0, 1, 2, ...
  /// for direct ones (the shader adds BaseVertex). Indices that occur more than once occur here
  /// once, in the order of first use; the restart index does not.
  std::vector<uint32_t> ids;
  AssembledPrimitives primitives;
};

/// Reads the indices and assembles. Errors: DeviceFault MemoryAccess for an index buffer outside
/// all allocations, BadLaunch for an impossible topology or more than 2^24 vertices.
llvm::Expected<VertexStream> assembleInput(const InputAssembly &input, const DrawRange &range,
                                           bool provokingVertexLast, MemoryView &memory);

} // namespace pal::device
