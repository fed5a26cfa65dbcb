//===- MergedWave.h - registers of merged vertex and geometry waves --------===//
// SPDX-License-Identifier: MIT
/// \file
/// The hardware GS: a wave has lanes that run vertices and lanes that run primitives; lane l of
/// wave w starts with vertex and primitive w * wave size + l of its group. Registers at the start
/// (docs/hw-notes.md, "What graphics waves start with"):
///   s2   NGG: ordered id [11:0], vertices [20:12], primitives [30:22] of the group;
///        legacy: where the wave's part of the GS-VS ring begins, bytes
///   s3   vertices [7:0], primitives [15:8] of the wave, legacy: id for messages [23:16],
///        number of the wave in its group [27:24]
///   s4   with tessellation: where the group's patches begin in the off-chip ring, bytes
///   s5   gfx10: scratch offset; gfx11 and later: base of the attribute ring, 512 bytes
///   s8.. user data
///   VGPRs of the primitive, then of the vertex, in fixed places: gfx10, gfx11
///     v0 vertices 0, 1   v1 vertices 2, 3   v2 primitive id   v3 invocation   v4 vertices 4, 5
///     v5 vertex id   v6 relative id   v7 primitive id   v8 instance
///   gfx12 (packed: 8 bits of a vertex and an edge flag each, three vertices a register)
///     v0 vertices 0 to 2, invocation   v1 primitive id   v2 vertices 3 to 5
///     v3 vertex id   v4 instance
///   The registers of a vertex that the tessellator made, in the same places:
///     u   v   patch in the group of its control shader   patch id
///   EXEC means nothing: all lanes here
#pragma once

#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/core/Wave.h"
#include "pal_shim/device/graphics/VertexGroup.h"

namespace pal::device {

inline constexpr unsigned maxGroupVertices = 256, maxGroupPrimitives = 256;

/// What a lane of the geometry half works on.
struct GeometryLane {
  uint16_t primitive = 0; ///< of the group
  uint16_t invocation = 0;
};

struct MergedGroup {
  const GeometryRegisters &registers;
  const VertexGroup &group;
  llvm::ArrayRef<GeometryLane> lanes; ///< those of wave 0, then of wave 1, ...
  llvm::ArrayRef<uint32_t> userSgprs;
  uint32_t number = 0; ///< of the group in the draw
  bool isPassthrough = false;
  bool isEvaluation = false; ///< the vertices are points of patches
  uint32_t offChipBase = 0;
  uint32_t attributeRingBase = 0; ///< 0 where there is none
  uint32_t ringOffset = 0;        ///< legacy: of wave 0 in the GS-VS ring, bytes
  uint32_t ringBytesPerWave = 0;  ///< legacy

  /// Waves that it takes to have a lane for everything.
  unsigned waves(unsigned waveSize) const;
  /// Legacy: what wave \p index puts into M0 of its messages.
  uint32_t messageId(unsigned index) const { return (number * 4 + index) & 0xFF; }
  void fill(Wave &wave, unsigned index) const;

private:
  void fillPrimitive(Wave &wave, unsigned lane, const GeometryLane &from) const;
  void fillPacked(Wave &wave, unsigned lane, const GeometryLane &from) const;
  void fillVertex(Wave &wave, unsigned lane, const VertexGroup::Vertex &vertex) const;
};

/// As many lanes as a group without a geometry shader has: one for each primitive.
std::vector<GeometryLane> lanesOf(const VertexGroup &group);
/// All invocations of the first primitive, then of the second, ...: the order of the API.
std::vector<GeometryLane> lanesOf(const VertexGroup &group, unsigned invocations);

} // namespace pal::device
