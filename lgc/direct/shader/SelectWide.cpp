//===- SelectWide.cpp - integers of 64 bits, and calls for any ------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr unsigned wordBits = 32;
constexpr uint32_t signBit = 0x80000000;

constexpr Word zero = Word::constant(0), one = Word::constant(1), thirtyOne = Word::constant(31),
               allOnes = Word::constant(~0u);

struct Extreme {
  Intrinsic::ID id;
  CmpInst::Predicate predicate; ///< whether the first operand is the result
  Arith arith;                  ///< of 32 bits
};

constexpr Extreme extremes[] = {
    {Intrinsic::umin, CmpInst::ICMP_ULT, Arith::MinU},
    {Intrinsic::umax, CmpInst::ICMP_UGT, Arith::MaxU},
    {Intrinsic::smin, CmpInst::ICMP_SLT, Arith::MinI},
    {Intrinsic::smax, CmpInst::ICMP_SGT, Arith::MaxI},
};

const Extreme &extremeOf(Intrinsic::ID id) {
  const auto *found = find_if(extremes, [&](const Extreme &row) { return row.id == id; });
  KILN_CHECK(found != std::end(extremes), "a minimum or maximum");
  return *found;
}

unsigned bitsOf(const CallInst &call) {
  return call.getArgOperand(0)->getType()->getScalarSizeInBits();
}

} // namespace

// --- Sixty-four bits

bool ShaderSelector::isAnyVgpr(ArrayRef<Word> words) const {
  return any_of(words, [&](const Word &word) { return isVgpr(word.operand); });
}

Words ShaderSelector::multiply64(ArrayRef<Word> a, ArrayRef<Word> b) {
  const Word low = integer(Arith::Mul, a[0], b[0]);
  Word high = integer(Arith::MulHighU, a[0], b[0]);
  for (const auto &[x, y] : {std::pair(a[0], b[1]), std::pair(a[1], b[0])}) {
    const bool isZero =
        (x.isConstant() && !x.operand.value) || (y.isConstant() && !y.operand.value);
    if (!isZero)
      high = integer(Arith::Add, high, integer(Arith::Mul, x, y));
  }
  return {low, high};
}

/// What is computed by elements.
bool ShaderSelector::selectWideBinary(const Instruction &inst) {
  Words a, b, result;
  if (!readDefined(inst.getOperand(0), a) || !readDefined(inst.getOperand(1), b))
    return false;
  for (unsigned i = 0; i < a.size(); i += 2) {
    const ArrayRef<Word> x = ArrayRef(a).slice(i, 2), y = ArrayRef(b).slice(i, 2);
    auto byHalves = [&](Arith op) {
      return Words{integer(op, x[0], y[0]), integer(op, x[1], y[1])};
    };
    switch (inst.getOpcode()) {
    case Instruction::Mul:
      result.append(multiply64(x, y));
      break;
    case Instruction::Add:
    case Instruction::Sub:
      result.append(
          add64(x, y, isAnyVgpr(x) || isAnyVgpr(y), inst.getOpcode() == Instruction::Sub));
      break;
    case Instruction::And:
      result.append(byHalves(Arith::And));
      break;
    case Instruction::Or:
      result.append(byHalves(Arith::Or));
      break;
    case Instruction::Xor:
      result.append(byHalves(Arith::Xor));
      break;
    case Instruction::Shl:
      result.append(shift64(inst, Opcode::SShiftLeft64, Opcode::VShiftLeft64, x, y[0]));
      break;
    case Instruction::LShr:
      result.append(shift64(inst, Opcode::SShiftRight64, Opcode::VShiftRight64, x, y[0]));
      break;
    case Instruction::AShr:
      result.append(shift64(inst, Opcode::SShiftRightI64, Opcode::VShiftRightI64, x, y[0]));
      break;
    default:
      return refuse(inst);
    }
  }
  return define(inst, result);
}

