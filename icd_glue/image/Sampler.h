//===- Sampler.h - VkSampler and VkSamplerYcbcrConversion -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/image/ImageFormat.h"
#include "lgc/Ycbcr.h"
#include <array>
#include <optional>

namespace icd {

class SamplerYcbcrConversion : public Object {
public:
  using Handle = VkSamplerYcbcrConversion;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION;
  explicit SamplerYcbcrConversion(const VkSamplerYcbcrConversionCreateInfo &info);

  const VkFormat format;
  const lgc::YcbcrInfo info; ///< what the compiler expects (lgc/Ycbcr.h)
  const bool forceExplicit;  ///< forceExplicitReconstruction
};

class Sampler : public Object {
public:
  using Handle = VkSampler;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_SAMPLER;
  /// \p borderColorIndex: entry of the table of border colours, of samplers that have one.
  Sampler(const pal::abi::GpuTarget &target, const VkSamplerCreateInfo &info,
          std::optional<uint32_t> borderColorIndex);

  const std::optional<uint32_t> borderColorIndex;

  /// The S#.
  std::array<uint32_t, 4> words = {};
  /// A sampler that converts is part of the code: `conversion` follows the words in the static
  /// descriptor, and each image descriptor of the binding has `planes` images.
  bool isYcbcr = false;
  std::array<uint32_t, lgc::ycbcrWords> conversion = {};
  uint32_t planes = 1;
};

} // namespace icd
