//===- LowerBallots.cpp - ballots of ordered inequality -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code generation of LLVM 22 makes `v_cmp_neq`, which unordered operands pass, of
/// llvm.amdgcn.ballot of `fcmp one`, also where it only finds out that the condition is one. So
/// such a ballot becomes two. Runs last, since InstCombine would bring the comparison back.
///   before: %c = fcmp one float %x, %y
///           %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
///   after:  %m = call i64 @llvm.amdgcn.ballot.i64(i1 %different)   ; fcmp une float %x, %y
///           %n = call i64 @llvm.amdgcn.ballot.i64(i1 %ordered)     ; fcmp ord float %x, %y
///           %b = and i64 %m, %n
#include "lgc/lowering/Passes.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

/// What is deeper LLVM does not look at either.
constexpr unsigned maxDepth = 6;

/// May `inst` stand between a comparison and a condition?
bool isBoolean(const Instruction &inst) {
  return isa<BinaryOperator, CastInst, SelectInst, ICmpInst, FreezeInst>(inst) &&
         inst.getType()->isIntegerTy();
}

/// The comparison of floats that `value` is computed from, or null.
FCmpInst *findComparison(Value *value, unsigned depth = 0) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || depth == maxDepth)
    return nullptr;
  if (auto *compare = dyn_cast<FCmpInst>(inst))
    return compare;
  if (!isBoolean(*inst))
    return nullptr;
  for (Value *operand : inst->operands())
    if (FCmpInst *found = findComparison(operand, depth + 1))
      return found;
  return nullptr;
}

/// `value` when the operands of `pair` are related as `relation` says, one of FCMP_OEQ, FCMP_OGT,
/// FCMP_OLT and FCMP_UNO; null when it depends on anything else.
Constant *evaluate(Value *value, const FCmpInst &pair, CmpInst::Predicate relation,
                   unsigned depth = 0) {
  if (auto *constant = dyn_cast<Constant>(value))
    return constant;
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || depth > maxDepth)
    return nullptr;
  if (auto *compare = dyn_cast<FCmpInst>(inst)) {
    CmpInst::Predicate predicate = compare->getPredicate();
    if (compare->getOperand(0) == pair.getOperand(1) &&
        compare->getOperand(1) == pair.getOperand(0))
      predicate = compare->getSwappedPredicate();
    else if (compare->getOperand(0) != pair.getOperand(0) ||
             compare->getOperand(1) != pair.getOperand(1))
      return nullptr;
    // Predicates are sets of relations.
    return ConstantInt::getBool(inst->getContext(), (predicate & relation) != 0);
  }
  if (!isBoolean(*inst))
    return nullptr;
  SmallVector<Constant *, 3> operands;
  for (Value *operand : inst->operands()) {
    operands.push_back(evaluate(operand, pair, relation, depth + 1));
    if (!operands.back())
      return nullptr;
  }
  const DataLayout &layout = inst->getDataLayout();
  if (auto *compare = dyn_cast<ICmpInst>(inst))
    return ConstantFoldCompareInstOperands(compare->getPredicate(), operands[0], operands[1],
                                           layout);
  return ConstantFoldInstOperands(inst, operands, layout);
}

/// The comparison whose operands are ordered and different exactly when `condition` holds, or null.
FCmpInst *orderedInequality(Value *condition) {
  FCmpInst *pair = findComparison(condition);
  if (!pair)
    return nullptr;
  for (CmpInst::Predicate relation :
       {CmpInst::FCMP_OEQ, CmpInst::FCMP_OGT, CmpInst::FCMP_OLT, CmpInst::FCMP_UNO}) {
    Constant *holds = evaluate(condition, *pair, relation);
    if (!holds || !isa<ConstantInt>(holds) ||
        holds->isOneValue() != ((CmpInst::FCMP_ONE & relation) != 0))
      return nullptr;
  }
  return pair;
}

} // namespace

PreservedAnalyses LowerBallotsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *ballot = dyn_cast<IntrinsicInst>(&inst);
    if (!ballot || ballot->getIntrinsicID() != Intrinsic::amdgcn_ballot)
      continue;
    FCmpInst *pair = orderedInequality(ballot->getArgOperand(0));
    if (!pair)
      continue;
    IRBuilder<> b(ballot);
    auto lanesWhere = [&](CmpInst::Predicate predicate) {
      Value *holds = b.CreateFCmp(predicate, pair->getOperand(0), pair->getOperand(1));
      return b.CreateIntrinsic(Intrinsic::amdgcn_ballot, {ballot->getType()}, {holds});
    };
    Value *different = lanesWhere(CmpInst::FCMP_UNE);
    ballot->replaceAllUsesWith(b.CreateAnd(different, lanesWhere(CmpInst::FCMP_ORD)));
    ballot->eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
