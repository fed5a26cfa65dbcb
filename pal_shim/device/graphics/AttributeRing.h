//===- AttributeRing.h - attributes that leave through memory --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/graphics/GeometryStage.h"

namespace pal::device {

/// gfx11 and later: attributes of exported vertices go to a ring in memory, which is the driver's
/// part. Groups take turns in parts of it that begin at different bases, so that a shader which
/// ignores its base shows. Layout: 16 bytes an attribute, blocks of 32 vertices. Attributes of
/// primitives (mesh) stand behind those of vertices, by primitive.
class AttributeRing {
public:
  AttributeRing(const GeometrySetup &setup, Generation generation)
      : setup(setup), registers(setup.program.graphics->vertex), exists(!isGfx10(generation)) {}

  bool isThere() const { return exists; }
  /// What the waves of group \p number are told, in 512 bytes.
  uint32_t base(uint32_t number) const;
  /// Forgets what earlier groups wrote; for a group of \p vertices.
  void clear(uint32_t number, size_t vertices) const;
  /// Appends the attributes of the group's first \p vertices.
  void append(uint32_t number, size_t vertices, GeometryOutput &output) const;
  /// Appends the attributes that mesh shaders give to \p primitive of the group.
  void appendPrimitive(uint32_t number, size_t primitive, GeometryOutput &output) const;

private:
  uint32_t *place(uint32_t number) const;
  Attribute read(uint32_t number, size_t index, unsigned attribute) const;

  const GeometrySetup &setup;
  const VertexRegisters &registers;
  bool exists;
};

} // namespace pal::device
