//===- LinearLayout.cpp - sizes and offsets of linear images --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// See LinearLayout.h for the rules.
#include "pal_shim/srd/LinearLayout.h"
#include <algorithm>

namespace pal::srd {

LinearLayout::LinearLayout(const LinearImage &image)
    : sliceCount(std::max(image.slices, 1u)), sampleCount(std::max(image.samples, 1u)) {
  const formats::FormatInfo &format = formats::formatInfo(image.format);
  elementBytes = format.texelBytes;
  const unsigned levels = std::clamp(image.levels, 1u, maxLevels);
  for (unsigned i = levels; i-- > 0;) {
    LinearLevel &level = levelTable[i];
    level.width = std::max(image.width >> i, 1u);
    level.height = std::max(image.height >> i, 1u);
    level.rowLength = (level.width + format.blockWidth - 1) / format.blockWidth;
    level.rows = (level.height + format.blockHeight - 1) / format.blockHeight;
    const uint32_t bytes = level.rowLength * elementBytes;
    level.rowPitch = (bytes + linearAlignment - 1) / linearAlignment * linearAlignment;
    if (levels == 1 && image.rowPitch)
      level.rowPitch = image.rowPitch;
    level.offset = sliceStride;
    sliceStride += uint64_t(level.rowPitch) * level.rows;
  }
}

} // namespace pal::srd
