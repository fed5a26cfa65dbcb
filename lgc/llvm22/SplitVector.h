//===- SplitVector.h - operations on the components of vectors ------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace lgc {

/// Replaces `inst`, an operation on vectors, by one on each component, as code generation will:
/// what is known differs from component to component. Constants may be left of some.
inline llvm::SmallVector<llvm::BinaryOperator *, 4> splitVector(llvm::BinaryOperator &inst) {
  llvm::IRBuilder<> b(&inst);
  llvm::Value *result = llvm::PoisonValue::get(inst.getType());
  llvm::SmallVector<llvm::BinaryOperator *, 4> parts;
  const unsigned count = llvm::cast<llvm::FixedVectorType>(inst.getType())->getNumElements();
  for (unsigned i = 0; i < count; ++i) {
    llvm::Value *x = b.CreateExtractElement(inst.getOperand(0), i);
    llvm::Value *y = b.CreateExtractElement(inst.getOperand(1), i);
    llvm::Value *part = b.CreateBinOp(inst.getOpcode(), x, y);
    result = b.CreateInsertElement(result, part, i);
    if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(part))
      parts.push_back(operation);
  }
  inst.replaceAllUsesWith(result);
  inst.eraseFromParent();
  return parts;
}

} // namespace lgc
