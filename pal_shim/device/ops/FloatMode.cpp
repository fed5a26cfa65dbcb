//===- FloatMode.cpp - MODE becomes the host's MXCSR -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Lane functions compute with ordinary host arithmetic: rounding and denormal handling of SSE and
/// AVX follow MXCSR, whose fields are the same as MODE's under other numbers. F32 and F64/F16 have
/// separate fields in MODE, so that an operation says which one it needs.
#include "pal_shim/device/core/Wave.h"
#include <immintrin.h>

namespace pal::device {

namespace {
constexpr unsigned maskAllExceptions = 0x1F80;
constexpr unsigned denormalsAreZero = 1u << 6;
constexpr unsigned flushToZero = 1u << 15;
/// By MODE's numbers: even, +inf, -inf, zero (Intel SDM, "MXCSR": 0 even, 1 -inf, 2 +inf, 3 zero).
constexpr unsigned roundingControl[4] = {0u << 13, 2u << 13, 1u << 13, 3u << 13};
} // namespace

void Wave::setHostFloat(FloatKind kind) {
  bool isF32 = kind == FloatKind::F32;
  uint32_t rounding = isF32 ? modeBits & mode::roundF32 : (modeBits & mode::roundF64F16) >> 2;
  uint32_t denormals = modeBits >> (isF32 ? 4 : 6);
  unsigned csr = maskAllExceptions | roundingControl[rounding];
  if (!(denormals & 1))
    csr |= denormalsAreZero;
  if (!(denormals & 2))
    csr |= flushToZero;
  _mm_setcsr(csr);
  hostFloat = kind;
}

void Wave::useHostDefaultFloat() {
  _mm_setcsr(maskAllExceptions);
  hostFloat = FloatKind::None;
}

} // namespace pal::device
