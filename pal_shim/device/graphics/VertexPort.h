//===- VertexPort.h - what the waves of the last geometry stage export -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Receives positions, parameters (gfx10), primitives and the allocation message of one group of
/// waves. Lane l of wave w is vertex, and primitive, w * wave size + l of the group; exports of
/// mesh shaders may name another w, the row.
#pragma once

#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/core/StagePort.h"
#include "pal_shim/device/graphics/GeometryOutput.h"

namespace pal::device {

class StreamOutUnit;

class VertexPort : public StagePort {
public:
  VertexPort(const VertexRegisters &registers, Generation generation)
      : registers(registers), generation(generation) {}

  struct Primitive {
    bool exported = false, culled = false;
    std::array<uint16_t, 3> vertices = {0, 0, 0};
    uint32_t payload = 0; ///< second word of mesh shaders: layer, viewport, rate
  };

  /// Starts a group. \p isNgg: primitives and messages are expected.
  void begin(unsigned vertexCount, unsigned primitiveCount, bool isNgg);
  /// Starts a group of a primitive shader that says itself how many vertices and primitives leave;
  /// \p lanes: as many as that at most.
  void beginOpen(unsigned lanes);
  /// Starts an open group of a mesh shader: at most \p vertexCount vertices, and primitives.
  void beginMesh(unsigned vertexCount, unsigned primitiveCount);
  /// Closes an open group: what was not allocated must not have been exported. False: \p what is.
  bool close(std::string &what);

  void exportData(Wave &wave, const ExportData &data) override;
  void message(Wave &wave, unsigned message, uint32_t m0) override;
  void loadParameter(Wave &wave, unsigned attribute, unsigned channel,
                     ParameterRow *quads) override;

  uint32_t addToCounter(Wave &wave, const CounterAccess &access) override;

  std::vector<VertexOutput> vertices;
  std::vector<bool> hasPosition;     ///< by vertex: the first position was exported
  std::vector<Attribute> attributes; ///< gfx10: registers.attributeCount of each vertex
  std::vector<Primitive> primitives;
  /// gfx10, mesh shaders: registers.primitiveAttributeCount of each primitive.
  std::vector<Attribute> primitiveAttributes;
  StreamOutUnit *streamOut = nullptr; ///< of the waves, if they may use it
  bool hasAllocated = false;
  unsigned allocatedVertices = 0, allocatedPrimitives = 0;

private:
  void exportPosition(Wave &wave, const ExportData &data, unsigned number);
  void exportParameter(Wave &wave, const ExportData &data, unsigned number);
  void exportPrimitive(Wave &wave, const ExportData &data);
  /// The vertex or primitive of a lane; faults when it is none of \p count.
  bool place(Wave &wave, const ExportData &data, unsigned lane, size_t count, const char *what,
             uint64_t &index);

  const VertexRegisters &registers;
  Generation generation;
  bool isNgg = false, isOpen = false, isMesh = false;
};

} // namespace pal::device
