//===- FloatEnv.h - lane functions that depend on the float mode -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// What host arithmetic does not do by itself: 16-bit floats, computed in 32 or 64 bits, and work
/// on bit patterns.
///
/// Host arithmetic rounds by MXCSR. A lane function that must know how takes a FloatEnv before its
/// operands and is registered with envOp<F> in place of laneOp<F>. The rounding is read back from
/// MXCSR once for a row, so that the row function still needs nothing but its rows.
#pragma once

#include "pal_shim/device/ops/LaneOps.h"
#include <cmath>
#include <immintrin.h>
#include <limits>

namespace pal::device {

/// Rounding in MODE's numbers.
enum class Rounding : uint8_t { Even, Up, Down, Zero };

struct FloatEnv {
  Rounding rounding = Rounding::Even;
  bool ieee = false; ///< MODE.ieee

  /// Of the calling thread, as Wave::useFloatMode left it.
  static FloatEnv current(bool ieee) {
    constexpr Rounding byHost[4] = {Rounding::Even, Rounding::Down, Rounding::Up, Rounding::Zero};
    return {byHost[_mm_getcsr() >> 13 & 3], ieee};
  }
};

namespace detail {
template <auto F, class R, class... A> constexpr LaneOp makeEnvOp(R (*)(FloatEnv, A...)) {
  LaneOp op = describeOp<R, A...>();
  op.run = [](const RowArgs &args) -> uint64_t {
    const FloatEnv env = FloatEnv::current(args.ieee);
    return runRows<R, A...>([env](A... a) { return F(env, a...); }, args,
                            std::index_sequence_for<A...>());
  };
  return op;
}
constexpr LaneOp withMode(LaneOp op, FloatKind mode) {
  op.mode = mode;
  return op;
}
} // namespace detail

template <auto F> inline constexpr LaneOp envOp = detail::makeEnvOp<F>(F);
/// An operation governed by another part of MODE than its types say.
template <const LaneOp &op, FloatKind mode>
inline constexpr LaneOp inMode = detail::withMode(op, mode);

//===-- Bit patterns ------------------------------------------------------===//

template <class B> struct FloatLayout;
template <> struct FloatLayout<uint16_t> {
  static constexpr unsigned mantissaBits = 10, bias = 15;
};
template <> struct FloatLayout<uint32_t> {
  static constexpr unsigned mantissaBits = 23, bias = 127;
};
template <> struct FloatLayout<uint64_t> {
  static constexpr unsigned mantissaBits = 52, bias = 1023;
};
template <class B> inline constexpr B signBit = B(B(1) << (sizeof(B) * 8 - 1));
template <class B> inline constexpr B mantissaMask = B((B(1) << FloatLayout<B>::mantissaBits) - 1);
template <class B> inline constexpr B exponentMask = B(B(~signBit<B>) & B(~mantissaMask<B>));
template <class B> inline constexpr B quietBit = B(B(1) << (FloatLayout<B>::mantissaBits - 1));
/// What invalid operations give, here and on x86.
template <class B> inline constexpr B defaultNan = B(signBit<B> | exponentMask<B> | quietBit<B>);

inline uint32_t bitsOf(float x) { return std::bit_cast<uint32_t>(x); }
inline uint64_t bitsOf(double x) { return std::bit_cast<uint64_t>(x); }
inline uint16_t bitsOf(Half x) { return x.bits; }
template <class T> T fromBits(decltype(bitsOf(T{})) bits) {
  if constexpr (std::is_same_v<T, Half>)
    return {bits};
  else
    return std::bit_cast<T>(bits);
}

template <class B> bool isNanBits(B bits) { return B(bits & ~signBit<B>) > exponentMask<B>; }
template <class B> bool isSignalingBits(B bits) { return isNanBits(bits) && !(bits & quietBit<B>); }
template <class B> bool isInfBits(B bits) { return B(bits & ~signBit<B>) == exponentMask<B>; }
template <class B> bool isZeroBits(B bits) { return B(bits & ~signBit<B>) == 0; }
template <class B> unsigned exponentOf(B bits) {
  return unsigned(B(bits & exponentMask<B>) >> FloatLayout<B>::mantissaBits);
}
/// Denormals become zeros of their sign.
template <class B> B flushBits(B bits) {
  return B(bits & exponentMask<B>) ? bits : B(bits & signBit<B>);
}
template <class B> B quietBits(B bits) { return isNanBits(bits) ? B(bits | quietBit<B>) : bits; }
inline float flush(float x) { return std::bit_cast<float>(flushBits(bitsOf(x))); }

//===-- 16-bit floats -----------------------------------------------------===//

/// Exact.
inline float toFloat(Half x) { return float(std::bit_cast<_Float16>(x.bits)); }
/// In the current rounding mode.
inline Half toHalf(float x) { return {std::bit_cast<uint16_t>(_Float16(x))}; }

/// x + rest, |rest| less than an ulp of x, as a float from which rounding to 16 bits is as from the
/// exact sum: to nearest, an inexact value gets an odd last bit ("round to odd", Boldo and
/// Melquiond 2008). In the directed modes rounding twice does no harm.
inline float roundToOdd(FloatEnv env, float x, double rest) {
  uint32_t bits = bitsOf(x);
  bool nudge = env.rounding == Rounding::Even && (rest > 0 || rest < 0) && !(bits & 1) &&
               (bits & exponentMask<uint32_t>) != exponentMask<uint32_t>;
  uint32_t step = (rest > 0) == !(bits >> 31) ? 1 : ~0u;
  return std::bit_cast<float>(nudge ? bits + step : bits);
}
inline Half toHalf(FloatEnv env, double x) {
  float narrow = float(x);
  return toHalf(roundToOdd(env, narrow, x - double(narrow)));
}

} // namespace pal::device
