//===- VertexGroup.h - the vertices and primitives of a group of waves -----===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/Draw.h"
#include "pal_shim/device/graphics/InputAssembler.h"
#include "pal_shim/device/graphics/Tessellator.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <unordered_map>

namespace pal::device {

/// Fills groups with primitives, as the geometry engine does: a vertex of an instance, or a point
/// of a patch, that the group has already is used again.
class VertexGroup {
public:
  struct Limits {
    unsigned vertices = 32, primitives = 32;
    bool reuse = true;
    /// Attributes of flat inputs belong to the provoking vertex: no two primitives share one.
    bool ownProvokingVertex = false;
    /// The vertices of adjacency are shaded too: a geometry shader reads them.
    bool adjacency = false;
    /// The number of vertices is looked at when a primitive is in, so that it may be exceeded.
    bool countsAfterwards = false;
  };
  struct Vertex {
    uint32_t id = 0, instance = 0; ///< what the registers hold
    uint32_t primitiveId = 0;      ///< of the primitive that brought it into the group
    /// Of points of a patch, which have no id and no instance.
    DomainPoint point = {};
    uint32_t patch = 0; ///< in the group of the control shader
  };
  struct Primitive {
    std::array<uint16_t, 6> vertices = {}; ///< in the group
    uint8_t vertexCount = 3;               ///< 1 to 3; with those of adjacency 4 and 6
    uint8_t provoking = 0;                 ///< which of them
    bool continuesLine = false;
    uint32_t id = 0; ///< in its instance
  };

  /// A patch that the tessellator has taken apart.
  struct Patch {
    const TessellatedPatch &parts;
    uint32_t id = 0;     ///< in its instance
    uint32_t number = 0; ///< in the group of the control shader
    bool provokingVertexLast = false;
  };

  VertexGroup(InputAssembler &input, PrimitiveTopology topology, const Limits &limits);

  /// Adds primitive \p number % n of instance \p number / n. False: there is no room.
  bool add(uint64_t number);
  /// Adds primitive \p index of \p patch. False: there is no room.
  bool add(const Patch &patch, size_t index);
  void clear();

  llvm::ArrayRef<Vertex> vertices() const { return groupVertices; }
  llvm::ArrayRef<Primitive> primitives() const { return groupPrimitives; }

private:
  /// \p keys: two vertices of the group are one if theirs are. \p makeVertex: of a corner.
  bool place(Primitive primitive, llvm::ArrayRef<uint64_t> keys,
             llvm::function_ref<Vertex(unsigned corner)> makeVertex);

  InputAssembler &input;
  llvm::ArrayRef<uint8_t> corners; ///< which of a primitive's vertices are rasterised
  Limits limits;
  std::vector<Vertex> groupVertices;
  std::vector<Primitive> groupPrimitives;
  std::unordered_map<uint64_t, uint16_t> known; ///< by key
};

} // namespace pal::device
