//===- EmptyEntries.cpp - entry points without any code -------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/pipeline/EmptyEntries.h"
#include "lgc/Shader.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

/// Does nothing until it ends, and that is never by returning.
static bool isUndefined(Function &entry) {
  for (BasicBlock *block : depth_first(&entry)) {
    const Instruction &first = *block->getFirstNonPHIOrDbg();
    if (!first.isTerminator() || isa<ReturnInst>(first))
      return false;
  }
  // A loop without an end is something.
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> backEdges;
  FindFunctionBackedges(entry, backEdges);
  return backEdges.empty();
}

void endEmptyEntries(Module &module) {
  for (Function *entry : entryFunctions(module)) {
    if (!isUndefined(*entry))
      continue;
    entry->deleteBody();
    Type *type = entry->getReturnType();
    ReturnInst::Create(module.getContext(), type->isVoidTy() ? nullptr : PoisonValue::get(type),
                       BasicBlock::Create(module.getContext(), "", entry));
  }
}

} // namespace lgc
