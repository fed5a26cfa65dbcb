//===- HostFloat.h - conversions round to nearest, whatever MODE is --------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <immintrin.h>

namespace pal::device {

/// While it lives, the host rounds to nearest even and keeps denormals: texel conversion and
/// filtering do not follow MODE.
class HostFloatGuard {
public:
  HostFloatGuard() : before(_mm_getcsr()) { _mm_setcsr(_MM_MASK_MASK); }
  ~HostFloatGuard() { _mm_setcsr(before); }
  HostFloatGuard(const HostFloatGuard &) = delete;
  HostFloatGuard &operator=(const HostFloatGuard &) = delete;

private:
  unsigned before;
};

} // namespace pal::device
