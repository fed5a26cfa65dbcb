//===- FloatMinMax.cpp - minimum, maximum, median --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// min/max (gfx12: min_num/max_num): a number beats a NaN, -0 is below +0; MODE.ieee, which gfx12
/// no longer has, makes signalling NaNs win. minimum/maximum (gfx12): any NaN wins. med3 with any
/// NaN is min3.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/FloatMath.h"

namespace pal::device {

namespace {

template <class T, bool max1, bool max2> T pairNum(FloatEnv env, T a, T b, T c) {
  return minMaxNum<T, max2>(env, minMaxNum<T, max1>(env, a, b), c);
}
template <class T, bool max1, bool max2> T pairNan(T a, T b, T c) {
  return minMaxNan<T, max2>(minMaxNan<T, max1>(a, b), c);
}

template <class T> T median(FloatEnv env, T a, T b, T c) {
  bool anyNan = isNanBits(bitsOf(a)) || isNanBits(bitsOf(b)) || isNanBits(bitsOf(c));
  T least = pairNum<T, false, false>(env, a, b, c);
  T low = minMaxNum<T, false>(env, a, b), high = minMaxNum<T, true>(env, a, b);
  T middle = minMaxNum<T, true>(env, low, minMaxNum<T, false>(env, high, c));
  return anyNan ? least : middle;
}

constexpr bool min = false, max = true;

constexpr OpEntry entries[] = {
    {"v_min_f32 v_min_num_f32", runValu, decodeValu, &envOp<minMaxNum<float, min>>},
    {"v_max_f32 v_max_num_f32", runValu, decodeValu, &envOp<minMaxNum<float, max>>},
    {"v_min3_f32 v_min3_num_f32", runValu, decodeValu, &envOp<pairNum<float, min, min>>},
    {"v_max3_f32 v_max3_num_f32", runValu, decodeValu, &envOp<pairNum<float, max, max>>},
    {"v_minmax_f32 v_minmax_num_f32", runValu, decodeValu, &envOp<pairNum<float, min, max>>},
    {"v_maxmin_f32 v_maxmin_num_f32", runValu, decodeValu, &envOp<pairNum<float, max, min>>},
    {"v_med3_f32 v_med3_num_f32", runValu, decodeValu, &envOp<median<float>>},
    {"v_minimum_f32", runValu, decodeValu, &laneOp<minMaxNan<float, min>>},
    {"v_maximum_f32", runValu, decodeValu, &laneOp<minMaxNan<float, max>>},
    {"v_minimum3_f32", runValu, decodeValu, &laneOp<pairNan<float, min, min>>},
    {"v_maximum3_f32", runValu, decodeValu, &laneOp<pairNan<float, max, max>>},
    {"v_minimummaximum_f32", runValu, decodeValu, &laneOp<pairNan<float, min, max>>},
    {"v_maximumminimum_f32", runValu, decodeValu, &laneOp<pairNan<float, max, min>>},

    {"v_min_f16 v_min_num_f16", runValu, decodeValu, &envOp<minMaxNum<Half, min>>},
    {"v_max_f16 v_max_num_f16", runValu, decodeValu, &envOp<minMaxNum<Half, max>>},
    {"v_min3_f16 v_min3_num_f16", runValu, decodeValu, &envOp<pairNum<Half, min, min>>},
    {"v_max3_f16 v_max3_num_f16", runValu, decodeValu, &envOp<pairNum<Half, max, max>>},
    {"v_minmax_f16 v_minmax_num_f16", runValu, decodeValu, &envOp<pairNum<Half, min, max>>},
    {"v_maxmin_f16 v_maxmin_num_f16", runValu, decodeValu, &envOp<pairNum<Half, max, min>>},
    {"v_med3_f16 v_med3_num_f16", runValu, decodeValu, &envOp<median<Half>>},
    {"v_minimum_f16", runValu, decodeValu, &laneOp<minMaxNan<Half, min>>},
    {"v_maximum_f16", runValu, decodeValu, &laneOp<minMaxNan<Half, max>>},
    {"v_minimum3_f16", runValu, decodeValu, &laneOp<pairNan<Half, min, min>>},
    {"v_maximum3_f16", runValu, decodeValu, &laneOp<pairNan<Half, max, max>>},
    {"v_minimummaximum_f16", runValu, decodeValu, &laneOp<pairNan<Half, min, max>>},
    {"v_maximumminimum_f16", runValu, decodeValu, &laneOp<pairNan<Half, max, min>>},

    {"v_min_f64 v_min_num_f64", runValu, decodeValu, &envOp<minMaxNum<double, min>>},
    {"v_max_f64 v_max_num_f64", runValu, decodeValu, &envOp<minMaxNum<double, max>>},
    {"v_minimum_f64", runValu, decodeValu, &laneOp<minMaxNan<double, min>>},
    {"v_maximum_f64", runValu, decodeValu, &laneOp<minMaxNan<double, max>>},
};

} // namespace

llvm::ArrayRef<OpEntry> floatMinMaxOps() { return entries; }

} // namespace pal::device
