//===- SelectWideDivision.cpp - division of 64 bits -----------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr Word zero = Word::constant(0);

} // namespace

Words ShaderSelector::sum64(ArrayRef<Word> a, ArrayRef<Word> b, bool isDifference) {
  return add64(a, b, isAnyVgpr(a) || isAnyVgpr(b), isDifference);
}

/// The upper half of a product of 128 bits.
Words ShaderSelector::multiplyHigh64(ArrayRef<Word> a, ArrayRef<Word> b) {
  auto product = [&](const Word &x, const Word &y) {
    return Words{integer(Arith::Mul, x, y), integer(Arith::MulHighU, x, y)};
  };
  const Words middle =
      sum64(product(a[0], b[1]), {integer(Arith::MulHighU, a[0], b[0]), zero}, false);
  const Words other = sum64(product(a[1], b[0]), {middle[0], zero}, false);
  const Words high = sum64(product(a[1], b[1]), {middle[1], zero}, false);
  return sum64(high, {other[1], zero}, false);
}

/// Quotient and remainder, as of 32 bits (SelectDivision.cpp): the reciprocal of a float times
/// 2^64, two steps of Newton's, two corrections.
std::pair<Words, Words> ShaderSelector::divide64(ArrayRef<Word> x, ArrayRef<Word> y) {
  constexpr uint32_t twoTo32 = 0x4F800000, minusTwoTo32 = 0xCF800000, twoToMinus32 = 0x2F800000;
  constexpr uint32_t belowTwoTo64 = 0x5F7FFFFC;
  const Word lowFloat = vector(Opcode::VFloatOfUint, {y[0]});
  const Word highFloat = vector(Opcode::VFloatOfUint, {y[1]});
  const Word divisor = vector(Opcode::VFma, {highFloat, Word::constant(twoTo32), lowFloat});
  const Word scaled =
      vector(Opcode::VMulF32, {vector(Opcode::VRcpF32, {divisor}), Word::constant(belowTwoTo64)});
  const Word upper =
      vector(Opcode::VTruncF32, {vector(Opcode::VMulF32, {scaled, Word::constant(twoToMinus32)})});
  const Word lower = vector(Opcode::VFma, {upper, Word::constant(minusTwoTo32), scaled});
  Words z = {vector(Opcode::VUintOfFloat, {lower}), vector(Opcode::VUintOfFloat, {upper})};
  const Words negated = sum64({zero, zero}, y, true);
  for (unsigned i = 0; i < 2; ++i)
    z = sum64(z, multiplyHigh64(z, multiply64(negated, z)), false);
  Words quotient = multiplyHigh64(x, z);
  Words remainder = sum64(x, multiply64(y, quotient), true);
  for (unsigned i = 0; i < 2; ++i) {
    const Word isMore = compare64(CmpInst::ICMP_UGE, remainder, y);
    const Words more = sum64(quotient, {Word::constant(1), zero}, false);
    const Words less = sum64(remainder, y, true);
    for (unsigned w = 0; w < 2; ++w) {
      quotient[w] = choose(isMore, more[w], quotient[w]);
      remainder[w] = choose(isMore, less[w], remainder[w]);
    }
  }
  return {quotient, remainder};
}

bool ShaderSelector::selectWideDivision(const Instruction &inst) {
  const unsigned opcode = inst.getOpcode();
  const bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  const bool isRemainder = opcode == Instruction::URem || opcode == Instruction::SRem;
  auto signOf = [&](const Word &high) {
    return isSigned ? integer(Arith::ShiftRightI, high, Word::constant(31)) : zero;
  };
  auto withSign = [&](ArrayRef<Word> words, const Word &sign) {
    if (!isSigned)
      return Words(words.begin(), words.end());
    const Words flipped = {integer(Arith::Xor, words[0], sign),
                           integer(Arith::Xor, words[1], sign)};
    return sum64(flipped, {sign, sign}, true);
  };
  Words a, b, result;
  if (!readDefined(inst.getOperand(0), a) || !readDefined(inst.getOperand(1), b))
    return false;
  for (unsigned i = 0; i < a.size(); i += 2) {
    const Word signX = signOf(a[i + 1]), signY = signOf(b[i + 1]);
    const Words x = withSign(ArrayRef(a).slice(i, 2), signX);
    const Words y = withSign(ArrayRef(b).slice(i, 2), signY);
    const auto [quotient, remainder] = divide64(x, y);
    result.append(isRemainder ? withSign(remainder, signX)
                              : withSign(quotient, integer(Arith::Xor, signX, signY)));
  }
  if (!isVector(&inst))
    for (Word &word : result)
      word = {scalarSource(word)};
  return define(inst, result);
}

