//===- TexelRows.h - rows of texels: filling and resolving ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What clears and resolves do to a row of memory, for transfers (CopyEngine.h) and attachments
/// (render/Surfaces.h) alike.
#pragma once

#include "pal_shim/formats/Formats.h"
#include <vulkan/vulkan_core.h>

namespace icd {

/// Fills a row with copies of one element.
void fillRow(uint8_t *row, const uint8_t *element, unsigned elementBytes, uint32_t count);

/// The samples of a row of texels: texels follow one another, samples are `stride` bytes apart.
struct SampleRow {
  const uint8_t *first; ///< sample 0
  uint64_t stride;
  uint32_t samples;
};

/// How one texel is made of samples (Vulkan "VkResolveModeFlagBits"). AVERAGE of integers is
/// SAMPLE_ZERO.
struct ResolveRule {
  VkResolveModeFlagBits mode = VK_RESOLVE_MODE_AVERAGE_BIT;
  bool encoded = false; ///< averages sRGB colours as they are stored, without decoding them
};

/// Makes one texel of the samples of each. The format is not block-compressed.
void resolveRow(pal::formats::Format format, const ResolveRule &rule, const SampleRow &source,
                uint32_t count, uint8_t *destination);

} // namespace icd
