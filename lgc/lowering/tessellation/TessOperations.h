//===- TessOperations.h - operations of tessellation shaders ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What becomes of input.load, output.load, output.store, barriers and built-ins of the vertex
/// shader in front of a control shader, of control and of evaluation shaders.
#pragma once

#include "lgc/Ops.h"
#include "lgc/lowering/tessellation/TessAccess.h"
#include "llvm/IR/GlobalVariable.h"

namespace lgc {

/// Lowers the operations of one shader, at the place of each.
class TessOperations {
public:
  TessOperations(llvm::Function &function, const PipelineState &state, const TessLayout &layout,
                 llvm::GlobalVariable *lds);

  void lowerVertex();
  void lowerControl();
  void lowerEvaluation();

private:
  using Lower = llvm::Value *(TessOperations::*)(llvm::CallInst &);
  void lowerOps(OpId id, Lower lower);
  void lowerBuiltins();
  void lowerBarriers();
  llvm::Value *builtin(BuiltIn which);
  llvm::Value *tessCoord();

  llvm::Value *hwValue(HwValue value, llvm::Type *type);
  llvm::Value *hwWord(HwValue value) { return hwValue(value, b.getInt32Ty()); }
  void makeOffChip(HwValue relativePatch);

  llvm::Value *storeVertexOutput(llvm::CallInst &call);
  llvm::Value *loadControlInput(llvm::CallInst &call);
  llvm::Value *loadControlOutput(llvm::CallInst &call);
  llvm::Value *storeControlOutput(llvm::CallInst &call);
  llvm::Value *loadEvaluationInput(llvm::CallInst &call);
  llvm::Value *checkVertex(const SlotAccess &access, llvm::CallInst &call);
  llvm::Value *recordOf(llvm::Value *vertices, llvm::Value *vertex);
  llvm::Value *inputVertices(); ///< of a patch
  llvm::Value *outputVertices();
  std::pair<llvm::Value *, uint32_t> offChipOffset(const SlotAccess &access, llvm::CallInst &call);

  llvm::Function &function;
  const PipelineState &state;
  const TessLayout &layout;
  llvm::GlobalVariable *lds;
  unsigned gfxMajor;
  llvm::IRBuilder<> b;
  llvm::Value *vertexInGroup = nullptr;                   ///< vertex shader
  llvm::Value *relPatch = nullptr, *invocation = nullptr; ///< of the others
  std::optional<TessBuffer> offChip;
};

} // namespace lgc
