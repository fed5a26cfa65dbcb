//===- SelectElements.cpp - elements of any size, and integers by word ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Numbers of fewer than 32 bits are computed in 32: what stands above them has no meaning, and
/// where it matters they are extended first. Elements of 16 bits share a dword, those of 8 bits
/// have one each. What is computed by words here goes to scalar instructions when no source is in a
/// vector register: such words are the same in all active lanes.
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr uint32_t halfBits = 16, byteBits = 8, wordBits = 32;
constexpr uint32_t threeBytesBits = 24; // between vectors and words

struct ArithRow {
  Opcode scalar, vector;
  bool isReversed = false; ///< of the vector instruction
};
/// In the order of Arith.
constexpr ArithRow arithRows[] = {
    {Opcode::SAdd, Opcode::VAdd32},
    {Opcode::SSub, Opcode::VSub32},
    {Opcode::SMul, Opcode::VMulLow},
    {Opcode::SMulHighU, Opcode::VMulHighU},
    {Opcode::SMulHighI, Opcode::VMulHighI},
    {Opcode::SAnd32, Opcode::VAnd},
    {Opcode::SOr32, Opcode::VOr},
    {Opcode::SXor32, Opcode::VXor},
    {Opcode::SShiftLeft32, Opcode::VShiftLeft32, true},
    {Opcode::SShiftRight32, Opcode::VShiftRight32, true},
    {Opcode::SShiftRightI32, Opcode::VShiftRightI32, true},
    {Opcode::SMinI, Opcode::VMinI},
    {Opcode::SMaxI, Opcode::VMaxI},
    {Opcode::SMinU, Opcode::VMinU},
    {Opcode::SMaxU, Opcode::VMaxU},
};

std::optional<uint32_t> folded(Arith op, uint32_t a, uint32_t b) {
  switch (op) {
  case Arith::Add:
    return a + b;
  case Arith::Sub:
    return a - b;
  case Arith::Mul:
    return a * b;
  case Arith::And:
    return a & b;
  case Arith::Or:
    return a | b;
  case Arith::Xor:
    return a ^ b;
  case Arith::ShiftLeft:
    return a << (b & 31);
  case Arith::ShiftRight:
    return a >> (b & 31);
  default:
    return std::nullopt;
  }
}

/// Whether the result is the first source, for every value of that.
bool isIdentity(Arith op, uint32_t b) {
  switch (op) {
  case Arith::And:
    return b == ~0u;
  case Arith::Mul:
    return b == 1;
  case Arith::Add:
  case Arith::Sub:
  case Arith::Or:
  case Arith::Xor:
  case Arith::ShiftLeft:
  case Arith::ShiftRight:
  case Arith::ShiftRightI:
    return b == 0;
  default:
    return false;
  }
}

bool sharesDwords(const Type *type) {
  return type->isVectorTy() && type->getScalarSizeInBits() == halfBits;
}

bool isBytes(const Type *type) {
  return type->isVectorTy() && type->getScalarSizeInBits() == byteBits;
}

const std::pair<unsigned, Arith> narrowRows[] = {
    {Instruction::Add, Arith::Add},
    {Instruction::Sub, Arith::Sub},
    {Instruction::Mul, Arith::Mul},
    {Instruction::And, Arith::And},
    {Instruction::Or, Arith::Or},
    {Instruction::Xor, Arith::Xor},
    {Instruction::Shl, Arith::ShiftLeft},
    {Instruction::LShr, Arith::ShiftRight},
    {Instruction::AShr, Arith::ShiftRightI},
};

} // namespace

/// HW: numbers of 24 bits are multiplied four times as fast, by an instruction that is a dword
/// shorter.
bool ShaderSelector::isShortProduct(const Instruction &inst) const {
  constexpr unsigned shortBits = 24;
  return inst.getOpcode() == Instruction::Mul && all_of(inst.operands(), [&](const Use &use) {
           return computeKnownBits(use.get(), layout).countMaxActiveBits() <= shortBits;
         });
}

// --- Words

Word ShaderSelector::integer(Arith op, const Word &left, const Word &right) {
  const Word a = plain(left), b = plain(right);
  if (a.isConstant() && b.isConstant())
    if (const auto result = folded(op, a.operand.value, b.operand.value))
      return Word::constant(*result);
  if (b.isConstant() && isIdentity(op, b.operand.value))
    return a;
  const ArithRow &row = arithRows[static_cast<unsigned>(op)];
  if (!isVgpr(a.operand) && !isVgpr(b.operand))
    return scalar(row.scalar, {a, b});
  return row.isReversed ? vector(row.vector, {b, a}) : vector(row.vector, {a, b});
}

