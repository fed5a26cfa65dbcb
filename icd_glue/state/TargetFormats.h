//===- TargetFormats.h - what a pipeline draws to -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a graphics pipeline must know of the subpass, or of the dynamic rendering, that it will be
/// used in. What it really writes to is found when a draw runs (command/Rendering.h).
#pragma once

#include "icd_glue/state/Subsets.h"
#include "pal_shim/device/Draw.h"
#include <vulkan/vulkan_core.h>

namespace icd {

struct TargetFormats {
  /// By location; UNDEFINED: no attachment there, writes are lost.
  std::array<VkFormat, pal::device::maxColorTargets> colors = {};
  uint32_t colorCount = 0;
  VkFormat depth = VK_FORMAT_UNDEFINED;   ///< of the whole attachment: D32_SFLOAT_S8_UINT
  VkFormat stencil = VK_FORMAT_UNDEFINED; ///< likewise
  uint32_t viewMask = 0;                  ///< 0: no multiview

  bool hasDepth() const { return depth != VK_FORMAT_UNDEFINED; }
  bool hasStencil() const { return stencil != VK_FORMAT_UNDEFINED; }
};

/// Of a dynamic rendering.
TargetFormats targetFormatsOf(const VkRenderingInfo &info);
/// Of the dynamic rendering that a secondary command buffer continues, if \p info says it.
TargetFormats inheritedFormatsOf(const VkCommandBufferInheritanceInfo *info);

/// From the render pass and subpass of \p info, or from the VkPipelineRenderingCreateInfo in its
/// chain; with neither, nothing is attached. Formats of a dynamic rendering are looked at only for
/// the fragment output subset, nothing for the vertex input alone.
TargetFormats targetFormatsOf(const VkGraphicsPipelineCreateInfo &info,
                              Subsets subsets = allSubsets);

} // namespace icd
