//===- GeometryLowering.h - the parts of lgc-lower-geometry ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the files of lgc-lower-geometry share: emission of vertices to LDS (NGG) or to the ring in
/// memory (legacy), and the code that comes after the geometry half.
#pragma once

#include "lgc/lowering/geometry/GeometryLayout.h"
#include "lgc/lowering/vertex/VertexExporter.h"

namespace lgc {

/// Values that every function around a subgroup can make for itself; equal ones are merged by the
/// optimiser once the halves are one function.
class SubgroupValues {
public:
  SubgroupValues(llvm::IRBuilder<> &b, const GeometryLayout &layout) : b(b), layout(layout) {}

  llvm::Value *hwValue(HwValue value);
  /// Bits \p first + width - 1 .. first of MergedWaveInfo.
  llvm::Value *waveInfo(unsigned first, unsigned width);
  llvm::Value *esThreads() { return waveInfo(0, 8); }
  llvm::Value *gsThreads() { return waveInfo(8, 8); }
  llvm::Value *gsWaveId() { return waveInfo(16, 8); }
  llvm::Value *waveInSubgroup() { return waveInfo(24, 4); }
  llvm::Value *lane();
  llvm::Value *threadInSubgroup();

private:
  llvm::IRBuilder<> &b;
  const GeometryLayout &layout;
};

/// LDS of the subgroup as dwords.
class SubgroupLds {
public:
  /// Creates the variable on first use. \p dwords: size of all of it.
  SubgroupLds(llvm::Module &module, uint32_t dwords);

  llvm::Value *pointer(llvm::IRBuilder<> &b, llvm::Value *dword);
  llvm::Value *load(llvm::IRBuilder<> &b, llvm::Value *dword, llvm::Type *type);
  void store(llvm::IRBuilder<> &b, llvm::Value *value, llvm::Value *dword);

private:
  llvm::GlobalVariable *variable;
};

/// A scalar of 16 or 32 bits as the dword that LDS and rings hold, and back.
llvm::Value *toDword(llvm::IRBuilder<> &b, llvm::Value *value);
llvm::Value *fromDword(llvm::IRBuilder<> &b, llvm::Value *dword, llvm::Type *type);

/// Fence, barrier, fence: LDS written before is visible to the whole subgroup after.
void createSubgroupBarrier(llvm::IRBuilder<> &b);

/// How the geometry half hands out vertices. The functions are called at the places of the
/// operations, `values` has one dword per field of the stream.
class GeometryEmitter {
public:
  virtual ~GeometryEmitter() = default;
  /// Allocas and what else must stand at the start of the geometry shader.
  virtual void begin(llvm::IRBuilder<> &b) = 0;
  virtual void emitVertex(llvm::IRBuilder<> &b, unsigned stream,
                          llvm::ArrayRef<llvm::Value *> values) = 0;
  virtual void endPrimitive(llvm::IRBuilder<> &b, unsigned stream) = 0;
  /// In the hardware function, before the vertex half.
  virtual void beginSubgroup(llvm::IRBuilder<> &b) = 0;
  /// In the hardware function, by the lanes of the geometry half when it has ended.
  virtual void endInvocation(llvm::IRBuilder<> &b) = 0;
  /// At the end of the hardware function, all lanes; the block has no terminator.
  virtual void endSubgroup(llvm::IRBuilder<> &b) = 0;
};

/// NGG: vertices go to LDS, endSubgroup compacts and exports them.
std::unique_ptr<GeometryEmitter> createNggEmitter(llvm::Module &module, const PipelineState &state,
                                                  const GeometryLayout &layout, SubgroupLds &lds);
/// Legacy: vertices go to the ring in memory; also makes the copy shader, lgc.hw.VS.
std::unique_ptr<GeometryEmitter>
createLegacyEmitter(llvm::Module &module, const PipelineState &state, const GeometryLayout &layout);
void createCopyShader(llvm::Module &module, const PipelineState &state,
                      const GeometryLayout &layout, const llvm::Function &like);

/// Values of the raster stream's fields as the outputs of one vertex.
OutputSet toOutputs(llvm::IRBuilder<> &b, const GsStream &stream,
                    llvm::ArrayRef<llvm::Value *> dwords);
/// What there is, for VertexExporter.
std::vector<OutputSlot> outputSlots(const GsStream &stream);

} // namespace lgc
