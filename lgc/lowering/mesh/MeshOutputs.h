//===- MeshOutputs.h - accesses to the outputs of a mesh shader -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code that stores outputs to their places (MeshLayout.h) and loads them back, for the shader
/// itself and for export.
#pragma once

#include "lgc/Ops.h"
#include "lgc/lowering/mesh/MeshLayout.h"
#include "lgc/lowering/vertex/VertexExporter.h"

namespace llvm {
class GlobalVariable;
}

namespace lgc {

class MeshOutputs {
public:
  /// Makes the LDS block.
  MeshOutputs(llvm::Module &module, const PipelineState &state, const MeshLayout &layout);

  /// Pointer to a dword of the block: MeshLayout::countsAt and the like.
  llvm::Value *word(llvm::IRBuilder<> &b, uint32_t at);
  /// What an output.store does.
  void store(llvm::IRBuilder<> &b, const llvm::CallInst &store);
  /// The value of an output.load; 0 where the shader stores nothing.
  llvm::Value *load(llvm::IRBuilder<> &b, const llvm::CallInst &load);
  /// Clears CullPrimitive of a primitive.
  void clearCull(llvm::IRBuilder<> &b, llvm::Value *primitive);

  /// What VertexExporter wants to know and to get.
  std::vector<OutputSlot> exportedSlots() const;
  OutputSet loadVertex(llvm::IRBuilder<> &b, llvm::Value *index) {
    return loadAll(b, index, false);
  }
  OutputSet loadPrimitive(llvm::IRBuilder<> &b, llvm::Value *index) {
    return loadAll(b, index, true);
  }
  /// CullPrimitive of a primitive, 0 or 1; null when the shader says nothing of it.
  llvm::Value *culled(llvm::IRBuilder<> &b, llvm::Value *primitive);
  /// First dword of the primitive export: vertex indices, null flag.
  llvm::Value *connectivity(llvm::IRBuilder<> &b, llvm::Value *primitive);

private:
  /// A component of a slot of some vertex or primitive.
  struct Address {
    const MeshPlace *place = nullptr; ///< null: nothing is stored there
    uint32_t slot = 0, component = 0;
    llvm::Value *index = nullptr;   ///< vertex or primitive
    llvm::Value *element = nullptr; ///< null for 0
  };
  Address addressOf(uint32_t slotOperand, uint32_t component, llvm::Value *element,
                    llvm::Value *index);
  llvm::Value *byteOffset(llvm::IRBuilder<> &b, const Address &address, uint32_t &constant);
  llvm::Align alignOf(const Address &address) const;
  void storeDwords(llvm::IRBuilder<> &b, const Address &address, llvm::Value *dwords);
  llvm::Value *loadDwords(llvm::IRBuilder<> &b, const Address &address, llvm::Type *type);
  llvm::Value *packIndices(llvm::IRBuilder<> &b, llvm::ArrayRef<llvm::Value *> indices);
  OutputSet loadAll(llvm::IRBuilder<> &b, llvm::Value *index, bool primitives);
  void findRing(llvm::IRBuilder<> &b);

  const MeshLayout &layout;
  unsigned gfxMajor;
  llvm::GlobalVariable *block;
  llvm::Value *ring = nullptr, *ringOffset = nullptr;
};

} // namespace lgc
