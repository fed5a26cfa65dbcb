//===- LowerSelects.cpp - selections that LLVM takes for others -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code generation of LLVM 22 takes `x == k ? k : y` for `x == k ? x : y` where k is a literal,
/// which saves its bits, also where the comparison holds for NaN: the result is x then, not k. So
/// such selections choose bits. Runs last, since InstCombine would bring the floats back.
///   before: %c = fcmp one float %x, 2.5
///           %r = select i1 %c, float %y, float 2.5
///   after:  %i = bitcast float %y to i32
///           %s = select i1 %c, i32 %i, i32 1075838976
///           %r = bitcast i32 %s to float
/// And it moves operations into selections of constants also through a cast of a vector to a number
/// of other components, which the condition has no longer one bit for each of.
///   before: %s = select <2 x i1> %c, <2 x i32> ..., <2 x i32> ...; %r = bitcast <2 x i32> %s to
///   i64 after:  %f = freeze <2 x i32> %s; %r = bitcast <2 x i32> %f to i64
#include "lgc/llvm22/FloatRelation.h"
#include "lgc/lowering/Passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lgc {
namespace {

/// Have the constants a component in common?
bool sharesComponent(const Constant &a, const Constant &b) {
  auto *vector = dyn_cast<FixedVectorType>(a.getType());
  if (!vector)
    return &a == &b;
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    if (Constant *element = a.getAggregateElement(i);
        element && element == b.getAggregateElement(i))
      return true;
  return false;
}

/// What is chosen both for NaN and where the operands are equal, or null.
const Value *armOfNaN(const SelectInst &select, unsigned relations) {
  if (relations == CmpInst::FCMP_ONE)
    return select.getFalseValue();
  return relations == CmpInst::FCMP_UEQ ? select.getTrueValue() : nullptr;
}

/// Does the arm that NaN takes hold what was compared with?
bool selectsOperand(SelectInst &select) {
  const Value *arm = nullptr;
  const FCmpInst *comparison = dyn_cast<FCmpInst>(select.getCondition());
  if (comparison) {
    arm = armOfNaN(select, comparison->getPredicate());
  } else if (std::optional<FloatRelation> relation = floatRelationOf(*select.getCondition())) {
    arm = armOfNaN(select, relation->relations);
    comparison = relation->comparison;
  }
  auto *chosen = dyn_cast_or_null<Constant>(arm);
  return chosen && any_of(comparison->operands(), [&](const Value *operand) {
           auto *constant = dyn_cast<Constant>(operand);
           return constant && chosen->getType() == constant->getType() &&
                  sharesComponent(*chosen, *constant);
         });
}

/// As many bits for conditions, or is it a scalar?
bool sameCount(Type *a, Type *b) {
  auto *vectorA = dyn_cast<FixedVectorType>(a), *vectorB = dyn_cast<FixedVectorType>(b);
  return (vectorA ? vectorA->getNumElements() : 0) == (vectorB ? vectorB->getNumElements() : 0);
}

/// Keeps casts of constants chosen by component from having the selection as operand.
bool guardCasts(SelectInst &select) {
  if (!select.getCondition()->getType()->isVectorTy() || !isa<Constant>(select.getTrueValue()) ||
      !isa<Constant>(select.getFalseValue()))
    return false;
  bool changed = false;
  for (Use &use : make_early_inc_range(select.uses()))
    if (auto *cast = dyn_cast<BitCastInst>(use.getUser());
        cast && !sameCount(cast->getType(), select.getType())) {
      use.set(IRBuilder<>(cast).CreateFreeze(&select));
      changed = true;
    }
  return changed;
}

} // namespace

PreservedAnalyses LowerSelectsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *select = dyn_cast<SelectInst>(&inst);
    if (!select)
      continue;
    changed |= guardCasts(*select);
    if (!selectsOperand(*select))
      continue;
    IRBuilder<> b(select);
    Type *type = select->getType(),
         *bits = type->getWithNewType(b.getIntNTy(type->getScalarSizeInBits()));
    Value *ifTrue = b.CreateBitCast(select->getTrueValue(), bits);
    Value *ifFalse = b.CreateBitCast(select->getFalseValue(), bits);
    Value *chosen = b.CreateSelect(select->getCondition(), ifTrue, ifFalse);
    select->replaceAllUsesWith(b.CreateBitCast(chosen, type));
    select->eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
