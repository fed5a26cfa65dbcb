//===- NoContraction.cpp - what may not be contracted, propagated ---------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/arithmetic/NoContraction.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace lgc {
namespace {

bool isSum(const Instruction &inst) {
  return inst.getOpcode() == Instruction::FAdd || inst.getOpcode() == Instruction::FSub;
}

using Instructions = SmallVector<Instruction *>;

Instructions exactOnes(Function &function) {
  Instructions result;
  for (Instruction &inst : instructions(function))
    if ((isSum(inst) || inst.getOpcode() == Instruction::FMul) && !inst.hasAllowContract())
      result.push_back(&inst);
  return result;
}

/// Of a sum or product; the flag means nothing else to others.
bool makeExact(Instruction &inst) {
  if (!isSum(inst) && inst.getOpcode() != Instruction::FMul)
    return false;
  if (!inst.hasAllowContract())
    return false;
  inst.setHasAllowContract(false);
  return true;
}

bool propagateForward(Instructions worklist) {
  bool isChanged = false;
  DenseSet<Instruction *> seen(worklist.begin(), worklist.end());
  while (!worklist.empty())
    for (User *user : worklist.pop_back_val()->users()) {
      auto *inst = dyn_cast<Instruction>(user);
      if (!inst || !seen.insert(inst).second)
        continue;
      if (isSum(*inst))
        isChanged |= makeExact(*inst);
      worklist.push_back(inst);
    }
  return isChanged;
}

bool propagateBackward(Instructions worklist) {
  bool isChanged = false;
  DenseSet<Instruction *> seen(worklist.begin(), worklist.end());
  while (!worklist.empty())
    for (Value *operand : worklist.pop_back_val()->operands()) {
      auto *inst = dyn_cast<Instruction>(operand);
      if (!inst || !seen.insert(inst).second)
        continue;
      isChanged |= makeExact(*inst);
      worklist.push_back(inst);
    }
  return isChanged;
}

} // namespace

bool propagateNoContraction(Function &function) {
  const StringRef ways = function.getFnAttribute(noContractAttribute).getValueAsString();
  if (ways.empty())
    return false;
  const Instructions exact = exactOnes(function);
  bool isChanged = false;
  if (ways.contains("backward"))
    isChanged |= propagateBackward(exact);
  if (ways.contains("forward"))
    isChanged |= propagateForward(exact);
  return isChanged;
}

} // namespace lgc