/// Zeros above the highest bit, or below the lowest; 32 of a zero.
Word ShaderSelector::zerosBeside(const Word &word, bool isLeading) {
  const Word source = plain(word);
  const Word count =
      isVgpr(source.operand)
          ? vector(isLeading ? Opcode::VLeadingZeros : Opcode::VFirstOne, {source})
          : scalar(isLeading ? Opcode::SLeadingZeros32 : Opcode::SFirstOne32, {source});
  return integer(Arith::MinU, count, Word::constant(wordBits)); // HW: all ones of a zero
}

Word ShaderSelector::onesOf(ArrayRef<Word> words) {
  Word count = zero;
  for (const Word &word : words)
    count = isVgpr(word.operand) || isVgpr(count.operand)
                ? vector(Opcode::VCountOnes, {word, count})
                : integer(Arith::Add, scalar(Opcode::SCountOnes32, {word}), count);
  return count;
}

bool ShaderSelector::selectWideCall(const CallInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  Words a, b, result;
  if (!readDefined(call.getArgOperand(0), a) ||
      (call.arg_size() > 1 && !call.getArgOperand(1)->getType()->isIntegerTy(1) &&
       !readDefined(call.getArgOperand(1), b)))
    return false;
  for (unsigned i = 0; i < a.size(); i += 2) {
    const ArrayRef<Word> x = ArrayRef(a).slice(i, 2);
    switch (id) {
    case Intrinsic::ctpop:
      result.append({onesOf(x), zero});
      break;
    case Intrinsic::ctlz:
    case Intrinsic::cttz: {
      const bool isLeading = id == Intrinsic::ctlz;
      const Word &first = x[isLeading ? 1 : 0], &second = x[isLeading ? 0 : 1];
      const Word behind =
          integer(Arith::Add, zerosBeside(second, isLeading), Word::constant(wordBits));
      result.append(
          {chooseBy(CmpInst::ICMP_EQ, first, zero, behind, zerosBeside(first, isLeading)), zero});
      break;
    }
    case Intrinsic::abs: {
      const Word sign = integer(Arith::ShiftRightI, x[1], thirtyOne);
      const Words flipped = {integer(Arith::Xor, x[0], sign), integer(Arith::Xor, x[1], sign)};
      result.append(add64(flipped, {sign, sign}, isAnyVgpr(flipped) || isVgpr(sign.operand), true));
      break;
    }
    default: {
      const ArrayRef<Word> y = ArrayRef(b).slice(i, 2);
      const Word mask = compare64(extremeOf(id).predicate, x, y);
      result.append({choose(mask, x[0], y[0]), choose(mask, x[1], y[1])});
    }
    }
  }
  return define(call, result);
}

/// Sums and differences, saturated or with a mask of those that do not fit.
bool ShaderSelector::selectWideSum(const CallInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  const bool isSaturated = !call.getType()->isStructTy();
  const bool isSum = id == Intrinsic::uadd_sat || id == Intrinsic::sadd_sat ||
                     id == Intrinsic::uadd_with_overflow || id == Intrinsic::sadd_with_overflow;
  const bool isSigned = id == Intrinsic::sadd_sat || id == Intrinsic::ssub_sat ||
                        id == Intrinsic::sadd_with_overflow || id == Intrinsic::ssub_with_overflow;
  Words a, b, result, masks;
  if (!readDefined(call.getArgOperand(0), a) || !readDefined(call.getArgOperand(1), b))
    return false;
  for (unsigned i = 0; i < a.size(); i += 2) {
    const ArrayRef<Word> x = ArrayRef(a).slice(i, 2), y = ArrayRef(b).slice(i, 2);
    const Words sum = sum64(x, y, !isSum);
    Word limits[2] = {isSum ? allOnes : zero, isSum ? allOnes : zero}, mask;
    if (isSigned) {
      // It has another sign than it must.
      const Word other = integer(Arith::Xor, isSum ? sum[1] : x[1], y[1]);
      const Word signs = integer(Arith::And, integer(Arith::Xor, x[1], sum[1]), other);
      mask = compareWords(CmpInst::ICMP_SLT, signs, zero);
      limits[0] = integer(Arith::ShiftRightI, sum[1], thirtyOne);
      limits[1] = integer(Arith::Xor, limits[0], Word::constant(signBit));
    } else {
      mask = compare64(CmpInst::ICMP_ULT, isSum ? ArrayRef<Word>(sum) : x, isSum ? x : y);
    }
    for (unsigned w = 0; w < 2; ++w)
      result.push_back(isSaturated ? choose(mask, limits[w], sum[w]) : sum[w]);
    masks.push_back(mask);
  }
  if (!isSaturated)
    result.append(masks);
  return define(call, result);
}

