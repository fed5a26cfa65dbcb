//===- Blend.h - blend equations and logic operations ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The arithmetic of blending on single colours. Private to the output merger.
/// Rules: Vulkan specification, "Blending" and "Logical Operations".
#pragma once

#include "pal_shim/device/Draw.h"
#include <limits>

namespace pal::device {

using Rgba = std::array<float, 4>;

/// What the numbers of a target can be. Sources, destination and constants are clamped to it; fixed
/// point has no NaN, there it becomes 0. Factors are not: with signed numbers, 1 - x goes to 2. The
/// specification would clamp them; the conformance suite and lavapipe do not.
struct BlendRange {
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
  bool isLimited() const { return high == 1; }
};
inline constexpr BlendRange unormRange = {0, 1}, snormRange = {-1, 1}, floatRange = {};

struct BlendInputs {
  Rgba source = {}, second = {}; ///< fragment outputs of index 0 and 1
  Rgba destination = {};         ///< alpha 1 where the format has none; sRGB decoded
  Rgba constants = {};
};

/// The colour to be written. A factor of Zero makes its product 0 also for infinity and NaN (the
/// other side is not even read); Min and Max ignore factors, and NaN loses to a number. \p state:
/// enumerations in range.
Rgba blend(const ColorTargetState &state, BlendInputs inputs, BlendRange range);

/// Bitwise; the bits of a texel are combined with those of the encoded source.
uint32_t combineBits(LogicOp op, uint32_t source, uint32_t destination);

/// Whether blending by \p state needs the second source.
bool usesSecondSource(const ColorTargetState &state);

} // namespace pal::device
