//===- FloatArith.cpp - sums, products, rounding, frexp, ldexp -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Vector arithmetic on 16, 32 and 64-bit floats. "dx9_zero" (legacy) products are 0 when a factor
/// is 0, even times infinity. v_mad_f32 and v_mac_f32 (gfx10.1) round twice and always flush.
/// Source: RDNA 1 to 4 ISA manuals, "Vector ALU opcodes".
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/FloatMath.h"

namespace pal::device {

namespace {

float mulZero(float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; }
float fmaZero(float a, float b, float c) { return a == 0 || b == 0 ? c : __builtin_fmaf(a, b, c); }
float madFlush(float a, float b, float c) { return flush(flush(flush(a) * flush(b)) + flush(c)); }
float madZero(float a, float b, float c) {
  float x = flush(a), y = flush(b);
  return flush((x == 0 || y == 0 ? 0.0f : flush(x * y)) + flush(c));
}

Half ceilHalf(Half x) { return viaFloat<ceilFloat<float>>(x); }
Half floorHalf(Half x) { return viaFloat<floorFloat<float>>(x); }
Half truncHalf(Half x) { return viaFloat<truncFloat<float>>(x); }
Half rndneHalf(Half x) { return viaFloat<rndneFloat>(x); }

/// x - floor(x), kept below 1; a NaN for infinities.
template <class T> T fractBelow(T x, T limit) {
  T rest = x - std::floor(x);
  return rest > limit ? limit : rest;
}
float fractFloat(float x) { return fractBelow(x, 0x1.fffffep-1f); }
double fractDouble(double x) { return fractBelow(x, 0x1.fffffffffffffp-1); }
Half fractHalf(Half x) {
  float value = toFloat(x);
  Half rest = toHalf(value - std::floor(value));
  return {rest.bits == 0x3C00 ? uint16_t(0x3BFF) : rest.bits};
}

/// Parts of x = mantissa * 2^exponent, 0.5 <= |mantissa| < 1; infinities and NaNs have exponent 0.
template <class B> struct Parts {
  B mantissa;
  int32_t exponent;
};
template <class B> Parts<B> splitFloat(B bits) {
  constexpr unsigned width = FloatLayout<B>::mantissaBits;
  constexpr int bias = int(FloatLayout<B>::bias);
  if (isZeroBits(bits) || (bits & exponentMask<B>) == exponentMask<B>)
    return {quietBits(bits), 0};
  B mantissa = B(bits & mantissaMask<B>);
  int exponent = int(exponentOf(bits));
  if (exponent == 0) {
    int shift = std::countl_zero(mantissa) - int(sizeof(B) * 8 - 1 - width);
    mantissa = B(B(mantissa << shift) & mantissaMask<B>);
    exponent = 1 - shift;
  }
  B sign = B(bits & signBit<B>);
  return {B(sign | B(B(bias - 1) << width) | mantissa), exponent - (bias - 1)};
}
template <class T> T frexpMant(T x) { return fromBits<T>(splitFloat(bitsOf(x)).mantissa); }
template <class T, class Int> Int frexpExp(T x) { return Int(splitFloat(bitsOf(x)).exponent); }

int clampInt(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
double powerOfTwo(int exponent) { return std::bit_cast<double>(uint64_t(exponent + 1023) << 52); }
float ldexpFloat(float x, int32_t exponent) {
  return float(double(x) * powerOfTwo(clampInt(exponent, -400, 400)));
}
Half ldexpHalf(FloatEnv env, Half x, int16_t exponent) {
  return toHalf(env, double(toFloat(x)) * powerOfTwo(clampInt(exponent, -100, 100)));
}
/// Rounds once: only the last step of scaling down may be inexact.
double ldexpDouble(double x, int32_t exponent) {
  uint64_t bits = bitsOf(x);
  if (isZeroBits(bits) || (bits & exponentMask<uint64_t>) == exponentMask<uint64_t>)
    return std::bit_cast<double>(quietBits(bits));
  Parts<uint64_t> parts = splitFloat(bits);
  int target = clampInt(exponent, -5000, 5000) + parts.exponent;
  double mantissa = std::bit_cast<double>(parts.mantissa);
  if (target > 1024)
    return mantissa * 0x1p1023 * 4.0;
  if (target > 0)
    return mantissa * 2.0 * powerOfTwo(target - 1);
  if (target >= -1021)
    return mantissa * powerOfTwo(target);
  return mantissa * 0x1p-1021 * powerOfTwo(clampInt(target + 1021, -60, 0));
}

constexpr OpEntry entries[] = {
    {"v_add_f32", runValu, decodeValu, &laneOp<addFloat<float>>},
    {"v_sub_f32", runValu, decodeValu, &laneOp<subFloat<float>>},
    {"v_subrev_f32", runValu, decodeValu, &laneOp<subrevFloat<float>>},
    {"v_mul_f32", runValu, decodeValu, &laneOp<mulFloat<float>>},
    {"v_mul_dx9_zero_f32 v_mul_legacy_f32", runValu, decodeValu, &laneOp<mulZero>},
    {"v_fma_f32", runValu, decodeValu, &laneOp<fmaFloat>},
    {"v_fmac_f32", runValu, decodeValu, &laneOp<fmaFloat>},
    {"v_fmamk_f32", runValu, decodeValu, &laneOp<fmaFloat>},
    {"v_fmaak_f32", runValu, decodeValu, &laneOp<fmaFloat>},
    {"v_fma_dx9_zero_f32 v_fma_legacy_f32", runValu, decodeValu, &laneOp<fmaZero>},
    {"v_fmac_dx9_zero_f32 v_fmac_legacy_f32", runValu, decodeValu, &laneOp<fmaZero>},
    {"v_mad_f32", runValu, decodeValu, &laneOp<madFlush>},
    {"v_mac_f32", runValu, decodeValu, &laneOp<madFlush>},
    {"v_madmk_f32", runValu, decodeValu, &laneOp<madFlush>},
    {"v_madak_f32", runValu, decodeValu, &laneOp<madFlush>},
    {"v_mad_legacy_f32", runValu, decodeValu, &laneOp<madZero>},
    {"v_mac_legacy_f32", runValu, decodeValu, &laneOp<madZero>},
    {"v_fract_f32", runValu, decodeValu, &laneOp<fractFloat>},
    {"v_trunc_f32", runValu, decodeValu, &laneOp<truncFloat<float>>},
    {"v_ceil_f32", runValu, decodeValu, &laneOp<ceilFloat<float>>},
    {"v_rndne_f32", runValu, decodeValu, &laneOp<rndneFloat>},
    {"v_floor_f32", runValu, decodeValu, &laneOp<floorFloat<float>>},
    {"v_frexp_mant_f32", runValu, decodeValu, &laneOp<frexpMant<float>>},
    {"v_frexp_exp_i32_f32", runValu, decodeValu, &laneOp<frexpExp<float, int32_t>>},
    {"v_ldexp_f32", runValu, decodeValu, &laneOp<ldexpFloat>},

    {"v_add_f64", runValu, decodeValu, &laneOp<addFloat<double>>},
    {"v_mul_f64", runValu, decodeValu, &laneOp<mulFloat<double>>},
    {"v_fma_f64", runValu, decodeValu, &laneOp<fmaDouble>},
    {"v_fract_f64", runValu, decodeValu, &laneOp<fractDouble>},
    {"v_trunc_f64", runValu, decodeValu, &laneOp<truncFloat<double>>},
    {"v_ceil_f64", runValu, decodeValu, &laneOp<ceilFloat<double>>},
    {"v_rndne_f64", runValu, decodeValu, &laneOp<rndneDouble>},
    {"v_floor_f64", runValu, decodeValu, &laneOp<floorFloat<double>>},
    {"v_frexp_mant_f64", runValu, decodeValu, &laneOp<frexpMant<double>>},
    {"v_frexp_exp_i32_f64", runValu, decodeValu, &laneOp<frexpExp<double, int32_t>>},
    {"v_ldexp_f64", runValu, decodeValu, &laneOp<ldexpDouble>},

    {"v_add_f16", runValu, decodeValu, &laneOp<addHalf>},
    {"v_sub_f16", runValu, decodeValu, &laneOp<subHalf>},
    {"v_subrev_f16", runValu, decodeValu, &laneOp<subrevHalf>},
    {"v_mul_f16", runValu, decodeValu, &laneOp<mulHalf>},
    {"v_fma_f16", runValu, decodeValu, &envOp<fmaHalf>},
    {"v_fmac_f16", runValu, decodeValu, &envOp<fmaHalf>},
    {"v_fmamk_f16", runValu, decodeValu, &envOp<fmaHalf>},
    {"v_fmaak_f16", runValu, decodeValu, &envOp<fmaHalf>},
    {"v_fract_f16", runValu, decodeValu, &laneOp<fractHalf>},
    {"v_trunc_f16", runValu, decodeValu, &laneOp<truncHalf>},
    {"v_ceil_f16", runValu, decodeValu, &laneOp<ceilHalf>},
    {"v_rndne_f16", runValu, decodeValu, &laneOp<rndneHalf>},
    {"v_floor_f16", runValu, decodeValu, &laneOp<floorHalf>},
    {"v_frexp_mant_f16", runValu, decodeValu, &laneOp<frexpMant<Half>>},
    {"v_frexp_exp_i16_f16", runValu, decodeValu, &laneOp<frexpExp<Half, int16_t>>},
    {"v_ldexp_f16", runValu, decodeValu, &envOp<ldexpHalf>},
};

} // namespace

llvm::ArrayRef<OpEntry> floatArithOps() { return entries; }

} // namespace pal::device