// --- Thirty-two bits and fewer

/// Of numbers of 8 and 16 bits: what 32 bits say of them.
bool ShaderSelector::selectNarrowCall(const CallInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  const bool isSigned = id == Intrinsic::smin || id == Intrinsic::smax || id == Intrinsic::abs;
  const Word spare = Word::constant(wordBits - bitsOf(call));
  Words a, b, result;
  if (!readExtended(call.getArgOperand(0), isSigned, a) ||
      (call.arg_size() > 1 && !call.getArgOperand(1)->getType()->isIntegerTy(1) &&
       !readExtended(call.getArgOperand(1), isSigned, b)))
    return false;
  for (unsigned i = 0; i < a.size(); ++i) {
    switch (id) {
    case Intrinsic::abs:
      result.push_back(integer(Arith::MaxI, a[i], integer(Arith::Sub, zero, a[i])));
      break;
    case Intrinsic::ctpop:
      result.push_back(onesOf(a[i]));
      break;
    case Intrinsic::ctlz:
      result.push_back(integer(Arith::Sub, zerosBeside(a[i], true), spare));
      break;
    case Intrinsic::cttz:
      result.push_back(
          zerosBeside(integer(Arith::Or, a[i], Word::constant(1u << bitsOf(call))), false));
      break;
    case Intrinsic::bitreverse:
      result.push_back(integer(Arith::ShiftRight,
                               isVgpr(a[i].operand) ? vector(Opcode::VReverse, {a[i]})
                                                    : scalar(Opcode::SReverse32, {a[i]}),
                               spare));
      break;
    default:
      result.push_back(integer(extremeOf(id).arith, a[i], b[i]));
    }
  }
  return defineElements(call, result);
}

/// Bits of two numbers in a row.
bool ShaderSelector::selectFunnelShift(const CallInst &call) {
  const bool isLeft = call.getIntrinsicID() == Intrinsic::fshl;
  Words high, low, counts, result;
  if (bitsOf(call) != wordBits)
    return refuse(call);
  if (!read(call.getArgOperand(0), high) || !read(call.getArgOperand(1), low) ||
      !read(call.getArgOperand(2), counts))
    return false;
  for (unsigned i = 0; i < high.size(); ++i) {
    const Word a = plain(high[i]), b = plain(low[i]), count = plain(counts[i]);
    const bool isVec = isAnyVgpr({a, b, count});
    auto shifted = [&](const Word &x, const Word &y, const Word &n) {
      if (isVec)
        return vector(Opcode::VAlignBit, {x, y, n});
      // Thirty-two less n, in two steps because n may be 0.
      const Word rest = integer(Arith::Xor, integer(Arith::And, n, thirtyOne), thirtyOne);
      const Word above = integer(Arith::ShiftLeft, integer(Arith::ShiftLeft, x, one), rest);
      return integer(Arith::Or, above, integer(Arith::ShiftRight, y, n));
    };
    if (!isLeft)
      result.push_back(shifted(a, b, count));
    else if (count.isConstant() && count.operand.value % wordBits == 0)
      result.push_back(a);
    else if (count.isConstant())
      result.push_back(shifted(a, b, Word::constant(0u - count.operand.value % wordBits & 31)));
    else
      result.push_back(shifted(integer(Arith::ShiftRight, a, one), shifted(a, b, one),
                               integer(Arith::Xor, count, allOnes)));
  }
  return define(call, result);
}

