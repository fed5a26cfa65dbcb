//===- SamplePositions.cpp - where samples are, which of them alpha covers -===//
// SPDX-License-Identifier: MIT
/// \file
/// Source of positions: Vulkan specification, "Standard sample locations".
#include "pal_shim/device/graphics/OutputMerger.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>

namespace pal::device {

namespace {

/// x in the high digit, y in the low one; sixteenths of a pixel.
constexpr uint8_t positions1[] = {0x88};
constexpr uint8_t positions2[] = {0xCC, 0x44};
constexpr uint8_t positions4[] = {0x62, 0xE6, 0x2A, 0xAE};
constexpr uint8_t positions8[] = {0x95, 0x7B, 0xD9, 0x53, 0x3D, 0x17, 0xBF, 0xF1};
constexpr uint8_t positions16[] = {0x99, 0x75, 0x5A, 0xC7, 0x36, 0xAD, 0xDB, 0xB3,
                                   0x6E, 0x81, 0x42, 0x2C, 0x08, 0xF4, 0xEF, 0x10};

llvm::ArrayRef<uint8_t> positionsOf(uint32_t samples) {
  switch (samples) {
  case 2:
    return positions2;
  case 4:
    return positions4;
  case 8:
    return positions8;
  case 16:
    return positions16;
  default:
    return positions1;
  }
}

} // namespace

SamplePositions standardSamplePositions(uint32_t samples) {
  SamplePositions result = {};
  size_t sample = 0;
  for (uint8_t position : positionsOf(samples))
    result[sample++] = {float(position >> 4) / 16, float(position & 15) / 16};
  return result;
}

uint32_t OutputMerger::coverageOfAlpha(float alpha, uint32_t samples, const PixelPlace &) {
  if (samples <= 1)
    return alpha > 0.5f;
  uint32_t mask = 0;
  for (uint32_t sample = 0; sample < std::min(samples, maxSamples); ++sample)
    if (alpha > float(sample) / float(samples))
      mask |= 1u << sample;
  return mask;
}

} // namespace pal::device
