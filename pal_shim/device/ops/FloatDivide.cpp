//===- FloatDivide.cpp - the steps of IEEE division ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM divides by v_div_scale (bring both operands into a range where nothing over- or
/// underflows), v_rcp and fused steps, v_div_fmas (last step, which undoes the scaling) and
/// v_div_fixup (special operands). The conditions of v_div_scale are those measured on hardware;
/// the manuals' DENORM tests differ from it. Exponents are encoded ones. v_div_fmas rounds once:
/// rounding before the scaling would be wrong for denormal quotients.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/FloatMath.h"

namespace pal::device {

namespace {

template <class B> struct DivideTraits;
template <> struct DivideTraits<uint32_t> {
  static constexpr int farApart = 96, scale = 64, largeDenominator = 253, smallNumerator = 24;
  static constexpr int underflow = -150;
};
template <> struct DivideTraits<uint64_t> {
  static constexpr int farApart = 768, scale = 128, largeDenominator = 2045, smallNumerator = 53;
  static constexpr int underflow = -1075;
};

/// 2^exponent of a normal number.
template <class B> constexpr B powerBits(int exponent) {
  return B(B(exponent + int(FloatLayout<B>::bias)) << FloatLayout<B>::mantissaBits);
}

/// Scales \p x, which is the denominator or the numerator; the mask says that v_div_fmas must scale
/// the quotient back.
template <class T> WithMask<T> divScale(T x, T denominator, T numerator) {
  using B = decltype(bitsOf(x));
  using Limits = DivideTraits<B>;
  B xBits = bitsOf(x);
  B dBits = bitsOf(denominator), nBits = bitsOf(numerator);
  if (isZeroBits(dBits) || isZeroBits(nBits))
    return {fromBits<T>(defaultNan<B>), false};
  int de = int(exponentOf(dBits)), ne = int(exponentOf(nBits)), delta = ne - de;
  bool isDenominator = xBits == dBits, isNumerator = xBits == nBits;

  int direction = 0; // of the scaling
  bool mask = false;
  if (delta >= Limits::farApart) {
    mask = true;
    direction = isDenominator ? 1 : 0;
  } else if (de == 0) {
    direction = 1;
  } else if (de >= Limits::largeDenominator) {
    mask = delta <= -Limits::farApart;
    direction = mask && isNumerator ? 0 : -1;
  } else if (delta <= -Limits::farApart) {
    mask = true;
    direction = isNumerator ? 1 : 0;
  } else if (ne <= Limits::smallNumerator) {
    direction = 1;
  }
  T value = fromBits<T>(xBits);
  if (direction > 0)
    value *= fromBits<T>(powerBits<B>(Limits::scale));
  else if (direction < 0)
    value *= fromBits<T>(powerBits<B>(-Limits::scale));
  return {value, mask};
}

/// Whether v_div_fmas multiplies by a positive power of two: an addend of 2 or more.
template <class T> bool scalesUp(T c) {
  return exponentOf(bitsOf(c)) > FloatLayout<decltype(bitsOf(c))>::bias;
}

float divFmasFloat(FloatEnv env, float a, float b, float c, bool scaled) {
  if (!scaled)
    return __builtin_fmaf(a, b, c);
  double product = double(a) * double(b); // exact
  double sum = product + double(c);
  double part = sum - product;
  double lost = (product - (sum - part)) + (double(c) - part);
  // As roundToOdd, in 64 bits; 29 bits more than the result leave room for the odd one.
  uint64_t bits = bitsOf(sum);
  if (env.rounding == Rounding::Even && (lost > 0 || lost < 0) && !(bits & 1))
    bits += (lost > 0) == !(bits >> 63) ? 1 : ~0ull;
  return float(std::bit_cast<double>(bits) * (scalesUp(c) ? 0x1p64 : 0x1p-64));
}

/// The sign of what __builtin_fma(a, b, c) == \p rounded lost (Boldo and Muller, "Exact and
/// approximated error of the FMA").
double fmaError(double a, double b, double c, double rounded) {
  auto twoSum = [](double x, double y, double &rest) {
    double sum = x + y, part = sum - x;
    rest = (x - (sum - part)) + (y - part);
    return sum;
  };
  double product = a * b, productRest = __builtin_fma(a, b, -product);
  double small, smallRest, large, largeRest;
  small = twoSum(c, productRest, smallRest);
  large = twoSum(product, small, largeRest);
  return ((large - rounded) + largeRest) + smallRest;
}

double divFmasDouble(FloatEnv env, double a, double b, double c, bool scaled) {
  double sum = __builtin_fma(a, b, c);
  if (!scaled)
    return sum;
  if (scalesUp(c))
    return sum * 0x1p128;
  double result = sum * 0x1p-128;
  if (env.rounding != Rounding::Even)
    return result;
  // A denormal result was rounded a second time. That is wrong exactly when `sum` lies half-way
  // between two results and what it lost is on the other side.
  double taken = result * 0x1p128;
  if (std::fabs(taken - sum) != 0x1p-947)
    return result;
  // Scaled up, the error terms cannot underflow; |c| is below 2.
  double lost = fmaError(a * 0x1p400, b, c * 0x1p400, sum * 0x1p400);
  if ((lost > 0 && taken < sum) || (lost < 0 && taken > sum)) {
    uint64_t bits = bitsOf(result);
    bool awayFromZero = (lost > 0) == !(bits >> 63);
    return std::bit_cast<double>(awayFromZero ? bits + 1 : bits - 1);
  }
  return result;
}

/// Magnitude of a quotient beyond the largest number, or below the smallest.
template <class B> B overflowBits(FloatEnv env, bool negative) {
  bool toInf =
      env.rounding == Rounding::Even || env.rounding == (negative ? Rounding::Down : Rounding::Up);
  return toInf ? exponentMask<B> : B(exponentMask<B> - 1);
}
template <class B> B underflowBits(FloatEnv env, bool negative) {
  return env.rounding == (negative ? Rounding::Down : Rounding::Up) ? 1 : 0;
}

template <class T> T divFixup(FloatEnv env, T quotient, T denominator, T numerator) {
  using B = decltype(bitsOf(quotient));
  B q = bitsOf(quotient);
  B d = bitsOf(denominator), n = bitsOf(numerator);
  B sign = B((d ^ n) & signBit<B>);
  if (isNanBits(n))
    return fromBits<T>(quietBits(n));
  if (isNanBits(d))
    return fromBits<T>(quietBits(d));
  if ((isZeroBits(d) && isZeroBits(n)) || (isInfBits(d) && isInfBits(n)))
    return fromBits<T>(defaultNan<B>);
  if (isZeroBits(d) || isInfBits(n))
    return fromBits<T>(B(sign | exponentMask<B>));
  if (isInfBits(d) || isZeroBits(n))
    return fromBits<T>(sign);
  if constexpr (sizeof(T) > 2) {
    if (int(exponentOf(n)) - int(exponentOf(d)) < DivideTraits<B>::underflow)
      return fromBits<T>(B(sign | underflowBits<B>(env, sign != 0)));
    if ((q & exponentMask<B>) == exponentMask<B>)
      return fromBits<T>(B(sign | overflowBits<B>(env, sign != 0)));
  }
  return fromBits<T>(B(sign | B(q & ~signBit<B>)));
}

constexpr OpEntry entries[] = {
    {"v_div_scale_f32", runValu, decodeValu, &laneOp<divScale<float>>},
    {"v_div_fmas_f32", runValu, decodeValu, &envOp<divFmasFloat>},
    {"v_div_fixup_f32", runValu, decodeValu, &envOp<divFixup<float>>},
    {"v_div_scale_f64", runValu, decodeValu, &laneOp<divScale<double>>},
    {"v_div_fmas_f64", runValu, decodeValu, &envOp<divFmasDouble>},
    {"v_div_fixup_f64", runValu, decodeValu, &envOp<divFixup<double>>},
    {"v_div_fixup_f16", runValu, decodeValu, &envOp<divFixup<Half>>},
};

} // namespace

llvm::ArrayRef<OpEntry> floatDivideOps() { return entries; }

} // namespace pal::device