Word ShaderSelector::bytesReversed(const Word &word) {
  constexpr uint32_t reversed = 0x00010203, inner = 0x00FF00FF, byte = 8, half = 16;
  const Word x = plain(word);
  if (isVgpr(x.operand))
    return vector(Opcode::VPermute, {zero, x, Word::constant(reversed)});
  const Word mask = Word::constant(inner);
  const Word up = integer(Arith::ShiftLeft, integer(Arith::And, x, mask), Word::constant(byte));
  const Word down = integer(Arith::And, integer(Arith::ShiftRight, x, Word::constant(byte)), mask);
  const Word both = integer(Arith::Or, up, down);
  return integer(Arith::Or, integer(Arith::ShiftLeft, both, Word::constant(half)),
                 integer(Arith::ShiftRight, both, Word::constant(half)));
}

bool ShaderSelector::selectByteSwap(const CallInst &call) {
  Words words, result;
  if (bitsOf(call) != wordBits && bitsOf(call) != 2 * wordBits)
    return refuse(call);
  if (!read(call.getArgOperand(0), words))
    return false;
  const unsigned perElement = bitsOf(call) / wordBits;
  for (unsigned i = 0; i < words.size(); ++i)
    result.push_back(bytesReversed(words[perElement == 1 ? i : i ^ 1]));
  return define(call, result);
}

/// A sum or a difference, and whether it does not fit.
std::pair<Word, Word> ShaderSelector::sumAndOverflow(const Word &a, const Word &b, bool isSum,
                                                     bool isSigned) {
  const Word sum = integer(isSum ? Arith::Add : Arith::Sub, a, b);
  if (!isSigned)
    return {sum, compareWords(CmpInst::ICMP_ULT, isSum ? sum : a, isSum ? a : b)};
  // It has another sign than it must.
  const Word other = integer(Arith::Xor, isSum ? sum : a, b);
  const Word signs = integer(Arith::And, integer(Arith::Xor, a, sum), other);
  return {sum, compareWords(CmpInst::ICMP_SLT, signs, zero)};
}

bool ShaderSelector::selectSaturated(const CallInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  const bool isSum = id == Intrinsic::uadd_sat || id == Intrinsic::sadd_sat;
  const bool isSigned = id == Intrinsic::sadd_sat || id == Intrinsic::ssub_sat;
  const unsigned width = bitsOf(call);
  Words a, b, result;
  if (width > wordBits)
    return width == 2 * wordBits ? selectWideSum(call) : refuse(call);
  if (!readExtended(call.getArgOperand(0), isSigned, a) ||
      !readExtended(call.getArgOperand(1), isSigned, b))
    return false;
  for (unsigned i = 0; i < a.size(); ++i) {
    const Word x = plain(a[i]), y = plain(b[i]);
    if (width < wordBits && (isSigned || isSum)) {
      const uint32_t end = 1u << (isSigned ? width - 1 : width);
      Word sum = integer(isSum ? Arith::Add : Arith::Sub, x, y);
      sum = integer(isSigned ? Arith::MinI : Arith::MinU, sum, Word::constant(end - 1));
      result.push_back(isSigned ? integer(Arith::MaxI, sum, Word::constant(0u - end)) : sum);
    } else if (!isSigned && isSum) {
      result.push_back(
          integer(Arith::Add, integer(Arith::MinU, x, integer(Arith::Xor, y, allOnes)), y));
    } else if (!isSigned) {
      result.push_back(integer(Arith::Sub, integer(Arith::MaxU, x, y), y));
    } else {
      const auto [sum, overflows] = sumAndOverflow(x, y, isSum, true);
      const Word limit =
          integer(Arith::Xor, integer(Arith::ShiftRightI, sum, thirtyOne), Word::constant(signBit));
      result.push_back(choose(overflows, limit, sum));
    }
  }
  return defineElements(call, result);
}

