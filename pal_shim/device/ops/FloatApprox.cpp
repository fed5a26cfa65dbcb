//===- FloatApprox.cpp - reciprocals, roots, exponentials, sines, cube maps -===//
// SPDX-License-Identifier: MIT
/// \file
/// Operations whose last bit the hardware does not promise; see FloatMath.h. LLVM's expansions of
/// division and square root have to be right with any results within the promised error, which
/// DeviceOptions::perturbApproximate checks.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/FloatMath.h"

namespace pal::device {

namespace {

Half rcpHalf(FloatEnv env, Half x) { return viaDouble<rcpWide>(env, x); }
Half sqrtHalf(FloatEnv env, Half x) { return viaDouble<sqrtWide>(env, x); }
Half rsqHalf(FloatEnv env, Half x) { return viaDouble<rsqWide>(env, x); }
Half expHalf(FloatEnv env, Half x) { return viaDouble<expWide>(env, x); }
Half logHalf(FloatEnv env, Half x) { return viaDouble<logWide>(env, x); }
Half sinHalf(FloatEnv env, Half x) { return viaDouble<sinTurns>(env, x); }
Half cosHalf(FloatEnv env, Half x) { return viaDouble<cosTurns>(env, x); }

// Faces of a cube map; ties prefer z, then y (RDNA ISA manuals, V_CUBEID_F32).
bool isMajorZ(float x, float y, float z) {
  return std::fabs(z) >= std::fabs(x) && std::fabs(z) >= std::fabs(y);
}
bool isMajorY(float x, float y) { return std::fabs(y) >= std::fabs(x); }
float cubeId(float x, float y, float z) {
  if (isMajorZ(x, y, z))
    return z < 0 ? 5.0f : 4.0f;
  if (isMajorY(x, y))
    return y < 0 ? 3.0f : 2.0f;
  return x < 0 ? 1.0f : 0.0f;
}
float cubeS(float x, float y, float z) {
  if (isMajorZ(x, y, z))
    return z < 0 ? -x : x;
  if (isMajorY(x, y))
    return x;
  return x < 0 ? z : -z;
}
float cubeT(float x, float y, float z) {
  if (!isMajorZ(x, y, z) && isMajorY(x, y))
    return y < 0 ? -z : z;
  return -y;
}
float cubeMajor(float x, float y, float z) {
  return 2.0f * (isMajorZ(x, y, z) ? z : isMajorY(x, y) ? y : x);
}

/// 2/pi to 1201 bits behind the binary point and more, most significant first.
constexpr uint64_t twoOverPi[] = {
    0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561,
    0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484,
    0xE99C7026B45F7E41, 0x3991D639835339F4, 0x9C845F8BBDF9283B, 0x1FF897FFDE05980F,
    0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D, 0x7527BAC7EBE5F17B,
    0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B0000, 0,
};
/// The 53 bits of 2/pi from bit \p first behind the point on, as an integer.
uint64_t twoOverPiBits(unsigned first) {
  unsigned word = first / 64, shift = first % 64;
  if (word + 1 >= std::size(twoOverPi))
    return 0;
  uint64_t upper = twoOverPi[word] << shift;
  uint64_t lower = shift ? twoOverPi[word + 1] >> (64 - shift) : 0;
  return (upper | lower) >> 11;
}
/// Part \p segment of 2/pi for the argument reduction of \p x: 53 bits each, later ones for large x
/// (RDNA ISA manuals, V_TRIG_PREOP_F64).
double trigPreop(double x, uint32_t segment) {
  int exponent = int(exponentOf(bitsOf(x)));
  int shift = int(segment & 31) * 53 + (exponent > 1077 ? exponent - 1077 : 0);
  int scale = -53 - shift + (exponent >= 1968 ? 128 : 0);
  double bits = double(int64_t(twoOverPiBits(unsigned(shift))));
  if (bits == 0)
    return 0;
  // In two steps: 2^scale alone may be below the smallest normal number.
  double half = std::bit_cast<double>(uint64_t(scale / 2 + 1023) << 52);
  return bits * half * std::bit_cast<double>(uint64_t(scale - scale / 2 + 1023) << 52);
}

constexpr OpEntry entries[] = {
    {"v_rcp_f32", runValu, decodeValu, &laneOp<rcpFloat>, ApproximateOp},
    {"v_rcp_iflag_f32", runValu, decodeValu, &laneOp<rcpFloat>, ApproximateOp},
    {"v_rsq_f32", runValu, decodeValu, &laneOp<rsqFloat>, ApproximateOp},
    {"v_sqrt_f32", runValu, decodeValu, &laneOp<sqrtFloat>, ApproximateOp},
    {"v_exp_f32", runValu, decodeValu, &laneOp<expFloat>, ApproximateOp},
    {"v_log_f32", runValu, decodeValu, &laneOp<logFloat>, ApproximateOp},
    {"v_sin_f32", runValu, decodeValu, &laneOp<sinFloat>, ApproximateOp},
    {"v_cos_f32", runValu, decodeValu, &laneOp<cosFloat>, ApproximateOp},

    {"v_rcp_f16", runValu, decodeValu, &envOp<rcpHalf>, ApproximateOp},
    {"v_rsq_f16", runValu, decodeValu, &envOp<rsqHalf>, ApproximateOp},
    {"v_sqrt_f16", runValu, decodeValu, &envOp<sqrtHalf>, ApproximateOp},
    {"v_exp_f16", runValu, decodeValu, &envOp<expHalf>, ApproximateOp},
    {"v_log_f16", runValu, decodeValu, &envOp<logHalf>, ApproximateOp},
    {"v_sin_f16", runValu, decodeValu, &envOp<sinHalf>, ApproximateOp},
    {"v_cos_f16", runValu, decodeValu, &envOp<cosHalf>, ApproximateOp},

    {"v_rcp_f64", runValu, decodeValu, &laneOp<rcpWide>, ApproximateOp},
    {"v_rsq_f64", runValu, decodeValu, &laneOp<rsqWide>, ApproximateOp},
    {"v_sqrt_f64", runValu, decodeValu, &laneOp<sqrtWide>, ApproximateOp},
    {"v_trig_preop_f64", runValu, decodeValu, &laneOp<trigPreop>},

    {"v_cubeid_f32", runValu, decodeValu, &laneOp<cubeId>},
    {"v_cubesc_f32", runValu, decodeValu, &laneOp<cubeS>},
    {"v_cubetc_f32", runValu, decodeValu, &laneOp<cubeT>},
    {"v_cubema_f32", runValu, decodeValu, &laneOp<cubeMajor>},
};

} // namespace

llvm::ArrayRef<OpEntry> floatApproxOps() { return entries; }

} // namespace pal::device
