//===- FloatFormats.cpp - floats that are not IEEE single -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Half, the unsigned 11- and 10-bit floats, and the sRGB curve. All three small floats have five
/// exponent bits with bias 15, so one pair of functions serves them. The host's rounding mode has
/// no influence: everything is integer arithmetic.
#include "pal_shim/formats/Formats.h"
#include "llvm/ADT/bit.h"
#include <cmath>

namespace pal::formats {

namespace {

constexpr uint32_t singleInfinity = 0x7f800000;

/// The magnitude bits of a five-exponent-bit float with `mantissaBits`, rounded to nearest even.
uint32_t roundMagnitude(uint32_t magnitude, unsigned mantissaBits) {
  const uint32_t infinity = 31u << mantissaBits;
  if (magnitude > singleInfinity) // NaN: quiet, the top of the payload stays
    return infinity | 1u << (mantissaBits - 1) | (magnitude & 0x7fffff) >> (23 - mantissaBits);
  uint32_t value = magnitude;
  unsigned shift = 23 - mantissaBits;
  if (magnitude >= 113u << 23) {
    value -= 112u << 23; // rebias; the carry of rounding moves into the exponent as it should
  } else {
    const unsigned below = 113 - (magnitude >> 23);
    if (below > 24)
      return 0;
    value = (magnitude & 0x7fffff) | 0x800000;
    shift += below;
    if (shift > 31)
      return 0;
  }
  const uint32_t half = 1u << (shift - 1);
  const uint32_t rest = value & ((1u << shift) - 1);
  uint32_t result = value >> shift;
  if (rest > half || (rest == half && (result & 1)))
    ++result;
  return result < infinity ? result : infinity;
}

float expandMagnitude(uint32_t bits, unsigned mantissaBits) {
  const uint32_t exponent = bits >> mantissaBits & 31;
  const uint32_t mantissa = bits & ((1u << mantissaBits) - 1);
  if (exponent == 31)
    return llvm::bit_cast<float>(singleInfinity | mantissa << (23 - mantissaBits));
  if (exponent == 0)
    return static_cast<float>(mantissa) * llvm::bit_cast<float>((127u - 14 - mantissaBits) << 23);
  return llvm::bit_cast<float>((exponent + 112) << 23 | mantissa << (23 - mantissaBits));
}

} // namespace

uint16_t floatToHalf(float value) {
  const uint32_t bits = llvm::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>(bits >> 16 & 0x8000) |
         static_cast<uint16_t>(roundMagnitude(bits & 0x7fffffff, 10));
}

float halfToFloat(uint16_t bits) {
  const float magnitude = expandMagnitude(bits & 0x7fffu, 10);
  return bits & 0x8000 ? llvm::bit_cast<float>(llvm::bit_cast<uint32_t>(magnitude) | 0x80000000u)
                       : magnitude;
}

uint32_t floatToSmall(float value, unsigned mantissaBits) {
  const uint32_t bits = llvm::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffff;
  if (bits >> 31 && magnitude <= singleInfinity)
    return 0;
  return roundMagnitude(magnitude, mantissaBits);
}

float smallToFloat(uint32_t bits, unsigned mantissaBits) {
  return expandMagnitude(bits, mantissaBits);
}

float srgbToLinear(double encoded) {
  return static_cast<float>(encoded <= 0.04045 ? encoded / 12.92
                                               : std::pow((encoded + 0.055) / 1.055, 2.4));
}

double linearToSrgb(double linear) {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}

} // namespace pal::formats
