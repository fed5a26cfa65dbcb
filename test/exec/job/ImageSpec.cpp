//===- ImageSpec.cpp - sizes of an image's contents -----------------------===//
// SPDX-License-Identifier: MIT
#include "Job.h"
#include <algorithm>

namespace exec {

uint64_t ImageSpec::mipBytes(uint32_t mip) const {
  uint64_t width = (std::max(extent.width >> mip, 1u) + blockWidth - 1) / blockWidth;
  uint64_t height = (std::max(extent.height >> mip, 1u) + blockHeight - 1) / blockHeight;
  uint64_t depth = std::max(extent.depth >> mip, 1u);
  return width * height * depth * blockBytes * layers;
}

uint64_t ImageSpec::totalBytes() const {
  uint64_t bytes = 0;
  for (uint32_t mip = 0; mip < mips; ++mip)
    bytes += mipBytes(mip);
  return bytes;
}

} // namespace exec
