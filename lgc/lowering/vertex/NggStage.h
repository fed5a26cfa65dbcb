//===- NggStage.h - a primitive shader without a geometry shader ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// What stands before the vertex half of a primitive shader, and the registers of its subgroups.
/// A subgroup is one workgroup of the hardware: up to 256 vertices and primitives in several waves.
#pragma once

#include "lgc/Pipeline.h"
#include "lgc/Shader.h"
#include "llvm/IR/IRBuilder.h"

namespace pal::abi {
struct GpuTarget;
}

namespace lgc {

class NggStage {
public:
  /// \p shader: the vertex or evaluation shader that becomes the primitive shader. \p limit: most
  /// vertices of a subgroup, 0 = any. \p culling: primitives are exported later, by
  /// exportPrimitive, and not as they came.
  NggStage(llvm::Function &shader, const PipelineState &state, bool streamOut, bool culling,
           unsigned limit = 0);

  /// Puts the set-up, the allocation of export space and the primitives' exports before the shader,
  /// whose blocks then run for vertices only and must end in a branch to end(). \p primitiveId:
  /// vertices need the id of the primitive whose provoking vertex they are.
  void addPrologue(bool primitiveId);

  // Values that dominate the shader's blocks, after addPrologue.
  /// All threads meet here; ends in `ret`.
  llvm::BasicBlock *end() { return endBlock; }
  llvm::Value *thread() { return threadInSubgroup; }  ///< number of vertex and primitive, per lane
  llvm::Value *hasVertex() { return isVertex; }       ///< i1, per lane
  llvm::Value *hasPrimitive() { return isPrimitive; } ///< i1, per lane
  llvm::Value *primitiveId();
  /// 11:0 of the group info: the subgroup's number in the order of primitives.
  llvm::Value *orderedId(llvm::IRBuilder<> &b);
  llvm::Value *primitiveCount(llvm::IRBuilder<> &b);
  /// The subgroup's number of a vertex of this lane's primitive.
  llvm::Value *vertexOfPrimitive(llvm::IRBuilder<> &b, unsigned vertex);
  /// As far as it is known before the draw: at most 3; an i32.
  unsigned mostVerticesPerPrimitive() const;
  llvm::Value *verticesOfPrimitive(llvm::IRBuilder<> &b);
  unsigned verticesPerSubgroup() const;
  /// With culling: the export of this lane's triangle, as an empty one where `culled` (i1).
  void exportPrimitive(llvm::IRBuilder<> &b, llvm::Value *culled);
  /// All threads of the subgroup meet; LDS that was written before is visible behind.
  void synchronize(llvm::IRBuilder<> &b);

  void writeRegisters(bool primitiveId);

  /// Starts an `if` and returns the end of its body; `b` goes on behind it.
  llvm::Instruction *beginIf(llvm::IRBuilder<> &b, llvm::Value *condition, const char *name);

private:
  llvm::Value *field(llvm::IRBuilder<> &b, llvm::Value *word, unsigned shift, unsigned bits);
  void moveAllocas(llvm::BasicBlock &from, llvm::BasicBlock &to);
  bool hasAllocationMessage() const;
  void requestAllocation(llvm::IRBuilder<> &b);
  void exportPrimitives(llvm::IRBuilder<> &b);
  void exportWord(llvm::IRBuilder<> &b, llvm::Value *word);
  void distributePrimitiveId(llvm::IRBuilder<> &b);
  llvm::Value *provokingVertex(llvm::IRBuilder<> &b);
  void barrier(llvm::IRBuilder<> &b);
  unsigned verticesPerPrimitive() const;
  llvm::Value *groupInfo(llvm::IRBuilder<> &b);

  llvm::Function &shader;
  llvm::Module &module;
  const PipelineState &state;
  const pal::abi::GpuTarget &target;
  unsigned waveSize;
  bool streamOut;
  bool culling;
  unsigned limit;
  llvm::BasicBlock *endBlock = nullptr;
  llvm::Value *waveInfo = nullptr;
  llvm::Value *lane = nullptr;
  llvm::Value *threadInSubgroup = nullptr;
  llvm::Value *isPrimitive = nullptr;
  llvm::Value *isVertex = nullptr;
  llvm::GlobalVariable *primitiveIds = nullptr; ///< LDS: by vertex of the subgroup
  llvm::Instruction *vertexStart = nullptr;     ///< first instruction of the vertex half
};

} // namespace lgc
