//===- DotSupport.h - which gfx10 GPUs have dot products ------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/abi/TargetInfo.h"

namespace lgc {

/// Of gfx10: does it have v_dot2_* and v_dot4_*? (LLVM's subtarget features dot1 to dot7)
inline bool hasGfx10Dots(const pal::abi::GpuTarget &target) {
  return target.minor >= 3 || target.stepping == 1 || target.stepping == 2;
}

} // namespace lgc
