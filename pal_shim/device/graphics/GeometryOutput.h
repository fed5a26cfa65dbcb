//===- GeometryOutput.h - what the geometry engine hands to the rasteriser -===//
// SPDX-License-Identifier: MIT
/// \file
/// Vertices and primitives after the last stage before rasterisation, whichever hardware stages
/// made them: collected from exports (gfx10) or exports and the attribute ring (gfx11 and later).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace pal::device {

/// Four dwords that a shader exported, as bits.
using Attribute = std::array<uint32_t, 4>;

struct VertexOutput {
  std::array<float, 4> position = {0, 0, 0, 1}; ///< clip space
  float pointSize = 1;
  uint32_t layer = 0, viewport = 0;
  uint32_t shadingRate = 0;            ///< four bits, as exported
  std::array<float, 8> distances = {}; ///< clip and cull distances, numbered as exported
};

struct PrimitiveOutput {
  std::array<uint32_t, 3> vertices = {0, 0, 0}; ///< indices into GeometryOutput::vertices
  uint8_t vertexCount = 3;                      ///< 1 point, 2 line, 3 triangle
  uint8_t provoking = 0;                        ///< which of them gives flat values
  /// Bit i: the edge from vertex i to i + 1 is drawn in line mode.
  uint8_t edges = 7;
  bool continuesLine = false; ///< line of a strip after the first: the stipple pattern goes on
  uint32_t primitiveId = 0;
  uint32_t layer = 0, viewport = 0, shadingRate = 0; ///< as far as primitives have their own (mesh)
  bool hasOwnLayer = false, hasOwnViewport = false, hasOwnRate = false;
};

struct GeometryOutput {
  std::vector<VertexOutput> vertices;
  std::vector<PrimitiveOutput> primitives; ///< in the order of the API
  unsigned attributeCount = 0;             ///< of a vertex
  std::vector<Attribute> attributes;       ///< attributeCount of vertex 0, of vertex 1, ...
  unsigned primitiveAttributeCount = 0;    ///< of a primitive (mesh)
  std::vector<Attribute> primitiveAttributes;
  uint8_t clipMask = 0, cullMask = 0; ///< which `distances` clip, which cull (metadata)

  void clear() {
    vertices.clear();
    primitives.clear();
    attributes.clear();
    primitiveAttributes.clear();
  }
};

} // namespace pal::device
