//===- DepthStencil.h - comparisons and stencil operations -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The arithmetic of depth and stencil tests on single values. Private to the output merger.
/// Rules: Vulkan specification, "Stencil Test" and VkCompareOp.
#pragma once

#include "pal_shim/device/Draw.h"

namespace pal::device {

/// Whether \p value passes against \p stored. NaN: only NotEqual and Always pass.
template <typename T> bool compare(CompareOp op, T value, T stored) {
  // The numbers of VkCompareOp are sets of outcomes.
  constexpr unsigned less = 1, equal = 2, greater = 4;
  const auto outcomes = static_cast<unsigned>(op);
  if (value < stored)
    return outcomes & less;
  if (value > stored)
    return outcomes & greater;
  if (value == stored)
    return outcomes & equal;
  return (outcomes & (less | greater)) == (less | greater);
}

/// What \p op makes of a stencil value, before the write mask. \p op: of the enumeration.
uint8_t stencilResult(StencilOp op, uint8_t stored, uint8_t reference);

} // namespace pal::device
