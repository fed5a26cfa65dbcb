//===- VectorTable.h - rows of vector operation tables ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shorthands for OpEntry rows and arithmetic that several tables of integer operations share.
/// Private to ops/.
#pragma once

#include "pal_shim/device/ops/LaneOps.h"
#include <algorithm>
#include <limits>

namespace pal::device {

/// An operation that is a function of one lane.
#define KILN_VALU(names, function)                                                                 \
  OpEntry { names, runValu, decodeValu, &laneOp<function> }
/// The same with OpFlags.
#define KILN_VALU_FLAGS(names, function, flags)                                                    \
  OpEntry { names, runValu, decodeValu, &laneOp<function>, flags }
/// \p saturating is what instructions with the clamp bit compute.
#define KILN_VALU_CLAMP(names, function, saturating)                                               \
  OpEntry { names, runValu, decodeValu, &laneOp<function>, 0, 0x1F, &laneOp<saturating> }

template <class T> constexpr T saturate(int64_t value) {
  return T(
      std::clamp<int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

template <class T> inline T median(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// One lane function for each half.
template <auto F> inline Packed eachHalf(Packed a, Packed b) {
  return {uint16_t(F(a.lo, b.lo)), uint16_t(F(a.hi, b.hi))};
}
template <auto F> inline Packed eachHalf3(Packed a, Packed b, Packed c) {
  return {uint16_t(F(a.lo, b.lo, c.lo)), uint16_t(F(a.hi, b.hi, c.hi))};
}

} // namespace pal::device
