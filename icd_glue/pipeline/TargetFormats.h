//===- TargetFormats.h - what a graphics pipeline draws to ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/SmallVector.h"
#include <vulkan/vulkan_core.h>

namespace icd {

/// What a graphics pipeline has to know of a subpass, or of VkPipelineRenderingCreateInfo, when it
/// is compiled. Sample counts come from the pipeline itself.
struct TargetFormats {
  llvm::SmallVector<VkFormat, 8> colors; ///< by location; VK_FORMAT_UNDEFINED: no attachment
  VkFormat depth = VK_FORMAT_UNDEFINED;
  VkFormat stencil = VK_FORMAT_UNDEFINED;
  uint32_t viewMask = 0; ///< 0: no multiview

  bool operator==(const TargetFormats &) const = default;
};

/// Of a subpass of a render pass; nothing attached when there is no such subpass. Defined where
/// render passes are.
TargetFormats targetFormatsOf(VkRenderPass renderPass, uint32_t subpass);

} // namespace icd
