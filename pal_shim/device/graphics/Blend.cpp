//===- Blend.cpp - blend equations and logic operations --------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/Blend.h"
#include <algorithm>
#include <cmath>

namespace pal::device {

namespace {

/// Factor of channel \p c (3: alpha).
using FactorFunction = float (*)(const BlendInputs &in, unsigned c);

/// In the order of BlendFactor.
constexpr FactorFunction factorFunctions[] = {
    [](const BlendInputs &, unsigned) { return 0.0f; },
    [](const BlendInputs &, unsigned) { return 1.0f; },
    [](const BlendInputs &in, unsigned c) { return in.source[c]; },
    [](const BlendInputs &in, unsigned c) { return 1 - in.source[c]; },
    [](const BlendInputs &in, unsigned c) { return in.destination[c]; },
    [](const BlendInputs &in, unsigned c) { return 1 - in.destination[c]; },
    [](const BlendInputs &in, unsigned) { return in.source[3]; },
    [](const BlendInputs &in, unsigned) { return 1 - in.source[3]; },
    [](const BlendInputs &in, unsigned) { return in.destination[3]; },
    [](const BlendInputs &in, unsigned) { return 1 - in.destination[3]; },
    [](const BlendInputs &in, unsigned c) { return in.constants[c]; },
    [](const BlendInputs &in, unsigned c) { return 1 - in.constants[c]; },
    [](const BlendInputs &in, unsigned) { return in.constants[3]; },
    [](const BlendInputs &in, unsigned) { return 1 - in.constants[3]; },
    [](const BlendInputs &in, unsigned c) {
      return c == 3 ? 1 : std::fmin(in.source[3], 1 - in.destination[3]);
    },
    [](const BlendInputs &in, unsigned c) { return in.second[c]; },
    [](const BlendInputs &in, unsigned c) { return 1 - in.second[c]; },
    [](const BlendInputs &in, unsigned) { return in.second[3]; },
    [](const BlendInputs &in, unsigned) { return 1 - in.second[3]; },
};

float clampTo(BlendRange range, float value) {
  if (!range.isLimited())
    return value;
  return std::isnan(value) ? 0 : std::clamp(value, range.low, range.high);
}

Rgba clampTo(BlendRange range, Rgba color) {
  for (float &value : color)
    value = clampTo(range, value);
  return color;
}

float product(float value, BlendFactor factor, const BlendInputs &in, unsigned c) {
  if (factor == BlendFactor::Zero)
    return 0;
  return value * factorFunctions[static_cast<unsigned>(factor)](in, c);
}

float blendChannel(BlendOp op, BlendFactor sourceFactor, BlendFactor destinationFactor,
                   const BlendInputs &in, unsigned c) {
  if (op == BlendOp::Min)
    return std::fmin(in.source[c], in.destination[c]);
  if (op == BlendOp::Max)
    return std::fmax(in.source[c], in.destination[c]);
  const float source = product(in.source[c], sourceFactor, in, c);
  const float destination = product(in.destination[c], destinationFactor, in, c);
  if (op == BlendOp::Subtract)
    return source - destination;
  return op == BlendOp::ReverseSubtract ? destination - source : source + destination;
}

} // namespace

Rgba blend(const ColorTargetState &state, BlendInputs inputs, BlendRange range) {
  inputs.source = clampTo(range, inputs.source);
  inputs.second = clampTo(range, inputs.second);
  inputs.destination = clampTo(range, inputs.destination);
  inputs.constants = clampTo(range, inputs.constants);
  Rgba result;
  for (unsigned c = 0; c < 3; ++c)
    result[c] = blendChannel(state.colorOp, state.srcColor, state.dstColor, inputs, c);
  result[3] = blendChannel(state.alphaOp, state.srcAlpha, state.dstAlpha, inputs, 3);
  return result;
}

uint32_t combineBits(LogicOp op, uint32_t source, uint32_t destination) {
  // The numbers of VkLogicOp are truth tables: bit 0 is the result of source 1 and destination 1,
  // bit 1 of 1 and 0, bit 2 of 0 and 1, bit 3 of 0 and 0.
  const auto table = static_cast<unsigned>(op);
  uint32_t result = 0;
  if (table & 1)
    result |= source & destination;
  if (table & 2)
    result |= source & ~destination;
  if (table & 4)
    result |= ~source & destination;
  if (table & 8)
    result |= ~source & ~destination;
  return result;
}

bool usesSecondSource(const ColorTargetState &state) {
  auto isSecond = [](BlendFactor factor) { return factor >= BlendFactor::Src1Color; };
  auto hasFactors = [](BlendOp op) { return op != BlendOp::Min && op != BlendOp::Max; };
  return (hasFactors(state.colorOp) && (isSecond(state.srcColor) || isSecond(state.dstColor))) ||
         (hasFactors(state.alphaOp) && (isSecond(state.srcAlpha) || isSecond(state.dstAlpha)));
}

} // namespace pal::device
