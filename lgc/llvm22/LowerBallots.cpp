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
#include "lgc/llvm22/FloatRelation.h"
#include "lgc/lowering/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

/// The comparison whose operands are ordered and different exactly when `condition` holds, or null.
FCmpInst *orderedInequality(Value *condition) {
  std::optional<FloatRelation> relation = floatRelationOf(*condition);
  return relation && relation->relations == CmpInst::FCMP_ONE ? relation->comparison : nullptr;
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