bool ShaderSelector::selectOverflow(const CallInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  const bool isSum = id == Intrinsic::uadd_with_overflow || id == Intrinsic::sadd_with_overflow;
  const bool isProduct = id == Intrinsic::umul_with_overflow || id == Intrinsic::smul_with_overflow;
  const bool isSigned = id == Intrinsic::sadd_with_overflow ||
                        id == Intrinsic::ssub_with_overflow || id == Intrinsic::smul_with_overflow;
  Words a, b, result, masks;
  if (bitsOf(call) == 2 * wordBits && !isProduct)
    return selectWideSum(call);
  if (bitsOf(call) > wordBits)
    return refuse(call);
  if (!readExtended(call.getArgOperand(0), isSigned, a) ||
      !readExtended(call.getArgOperand(1), isSigned, b))
    return false;
  for (unsigned i = 0; i < a.size(); ++i) {
    const Word x = plain(a[i]), y = plain(b[i]);
    if (bitsOf(call) < wordBits) {
      // There is room for it.
      const Word all = integer(isProduct ? Arith::Mul : isSum ? Arith::Add : Arith::Sub, x, y);
      result.push_back(all);
      masks.push_back(compareWords(CmpInst::ICMP_NE, all, extended(all, bitsOf(call), isSigned)));
      continue;
    }
    if (isProduct) {
      const Word low = integer(Arith::Mul, x, y);
      const Word high = integer(isSigned ? Arith::MulHighI : Arith::MulHighU, x, y);
      const Word fits = isSigned ? integer(Arith::ShiftRightI, low, thirtyOne) : zero;
      result.push_back(low);
      masks.push_back(compareWords(CmpInst::ICMP_NE, high, fits));
      continue;
    }
    const auto [sum, overflows] = sumAndOverflow(x, y, isSum, isSigned);
    result.push_back(sum);
    masks.push_back(overflows);
  }
  if (bitsOf(call) == wordBits / 2 && call.getArgOperand(0)->getType()->isVectorTy())
    result = packed(result);
  result.append(masks);
  return define(call, result);
}

/// -1, 0 or 1.
bool ShaderSelector::selectThreeWay(const CallInst &call) {
  const bool isSigned = call.getIntrinsicID() == Intrinsic::scmp;
  Words a, b, result;
  if (bitsOf(call) > wordBits || call.getType()->getScalarSizeInBits() > wordBits)
    return refuse(call);
  if (!readExtended(call.getArgOperand(0), isSigned, a) ||
      !readExtended(call.getArgOperand(1), isSigned, b))
    return false;
  for (unsigned i = 0; i < a.size(); ++i) {
    const Word more =
        chooseBy(isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT, a[i], b[i], one, zero);
    result.push_back(
        chooseBy(isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT, a[i], b[i], allOnes, more));
  }
  return defineElements(call, result);
}

/// Bits above the highest that differs from the sign, with it; all ones: there is none.
bool ShaderSelector::selectLeadingSigns(const CallInst &call) {
  Word word;
  if (bitsOf(call) != wordBits)
    return refuse(call);
  if (!readWord(call.getArgOperand(0), word))
    return false;
  return define(call, {isVgpr(word.operand) ? vector(Opcode::VLeadingSigns, {word})
                                            : scalar(Opcode::SLeadingSigns32, {word})});
}

ShaderSelector::CallSelector ShaderSelector::integerCallOf(const CallInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return &ShaderSelector::selectFunnelShift;
  case Intrinsic::amdgcn_sffbh:
    return &ShaderSelector::selectLeadingSigns;
  case Intrinsic::bswap:
    return &ShaderSelector::selectByteSwap;
  case Intrinsic::uadd_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::sadd_sat:
  case Intrinsic::ssub_sat:
    return &ShaderSelector::selectSaturated;
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::usub_with_overflow:
    return call.getArgOperand(0)->getType()->isIntegerTy(wordBits)
               ? &ShaderSelector::selectCarry
               : &ShaderSelector::selectOverflow;
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::smul_with_overflow:
    return &ShaderSelector::selectOverflow;
  case Intrinsic::scmp:
  case Intrinsic::ucmp:
    return &ShaderSelector::selectThreeWay;
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::abs:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
    if (bitsOf(call) == 2 * wordBits)
      return &ShaderSelector::selectWideCall;
    [[fallthrough]];
  case Intrinsic::bitreverse:
    return bitsOf(call) == 8 || bitsOf(call) == 16 ? &ShaderSelector::selectNarrowCall
                                                   : &ShaderSelector::selectIntegerCall;
  case Intrinsic::amdgcn_ubfe:
  case Intrinsic::amdgcn_sbfe:
    return &ShaderSelector::selectBitField;
  default:
    return nullptr;
  }
}

} // namespace lgc::direct