/// Leaves the result of a scalar compare in SCC.
void ShaderSelector::compareScalars(CmpInst::Predicate predicate, const Word &a, const Word &b) {
  Operand left = scalarSource(a), right = scalarSource(b);
  if (left.isConstant() && right.isConstant())
    left = toSgpr({left});
  emit(compareOpcodes(predicate).first, {left, right});
}

Word ShaderSelector::compareWords(CmpInst::Predicate predicate, const Word &left,
                                  const Word &right) {
  const Word a = plain(left), b = plain(right);
  if (isVgpr(a.operand) || isVgpr(b.operand))
    return vector(compareOpcodes(predicate).second, {a, b});
  compareScalars(predicate, a, b);
  return maskOfScc();
}

Word ShaderSelector::choose(const Word &mask, const Word &yes, const Word &no) {
  const Operand lanes = laneMask(mask);
  if (lanes.isConstant())
    return lanes.value ? yes : no;
  const Operand result = newVgprs();
  vectorInto(Opcode::VSelect, {result}, {plain(no), plain(yes)}, {lanes});
  return {result};
}

/// \p yes where the comparison holds, else \p no.
Word ShaderSelector::chooseBy(CmpInst::Predicate predicate, const Word &left, const Word &right,
                              const Word &ifTrue, const Word &ifFalse) {
  const Word all[] = {plain(left), plain(right), plain(ifTrue), plain(ifFalse)};
  if (any_of(all, [&](const Word &word) { return isVgpr(word.operand); }))
    return choose(compareWords(predicate, all[0], all[1]), all[2], all[3]);
  Operand yes = scalarSource(all[2]);
  const Operand no = scalarSource(all[3]);
  if (yes.isConstant() && no.isConstant())
    yes = toSgpr({yes});
  compareScalars(predicate, all[0], all[1]);
  const Operand result = newSgprs();
  emit(Opcode::SSelect32, {result, yes, no});
  return {result};
}

/// Of a number of \p bits, 32.
Word ShaderSelector::extended(const Word &word, unsigned bits, bool isSigned) {
  if (bits >= wordBits || word.isUndefined())
    return word.isUndefined() ? Word::constant(0) : word;
  const uint32_t mask = (1u << bits) - 1;
  if (!isSigned)
    return integer(Arith::And, word, Word::constant(mask));
  if (word.isConstant()) {
    const uint32_t sign = 1u << (bits - 1);
    return Word::constant(((word.operand.value & mask) ^ sign) - sign);
  }
  if (isVgpr(word.operand))
    return vector(Opcode::VBitFieldI, {word, Word::constant(0), Word::constant(bits)});
  if (bits == byteBits || bits == halfBits)
    return scalar(bits == byteBits ? Opcode::SSignExtend8 : Opcode::SSignExtend16, {word});
  const Word above = Word::constant(wordBits - bits);
  return integer(Arith::ShiftRightI, integer(Arith::ShiftLeft, word, above), above);
}

/// Two numbers of 16 bits in a dword.
Word ShaderSelector::packHalves(const Word &low, const Word &high) {
  constexpr uint32_t lowOfBoth = 0x05040100, mask = 0xFFFF;
  if (high.isUndefined())
    return low;
  if (low.isUndefined() || (low.isConstant() && !(low.operand.value & mask)))
    return integer(Arith::ShiftLeft, high, Word::constant(halfBits));
  if (low.isConstant() && high.isConstant())
    return Word::constant((low.operand.value & mask) | high.operand.value << halfBits);
  if (isVgpr(low.operand) || isVgpr(high.operand))
    return vector(Opcode::VPermute, {high, low, Word::constant(lowOfBoth)});
  return scalar(Opcode::SPackLow, {low, high});
}

// --- Elements

/// A word for each element of up to 32 bits.
bool ShaderSelector::readElements(const Value *value, Words &words) {
  if (!read(value, words))
    return false;
  if (!sharesDwords(value->getType()))
    return true;
  Words all;
  for (unsigned i = 0; i < cast<FixedVectorType>(value->getType())->getNumElements(); ++i) {
    const Word &pair = words[i / 2];
    all.push_back(i % 2 == 0 || pair.isUndefined()
                      ? pair
                      : integer(Arith::ShiftRight, pair, Word::constant(halfBits)));
  }
  words = all;
  return true;
}

