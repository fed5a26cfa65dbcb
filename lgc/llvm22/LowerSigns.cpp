//===- LowerSigns.cpp - signs that LLVM loses -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code generation of LLVM 22 takes a clamped `max(x, |x|)` for a clamped x (llvm-project pull
/// request 224517), and a product that becomes a half for a sum with +0, in which -0 is lost
/// (214544). So the maximum is written as what it is, and the product as a sum with -0, which keeps
/// every zero. Instruction selection takes 0 - x for the operand -x of whatever reads it, though
/// 0 - 0 is +0: sums with +0 pass llvm.canonicalize, which hides them and costs no instruction.
/// Runs last, since InstCombine would bring the product back.
///   before: %r = call float @llvm.maxnum.f32(float %x, float (fabs %x))
///   after:  %r = call float @llvm.fabs.f32(float %x)
///   before: %h = fptrunc float (fmul float %x, %y) to half
///   after:  %h = fptrunc float (call float @llvm.fma.f32(float %x, float %y, float -0.0)) to half
///   before: %r = fmul float (fsub float 0.0, %x), %y
///   after:  %r = fmul float (call float @llvm.canonicalize.f32(float (fsub float 0.0, %x))), %y
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/arithmetic/FloatGuards.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lgc {
namespace {

/// What the maximum of a number and itself with another sign is, or null.
Value *absoluteOf(IRBuilder<> &b, Value *x, Value *y) {
  if (match(y, m_FNeg(m_FAbs(m_Specific(x)))))
    return x;
  if (match(y, m_FAbs(m_Specific(x))) || match(y, m_FNeg(m_Specific(x))))
    return b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  return nullptr;
}

bool lowerMaximum(IntrinsicInst &inst) {
  const Intrinsic::ID id = inst.getIntrinsicID();
  if (id != Intrinsic::maxnum && id != Intrinsic::maximumnum && id != Intrinsic::maximum)
    return false;
  IRBuilder<> b(&inst);
  Value *x = inst.getArgOperand(0), *y = inst.getArgOperand(1);
  Value *result = absoluteOf(b, x, y);
  if (!result)
    result = absoluteOf(b, y, x);
  if (!result)
    return false;
  inst.replaceAllUsesWith(result);
  inst.eraseFromParent();
  return true;
}

/// Vectors of halves are put together of few parts.
constexpr unsigned maxDepth = 8;

/// Writes the products that `value` is, or is put together of, as sums where their sign counts.
bool lowerProducts(Value *value, unsigned depth = 0) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || depth == maxDepth)
    return false;
  if (isa<InsertElementInst, ShuffleVectorInst>(inst)) {
    const bool first = lowerProducts(inst->getOperand(0), depth + 1);
    return lowerProducts(inst->getOperand(1), depth + 1) || first;
  }
  Value *x = nullptr, *y = nullptr;
  if (!match(inst, m_FMul(m_Value(x), m_Value(y))) || inst->hasNoSignedZeros() ||
      !inst->getType()->getScalarType()->isFloatTy())
    return false;
  IRBuilder<> b(inst);
  b.setFastMathFlags(inst->getFastMathFlags());
  inst->replaceAllUsesWith(b.CreateIntrinsic(Intrinsic::fma, {inst->getType()},
                                             {x, y, ConstantFP::getNegativeZero(inst->getType())}));
  return true;
}

/// A constant with +0 in some element.
bool hasPlusZero(const Value *value) {
  const auto *constant = dyn_cast<Constant>(value);
  if (!constant)
    return false;
  const auto isPlusZero = [](const Constant *element) {
    const auto *number = dyn_cast_or_null<ConstantFP>(element);
    return number && number->isZero() && !number->isNegative();
  };
  auto *vector = dyn_cast<FixedVectorType>(constant->getType());
  for (unsigned i = 0; vector && i < vector->getNumElements(); ++i)
    if (isPlusZero(constant->getAggregateElement(i)))
      return true;
  return isPlusZero(constant);
}

/// Sums with +0: as they are written, and as instruction selection may write products with +-1.
bool isSumWithPlusZero(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::FSub:
    return hasPlusZero(inst.getOperand(0));
  case Instruction::FAdd:
    return hasPlusZero(inst.getOperand(0)) || hasPlusZero(inst.getOperand(1));
  default:
    break;
  }
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call &&
         (call->getIntrinsicID() == Intrinsic::fma ||
          call->getIntrinsicID() == Intrinsic::fmuladd) &&
         hasPlusZero(call->getArgOperand(2));
}

bool hideSum(Instruction &inst) {
  if (!isa<FPMathOperator>(inst) || inst.hasNoSignedZeros() || !isSumWithPlusZero(inst))
    return false;
  const auto isCanonicalize = [](const User *user) {
    const auto *call = dyn_cast<IntrinsicInst>(user);
    return call && call->getIntrinsicID() == Intrinsic::canonicalize;
  };
  if (all_of(inst.users(), isCanonicalize))
    return false;
  IRBuilder<> b(inst.getNextNode());
  Value *hidden = b.CreateUnaryIntrinsic(Intrinsic::canonicalize, &inst);
  inst.replaceUsesWithIf(hidden, [&](const Use &use) { return use.getUser() != hidden; });
  return true;
}

} // namespace

PreservedAnalyses LowerSignsPass::run(Function &function, FunctionAnalysisManager &) {
  // Before calls of llvm.canonicalize are made that must stay.
  bool changed = removeFloatGuards(function);
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
      changed |= lowerMaximum(*intrinsic);
    else if (auto *half = dyn_cast<FPTruncInst>(&inst);
             half && !half->hasNoSignedZeros() && half->getType()->getScalarType()->isHalfTy())
      changed |= lowerProducts(half->getOperand(0));
  }
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    changed |= hideSum(inst);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
