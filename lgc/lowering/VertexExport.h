//===- VertexExport.h - from vertex outputs to positions and attributes ---===//
// SPDX-License-Identifier: MIT
/// \file
/// The last step of vertex processing, the same for every way that leads there (vertex, evaluation,
/// geometry and mesh shaders; legacy and NGG): positions, point size, layer, viewport and distances
/// are exported, everything that fragment shaders interpolate goes to the parameter cache (gfx10)
/// or to the attribute ring in memory (gfx11 and later).
#pragma once

#include "lgc/Interface.h"
#include "lgc/Pipeline.h"
#include "llvm/IR/IRBuilder.h"
#include <map>

namespace lgc {

/// Values of one vertex (or primitive), by slot and component; null: not written.
class OutputSet {
public:
  void set(uint32_t slot, unsigned component, llvm::Value *value) {
    slots[slot][component] = value;
  }
  llvm::Value *get(uint32_t slot, unsigned component = 0) const {
    auto found = slots.find(slot);
    return found == slots.end() ? nullptr : found->second[component];
  }
  bool has(uint32_t slot) const { return slots.count(slot) != 0; }
  /// Ascending by slot.
  std::map<uint32_t, std::array<llvm::Value *, 4>> slots;
};

/// Which outputs there are and where each goes; equal for all vertices of a pipeline.
class VertexExport {
public:
  enum class Path : uint8_t { LegacyVs, Ngg, Mesh };

  /// \p slots: every slot that the last vertex stage stores, vertices' and primitives' together.
  /// After lgc-link-interface a Generic slot *is* the attribute number; Primitive slots follow the
  /// vertices' attributes.
  VertexExport(llvm::Module &module, const PipelineState &state, llvm::ArrayRef<uint32_t> slots,
               Path path);

  /// Position exports (exp pos0 ..), the last one `done`. Lane = vertex, EXEC = valid vertices.
  /// Multiview: the layer is the view. \p primitiveLayer etc. of mesh shaders come per primitive
  /// (see primitiveWord).
  void exportPositions(llvm::IRBuilder<> &b, const OutputSet &outputs);
  /// gfx10: parameter exports. gfx11+: stores to the attribute ring and the fence that must stand
  /// before the position exports; \p vertexIndex is the vertex's number in the subgroup.
  void exportAttributes(llvm::IRBuilder<> &b, const OutputSet &outputs, llvm::Value *vertexIndex);
  /// Attributes of primitives (mesh): behind those of the vertices. \p primitiveIndex in the
  /// subgroup.
  void exportPrimitiveAttributes(llvm::IRBuilder<> &b, const OutputSet &outputs,
                                 llvm::Value *primitiveIndex);
  /// The second dword of a mesh shader's primitive export: layer, viewport, shading rate.
  llvm::Value *primitiveWord(llvm::IRBuilder<> &b, const OutputSet &outputs);

  /// `.pa_cl_vs_out_cntl`, `.spi_vs_out_config`, `.spi_shader_pos_format` and what else follows
  /// from the slots. Call once.
  void writeRegisters();

  unsigned attributeCount() const { return attributes; }

private:
  llvm::Module &module;
  const PipelineState &state;
  std::vector<uint32_t> slots;
  Path path;
  unsigned attributes = 0;
};

} // namespace lgc
