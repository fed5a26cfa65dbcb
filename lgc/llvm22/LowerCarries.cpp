//===- LowerCarries.cpp - additions of a carry and their own carry --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code generation of LLVM 22 folds `x + y` into `(x + y) + carry` even where the carry of the
/// outer addition is used, which then is that of all three; subtraction likewise. So the outer
/// carry is computed without an operation that makes one: adding a bit overflows exactly when the
/// bit is set and the sum is zero. Runs last, since the optimiser and its idioms would bring the
/// carry back.
///   before: %p = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %x, i32 %bit)
///   after:  %r = add i32 %x, %bit        ; %bit = zext i1 %c
///           %z = icmp eq i32 %r, 0
///           %carry = and i1 %z, %c
#include "lgc/lowering/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lgc {
namespace {

/// The i1 that \p value, 0 or 1, says, or null.
Value *bitOf(Value *value) {
  Value *bit = nullptr;
  if (match(value, m_ZExt(m_Value(bit))) && bit->getType()->isIntOrIntVectorTy(1))
    return bit;
  // Without optimisation.
  if (match(value, m_Select(m_Value(bit), m_One(), m_Zero())))
    return bit;
  if (match(value, m_And(m_Value(), m_One())))
    return IRBuilder<>(cast<Instruction>(value)->getNextNode())
        .CreateTrunc(value, value->getType()->getWithNewBitWidth(1));
  return nullptr;
}

bool lowerIntrinsic(WithOverflowInst &inst) {
  const bool isAdd = inst.getIntrinsicID() == Intrinsic::uadd_with_overflow;
  if (!isAdd && inst.getIntrinsicID() != Intrinsic::usub_with_overflow)
    return false;
  Value *x = inst.getLHS(), *other = inst.getRHS();
  if (isAdd && !bitOf(other))
    std::swap(x, other);
  Value *bit = bitOf(other);
  if (!bit)
    return false;
  IRBuilder<> b(&inst);
  Value *result = isAdd ? b.CreateAdd(x, other) : b.CreateSub(x, other);
  Value *parts[] = {result, b.CreateAnd(b.CreateIsNull(isAdd ? result : x), bit)};
  // Each user gets its part itself, so that lowerCompare() sees the addition.
  Value *pair = nullptr;
  for (Use &use : make_early_inc_range(inst.uses())) {
    if (auto *extract = dyn_cast<ExtractValueInst>(use.getUser())) {
      extract->replaceAllUsesWith(parts[extract->getIndices()[0]]);
      extract->eraseFromParent();
      continue;
    }
    if (!pair) {
      pair = b.CreateInsertValue(PoisonValue::get(inst.getType()), parts[0], 0);
      pair = b.CreateInsertValue(pair, parts[1], 1);
    }
    use.set(pair);
  }
  inst.eraseFromParent();
  return true;
}

/// `x + bit < x`; `~x < bit` and `~bit < x`, which InstCombine makes of it; `x < bit` of a
/// subtraction. Code generation makes one operation with carry of the compare and the arithmetic.
bool lowerCompare(ICmpInst &inst) {
  Value *small = inst.getOperand(0), *large = inst.getOperand(1);
  if (inst.getPredicate() == ICmpInst::ICMP_UGT)
    std::swap(small, large);
  else if (inst.getPredicate() != ICmpInst::ICMP_ULT)
    return false;
  Value *other = nullptr, *bit = bitOf(large);
  IRBuilder<> b(&inst);
  if (!bit && match(small, m_Not(m_Value(other))) && (bit = bitOf(other))) {
    inst.replaceAllUsesWith(
        b.CreateAnd(b.CreateICmpEQ(large, Constant::getAllOnesValue(large->getType())), bit));
    inst.eraseFromParent();
    return true;
  }
  if (!bit && match(small, m_c_Add(m_Specific(large), m_Value(other))))
    bit = bitOf(other);
  if (!bit)
    return false;
  // Either the sum is 0 although the bit is set, or less than a bit is 0.
  inst.replaceAllUsesWith(b.CreateAnd(b.CreateIsNull(small), bit));
  inst.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses LowerCarriesPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<WithOverflowInst *, 8> overflows;
  for (Instruction &inst : instructions(function))
    if (auto *overflow = dyn_cast<WithOverflowInst>(&inst))
      overflows.push_back(overflow);
  bool changed = false;
  for (WithOverflowInst *overflow : overflows)
    changed |= lowerIntrinsic(*overflow);
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *compare = dyn_cast<ICmpInst>(&inst))
      changed |= lowerCompare(*compare);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
