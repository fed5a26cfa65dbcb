//===- FloatRelation.cpp - conditions that are one comparison of floats ---===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/FloatRelation.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lgc {
namespace {

/// What is deeper only code without any optimisation has; ways to conditions double at each step.
constexpr unsigned maxDepth = 6;

/// How two floats may be related, and for FCMP_UNO which of them are NaN.
struct Case {
  CmpInst::Predicate relation;
  bool isNan[2] = {false, false};
};
constexpr Case cases[] = {{CmpInst::FCMP_OEQ},
                          {CmpInst::FCMP_OGT},
                          {CmpInst::FCMP_OLT},
                          {CmpInst::FCMP_UNO, {true, false}},
                          {CmpInst::FCMP_UNO, {false, true}},
                          {CmpInst::FCMP_UNO, {true, true}}};

bool isNumber(const Value *value) {
  auto *constant = dyn_cast<ConstantFP>(value);
  return constant && !constant->isNaN();
}

/// The operand of which `compare` says whether it is NaN, or null.
Value *testedForNan(const FCmpInst &compare) {
  if (compare.getPredicate() != CmpInst::FCMP_ORD && compare.getPredicate() != CmpInst::FCMP_UNO)
    return nullptr;
  Value *x = compare.getOperand(0), *y = compare.getOperand(1);
  if (x == y || isNumber(y))
    return x;
  return isNumber(x) ? y : nullptr;
}

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
    return testedForNan(*compare) ? nullptr : compare;
  if (!isBoolean(*inst))
    return nullptr;
  for (Value *operand : inst->operands())
    if (FCmpInst *found = findComparison(operand, depth + 1))
      return found;
  return nullptr;
}

/// What `compare` says in `which` of the operands of `pair`, or null.
Constant *evaluateCompare(const FCmpInst &compare, const FCmpInst &pair, const Case &which) {
  CmpInst::Predicate predicate = compare.getPredicate();
  if (const Value *tested = testedForNan(compare)) {
    for (unsigned i = 0; i < 2; ++i)
      if (tested == pair.getOperand(i))
        return ConstantInt::getBool(pair.getContext(),
                                    which.isNan[i] == (predicate == CmpInst::FCMP_UNO));
    return nullptr;
  }
  if (compare.getOperand(0) == pair.getOperand(1) && compare.getOperand(1) == pair.getOperand(0))
    predicate = compare.getSwappedPredicate();
  else if (compare.getOperand(0) != pair.getOperand(0) ||
           compare.getOperand(1) != pair.getOperand(1))
    return nullptr;
  // Predicates are sets of relations.
  return ConstantInt::getBool(pair.getContext(), (predicate & which.relation) != 0);
}

/// `value` in `which` of the operands of `pair`; null when it depends on anything else.
Constant *evaluate(Value *value, const FCmpInst &pair, const Case &which, unsigned depth = 0) {
  if (auto *constant = dyn_cast<Constant>(value))
    return constant;
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || depth > maxDepth)
    return nullptr;
  if (auto *compare = dyn_cast<FCmpInst>(inst))
    return evaluateCompare(*compare, pair, which);
  if (!isBoolean(*inst))
    return nullptr;
  SmallVector<Constant *, 3> operands;
  for (Value *operand : inst->operands()) {
    operands.push_back(evaluate(operand, pair, which, depth + 1));
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
  unsigned holding = 0, failing = 0;
  for (const Case &which : cases) {
    if ((which.isNan[0] && isNumber(pair->getOperand(0))) ||
        (which.isNan[1] && isNumber(pair->getOperand(1))))
      continue;
    Constant *holds = evaluate(&condition, *pair, which);
    if (!holds || !isa<ConstantInt>(holds))
      return std::nullopt;
    (holds->isOneValue() ? holding : failing) |= which.relation;
  }
  // Which of them is NaN decides: no relation of both.
  if (holding & failing)
    return std::nullopt;
  return FloatRelation{pair, holding};
}

} // namespace lgc
