//===- SmallFloats.cpp - floats that are integers to LLVM -----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/SmallFloats.h"
#include "llvm/IR/IRBuilder.h"
#include <cmath>

using namespace llvm;

namespace lgc {
namespace {

struct Format {
  unsigned bits, mantissa;
  int bias;

  uint64_t sign() const { return uint64_t(1) << (bits - 1); }
};

Format formatOf(SmallFloat kind) {
  switch (kind) {
  case SmallFloat::BF16:
    return {16, 7, 127};
  case SmallFloat::E4M3:
    return {8, 3, 7};
  case SmallFloat::E5M2:
    return {8, 2, 15};
  }
  llvm_unreachable("unknown format");
}

Format formatOf(const Type *scalar) {
  return scalar->isHalfTy() ? Format{16, 10, 15} : Format{32, 23, 127};
}

Type *shapedLike(Type *scalar, const Type *shape) {
  const auto *vector = dyn_cast<FixedVectorType>(shape);
  return vector ? FixedVectorType::get(scalar, vector->getNumElements()) : scalar;
}

Value *least(IRBuilderBase &b, Value *x, uint64_t limit) {
  return b.CreateBinaryIntrinsic(Intrinsic::umin, x, ConstantInt::get(x->getType(), limit));
}

/// (x + what is less than half of bit `shift`, or half where that bit is odd) >> shift.
Value *shiftToNearest(IRBuilderBase &b, Value *x, Value *shift) {
  Value *one = ConstantInt::get(x->getType(), 1);
  Value *belowHalf = b.CreateSub(b.CreateShl(one, b.CreateSub(shift, one)), one);
  Value *odd = b.CreateAnd(b.CreateLShr(x, shift), one);
  return b.CreateLShr(b.CreateAdd(b.CreateAdd(x, belowHalf), odd), shift);
}

/// The bits of a number of 8 bits without its sign, of those of a float; beyond the largest they go
/// on.
Value *narrowMagnitude(IRBuilderBase &b, const Format &to, Value *bits) {
  Type *type = bits->getType();
  const Format from = formatOf(b.getFloatTy());
  const unsigned shift = from.mantissa - to.mantissa;
  const auto constant = [&](uint64_t value) { return ConstantInt::get(type, value); };
  Value *normal = b.CreateSub(shiftToNearest(b, bits, constant(shift)),
                              constant(uint64_t(from.bias - to.bias) << to.mantissa));
  // Denormal: the mantissa with its leading one, moved further by what the exponent is too small.
  const unsigned leastExponent = from.bias - to.bias + 1;
  Value *mantissa = b.CreateOr(b.CreateAnd(bits, constant((1u << from.mantissa) - 1)),
                               constant(1u << from.mantissa));
  Value *further =
      b.CreateSub(constant(shift + leastExponent), b.CreateLShr(bits, constant(from.mantissa)));
  further = least(b, further, from.mantissa + 2); // nothing is left
  Value *isDenormal = b.CreateICmpULT(bits, constant(uint64_t(leastExponent) << from.mantissa));
  return b.CreateSelect(isDenormal, shiftToNearest(b, mantissa, further), normal);
}

} // namespace

Value *extendSmallFloat(IRBuilderBase &b, SmallFloat kind, Value *value, Type *type) {
  const Format from = formatOf(kind), to = formatOf(type->getScalarType());
  Type *word = shapedLike(b.getIntNTy(to.bits), type);
  const auto constant = [&](uint64_t bits) { return ConstantInt::get(word, bits); };
  value = b.CreateZExt(value, word);
  if (from.bias == to.bias)
    return b.CreateBitCast(b.CreateShl(value, constant(to.bits - from.bits)), type);
  Value *magnitude = b.CreateAnd(value, constant(from.sign() - 1));
  Value *normal = b.CreateAdd(b.CreateShl(magnitude, constant(to.mantissa - from.mantissa)),
                              constant(uint64_t(to.bias - from.bias) << to.mantissa));
  Value *count = b.CreateUIToFP(magnitude, type);
  Value *denormal = b.CreateFMul(
      count, ConstantFP::get(type, std::ldexp(1.0, 1 - from.bias - int(from.mantissa))));
  Value *isDenormal = b.CreateICmpULT(magnitude, constant(1u << from.mantissa));
  Value *bits = b.CreateSelect(isDenormal, b.CreateBitCast(denormal, word), normal);
  const uint64_t infinity = (uint64_t(1) << (to.bits - 1)) - (uint64_t(1) << to.mantissa);
  if (kind == SmallFloat::E4M3) {
    Value *isNan = b.CreateICmpEQ(magnitude, constant(from.sign() - 1));
    bits = b.CreateSelect(isNan, constant(infinity | uint64_t(1) << (to.mantissa - 1)), bits);
  } else {
    Value *isSpecial = b.CreateICmpUGE(magnitude, constant(0x7C));
    bits = b.CreateSelect(isSpecial, b.CreateOr(normal, constant(infinity)), bits);
  }
  Value *sign =
      b.CreateShl(b.CreateAnd(value, constant(from.sign())), constant(to.bits - from.bits));
  return b.CreateBitCast(b.CreateOr(bits, sign), type);
}

Value *narrowToSmallFloat(IRBuilderBase &b, SmallFloat kind, Value *value, SmallOverflow overflow) {
  const Format to = formatOf(kind);
  Type *word = shapedLike(b.getInt32Ty(), value->getType());
  const auto constant = [&](uint64_t bits) { return ConstantInt::get(word, bits); };
  Value *all = b.CreateBitCast(value, word);
  Value *bits = b.CreateAnd(all, constant(0x7FFFFFFF));
  Value *isNan = b.CreateICmpUGT(bits, constant(0x7F800000));
  Value *result;
  if (kind == SmallFloat::BF16) {
    Value *quiet = b.CreateOr(b.CreateLShr(all, constant(16)), constant(0x40));
    result = b.CreateSelect(isNan, quiet, shiftToNearest(b, all, constant(16)));
  } else {
    const uint64_t special = kind == SmallFloat::E4M3 ? 0x7F : 0x7C;
    Value *number = least(b, narrowMagnitude(b, to, bits),
                          overflow == SmallOverflow::Largest ? special - 1 : special);
    Value *sign = b.CreateAnd(b.CreateLShr(all, constant(24)), constant(to.sign()));
    result = b.CreateOr(b.CreateSelect(isNan, constant(0x7F), number), sign);
  }
  return b.CreateTrunc(result, shapedLike(b.getIntNTy(to.bits), word));
}

} // namespace lgc
