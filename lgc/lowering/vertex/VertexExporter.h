//===- VertexExporter.h - from vertex outputs to positions and attributes ---===//
// SPDX-License-Identifier: MIT
/// \file
/// The last step of vertex processing, the same for every way that leads there (vertex, evaluation,
/// geometry and mesh shaders; legacy and NGG): positions, point size, layer, viewport and distances
/// are exported, everything that fragment shaders interpolate goes to the parameter cache (gfx10)
/// or to the attribute ring in memory (gfx11 and later).
///
/// What a fragment shader reads is a Generic slot here, built-ins too: linking gives a Layer, a
/// distance or a PrimitiveId that the fragment shader reads a Generic slot of its own, and stores
/// the value there as well. (PrimitiveId without a geometry shader: the vertex shader stores
/// lgc.builtin InputPrimitiveId, which lgc-lower-vertex-exports knows how to make.)
#pragma once

#include "lgc/Interface.h"
#include "lgc/Pipeline.h"
#include "llvm/IR/IRBuilder.h"
#include <map>

namespace lgc {

/// Values of one vertex (or primitive), by slot and component; null: not written. Scalars of 16 or
/// 32 bits, integer or float.
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

/// An output slot, and a bit per component that something stores.
struct OutputSlot {
  uint32_t slot = 0;
  uint32_t mask = 0;
};
/// What the output.stores of a shader write, ascending by slot.
std::vector<OutputSlot> collectOutputs(const llvm::Function &shader);

/// The value's bits as a float in a dword, as exports take it; 16-bit values stand in the low half.
llvm::Value *asExportDword(llvm::IRBuilder<> &b, llvm::Value *value);

/// Which outputs there are and where each goes; equal for all vertices of a pipeline.
class VertexExporter {
public:
  enum class Path : uint8_t { LegacyVs, Ngg, Mesh };

  /// \p outputs: everything that the last vertex stage stores, vertices' and primitives' together.
  /// After lgc-link-interface a Generic slot *is* the attribute number. Primitive slots follow the
  /// vertices' attributes: Slot::Primitive + n is the n-th attribute behind them.
  VertexExporter(llvm::Module &module, const PipelineState &state,
                 llvm::ArrayRef<OutputSlot> outputs, Path path);

  /// HW(gfx11+): mesh shaders name the row that they export: a wave may export several, one for
  /// each wave's worth of vertices. Uniform; null (always before gfx11): the wave's own.
  void setRow(llvm::Value *value) { row = value; }
  /// Position exports (exp pos0 ..), the last one `done`. Lane = vertex, EXEC = valid vertices.
  /// Multiview: the layer is the view. Layer, viewport and rate of mesh shaders come per primitive
  /// (see primitiveWord). Missing values are 0, a missing w is 1.
  void exportPositions(llvm::IRBuilder<> &b, const OutputSet &outputs);
  /// gfx10: parameter exports. gfx11+: stores to the attribute ring, and the fence that must stand
  /// before the position exports; \p vertexIndex is the vertex's number in the subgroup (unused on
  /// gfx10). Nothing when there are no attributes.
  void exportAttributes(llvm::IRBuilder<> &b, const OutputSet &outputs, llvm::Value *vertexIndex);
  /// Attributes of primitives (mesh): behind those of the vertices. \p primitiveIndex in the
  /// subgroup. Before the position exports as well.
  void exportPrimitiveAttributes(llvm::IRBuilder<> &b, const OutputSet &outputs,
                                 llvm::Value *primitiveIndex);
  /// Mesh shaders: is the primitive export two dwords long?
  bool hasPrimitiveWord() const;
  /// The second dword of a mesh shader's primitive export: layer, viewport, shading rate.
  llvm::Value *primitiveWord(llvm::IRBuilder<> &b, const OutputSet &outputs);

  /// `.pa_cl_vs_out_cntl`, `.spi_vs_out_config`, `.spi_shader_pos_format` and what else follows
  /// from the outputs and the raster state. Call once.
  void writeRegisters();

  unsigned primitiveAttributeCount() const { return primitiveAttributes; }
  unsigned attributeCount() const { return vertexAttributes + primitiveAttributes; }

private:
  uint32_t maskOf(uint32_t slot) const;
  bool writes(uint32_t slot) const { return maskOf(slot) != 0; }
  /// Layer, viewport, rate: exported with the vertex, not with the primitive.
  bool isMesh() const { return path == Path::Mesh; }
  bool writesLayer() const { return state.graphics.iaState.enableMultiView || writes(Slot::Layer); }
  bool needsMiscVector() const;
  unsigned positionCount() const;

  llvm::Value *layer(llvm::IRBuilder<> &b, const OutputSet &outputs);
  llvm::Value *shadingRate(llvm::IRBuilder<> &b, const OutputSet &outputs, unsigned lowestBit);
  std::array<llvm::Value *, 4> miscVector(llvm::IRBuilder<> &b, const OutputSet &outputs);
  std::array<llvm::Value *, 4> distances(llvm::IRBuilder<> &b, const OutputSet &outputs,
                                         unsigned first);
  void writeAttribute(llvm::IRBuilder<> &b, const std::array<llvm::Value *, 4> &values,
                      unsigned attribute, llvm::Value *index);
  llvm::Value *ringDescriptor(llvm::IRBuilder<> &b);
  void releaseAttributes(llvm::IRBuilder<> &b);
  void writeClipRegisters();
  void writeMiscRegisters();
  void writeSemantics();

  llvm::Module &module;
  const PipelineState &state;
  std::vector<OutputSlot> slots;
  Path path;
  llvm::Value *row = nullptr;
  unsigned gfxMajor;
  unsigned gfxMinor;
  /// 1 + the highest Generic slot; at least 1 when primitives have some.
  unsigned vertexAttributes = 0;
  unsigned primitiveAttributes = 0;
  unsigned clipDistances = 0; ///< length of the ClipDistance array
  unsigned cullDistances = 0; ///< likewise; they are exported behind the clip distances
};

} // namespace lgc
