//===- SelectDivision.cpp - division of integers --------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DivisionByConstantInfo.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr unsigned bits = 32;

} // namespace

/// Of any numbers, quotient and remainder.
///
/// HW: there is no division. The reciprocal of the divisor, as a float a little too small, times
/// 2^32 is made exact to 32 bits by one step of Newton's; the quotient that it gives is too small
/// by two at most.
std::pair<Word, Word> ShaderSelector::divide(const Word &x, const Word &y) {
  constexpr uint32_t belowTwoTo32 = 0x4F7FFFFE; // 2^32 (1 - 2^-23)
  const Word floatY = vector(Opcode::VFloatOfUint, {y});
  const Word inverse = vector(Opcode::VRcpIflagF32, {floatY});
  Word z = vector(Opcode::VUintOfFloat,
                  {vector(Opcode::VMulF32, {inverse, Word::constant(belowTwoTo32)})});
  if (!isVgpr(y.operand))
    z = {scalarSource(z)};
  const Word error = integer(Arith::Mul, integer(Arith::Sub, Word::constant(0), y), z);
  z = integer(Arith::Add, z, integer(Arith::MulHighU, z, error));
  Word quotient = integer(Arith::MulHighU, x, z);
  Word remainder = integer(Arith::Sub, x, integer(Arith::Mul, quotient, y));
  for (unsigned i = 0; i < 2; ++i) {
    const Word more = integer(Arith::Add, quotient, Word::constant(1));
    const Word less = integer(Arith::Sub, remainder, y);
    quotient = chooseBy(CmpInst::ICMP_UGE, remainder, y, more, quotient);
    remainder = chooseBy(CmpInst::ICMP_UGE, remainder, y, less, remainder);
  }
  return {quotient, remainder};
}

Word ShaderSelector::divideByConstant(const Word &x, uint32_t y) {
  if (isPowerOf2_32(y))
    return integer(Arith::ShiftRight, x, Word::constant(Log2_32(y)));
  const auto info = UnsignedDivisionByConstantInfo::get(APInt(bits, y));
  const Word magic = Word::constant(static_cast<uint32_t>(info.Magic.getZExtValue()));
  Word q = integer(Arith::ShiftRight, x, Word::constant(info.PreShift));
  q = integer(Arith::MulHighU, q, magic);
  // The magic number has 33 bits: x more, which does not fit either.
  if (info.IsAdd)
    q = integer(Arith::Add, q,
                integer(Arith::ShiftRight, integer(Arith::Sub, x, q), Word::constant(1)));
  return integer(Arith::ShiftRight, q, Word::constant(info.PostShift));
}

Word ShaderSelector::divideSignedByConstant(const Word &x, int32_t y) {
  const uint32_t size = y < 0 ? 0u - static_cast<uint32_t>(y) : static_cast<uint32_t>(y);
  if (isPowerOf2_32(size)) {
    // Quotients are rounded to zero, shifts down.
    const unsigned shift = Log2_32(size);
    Word q = x;
    if (shift) {
      const Word sign = integer(Arith::ShiftRightI, x, Word::constant(bits - 1));
      q = integer(Arith::Add, x, integer(Arith::ShiftRight, sign, Word::constant(bits - shift)));
      q = integer(Arith::ShiftRightI, q, Word::constant(shift));
    }
    return y < 0 ? integer(Arith::Sub, Word::constant(0), q) : q;
  }
  const auto info = SignedDivisionByConstantInfo::get(APInt(bits, static_cast<uint32_t>(y)));
  Word q =
      integer(Arith::MulHighI, x, Word::constant(static_cast<uint32_t>(info.Magic.getZExtValue())));
  if (y > 0 && info.Magic.isNegative())
    q = integer(Arith::Add, q, x);
  if (y < 0 && info.Magic.isStrictlyPositive())
    q = integer(Arith::Sub, q, x);
  q = integer(Arith::ShiftRightI, q, Word::constant(info.ShiftAmount));
  return integer(Arith::Add, q, integer(Arith::ShiftRight, q, Word::constant(bits - 1)));
}

/// By absolute values; the remainder has the sign of x.
Word ShaderSelector::divideSigned(const Word &x, const Word &y, bool isRemainder) {
  auto signOf = [&](const Word &word) {
    return integer(Arith::ShiftRightI, word, Word::constant(bits - 1));
  };
  auto withSign = [&](const Word &word, const Word &sign) {
    return integer(Arith::Sub, integer(Arith::Xor, word, sign), sign);
  };
  const Word signX = signOf(x), signY = signOf(y);
  const Word sizeX = withSign(x, signX), sizeY = withSign(y, signY);
  const auto [quotient, remainder] = divide(sizeX, sizeY);
  if (isRemainder)
    return withSign(remainder, signX);
  return withSign(quotient, integer(Arith::Xor, signX, signY));
}

bool ShaderSelector::selectIntegerDivision(const Instruction &inst) {
  const unsigned opcode = inst.getOpcode();
  const bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  const bool isRemainder = opcode == Instruction::URem || opcode == Instruction::SRem;
  Words a, b, result;
  if (inst.getType()->getScalarSizeInBits() == 2 * bits)
    return selectWideDivision(inst);
  if (inst.getType()->getScalarSizeInBits() > bits)
    return refuse(inst);
  if (!readExtended(inst.getOperand(0), isSigned, a) ||
      !readExtended(inst.getOperand(1), isSigned, b))
    return false;
  for (unsigned i = 0; i < a.size(); ++i) {
    const Word x = plain(a[i]), y = plain(b[i]);
    if (!y.isConstant() || y.operand.value == 0) {
      if (isSigned)
        result.push_back(divideSigned(x, y, isRemainder));
      else
        result.push_back(isRemainder ? divide(x, y).second : divide(x, y).first);
      continue;
    }
    const Word quotient = isSigned
                              ? divideSignedByConstant(x, static_cast<int32_t>(y.operand.value))
                              : divideByConstant(x, y.operand.value);
    if (!isRemainder)
      result.push_back(quotient);
    else if (!isSigned && isPowerOf2_32(y.operand.value))
      result.push_back(integer(Arith::And, x, Word::constant(y.operand.value - 1)));
    else
      result.push_back(integer(Arith::Sub, x, integer(Arith::Mul, quotient, y)));
  }
  return defineElements(inst, result);
}

} // namespace lgc::direct
