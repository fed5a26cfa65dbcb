//===- SelectConversions.cpp - between integers and floats of any size ----===//
// SPDX-License-Identifier: MIT
/// \file
/// By way of floats of 32 bits where one is no larger than that: halves and integers of 16 bits are
/// exact in them, and what is rounded twice on the way to a half (24 bits or more) is infinite
/// there.
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr uint32_t oneFloat = 0x3F800000, minusOneFloat = 0xBF800000, wordSign = 0x80000000;
constexpr uint32_t oneDouble = 0x3FF00000, minusOneDouble = 0xBFF00000;
/// 2^-32 and -2^32.
constexpr uint32_t downFloat = 0x2F800000, upFloat = 0xCF800000;
constexpr uint32_t downDouble = 0x3DF00000, upDouble = 0xC1F00000;

constexpr Word zero = Word::constant(0), thirtyOne = Word::constant(31),
               thirtyTwo = Word::constant(32);

unsigned bitsOf(const Type *type) { return type->getScalarSizeInBits(); }

} // namespace

// --- Sixty-four bits

/// Rounded once: what is below the highest 32 bits only says whether it is zero.
Word ShaderSelector::floatOfWide(ArrayRef<Word> words, bool isSigned) {
  Words number(words.begin(), words.end());
  Word sign;
  if (isSigned) {
    sign = integer(Arith::ShiftRightI, number[1], thirtyOne);
    const Words flipped = {integer(Arith::Xor, number[0], sign),
                           integer(Arith::Xor, number[1], sign)};
    number = add64(flipped, {sign, sign}, isAnyVgpr(flipped) || isVgpr(sign.operand), true);
  }
  const Word shift = zerosBeside(number[1], true);
  const Operand shifted = newVgprs(2);
  vectorInto(Opcode::VShiftLeft64, {shifted}, {shift, {tuple(number, Bank::Vector)}});
  const Word rest = integer(Arith::MinU, {part(shifted, 0)}, Word::constant(1));
  const Word high = integer(Arith::Or, {part(shifted, 1)}, rest);
  Word result = vector(Opcode::VLdexpF32, {vector(Opcode::VFloatOfUint, {high}),
                                           integer(Arith::Sub, thirtyTwo, shift)});
  if (isSigned)
    result = integer(Arith::Or, result, integer(Arith::And, sign, Word::constant(wordSign)));
  return result;
}

Words ShaderSelector::doubleOfWide(ArrayRef<Word> words, bool isSigned) {
  const Words high =
      doubleResult(isSigned ? Opcode::VDoubleOfInt : Opcode::VDoubleOfUint, {words[1]});
  const Words low = doubleResult(Opcode::VDoubleOfUint, {words[0]});
  const Words scaled = doubleResult(Opcode::VLdexpF64, {doubleSource(high), thirtyTwo});
  return doubleResult(Opcode::VAddF64, {doubleSource(scaled), doubleSource(low)});
}

/// By sign and size, so that the low half of the size is exact.
Words ShaderSelector::wideOfFloat(const Word &number, bool isSigned) {
  Word whole = vector(Opcode::VTruncF32, {number}), sign;
  if (isSigned) {
    sign = integer(Arith::ShiftRightI, whole, thirtyOne);
    whole.isAbsolute = true;
  }
  const Word high =
      vector(Opcode::VFloorF32, {vector(Opcode::VMulF32, {whole, Word::constant(downFloat)})});
  const Word low = vector(Opcode::VFma, {high, Word::constant(upFloat), whole});
  const Words size = {vector(Opcode::VUintOfFloat, {low}), vector(Opcode::VUintOfFloat, {high})};
  if (!isSigned)
    return size;
  return add64({integer(Arith::Xor, size[0], sign), integer(Arith::Xor, size[1], sign)},
               {sign, sign}, true, true);
}

Words ShaderSelector::wideOfDouble(const Word &number, bool isSigned) {
  const Words whole = doubleResult(Opcode::VTruncF64, {number});
  const Word down = doubleSource({zero, Word::constant(downDouble)});
  const Word up = doubleSource({zero, Word::constant(upDouble)});
  const Words quotient = doubleResult(Opcode::VMulF64, {doubleSource(whole), down});
  const Words high = doubleResult(Opcode::VFloorF64, {doubleSource(quotient)});
  const Words low = doubleResult(Opcode::VFmaF64, {doubleSource(high), up, doubleSource(whole)});
  return {vector(Opcode::VUintOfDouble, {doubleSource(low)}),
          vector(isSigned ? Opcode::VIntOfDouble : Opcode::VUintOfDouble, {doubleSource(high)})};
}

// --- Casts

