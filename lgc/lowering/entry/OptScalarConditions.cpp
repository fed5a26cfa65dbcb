//===- OptScalarConditions.cpp - conditions of all lanes, in SCC ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// A comparison that is the same for all lanes leaves its result in SCC, where a branch or a
/// selection reads it. What crosses blocks is a mask in registers, which takes an instruction to
/// make and one to test. So a comparison with a constant gets a copy in each other block that
/// branches or selects by it: the copies need one register, where the mask would be.
///
/// Behind everything that would merge the copies. What lanes differ in stays: a vector comparison
/// is a mask anyway.
///   before: %is = icmp eq i32 %n, 2        ; another block
///           br i1 %is, label %a, label %b
///   after:  %is1 = icmp eq i32 %n, 2
///           br i1 %is1, label %a, label %b
#include "lgc/lowering/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

/// Is the value in scalar registers, if it is uniform? Floats and what is made of them are computed
/// by vector instructions.
bool isScalarOperand(const Value &value) {
  if (!value.getType()->isIntegerTy(32))
    return false;
  if (const auto *call = dyn_cast<IntrinsicInst>(&value))
    return call->getIntrinsicID() == Intrinsic::amdgcn_s_buffer_load ||
           call->getIntrinsicID() == Intrinsic::amdgcn_readfirstlane;
  return isa<Argument, PHINode, LoadInst, BinaryOperator, ExtractElementInst>(value);
}

/// Does it read the condition out of SCC?
bool readsCondition(const Use &use) {
  const auto *select = dyn_cast<SelectInst>(use.getUser());
  return isa<BranchInst>(use.getUser()) ||
         (select && use.getOperandNo() == 0 && select->getCondition() == use.get());
}

/// A comparison that another block than its own branches or selects by.
bool isCandidate(const Instruction &inst) {
  const auto *compare = dyn_cast<ICmpInst>(&inst);
  return compare && isa<ConstantInt>(compare->getOperand(1)) &&
         isScalarOperand(*compare->getOperand(0)) && any_of(inst.uses(), [&](const Use &use) {
           return readsCondition(use) &&
                  cast<Instruction>(use.getUser())->getParent() != inst.getParent();
         });
}

void copyToUsers(Instruction &compare) {
  SmallMapVector<BasicBlock *, SmallVector<Use *, 2>, 4> uses;
  for (Use &use : compare.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    if (user->getParent() != compare.getParent() && readsCondition(use))
      uses[user->getParent()].push_back(&use);
  }
  for (auto &[block, list] : uses) {
    Instruction *copy = compare.clone();
    copy->insertBefore(block->getFirstInsertionPt());
    for (Use *use : list)
      use->set(copy);
  }
  if (compare.use_empty())
    compare.eraseFromParent();
}

} // namespace

PreservedAnalyses OptScalarConditionsPass::run(Function &function, FunctionAnalysisManager &fam) {
  SmallVector<Instruction *, 8> compares;
  if (function.size() > 1)
    for (Instruction &inst : instructions(function))
      if (isCandidate(inst))
        compares.push_back(&inst);
  if (compares.empty())
    return PreservedAnalyses::all();
  UniformityInfo &uniformity = fam.getResult<UniformityInfoAnalysis>(function);
  erase_if(compares, [&](Instruction *compare) { return uniformity.isDivergent(compare); });
  if (compares.empty())
    return PreservedAnalyses::all();
  for (Instruction *compare : compares)
    copyToUsers(*compare);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace lgc
