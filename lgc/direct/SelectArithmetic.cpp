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

/// Of a scalar and a constant: a word of a descriptor.
bool Selector::visitOr(const BinaryOperator &either) {
  Word word;
  const auto *constant = dyn_cast<ConstantInt>(either.getOperand(1));
  const std::optional<uint32_t> result = line.newSgprs(1);
  if (!constant || !result || !either.getType()->isIntegerTy(32) ||
      !readWord(either.getOperand(0), word) || !word.isSgpr())
    return false;
  known[&either] = {{Word{Word::Kind::Sgpr, *result}}};
  return emit(Stage::Early, Opcode::SOrLiteral,
              {Operand::sgpr(*result), Operand::sgpr(word.number),
               Operand::number(static_cast<uint32_t>(constant->getZExtValue()))});
}

/// Of numbers of 32 bits, all 64 bits.
bool Selector::visitMultiply(const BinaryOperator &product) {
  Parts a, b;
  if (!product.getType()->isIntegerTy(64) || !read(product.getOperand(0), a) ||
      !read(product.getOperand(1), b) || a.words.size() != 2 || b.words.size() != 2 ||
      a.words[1] != constantWord(0) || b.words[1] != constantWord(0) || !toVgpr(a.words[0]) ||
      b.words[0].isConstant())
    return false;
  const Word low = line.newVgprs(), high = line.newVgprs();
  const Operand left = Operand::source(a.words[0]), right = Operand::source(b.words[0]);
  known[&product] = {{low, high}};
  return emit(Stage::Early, Opcode::VMulLowOf, {Operand::result(low), left, right}) &&
         emit(Stage::Early, Opcode::VMulHighOf, {Operand::result(high), left, right});
}

/// The upper half of 64 bits.
bool Selector::visitShift(const BinaryOperator &shift) {
  const auto *count = dyn_cast<ConstantInt>(shift.getOperand(1));
  Parts parts;
  if (!count || count->getZExtValue() != 32 || !read(shift.getOperand(0), parts) ||
      parts.words.size() != 2)
    return false;
  known[&shift] = {{parts.words[1], constantWord(0)}};
  return true;
}

/// To 64 bits.
bool Selector::visitWiden(const CastInst &cast) {
  Word word;
  if (!cast.getSrcTy()->isIntegerTy(32) || !readWord(cast.getOperand(0), word))
    return false;
  known[&cast] = {{word, constantWord(0)}};
  return true;
}

/// A constant from a scalar, 0 at least.
bool Selector::visitSubtract(const CallInst &call) {
  Word word;
  const auto *constant = dyn_cast<ConstantInt>(call.getArgOperand(1));
  const std::optional<uint32_t> rest = line.newSgprs(1);
  if (!constant || !rest || !call.getType()->isIntegerTy(32) ||
      !readWord(call.getArgOperand(0), word) || !word.isSgpr())
    return false;
  known[&call] = {{Word{Word::Kind::Sgpr, *rest}}};
  return emit(Stage::Early, Opcode::SSubLiteral,
              {Operand::sgpr(*rest), Operand::sgpr(word.number),
               Operand::number(static_cast<uint32_t>(constant->getZExtValue()))}) &&
         emit(Stage::Early, Opcode::SZeroIfScc, {Operand::sgpr(*rest), Operand::sgpr(*rest)});
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
    if (cast.getType()->isIntegerTy(64))
      return visitWiden(cast);
    return visitExtend(cast, Opcode::VLow16);
  case Instruction::SExt:
    return visitExtend(cast, Opcode::VSignExtend16);
  case Instruction::IntToPtr:
    return visitPointer(llvm::cast<IntToPtrInst>(cast));
  case Instruction::Trunc:
    if (cast.getSrcTy()->isIntegerTy(64) && cast.getType()->isIntegerTy(32)) {
      Parts wide;
      if (!read(cast.getOperand(0), wide) || wide.words.size() != 2)
        return false;
      known[&cast] = {{wide.words[0]}};
      return true;
    }
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

/// SGPRs with a bit for each lane: whether a number is zero, or one below another.
std::optional<uint32_t> Selector::maskOf(const ICmpInst &compare) {
  if (auto found = masks.find(&compare); found != masks.end())
    return found->second;
  Word left, right;
  const std::optional<uint32_t> mask = line.newSgprs(waveSize / 32);
  if (!mask || !readWord(compare.getOperand(0), left) || !readWord(compare.getOperand(1), right))
    return std::nullopt;
  const bool isZero = compare.getPredicate() == CmpInst::ICMP_EQ && right == constantWord(0);
  bool done = false;
  if (isZero && left.isSgpr())
    done = emit(Stage::Early, Opcode::SCmpEqZero, {Operand::sgpr(left.number)}) &&
           emit(Stage::Early, waveSize == 64 ? Opcode::SMaskOfScc64 : Opcode::SMaskOfScc32,
                {Operand::sgpr(*mask)});
  else if (isZero && left.isVgpr())
    done = emit(Stage::Early, Opcode::VCmpZero, {Operand::sgpr(*mask), Operand::source(left)});
  else if (compare.getPredicate() == CmpInst::ICMP_ULT && left.isVgpr() && right.isSgpr())
    done = emit(Stage::Early, Opcode::VCmpBelow,
                {Operand::sgpr(*mask), Operand::source(left), Operand::source(right)});
  if (!done)
    return std::nullopt;
  masks[&compare] = *mask;
  return mask;
}

bool Selector::visitSelect(const SelectInst &choice) {
  const auto *compare = dyn_cast<ICmpInst>(choice.getCondition());
  Word yes, no;
  if (!compare || choice.getType()->getPrimitiveSizeInBits() != 32 ||
      !readWord(choice.getTrueValue(), yes) || !readWord(choice.getFalseValue(), no) ||
      !toSource(yes) || !toSource(no))
    return false;
  const std::optional<uint32_t> mask = maskOf(*compare);
  return mask && define(choice, Opcode::VSelect,
                        {Operand::source(no), Operand::source(yes), Operand::sgpr(*mask)});
}

} // namespace lgc::direct::glue
