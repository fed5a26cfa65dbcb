//===- FloatMath.h - floating-point operations of one lane -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Functions that both vector and scalar operations use. NaN results are quiet; arithmetic passes
/// on the payload of an operand as x86 does, min and max that of the operand they select.
#pragma once

#include "pal_shim/device/ops/FloatEnv.h"

namespace pal::device {

//===-- Arithmetic --------------------------------------------------------===//

template <class T> T addFloat(T a, T b) { return a + b; }
template <class T> T subFloat(T a, T b) { return a - b; }
template <class T> T subrevFloat(T a, T b) { return b - a; }
template <class T> T mulFloat(T a, T b) { return a * b; }
inline float fmaFloat(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fmaDouble(double a, double b, double c) { return __builtin_fma(a, b, c); }

// Sums and products of 16-bit floats need no more than the 24 bits of a float to round as if once:
// 2 * 11 + 2 bits (Figueroa, "When is double rounding innocuous?").
inline Half addHalf(Half a, Half b) { return toHalf(toFloat(a) + toFloat(b)); }
inline Half subHalf(Half a, Half b) { return toHalf(toFloat(a) - toFloat(b)); }
inline Half subrevHalf(Half a, Half b) { return subHalf(b, a); }
inline Half mulHalf(Half a, Half b) { return toHalf(toFloat(a) * toFloat(b)); }
inline Half fmaHalf(FloatEnv env, Half a, Half b, Half c) {
  double product = double(toFloat(a)) * double(toFloat(b)); // exact
  double addend = toFloat(c);
  double sum = product + addend;
  // What the sum lost (Knuth's TwoSum; exact when rounding to nearest, and used only there).
  double part = sum - product;
  double lost = (product - (sum - part)) + (addend - part);
  float narrow = float(sum);
  double rest = sum - double(narrow);
  return toHalf(roundToOdd(env, narrow, rest != 0 ? rest : lost));
}

//===-- Rounding to integers, independent of the rounding mode -------------===//

template <class T> T truncFloat(T x) { return std::trunc(x); }
template <class T> T ceilFloat(T x) { return std::ceil(x); }
template <class T> T floorFloat(T x) { return std::floor(x); }
inline float rndneFloat(float x) { return __builtin_roundevenf(x); }
inline double rndneDouble(double x) { return __builtin_roundeven(x); }
template <float (*F)(float)> Half viaFloat(Half x) { return toHalf(F(toFloat(x))); }

//===-- Minimum and maximum on bit patterns -------------------------------===//

/// Orders numbers as integers do; -0 is below +0.
template <class B> auto orderKey(B bits) {
  using S = std::make_signed_t<B>;
  return S(S(bits) ^ (S(bits) >> (sizeof(B) * 8 - 1) & S(~signBit<B>)));
}
/// IEEE 754-2008 minNum: a number beats a NaN. In IEEE mode signalling NaNs win.
template <bool max, class B> B selectNum(FloatEnv env, B a, B b) {
  bool takeB = max ? orderKey(b) > orderKey(a) : orderKey(b) < orderKey(a);
  B result = isNanBits(a) ? b : isNanBits(b) ? a : takeB ? b : a;
  if (env.ieee)
    result = isSignalingBits(a) ? a : isSignalingBits(b) ? b : result;
  return quietBits(result);
}
/// IEEE 754-2019 minimum: a NaN wins.
template <bool max, class B> B selectNanWins(B a, B b) {
  bool takeB = max ? orderKey(b) > orderKey(a) : orderKey(b) < orderKey(a);
  return quietBits(isNanBits(a) ? a : isNanBits(b) ? b : takeB ? b : a);
}

template <class T, bool max> T minMaxNum(FloatEnv env, T a, T b) {
  return fromBits<T>(selectNum<max>(env, bitsOf(a), bitsOf(b)));
}
template <class T, bool max> T minMaxNan(T a, T b) {
  return fromBits<T>(selectNanWins<max>(bitsOf(a), bitsOf(b)));
}

//===-- Compares ----------------------------------------------------------===//

/// What a compare accepts, as the opcodes number them: less, equal, greater, unordered.
namespace compare {
inline constexpr unsigned lt = 1, eq = 2, gt = 4, un = 8;
} // namespace compare

/// Never traps, whatever the NaNs.
template <unsigned accepted, class T> bool compareFloat(T a, T b) {
  return ((accepted & compare::lt) && a < b) | ((accepted & compare::eq) && a == b) |
         ((accepted & compare::gt) && a > b) | ((accepted & compare::un) && (a != a || b != b));
}
template <unsigned accepted> bool compareHalf(Half a, Half b) {
  return compareFloat<accepted>(toFloat(a), toFloat(b));
}

//===-- Conversions -------------------------------------------------------===//

/// Truncates; saturates; NaN gives 0.
inline int32_t toInt(float x) {
  bool inRange = x >= -0x1p31f && x < 0x1p31f;
  int32_t whole = int32_t(inRange ? x : 0.0f);
  return inRange ? whole : x > 0 ? INT32_MAX : x < 0 ? INT32_MIN : 0;
}
inline uint32_t toUint(float x) {
  float upper = x - 0x1p31f; // exact where it is used
  int32_t low = int32_t(x > 0 && x < 0x1p31f ? x : 0.0f);
  int32_t high = int32_t(x >= 0x1p31f && x < 0x1p32f ? upper : 0.0f);
  return x >= 0x1p32f ? UINT32_MAX : x >= 0x1p31f ? uint32_t(high) ^ 0x80000000u : uint32_t(low);
}
// From unsigned integers by signed conversions: the usual way subtracts a bias, which makes -0 of 0
// when rounding down. In upper halves of the range, the bit shifted out stays as a sticky one.
inline float toFloat(int32_t x) { return float(x); }
inline float toFloat(uint32_t x) {
  bool upper = x >> 31;
  float value = float(int32_t(upper ? x >> 1 | (x & 1) : x));
  return upper ? value * 2.0f : value;
}
inline double toDouble(uint32_t x) {
  double value = double(int32_t(x));
  return x >> 31 ? value + 0x1p32 : value;
}

/// Toward zero, whatever the mode.
inline Half toHalfRtz(float x) { return {uint16_t(_cvtss_sh(x, _MM_FROUND_TO_ZERO))}; }

//===-- Approximations ----------------------------------------------------===//
// The hardware's are within an ulp; these are the results rounded from 64 bits. The 32-bit ones
// flush denormals whatever the mode (LLVM scales around that), the 16-bit ones follow the mode.

inline float rcpFloat(float x) { return flush(1.0f / flush(x)); }
inline float sqrtFloat(float x) { return flush(std::sqrt(flush(x))); }
inline float rsqFloat(float x) { return flush(float(1.0 / std::sqrt(double(flush(x))))); }
inline float expFloat(float x) { return flush(float(std::exp2(double(flush(x))))); }
inline float logFloat(float x) { return flush(float(std::log2(double(flush(x))))); }

/// Sine and cosine of revolutions. Infinite ones give a NaN.
inline double sinTurns(double x) {
  return std::sin((x - __builtin_roundeven(x)) * 6.283185307179586476925);
}
inline double cosTurns(double x) {
  return std::cos((x - __builtin_roundeven(x)) * 6.283185307179586476925);
}
inline float sinFloat(float x) { return flush(float(sinTurns(flush(x)))); }
inline float cosFloat(float x) { return float(cosTurns(flush(x))); }

inline double rcpWide(double x) { return 1.0 / x; }
inline double sqrtWide(double x) { return std::sqrt(x); }
inline double rsqWide(double x) { return 1.0 / std::sqrt(x); }
inline double expWide(double x) { return std::exp2(x); }
inline double logWide(double x) { return std::log2(x); }
template <double (*F)(double)> Half viaDouble(FloatEnv env, Half x) {
  return toHalf(env, F(double(toFloat(x))));
}

} // namespace pal::device
