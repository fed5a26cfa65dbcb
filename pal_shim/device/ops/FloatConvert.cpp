//===- FloatConvert.cpp - conversions from and to floats -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// To integers: truncation (or the rounding in the name), saturation, 0 for NaN. To floats: in the
/// rounding mode of the result's type. A conversion that widens a float is exact, so that it is
/// governed by the mode of its source, for denormals.
///
/// Not here: fp8, bf8 and bf16 (gfx12), which are converted by integer arithmetic
/// (lgc/SmallFloats.h) and LLVM emits for its own intrinsics only.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/FloatMath.h"

namespace pal::device {

namespace {

float floatOfInt(int32_t x) { return toFloat(x); }
float floatOfUint(uint32_t x) { return toFloat(x); }
double doubleOfInt(int32_t x) { return double(x); }
double doubleOfUint(uint32_t x) { return toDouble(x); }
Half halfOfInt(int16_t x) { return toHalf(float(x)); }
Half halfOfUint(uint16_t x) { return toHalf(float(int32_t(x))); }

Half halfOfFloat(float x) { return toHalf(x); }
float floatOfHalf(Half x) { return toFloat(x); }
double doubleOfFloat(float x) { return double(x); }
float floatOfDouble(double x) { return float(x); }

int32_t saturate(float x, float low, float high) { // limits are integers; NaN gives 0
  float limited = x < low ? low : x > high ? high : x;
  return int32_t(x == x ? limited : 0.0f);
}
int16_t shortOf(float x) { return int16_t(saturate(x, -32768.0f, 32767.0f)); }
uint16_t ushortOf(float x) { return uint16_t(saturate(x, 0.0f, 65535.0f)); }
int16_t shortOfHalf(Half x) { return shortOf(toFloat(x)); }
uint16_t ushortOfHalf(Half x) { return ushortOf(toFloat(x)); }

int32_t intOfDouble(double x) {
  double limited = x < -0x1p31 ? -0x1p31 : x > 0x1.fffffffcp30 ? 0x1.fffffffcp30 : x;
  return int32_t(x == x ? limited : 0.0);
}
uint32_t uintOfDouble(double x) {
  double limited = x > 0 ? (x < 0x1.fffffffep31 ? x : 0x1.fffffffep31) : 0.0;
  // Halves of the range: the host has a conversion to signed integers only.
  bool upper = limited >= 0x1p31;
  return uint32_t(int32_t(upper ? limited - 0x1p31 : limited)) ^ (upper ? 0x80000000u : 0u);
}

int32_t nearestInt(float x) { return toInt(std::floor(x + 0.5f)); }
int32_t floorInt(float x) { return toInt(std::floor(x)); }

template <unsigned byte> float floatOfByte(uint32_t x) {
  return float(int32_t(x >> (8 * byte) & 0xFF));
}
/// A signed 4-bit integer in sixteenths: interpolation offsets.
float offsetOfNibble(uint32_t x) { return float(int32_t(x << 28) >> 28) * 0x1p-4f; }

/// x in [-1, 1] or [0, 1] times \p scale, rounded to nearest even whatever the mode.
int32_t normalised(float x, float low, float scale) {
  float limited = x < low ? low : x > 1.0f ? 1.0f : x;
  return int32_t(__builtin_roundeven(double(x == x ? limited : 0.0f) * double(scale)));
}
uint16_t snorm(float x) { return uint16_t(normalised(x, -1.0f, 32767.0f)); }
uint16_t unorm(float x) { return uint16_t(normalised(x, 0.0f, 65535.0f)); }
uint16_t snormHalf(Half x) { return snorm(toFloat(x)); }
uint16_t unormHalf(Half x) { return unorm(toFloat(x)); }

uint32_t pair(uint32_t low, uint32_t high) { return high << 16 | low; }
uint32_t packSnorm(float a, float b) { return pair(snorm(a), snorm(b)); }
uint32_t packUnorm(float a, float b) { return pair(unorm(a), unorm(b)); }
uint32_t packSnormHalf(Half a, Half b) { return pair(snormHalf(a), snormHalf(b)); }
uint32_t packUnormHalf(Half a, Half b) { return pair(unormHalf(a), unormHalf(b)); }
uint32_t packShort(float a, float b) { return pair(uint16_t(shortOf(a)), uint16_t(shortOf(b))); }
uint32_t packUshort(float a, float b) { return pair(ushortOf(a), ushortOf(b)); }
uint32_t packHalfRtz(float a, float b) { return pair(toHalfRtz(a).bits, toHalfRtz(b).bits); }
/// Replaces byte \p index of \p old.
uint32_t packByte(float x, uint32_t index, uint32_t old) {
  unsigned shift = (index & 3) * 8;
  return (old & ~(0xFFu << shift)) | uint32_t(saturate(x, 0.0f, 255.0f)) << shift;
}

constexpr OpEntry entries[] = {
    {"v_cvt_f32_i32", runValu, decodeValu, &laneOp<floatOfInt>},
    {"v_cvt_f32_u32", runValu, decodeValu, &laneOp<floatOfUint>},
    {"v_cvt_i32_f32", runValu, decodeValu, &laneOp<toInt>},
    {"v_cvt_u32_f32", runValu, decodeValu, &laneOp<toUint>},
    {"v_cvt_nearest_i32_f32 v_cvt_rpi_i32_f32", runValu, decodeValu, &laneOp<nearestInt>},
    {"v_cvt_floor_i32_f32 v_cvt_flr_i32_f32", runValu, decodeValu, &laneOp<floorInt>},
    {"v_cvt_f32_ubyte0", runValu, decodeValu, &laneOp<floatOfByte<0>>},
    {"v_cvt_f32_ubyte1", runValu, decodeValu, &laneOp<floatOfByte<1>>},
    {"v_cvt_f32_ubyte2", runValu, decodeValu, &laneOp<floatOfByte<2>>},
    {"v_cvt_f32_ubyte3", runValu, decodeValu, &laneOp<floatOfByte<3>>},
    {"v_cvt_off_f32_i4", runValu, decodeValu, &laneOp<offsetOfNibble>},

    {"v_cvt_f16_f32", runValu, decodeValu, &laneOp<halfOfFloat>},
    {"v_cvt_f32_f16", runValu, decodeValu, &laneOp<floatOfHalf>},
    {"v_cvt_f16_i16", runValu, decodeValu, &laneOp<halfOfInt>},
    {"v_cvt_f16_u16", runValu, decodeValu, &laneOp<halfOfUint>},
    {"v_cvt_i16_f16", runValu, decodeValu, &laneOp<shortOfHalf>},
    {"v_cvt_u16_f16", runValu, decodeValu, &laneOp<ushortOfHalf>},
    {"v_cvt_norm_i16_f16", runValu, decodeValu, &laneOp<snormHalf>},
    {"v_cvt_norm_u16_f16", runValu, decodeValu, &laneOp<unormHalf>},

    {"v_cvt_f64_f32", runValu, decodeValu, &inMode<laneOp<doubleOfFloat>, FloatKind::F32>},
    {"v_cvt_f32_f64", runValu, decodeValu, &laneOp<floatOfDouble>},
    {"v_cvt_f64_i32", runValu, decodeValu, &laneOp<doubleOfInt>},
    {"v_cvt_f64_u32", runValu, decodeValu, &laneOp<doubleOfUint>},
    {"v_cvt_i32_f64", runValu, decodeValu, &laneOp<intOfDouble>},
    {"v_cvt_u32_f64", runValu, decodeValu, &laneOp<uintOfDouble>},

    {"v_cvt_pk_rtz_f16_f32 v_cvt_pkrtz_f16_f32", runValu, decodeValu, &laneOp<packHalfRtz>},
    {"v_cvt_pk_norm_i16_f32 v_cvt_pknorm_i16_f32", runValu, decodeValu, &laneOp<packSnorm>},
    {"v_cvt_pk_norm_u16_f32 v_cvt_pknorm_u16_f32", runValu, decodeValu, &laneOp<packUnorm>},
    {"v_cvt_pk_norm_i16_f16 v_cvt_pknorm_i16_f16", runValu, decodeValu, &laneOp<packSnormHalf>},
    {"v_cvt_pk_norm_u16_f16 v_cvt_pknorm_u16_f16", runValu, decodeValu, &laneOp<packUnormHalf>},
    {"v_cvt_pk_i16_f32", runValu, decodeValu, &laneOp<packShort>},
    {"v_cvt_pk_u16_f32", runValu, decodeValu, &laneOp<packUshort>},
    {"v_cvt_pk_u8_f32", runValu, decodeValu, &laneOp<packByte>},
};

} // namespace

llvm::ArrayRef<OpEntry> floatConvertOps() { return entries; }

} // namespace pal::device
