//===- ConstantEval.cpp - integer constants without LLVM ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Array sizes and workgroup sizes may be expressions over specialization constants. This small
/// evaluator knows the integer and bool operations that OpSpecConstantOp allows. An expression can
/// be as deep as the module is long, so it works with its own stack instead of recursion.
#include "llpc/reflect/ConstantEval.h"

namespace llpc {

using spirv::Id;
using spirv::Inst;

namespace {

uint64_t maskOf(unsigned width) { return width >= 64 ? ~0ull : (1ull << width) - 1; }

int64_t signedOf(uint64_t value, unsigned width) {
  if (width == 0 || width >= 64)
    return static_cast<int64_t>(value);
  uint64_t sign = 1ull << (width - 1);
  return static_cast<int64_t>((value ^ sign) - sign);
}

using Folded = std::optional<uint64_t>;
/// Operands: a, b are zero-extended from `width` bits (the width of the first operand).
using BinaryFold = Folded (*)(uint64_t a, uint64_t b, unsigned width);

struct BinaryRow {
  spv::Op opcode;
  BinaryFold fold;
};

Folded signedDivide(uint64_t a, uint64_t b, unsigned w) {
  int64_t x = signedOf(a, w), y = signedOf(b, w);
  if (y == 0)
    return {};
  return y == -1 ? 0 - a : static_cast<uint64_t>(x / y);
}

Folded signedRemainder(uint64_t a, uint64_t b, unsigned w) {
  int64_t x = signedOf(a, w), y = signedOf(b, w);
  if (y == 0)
    return {};
  return y == -1 ? 0 : static_cast<uint64_t>(x % y);
}

/// OpSMod: the result has the sign of the divisor.
Folded signedModulo(uint64_t a, uint64_t b, unsigned w) {
  int64_t x = signedOf(a, w), y = signedOf(b, w);
  if (y == 0)
    return {};
  if (y == -1)
    return 0;
  int64_t r = x % y;
  return static_cast<uint64_t>(r != 0 && (r < 0) != (y < 0) ? r + y : r);
}

Folded arithmeticShift(uint64_t a, uint64_t b, unsigned w) {
  if (b >= w)
    return {};
  return static_cast<uint64_t>(signedOf(a, w) >> b);
}

constexpr BinaryRow binaryRows[] = {
    {spv::Op::OpIAdd, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a + b; }},
    {spv::Op::OpISub, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a - b; }},
    {spv::Op::OpIMul, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a * b; }},
    {spv::Op::OpUDiv,
     [](uint64_t a, uint64_t b, unsigned) -> Folded { return b ? Folded(a / b) : Folded(); }},
    {spv::Op::OpUMod,
     [](uint64_t a, uint64_t b, unsigned) -> Folded { return b ? Folded(a % b) : Folded(); }},
    {spv::Op::OpSDiv, signedDivide},
    {spv::Op::OpSRem, signedRemainder},
    {spv::Op::OpSMod, signedModulo},
    {spv::Op::OpShiftLeftLogical,
     [](uint64_t a, uint64_t b, unsigned w) -> Folded {
       return b < w ? Folded(a << b) : Folded();
     }},
    {spv::Op::OpShiftRightLogical,
     [](uint64_t a, uint64_t b, unsigned w) -> Folded {
       return b < w ? Folded(a >> b) : Folded();
     }},
    {spv::Op::OpShiftRightArithmetic, arithmeticShift},
    {spv::Op::OpBitwiseOr, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a | b; }},
    {spv::Op::OpBitwiseXor, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a ^ b; }},
    {spv::Op::OpBitwiseAnd, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a & b; }},
    {spv::Op::OpLogicalOr, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a | b; }},
    {spv::Op::OpLogicalAnd, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a & b; }},
    {spv::Op::OpLogicalEqual, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a == b; }},
    {spv::Op::OpLogicalNotEqual, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a != b; }},
    {spv::Op::OpIEqual, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a == b; }},
    {spv::Op::OpINotEqual, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a != b; }},
    {spv::Op::OpULessThan, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a < b; }},
    {spv::Op::OpULessThanEqual, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a <= b; }},
    {spv::Op::OpUGreaterThan, [](uint64_t a, uint64_t b, unsigned) -> Folded { return a > b; }},
    {spv::Op::OpUGreaterThanEqual,
     [](uint64_t a, uint64_t b, unsigned) -> Folded { return a >= b; }},
    {spv::Op::OpSLessThan,
     [](uint64_t a, uint64_t b, unsigned w) -> Folded { return signedOf(a, w) < signedOf(b, w); }},
    {spv::Op::OpSLessThanEqual,
     [](uint64_t a, uint64_t b, unsigned w) -> Folded { return signedOf(a, w) <= signedOf(b, w); }},
    {spv::Op::OpSGreaterThan,
     [](uint64_t a, uint64_t b, unsigned w) -> Folded { return signedOf(a, w) > signedOf(b, w); }},
    {spv::Op::OpSGreaterThanEqual,
     [](uint64_t a, uint64_t b, unsigned w) -> Folded { return signedOf(a, w) >= signedOf(b, w); }},
};

BinaryFold findBinary(spv::Op opcode) {
  for (const BinaryRow &row : binaryRows)
    if (row.opcode == opcode)
      return row.fold;
  return nullptr;
}

