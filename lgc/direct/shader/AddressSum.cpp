//===- AddressSum.cpp - addresses as sums ----------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/AddressSum.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// How many values are looked at: time stays linear.
constexpr unsigned valuesMax = 24;
constexpr unsigned addressBits = 32;

class SumBuilder {
public:
  SumBuilder(const DataLayout &layout, function_ref<std::optional<uint32_t>(const Value *)> placeOf,
             AddressSum &sum)
      : layout(layout), placeOf(placeOf), sum(sum) {}
  void run(const Value *value);

private:
  struct Open {
    const Value *value;
    uint32_t factor;
  };
  void visit(const Open &open);
  bool visitInteger(const Operator &op, uint32_t factor);
  bool visitPointer(const GEPOperator &gep, uint32_t factor);
  void putTogether();

  const DataLayout &layout;
  function_ref<std::optional<uint32_t>(const Value *)> placeOf;
  AddressSum &sum;
  SmallVector<Open, 8> open;
};

/// False: a value by itself.
bool SumBuilder::visitInteger(const Operator &op, uint32_t factor) {
  const Value *second = op.getNumOperands() == 2 ? op.getOperand(1) : nullptr;
  const auto *number = dyn_cast_or_null<ConstantInt>(second);
  const bool isNumber = number && number->getBitWidth() == addressBits;
  const auto *disjoint = dyn_cast<PossiblyDisjointInst>(&op);
  switch (op.getOpcode()) {
  case Instruction::Or:
    if (!disjoint || !disjoint->isDisjoint())
      return false;
    [[fallthrough]];
  case Instruction::Add:
    open.push_back({op.getOperand(0), factor});
    open.push_back({second, factor});
    return true;
  case Instruction::Sub:
    open.push_back({op.getOperand(0), factor});
    open.push_back({second, 0u - factor});
    return true;
  case Instruction::Mul:
    if (isNumber)
      open.push_back({op.getOperand(0), factor * static_cast<uint32_t>(number->getZExtValue())});
    return isNumber;
  case Instruction::Shl:
    if (!isNumber || number->getZExtValue() >= addressBits)
      return false;
    open.push_back({op.getOperand(0), factor << number->getZExtValue()});
    return true;
  default:
    return false;
  }
}

/// Of an address of 32 bits. False: a value by itself.
bool SumBuilder::visitPointer(const GEPOperator &gep, uint32_t factor) {
  if (gep.getType()->isVectorTy())
    return false;
  SmallMapVector<Value *, APInt, 4> variables;
  APInt constant(addressBits, 0);
  if (!gep.collectOffset(layout, addressBits, variables, constant))
    return false;
  for (const auto &[variable, scale] : variables)
    if (!variable->getType()->isIntegerTy(addressBits))
      return false;
  for (const auto &[variable, scale] : variables)
    open.push_back({variable, factor * static_cast<uint32_t>(scale.getZExtValue())});
  sum.constant += factor * static_cast<uint32_t>(constant.getZExtValue());
  open.push_back({gep.getPointerOperand(), factor});
  return true;
}

void SumBuilder::visit(const Open &next) {
  const auto [value, factor] = next;
  if (const auto *number = dyn_cast<ConstantInt>(value)) {
    sum.constant += factor * static_cast<uint32_t>(number->getZExtValue());
    return;
  }
  if (const std::optional<uint32_t> place = placeOf(value)) {
    sum.constant += factor * *place;
    return;
  }
  const auto *op = dyn_cast<Operator>(value);
  const auto *gep = dyn_cast<GEPOperator>(value);
  if (op && (gep ? visitPointer(*gep, factor) : visitInteger(*op, factor)))
    return;
  sum.terms.push_back({value, factor});
}

/// Two sums of the same values have equal terms then.
void SumBuilder::putTogether() {
  llvm::sort(sum.terms);
  size_t place = 0;
  for (size_t i = 0; i < sum.terms.size();) {
    auto term = sum.terms[i];
    for (++i; i < sum.terms.size() && sum.terms[i].first == term.first; ++i)
      term.second += sum.terms[i].second;
    if (term.second)
      sum.terms[place++] = term;
  }
  sum.terms.resize(place);
}

void SumBuilder::run(const Value *value) {
  open.push_back({value, 1});
  for (unsigned seen = 0; !open.empty(); ++seen) {
    const Open next = open.pop_back_val();
    if (seen < valuesMax || isa<ConstantInt>(next.value))
      visit(next);
    else
      sum.terms.push_back({next.value, next.factor});
  }
  putTogether();
}

} // namespace

AddressSum addressSumOf(const Value *value, const DataLayout &layout,
                        function_ref<std::optional<uint32_t>(const Value *)> placeOf) {
  AddressSum sum;
  SumBuilder(layout, placeOf, sum).run(value);
  return sum;
}

} // namespace lgc::direct
