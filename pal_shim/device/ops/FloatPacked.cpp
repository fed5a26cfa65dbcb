//===- FloatPacked.cpp - packed 16-bit floats, dot products, fma_mix -------===//
// SPDX-License-Identifier: MIT
/// \file
/// v_pk_*_f16 apply a 16-bit operation to both halves. v_fma_mix_* take each source either as a
/// 32-bit or as a 16-bit float, which runValu sorts out. Dot products of halves
/// are sums of fused steps in the order addend, low, high halves; hardware's rounding between the
/// steps is not documented, and LLVM emits them for its own intrinsics only.
///
/// Not here: v_dot2_f16_f16, dot products of bf16 and fp8 (for intrinsics only).
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/FloatMath.h"

namespace pal::device {

namespace {

template <Half (*F)(Half, Half)> Packed packed2(Packed a, Packed b) {
  return {F(Half{a.lo}, Half{b.lo}).bits, F(Half{a.hi}, Half{b.hi}).bits};
}
template <Half (*F)(FloatEnv, Half, Half)> Packed packedEnv2(FloatEnv env, Packed a, Packed b) {
  return {F(env, Half{a.lo}, Half{b.lo}).bits, F(env, Half{a.hi}, Half{b.hi}).bits};
}
Packed packedFma(FloatEnv env, Packed a, Packed b, Packed c) {
  return {fmaHalf(env, Half{a.lo}, Half{b.lo}, Half{c.lo}).bits,
          fmaHalf(env, Half{a.hi}, Half{b.hi}, Half{c.hi}).bits};
}

float dot2(Packed a, Packed b, float c) {
  float low = __builtin_fmaf(toFloat(Half{a.lo}), toFloat(Half{b.lo}), c);
  return __builtin_fmaf(toFloat(Half{a.hi}), toFloat(Half{b.hi}), low);
}

float fmaMix(Mix a, Mix b, Mix c) { return __builtin_fmaf(a.value, b.value, c.value); }
/// The sum is rounded to 32 bits first.
Half fmaMixHalf(Mix a, Mix b, Mix c) { return toHalf(fmaMix(a, b, c)); }

constexpr OpEntry entries[] = {
    {"v_pk_add_f16", runValu, decodeValu, &laneOp<packed2<addHalf>>, PackedFloatOp},
    {"v_pk_mul_f16", runValu, decodeValu, &laneOp<packed2<mulHalf>>, PackedFloatOp},
    {"v_pk_fma_f16", runValu, decodeValu, &envOp<packedFma>, PackedFloatOp},
    {"v_pk_fmac_f16", runValu, decodeValu, &envOp<packedFma>, PackedFloatOp},
    {"v_pk_min_f16 v_pk_min_num_f16", runValu, decodeValu,
     &envOp<packedEnv2<minMaxNum<Half, false>>>, PackedFloatOp},
    {"v_pk_max_f16 v_pk_max_num_f16", runValu, decodeValu,
     &envOp<packedEnv2<minMaxNum<Half, true>>>, PackedFloatOp},
    {"v_pk_minimum_f16", runValu, decodeValu, &laneOp<packed2<minMaxNan<Half, false>>>,
     PackedFloatOp},
    {"v_pk_maximum_f16", runValu, decodeValu, &laneOp<packed2<minMaxNan<Half, true>>>,
     PackedFloatOp},

    {"v_dot2_f32_f16", runValu, decodeValu, &laneOp<dot2>, PackedFloatOp},
    {"v_dot2acc_f32_f16 v_dot2c_f32_f16", runValu, decodeValu, &laneOp<dot2>, PackedFloatOp},

    {"v_fma_mix_f32", runValu, decodeValu, &laneOp<fmaMix>},
    {"v_fma_mixlo_f16", runValu, decodeValu, &inMode<laneOp<fmaMixHalf>, FloatKind::F32>},
    {"v_fma_mixhi_f16", runValu, decodeValu, &inMode<laneOp<fmaMixHalf>, FloatKind::F32>,
     HighResultOp},
};

} // namespace

llvm::ArrayRef<OpEntry> floatPackedOps() { return entries; }

} // namespace pal::device