bool ShaderSelector::selectFloatOfInteger(const CastInst &cast) {
  const bool isSigned = cast.getOpcode() == Instruction::SIToFP;
  const unsigned from = bitsOf(cast.getOperand(0)->getType()), to = bitsOf(cast.getType());
  const bool isWide = from == 64;
  Words words, result;
  if (from > 64 || !(isWide      ? read(cast.getOperand(0), words)
                     : from == 1 ? read(cast.getOperand(0), words)
                                 : readExtended(cast.getOperand(0), isSigned, words)))
    return refuse(cast);
  for (unsigned i = 0; i < words.size(); i += isWide ? 2 : 1) {
    for (unsigned w = i; w < words.size() && w < i + 2; ++w)
      words[w] = from == 1 || !words[w].isUndefined() ? words[w] : zero;
    const ArrayRef<Word> wide = isWide ? ArrayRef(words).slice(i, 2) : ArrayRef<Word>();
    if (to == 64) {
      if (isWide)
        result.append(doubleOfWide(wide, isSigned));
      else if (from == 1)
        result.append(
            {zero, choose(words[i], Word::constant(isSigned ? minusOneDouble : oneDouble), zero)});
      else
        result.append(
            doubleResult(isSigned ? Opcode::VDoubleOfInt : Opcode::VDoubleOfUint, {words[i]}));
      continue;
    }
    Word number;
    if (isWide)
      number = floatOfWide(wide, isSigned);
    else if (from == 1)
      number = choose(words[i], Word::constant(isSigned ? minusOneFloat : oneFloat), zero);
    else
      number = vector(isSigned ? Opcode::VFloatOfInt : Opcode::VFloatOfUint, {words[i]});
    result.push_back(to == 16 ? vector(Opcode::VHalfOfFloat, {number}) : number);
  }
  return defineElements(cast, result);
}

bool ShaderSelector::selectIntegerOfFloat(const CastInst &cast) {
  const bool isSigned = cast.getOpcode() == Instruction::FPToSI;
  const unsigned from = bitsOf(cast.getOperand(0)->getType()), to = bitsOf(cast.getType());
  Words words, result;
  if (to > 64 || to < 8)
    return refuse(cast);
  if (!readElements(cast.getOperand(0), words))
    return false;
  for (unsigned i = 0; i < words.size(); i += from == 64 ? 2 : 1) {
    if (from == 64) {
      const Word number = doubleSource(ArrayRef(words).slice(i, 2));
      if (to == 64)
        result.append(wideOfDouble(number, isSigned));
      else
        result.push_back(vector(isSigned ? Opcode::VIntOfDouble : Opcode::VUintOfDouble, {number}));
      continue;
    }
    const Word number = from == 16 ? vector(Opcode::VFloatOfHalf, {words[i]}) : words[i];
    if (to == 64)
      result.append(wideOfFloat(number, isSigned));
    else
      result.push_back(vector(isSigned ? Opcode::VIntOfFloat : Opcode::VUintOfFloat, {number}));
  }
  return defineElements(cast, result);
}

bool ShaderSelector::selectFloatSize(const CastInst &cast) {
  const unsigned from = bitsOf(cast.getOperand(0)->getType()), to = bitsOf(cast.getType());
  Words words, result;
  // LLVM rounds this once, in many steps.
  if (from == 64 && to == 16)
    return refuse(cast);
  if (!readElements(cast.getOperand(0), words))
    return false;
  for (unsigned i = 0; i < words.size(); i += from == 64 ? 2 : 1) {
    if (from == 64) {
      result.push_back(vector(Opcode::VFloatOfDouble, {doubleSource(ArrayRef(words).slice(i, 2))}));
      continue;
    }
    const Word number = from == 16 ? vector(Opcode::VFloatOfHalf, {words[i]}) : words[i];
    if (to == 64)
      result.append(doubleResult(Opcode::VDoubleOfFloat, {number}));
    else
      result.push_back(to == 16 ? vector(Opcode::VHalfOfFloat, {number}) : number);
  }
  return defineElements(cast, result);
}

/// Conversions; anything else: none.
ShaderSelector::CastSelector ShaderSelector::conversionOf(const CastInst &cast) {
  const Type *from = cast.getOperand(0)->getType()->getScalarType();
  const Type *to = cast.getType()->getScalarType();
  auto isKnown = [](const Type *type) {
    return type->isHalfTy() || type->isFloatTy() || type->isDoubleTy();
  };
  switch (cast.getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return isKnown(to) ? &ShaderSelector::selectFloatOfInteger : nullptr;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return isKnown(from) ? &ShaderSelector::selectIntegerOfFloat : nullptr;
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return isKnown(from) && isKnown(to) ? &ShaderSelector::selectFloatSize : nullptr;
  default:
    return nullptr;
  }
}

} // namespace lgc::direct
