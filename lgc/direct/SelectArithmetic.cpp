//===- SelectArithmetic.cpp - instructions for numbers and vectors --------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/Selector.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/DivisionByConstantInfo.h"

using namespace llvm;

namespace lgc::direct::glue {

// --- Arithmetic

/// HW(gfx12): an SGPR that a vector instruction has read is a hazard to the part behind
/// (lgc/machine/PartBoundaryWaits.h); M0 is none.
bool Selector::addScalar(Word to, Word scalar, Word vector) {
  if (gfxMajor < 12)
    return emit(Stage::Early, Opcode::VAdd,
                {Operand::result(to), Operand::source(scalar), Operand::vgpr(vector)});
  const Stage stage = std::max(Stage::Early, line.stageAfter(vector));
  return emit(stage, Opcode::SMovM0, {Operand::sgpr(scalar.number)}) &&
         emit(stage, Opcode::VAddM0, {Operand::result(to), Operand::vgpr(vector)});
}

bool Selector::visitAdd(const BinaryOperator &add) {
  Word a, b;
  if (!add.getType()->isIntegerTy(32) || !readWord(add.getOperand(0), a) ||
      !readWord(add.getOperand(1), b))
    return false;
  if (!b.isVgpr())
    std::swap(a, b);
  if (!b.isVgpr())
    return false;
  if (!a.isSgpr())
    return toSource(a) && define(add, Opcode::VAdd, {Operand::source(a), Operand::vgpr(b)});
  const Word result = line.newVgprs();
  known[&add] = {{result}};
  return addScalar(result, a, b);
}

/// By a constant: Hacker's Delight, 10-8, whose numbers LLVM computes.
bool Selector::visitDivide(const BinaryOperator &divide) {
  const auto *divisor = dyn_cast<ConstantInt>(divide.getOperand(1));
  Word number;
  if (!divisor || divisor->getBitWidth() != 32 || divisor->isZero() || divisor->isOne() ||
      !readWord(divide.getOperand(0), number) || !number.isVgpr())
    return false;
  auto shifted = [&](Word word, unsigned count, Word &result) {
    result = word;
    if (!count)
      return true;
    result = line.newVgprs();
    return emit(
        Stage::Early, Opcode::VShiftRight,
        {Operand::result(result), Operand::source(constantWord(count)), Operand::vgpr(word)});
  };
  Word result;
  const APInt &value = divisor->getValue();
  if (value.isPowerOf2()) {
    if (!shifted(number, value.logBase2(), result))
      return false;
    known[&divide] = {{result}};
    return true;
  }
  const auto magic = UnsignedDivisionByConstantInfo::get(value);
  Word start, high = line.newVgprs();
  if (!shifted(number, magic.PreShift, start) ||
      !emit(Stage::Early, Opcode::VMulHigh,
            {Operand::result(high), Operand::source(start),
             Operand::number(static_cast<uint32_t>(magic.Magic.getZExtValue()))}))
    return false;
  if (magic.IsAdd) {
    const Word rest = line.newVgprs(), sum = line.newVgprs();
    Word half;
    if (!emit(Stage::Early, Opcode::VSub,
              {Operand::result(rest), Operand::source(start), Operand::vgpr(high)}) ||
        !shifted(rest, 1, half) ||
        !emit(Stage::Early, Opcode::VAdd,
              {Operand::result(sum), Operand::source(half), Operand::vgpr(high)}))
      return false;
    high = sum;
  }
  if (!shifted(high, magic.PostShift, result))
    return false;
  known[&divide] = {{result}};
  return true;
}

bool Selector::visitExtend(const CastInst &cast, Opcode opcode) {
  Word word;
  if (cast.getType()->getPrimitiveSizeInBits() != 32 ||
      cast.getSrcTy()->getPrimitiveSizeInBits() != halfBits ||
      !readWord(cast.getOperand(0), word) || !toVgpr(word))
    return false;
  return define(cast, opcode,
                {opcode == Opcode::VLow16 ? Operand::vgpr(word) : Operand::source(word)});
}

bool Selector::visitCast(const CastInst &cast) {
  switch (cast.getOpcode()) {
  case Instruction::FPExt:
    return visitExtend(cast, Opcode::VFloatOfHalf);
  case Instruction::ZExt:
    return visitExtend(cast, Opcode::VLow16);
  case Instruction::SExt:
    return visitExtend(cast, Opcode::VSignExtend16);
  case Instruction::IntToPtr:
    return visitPointer(llvm::cast<IntToPtrInst>(cast));
  case Instruction::Trunc:
    if (!cast.getSrcTy()->isIntegerTy(32) || !cast.getType()->isIntegerTy(halfBits))
      return false;
    break;
  case Instruction::BitCast:
    break;
  default:
    return false;
  }
  Parts parts;
  if (!read(cast.getOperand(0), parts))
    return false;
  // As many words as there are dwords, unless two halves go on as two halves.
  const bool isPair =
      cast.getType()->isVectorTy() && cast.getType()->getScalarSizeInBits() == halfBits;
  if (!isPair && !joinPair(parts))
    return false;
  known[&cast] = parts;
  return true;
}

// --- Vectors

bool Selector::visitExtract(const ExtractElementInst &extract) {
  const auto *index = dyn_cast<ConstantInt>(extract.getIndexOperand());
  Parts parts;
  if (!index || !read(extract.getVectorOperand(), parts) ||
      extract.getType()->getPrimitiveSizeInBits() != 32 ||
      index->getZExtValue() >= parts.words.size())
    return false;
  known[&extract] = {{parts.words[index->getZExtValue()]}};
  return true;
}

bool Selector::visitInsert(const InsertElementInst &insert) {
  const auto *index = dyn_cast<ConstantInt>(insert.getOperand(2));
  const bool isPair = insert.getType()->getScalarSizeInBits() == halfBits;
  Parts parts, element;
  if (!index || !read(insert.getOperand(0), parts) || !read(insert.getOperand(1), element) ||
      parts.isPair != isPair || (!isPair && insert.getType()->getScalarSizeInBits() != 32) ||
      element.words.size() != 1 || index->getZExtValue() >= parts.words.size())
    return false;
  parts.words[index->getZExtValue()] = element.words.front();
  known[&insert] = parts;
  return true;
}

/// By whether a scalar is zero.
bool Selector::visitSelect(const SelectInst &choice) {
  const auto *compare = dyn_cast<ICmpInst>(choice.getCondition());
  Word yes, no;
  if (!compare || compare->getPredicate() != CmpInst::ICMP_EQ ||
      choice.getType()->getPrimitiveSizeInBits() != 32 || !readWord(choice.getTrueValue(), yes) ||
      !readWord(choice.getFalseValue(), no) || !toSource(yes) || !toSource(no))
    return false;
  const auto *zero = dyn_cast<ConstantInt>(compare->getOperand(1));
  Word number;
  if (!zero || !zero->isZero() || !readWord(compare->getOperand(0), number) || !number.isSgpr())
    return false;
  auto [found, isNew] = masks.try_emplace(compare, 0);
  if (isNew) {
    const std::optional<uint32_t> mask = line.newSgprs(waveSize / 32);
    if (!mask || !emit(Stage::Early, Opcode::SCmpEqZero, {Operand::sgpr(number.number)}) ||
        !emit(Stage::Early, waveSize == 64 ? Opcode::SMaskOfScc64 : Opcode::SMaskOfScc32,
              {Operand::sgpr(*mask)}))
      return false;
    found->second = *mask;
  }
  return define(choice, Opcode::VSelect,
                {Operand::source(no), Operand::source(yes), Operand::sgpr(found->second)});
}

} // namespace lgc::direct::glue
