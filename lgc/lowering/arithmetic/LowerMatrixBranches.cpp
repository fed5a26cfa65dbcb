//===- LowerMatrixBranches.cpp - branches around matrix instructions ------===//
// SPDX-License-Identifier: MIT
/// \file
/// Matrix instructions ignore EXEC, and run when it is 0 (RDNA3 ISA 3.2.3, RDNA4 ISA 3.2.2.1). For
/// a branch that LLVM takes for divergent, code goes through both sides, and an accumulator would
/// be overwritten on the side that is not taken. SPIR-V wants cooperative matrices in uniform
/// control flow, so the conditions that decide whether they run are the same for all lanes: say so.
///   before: br i1 %c, label %multiply, label %next     ; %c by a load
///   after:  %w = zext i1 %c to i32
///           %s = call i32 @llvm.amdgcn.readfirstlane(i32 %w)
///           %u = icmp ne i32 %s, 0
///           br i1 %u, label %multiply, label %next
/// Behind all that changes control flow.
#include "lgc/lowering/Passes.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

bool isMatrixInstruction(const Instruction &inst) {
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call && call->getCalledFunction()->getName().starts_with("llvm.amdgcn.wmma.");
}

/// \p value, an integer of at most 32 bits, as the first active lane has it.
Value *firstLanes(IRBuilder<> &b, Value *value) {
  Type *type = value->getType();
  Value *wide = b.CreateZExt(value, b.getInt32Ty());
  Value *first = b.CreateIntrinsic(b.getInt32Ty(), Intrinsic::amdgcn_readfirstlane, {wide});
  return type->isIntegerTy(1) ? b.CreateICmpNE(first, b.getInt32(0)) : b.CreateTrunc(first, type);
}

/// The condition of a branch that has one; null elsewhere.
Use *conditionOf(Instruction &terminator) {
  if (auto *branch = dyn_cast<BranchInst>(&terminator))
    return branch->isConditional() ? &branch->getOperandUse(0) : nullptr;
  return isa<SwitchInst>(terminator) ? &terminator.getOperandUse(0) : nullptr;
}

} // namespace

PreservedAnalyses LowerMatrixBranchesPass::run(Function &function, FunctionAnalysisManager &fam) {
  SmallPtrSet<BasicBlock *, 8> blocks;
  if (function.size() > 1)
    for (BasicBlock &block : function)
      if (any_of(block, isMatrixInstruction))
        blocks.insert(&block);
  if (blocks.empty())
    return PreservedAnalyses::all();
  // What they are control dependent on, directly or not.
  ReverseIDFCalculator calculator(fam.getResult<PostDominatorTreeAnalysis>(function));
  calculator.setDefiningBlocks(blocks);
  SmallVector<BasicBlock *, 16> deciding;
  calculator.calculate(deciding);
  UniformityInfo &uniformity = fam.getResult<UniformityInfoAnalysis>(function);
  SmallVector<Use *, 16> conditions;
  for (BasicBlock *block : deciding) {
    Use *condition = conditionOf(*block->getTerminator());
    if (condition && uniformity.isDivergent(condition->get()))
      conditions.push_back(condition);
  }
  for (Use *condition : conditions) {
    IRBuilder<> b(cast<Instruction>(condition->getUser()));
    condition->set(firstLanes(b, condition->get()));
  }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return conditions.empty() ? PreservedAnalyses::all() : preserved;
}

} // namespace lgc
