//===- TargetFormats.h - what a pipeline draws to -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a graphics pipeline must know of the subpass, or of the dynamic rendering, that it will be
/// used in. What it really writes to is found when a draw runs (command/Rendering.h).
#pragma once

#include "icd_glue/state/Subsets.h"
#include "pal_shim/device/Draw.h"
#include <numeric>
#include <vulkan/vulkan_core.h>

namespace icd {

/// Which location's value goes to which colour attachment (VkRenderingAttachmentLocationInfo): the
/// attachment's own number where nobody says otherwise.
class ColorLocations {
public:
  ColorLocations() { std::iota(numbers.begin(), numbers.end(), 0); }
  /// \p info: may be null.
  explicit ColorLocations(const VkRenderingAttachmentLocationInfo *info);

  /// By location what \p values have by attachment; \p unused where no attachment is.
  template <typename T> using Values = std::array<T, pal::device::maxColorTargets>;
  template <typename T> Values<T> arrange(const Values<T> &values, const T &unused) const {
    Values<T> result;
    result.fill(unused);
    for (unsigned attachment = 0; attachment < values.size(); ++attachment)
      if (numbers[attachment] < values.size())
        result[numbers[attachment]] = values[attachment];
    return result;
  }
  bool operator==(const ColorLocations &) const = default;

private:
  Values<uint32_t> numbers; ///< by attachment; VK_ATTACHMENT_UNUSED: it keeps what it has
};

struct TargetFormats {
  /// By attachment; UNDEFINED: there is none, writes are lost.
  std::array<VkFormat, pal::device::maxColorTargets> colors = {};
  ColorLocations locations;
  VkFormat depth = VK_FORMAT_UNDEFINED;   ///< of the whole attachment: D32_SFLOAT_S8_UINT
  VkFormat stencil = VK_FORMAT_UNDEFINED; ///< likewise
  uint32_t viewMask = 0;                  ///< 0: no multiview

  bool hasDepth() const { return depth != VK_FORMAT_UNDEFINED; }
  bool hasStencil() const { return stencil != VK_FORMAT_UNDEFINED; }
  bool operator==(const TargetFormats &) const = default;
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
