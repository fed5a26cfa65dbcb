//===- LowerCarries.cpp - additions of a carry and their own carry --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code generation of LLVM 22 folds `x + y` into `(x + y) + carry` even where the carry of the
/// outer addition is used, which then is that of all three; subtraction likewise. So the outer
/// carry is computed without an operation that makes one: adding a bit overflows exactly when the
/// bit is set and the sum is zero. Runs last, since the optimiser and its idioms would bring the
/// carry back.
///   before: %p = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %x, i32 %bit)   ; %bit = zext i1
///   %c after:  %r = add i32 %x, %bit   %z = icmp eq i32 %r, 0   %carry = and i1 %z, %c
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

/// The i1 that \p value is the zero extension of, or null.
Value *bitOf(Value *value) {
  Value *bit = nullptr;
  if (match(value, m_ZExt(m_Value(bit))) && bit->getType()->isIntOrIntVectorTy(1))
    return bit;
  return nullptr;
}

/// x + zext(bit) overflows, or x - zext(bit) does.
Value *overflowOf(IRBuilder<> &b, bool isAdd, Value *x, Value *result, Value *bit) {
  return b.CreateAnd(b.CreateIsNull(isAdd ? result : x), bit);
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
  Value *parts[] = {result, overflowOf(b, isAdd, x, result, bit)};
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

/// `x + bit < x`, and `~x < bit`, which InstCombine makes of it: code generation makes an addition
/// with carry of both.
bool lowerCompare(ICmpInst &inst) {
  Value *small = inst.getOperand(0), *large = inst.getOperand(1);
  if (inst.getPredicate() == ICmpInst::ICMP_UGT)
    std::swap(small, large);
  else if (inst.getPredicate() != ICmpInst::ICMP_ULT)
    return false;
  Value *other = nullptr, *x = nullptr, *bit = nullptr;
  IRBuilder<> b(&inst);
  if (match(small, m_c_Add(m_Specific(large), m_Value(other))) && (bit = bitOf(other)))
    inst.replaceAllUsesWith(overflowOf(b, /*isAdd=*/true, large, small, bit));
  else if (match(small, m_Not(m_Value(x))) && (bit = bitOf(large)))
    inst.replaceAllUsesWith(
        b.CreateAnd(b.CreateICmpEQ(x, Constant::getAllOnesValue(x->getType())), bit));
  else
    return false;
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