/// Opcode inside an OpSpecConstantOp; OpNop when the instruction is something else.
spv::Op innerOpcode(const Inst &inst) {
  if (inst.opcode != spv::Op::OpSpecConstantOp || inst.size() == 0)
    return spv::Op::OpNop;
  return static_cast<spv::Op>(inst[0]);
}

} // namespace

unsigned ConstantEval::width(Id typeId) const {
  const Inst *type = module.definition(typeId);
  if (!type)
    return 0;
  if (type->opcode == spv::Op::OpTypeBool)
    return 1;
  if (type->opcode == spv::Op::OpTypeInt && type->size() >= 1 && (*type)[0] <= 64)
    return (*type)[0];
  return 0;
}

ConstantEval::Value ConstantEval::known(Id id) const {
  auto it = values.find(id);
  return it == values.end() ? Value() : it->second;
}

Id ConstantEval::extractedConstituent(const Inst &inst) const {
  // OpCompositeExtract composite, index...; only constants made of ids can be followed.
  if (inst.size() < 3)
    return 0;
  Id composite = inst[1];
  for (uint32_t index : inst.operands.drop_front(2)) {
    const Inst *def = module.definition(composite);
    if (!def ||
        (def->opcode != spv::Op::OpConstantComposite &&
         def->opcode != spv::Op::OpSpecConstantComposite) ||
        index >= def->size())
      return 0;
    composite = (*def)[index];
  }
  return composite;
}

llvm::SmallVector<Id, 4> ConstantEval::dependencies(const Inst &inst) const {
  spv::Op inner = innerOpcode(inst);
  if (inner == spv::Op::OpNop)
    return {};
  if (inner == spv::Op::OpCompositeExtract)
    return {extractedConstituent(inst)};
  if (inst.size() > 4)
    return {};
  return llvm::SmallVector<Id, 4>(inst.operands.drop_front());
}

ConstantEval::Value ConstantEval::specialized(const Inst &inst) const {
  const spirv::Decoration *specId = module.findDecoration(inst.resultId, spv::Decoration::SpecId);
  if (!specId || specId->operands.empty())
    return {};
  for (const SpecConstant &constant : specialization)
    if (constant.constantId == specId->operands[0])
      return constant.value;
  return {};
}

ConstantEval::Value ConstantEval::computeOp(const Inst &inst) {
  spv::Op inner = innerOpcode(inst);
  if (inner == spv::Op::OpCompositeExtract)
    return known(extractedConstituent(inst));
  llvm::ArrayRef<uint32_t> args = inst.operands.drop_front();
  if (args.empty() || args.size() > 3)
    return {};
  Value a = known(args[0]);
  const Inst *first = module.definition(args[0]);
  unsigned w = first ? width(first->typeId) : 0;
  if (!a || !w)
    return {};
  switch (inner) {
  case spv::Op::OpSNegate:
    return 0 - *a;
  case spv::Op::OpNot:
    return ~*a;
  case spv::Op::OpLogicalNot:
    return *a ^ 1;
  case spv::Op::OpUConvert:
  case spv::Op::OpBitcast:
  case spv::Op::OpCopyObject:
    return a;
  case spv::Op::OpSConvert:
    return static_cast<uint64_t>(signedOf(*a, w));
  case spv::Op::OpSelect:
    return args.size() == 3 ? known(*a ? args[1] : args[2]) : Value();
  default:
    break;
  }
  BinaryFold fold = findBinary(inner);
  Value b = args.size() == 2 ? known(args[1]) : Value();
  return fold && b ? fold(*a, *b, w) : Value();
}

ConstantEval::Value ConstantEval::compute(const Inst &inst) {
  unsigned w = width(inst.typeId);
  if (!w)
    return {};
  Value result;
  switch (inst.opcode) {
  case spv::Op::OpSpecConstant:
    result = specialized(inst);
    [[fallthrough]];
  case spv::Op::OpConstant:
    if (!result && inst.size() >= 1)
      result = inst[0] | (inst.size() >= 2 ? uint64_t(inst[1]) << 32 : 0);
    break;
  case spv::Op::OpSpecConstantTrue:
  case spv::Op::OpSpecConstantFalse:
    result = specialized(inst);
    result = result ? *result != 0 : inst.opcode == spv::Op::OpSpecConstantTrue;
    break;
  case spv::Op::OpConstantTrue:
    result = 1;
    break;
  case spv::Op::OpConstantFalse:
  case spv::Op::OpConstantNull:
    result = 0;
    break;
  case spv::Op::OpSpecConstantOp:
    result = computeOp(inst);
    break;
  default:
    break;
  }
  return result ? Value(*result & maskOf(w)) : Value();
}

std::optional<uint64_t> ConstantEval::evaluate(Id id) {
  llvm::SmallVector<Id, 16> pending = {id};
  while (!pending.empty()) {
    Id current = pending.back();
    const Inst *inst = module.definition(current);
    if (!inst || values.count(current)) {
      values.try_emplace(current, Value());
      pending.pop_back();
      continue;
    }
    // Definitions come before uses in a checked module, so this cannot run in circles; an id that
    // is not older all the same counts as unknown.
    size_t before = pending.size();
    for (Id dependency : dependencies(*inst)) {
      const Inst *def = module.definition(dependency);
      if (def && def->wordOffset < inst->wordOffset && !values.count(dependency))
        pending.push_back(dependency);
    }
    if (pending.size() != before)
      continue;
    values[current] = compute(*inst);
    pending.pop_back();
  }
  return known(id);
}

} // namespace llpc