bool ShaderSelector::defineElements(const Instruction &inst, const Words &words) {
  return define(inst, sharesDwords(inst.getType()) ? packed(words) : words);
}

Words ShaderSelector::packed(ArrayRef<Word> halves) {
  Words result;
  for (unsigned i = 0; i < halves.size(); i += 2)
    result.push_back(packHalves(halves[i], i + 1 < halves.size() ? halves[i + 1] : Word()));
  return result;
}

/// With what is above narrow numbers.
bool ShaderSelector::readExtended(const Value *value, bool isSigned, Words &words) {
  if (!readElements(value, words))
    return false;
  for (Word &word : words)
    word = extended(word, value->getType()->getScalarSizeInBits(), isSigned);
  return true;
}

// --- Instructions

bool ShaderSelector::selectNarrowBinary(const Instruction &inst) {
  if (const std::optional<Opcode> opcode = packedOpcodeOf(inst))
    return selectPacked(inst, *opcode);
  const auto *row = find_if(narrowRows, [&](const auto &r) { return r.first == inst.getOpcode(); });
  const bool isShift =
      inst.getOpcode() == Instruction::AShr || inst.getOpcode() == Instruction::LShr;
  Words a, b, result;
  if (row == std::end(narrowRows))
    return refuse(inst);
  // HW: shifts look at 5 bits of the number, and no number of the IR has more.
  if (!(isShift ? readExtended(inst.getOperand(0), inst.getOpcode() == Instruction::AShr, a)
                : readElements(inst.getOperand(0), a)) ||
      !readElements(inst.getOperand(1), b))
    return false;
  for (unsigned i = 0; i < a.size(); ++i)
    result.push_back(integer(row->second, a[i], b[i]));
  return defineElements(inst, result);
}

/// With a condition for each element.
bool ShaderSelector::selectHalvesChoice(const SelectInst &select) {
  Words conditions, yes, no, result;
  if (!read(select.getCondition(), conditions) || !readElements(select.getTrueValue(), yes) ||
      !readElements(select.getFalseValue(), no))
    return false;
  for (unsigned i = 0; i < yes.size(); ++i)
    result.push_back(choose(conditions[i], yes[i], no[i]));
  return defineElements(select, result);
}

/// The operands of a compare of integers, with 32 bits or more.
bool ShaderSelector::readCompared(const CmpInst &compare, Words &a, Words &b) {
  const Type *type = compare.getOperand(0)->getType()->getScalarType();
  const unsigned bits = type->getPrimitiveSizeInBits();
  if (!type->isIntegerTy() || (bits != byteBits && bits != halfBits))
    return read(compare.getOperand(0), a) && read(compare.getOperand(1), b);
  return readExtended(compare.getOperand(0), compare.isSigned(), a) &&
         readExtended(compare.getOperand(1), compare.isSigned(), b);
}

/// Of two masks.
Word ShaderSelector::compareMasks(CmpInst::Predicate predicate, const Word &a, const Word &b) {
  auto with = [&](const Word &left, const Word &right, bool isOr) {
    const Word inverted = maskOp(Opcode::SNot32, Opcode::SNot64, {right});
    return isOr ? maskOp(Opcode::SOr32, Opcode::SOr64, {left, inverted})
                : maskOp(Opcode::SAnd32, Opcode::SAnd64, {left, inverted});
  };
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return maskOp(Opcode::SNot32, Opcode::SNot64, {maskOp(Opcode::SXor32, Opcode::SXor64, {a, b})});
  case CmpInst::ICMP_NE:
    return maskOp(Opcode::SXor32, Opcode::SXor64, {a, b});
  // A one is -1 with its sign.
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SLT:
    return with(a, b, false);
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SLE:
    return with(a, b, true);
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SGT:
    return with(b, a, false);
  default:
    return with(b, a, true);
  }
}

bool ShaderSelector::selectMaskCompare(const CmpInst &compare) {
  Words a, b, result;
  if (!read(compare.getOperand(0), a) || !read(compare.getOperand(1), b))
    return false;
  for (unsigned i = 0; i < a.size(); ++i)
    result.push_back(compareMasks(compare.getPredicate(), a[i], b[i]));
  return define(compare, result);
}

