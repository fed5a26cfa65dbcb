//===- FloatGuards.cpp - guards of float modes that are not needed --------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/arithmetic/FloatGuards.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lgc {
namespace {

/// Constants that make no operation of this file a copy of its other operand.
bool isOrdinary(const Value *value) {
  const auto *constant = dyn_cast<Constant>(value);
  if (!constant)
    return true;
  const auto isOrdinaryNumber = [](const Constant *element) {
    const auto *number = dyn_cast_or_null<ConstantFP>(element);
    return number && number->getValueAPF().isNormal() && !number->isExactlyValue(1.0) &&
           !number->isExactlyValue(-1.0);
  };
  auto *vector = dyn_cast<FixedVectorType>(constant->getType());
  if (!vector)
    return isOrdinaryNumber(constant);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    if (!isOrdinaryNumber(constant->getAggregateElement(i)))
      return false;
  return true;
}

bool flushesItself(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    return isOrdinary(inst.getOperand(0)) && isOrdinary(inst.getOperand(1));
  default:
    break;
  }
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return all_of(call->args(), [](const Use &use) { return isOrdinary(use.get()); });
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
    return call->getArgOperand(0) != call->getArgOperand(1) &&
           all_of(call->args(), [](const Use &use) { return isOrdinary(use.get()); });
  default:
    return false;
  }
}

/// HW: the mode register's denormal bits count for operands, too.
bool flushesOperands(const User *user) {
  const auto *inst = dyn_cast<Instruction>(user);
  switch (inst ? inst->getOpcode() : 0) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FCmp:
    return true;
  default:
    break;
  }
  const auto *call = dyn_cast<IntrinsicInst>(user);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::canonicalize:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
    return true;
  default:
    return false;
  }
}

bool isNeedless(const IntrinsicInst &guard) {
  if (guard.getIntrinsicID() == Intrinsic::arithmetic_fence)
    return !isa<Constant>(guard.getArgOperand(0));
  const auto *operation = dyn_cast<Instruction>(guard.getArgOperand(0));
  return guard.getIntrinsicID() == Intrinsic::canonicalize &&
         ((operation && flushesItself(*operation)) ||
          (!isa<Constant>(guard.getArgOperand(0)) && all_of(guard.users(), flushesOperands)));
}

} // namespace

bool removeFloatGuards(Function &function) {
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *guard = dyn_cast<IntrinsicInst>(&inst);
    if (!guard || guard->arg_size() == 0 || !isNeedless(*guard))
      continue;
    guard->replaceAllUsesWith(guard->getArgOperand(0));
    guard->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace lgc
