//===- FloatRelation.cpp - conditions that are one comparison of floats ---===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/FloatRelation.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Instructions.h"

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

} // namespace

std::optional<FloatRelation> floatRelationOf(Value &condition) {
  FCmpInst *pair = findComparison(&condition);
  if (!pair)
    return std::nullopt;
  FloatRelation result{pair, 0};
  for (CmpInst::Predicate relation :
       {CmpInst::FCMP_OEQ, CmpInst::FCMP_OGT, CmpInst::FCMP_OLT, CmpInst::FCMP_UNO}) {
    Constant *holds = evaluate(&condition, *pair, relation);
    if (!holds || !isa<ConstantInt>(holds))
      return std::nullopt;
    if (holds->isOneValue())
      result.relations |= relation;
  }
  return result;
}

} // namespace lgc