/// The lowest bit of each number as a mask.
bool ShaderSelector::selectTruncateToMask(const CastInst &cast) {
  const unsigned perElement =
      cast.getOperand(0)->getType()->getScalarSizeInBits() > wordBits ? 2 : 1;
  Words words, result;
  if (!readElements(cast.getOperand(0), words))
    return false;
  for (unsigned i = 0; i < words.size(); i += perElement)
    result.push_back(
        compareWords(CmpInst::ICMP_NE,
                     integer(Arith::And, words[i].isUndefined() ? Word::constant(0) : words[i],
                             Word::constant(1)),
                     Word::constant(0)));
  return define(cast, result);
}

/// Between integers of which one has 8 or 16 bits.
bool ShaderSelector::selectNarrowCast(const CastInst &cast) {
  const unsigned from = cast.getOperand(0)->getType()->getScalarSizeInBits();
  const unsigned to = cast.getType()->getScalarSizeInBits();
  const bool isSigned = cast.getOpcode() == Instruction::SExt;
  Words words, result;
  if (from > 64 || to > 64)
    return refuse(cast);
  if (cast.getOpcode() == Instruction::Trunc) {
    if (!readElements(cast.getOperand(0), words))
      return false;
    for (unsigned i = 0; i<words.size(); i += from> wordBits ? 2 : 1)
      result.push_back(words[i]);
    return defineElements(cast, result);
  }
  if (from == 1) {
    if (!read(cast.getOperand(0), words))
      return false;
    for (Word &word : words)
      word = choose(word, Word::constant(isSigned ? ~0u : 1), Word::constant(0));
  } else if (!readExtended(cast.getOperand(0), isSigned, words)) {
    return false;
  }
  for (const Word &word : words) {
    result.push_back(word);
    if (to > wordBits)
      result.push_back(isSigned ? integer(Arith::ShiftRightI, word, Word::constant(31))
                                : Word::constant(0));
  }
  return defineElements(cast, result);
}

/// Of vectors of bytes, which have a dword each, and anything else.
bool ShaderSelector::selectBytesCast(const CastInst &cast) {
  const Type *from = cast.getOperand(0)->getType(), *to = cast.getType();
  Words words, dwords;
  if (!read(cast.getOperand(0), words))
    return false;
  if (isBytes(from)) {
    for (unsigned i = 0; i < words.size(); i += 4) {
      Word dword = Word::constant(0);
      for (unsigned b = 0; b < 4 && i + b < words.size(); ++b) {
        const Word byte = extended(words[i + b], byteBits, false);
        dword = integer(Arith::Or, integer(Arith::ShiftLeft, byte, Word::constant(b * byteBits)),
                        dword);
      }
      dwords.push_back(dword);
    }
  } else {
    dwords = words;
  }
  if (!isBytes(to))
    return dwords.size() == dwordsOf(to) ? define(cast, dwords) : refuse(cast);
  Words bytes;
  for (unsigned i = 0; i < dwordsOf(to); ++i)
    bytes.push_back(dwords[i / 4].isUndefined() ? dwords[i / 4]
                                                : integer(Arith::ShiftRight, dwords[i / 4],
                                                          Word::constant(i % 4 * byteBits)));
  return define(cast, bytes);
}

/// What the above is for. Anything else: none.
ShaderSelector::CastSelector ShaderSelector::narrowCastOf(const CastInst &cast) const {
  const Type *from = cast.getOperand(0)->getType(), *to = cast.getType();
  auto isNarrow = [](const Type *type) {
    return type->getScalarType()->isIntegerTy(byteBits) ||
           type->getScalarType()->isIntegerTy(halfBits) || type->isIntegerTy(threeBytesBits);
  };
  switch (cast.getOpcode()) {
  case Instruction::Trunc:
    if (to->getScalarType()->isIntegerTy(1))
      return &ShaderSelector::selectTruncateToMask;
    return isNarrow(to) || isNarrow(from) || to->isVectorTy() ? &ShaderSelector::selectNarrowCast
                                                              : nullptr;
  case Instruction::ZExt:
  case Instruction::SExt:
    return isNarrow(to) || isNarrow(from) ? &ShaderSelector::selectNarrowCast : nullptr;
  case Instruction::BitCast:
    return isBytes(from) || isBytes(to) ? &ShaderSelector::selectBytesCast : nullptr;
  default:
    return nullptr;
  }
}

} // namespace lgc::direct