/// As LLVM has it, in double precision.
Words ShaderSelector::divideDoubles(const Word &x, const Word &y) {
  const Word one = Word::constant(0x3F800000); // of any size (doubleConstant)
  auto scale = [&](const Word &what, const Operand &mask) {
    const Operand result = newVgprs(2);
    vectorInto(Opcode::VDivScaleF64, {result, mask}, {what, y, x});
    return Word{result};
  };
  auto fused = [&](const Word &a, const Word &b, const Word &c) {
    return doubleSource(doubleResult(Opcode::VFmaF64, {a, b, c}));
  };
  const Operand unused = newMask(), mask = newMask();
  const Word divisor = scale(y, unused);
  Word negated = divisor;
  negated.isNegated = true;
  Word inverse = doubleSource(doubleResult(Opcode::VRcpF64, {divisor}));
  inverse = fused(inverse, fused(negated, inverse, one), inverse);
  const Word error = fused(negated, inverse, one);
  const Word dividend = scale(x, mask);
  inverse = fused(inverse, error, inverse);
  const Word product = doubleSource(doubleResult(Opcode::VMulF64, {dividend, inverse}));
  const Word rest = fused(negated, product, dividend);
  emit(byWave(Opcode::SMov, Opcode::SMov64), {Operand::sgpr(regVcc), mask});
  const Word quotient = doubleSource(doubleResult(Opcode::VDivFmasF64, {rest, inverse, product}));
  return doubleResult(Opcode::VDivFixupF64, {quotient, y, x});
}

/// As LLVM has it: Goldschmidt's steps, of a number that is not too small.
Words ShaderSelector::rootOfDouble(const Word &x) {
  constexpr uint32_t smallest = 0x10000000; // of 2^-767, the upper half
  constexpr uint32_t up = 256, down = 0u - 128, zeroOrInfinity = 0x260;
  const Word half = Word::constant(0x3F000000); // of any size (doubleConstant)
  auto fused = [&](const Word &a, const Word &b, const Word &c) {
    return doubleSource(doubleResult(Opcode::VFmaF64, {a, b, c}));
  };
  auto product = [&](const Word &a, const Word &b) {
    return doubleSource(doubleResult(Opcode::VMulF64, {a, b}));
  };
  auto negated = [](Word word) {
    word.isNegated = !word.isNegated;
    return word;
  };
  const Word limit = doubleSource({zero, Word::constant(smallest)});
  const Word isSmall = vector(Opcode::VCmpGtF64, {limit, x});
  const Words number =
      doubleResult(Opcode::VLdexpF64, {x, choose(isSmall, Word::constant(up), zero)});
  const Word n = doubleSource(number);
  const Word inverse = doubleSource(doubleResult(Opcode::VRsqF64, {n}));
  Word root = product(n, inverse), halfInverse = product(inverse, half);
  const Word error = fused(negated(halfInverse), root, half);
  root = fused(root, error, root);
  halfInverse = fused(halfInverse, error, halfInverse);
  for (unsigned i = 0; i < 2; ++i)
    root = fused(fused(negated(root), root, n), halfInverse, root);
  Words result =
      doubleResult(Opcode::VLdexpF64, {root, choose(isSmall, Word::constant(down), zero)});
  const Word isItself = vector(Opcode::VCmpClassF64, {n, Word::constant(zeroOrInfinity)});
  for (unsigned w = 0; w < 2; ++w)
    result[w] = choose(isItself, number[w], result[w]);
  return result;
}

} // namespace lgc::direct
