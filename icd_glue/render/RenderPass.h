//===- RenderPass.h - VkRenderPass and VkFramebuffer ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Render passes in one form, whichever command made them. Dependencies and layouts are not kept
/// (but whether depth may be read): operations run in order, and images have one layout.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/state/TargetFormats.h"
#include <vector>

namespace icd {

class ImageView;

struct AttachmentDescription {
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  VkAttachmentLoadOp stencilLoad = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  bool resolvesEncoded = false; ///< resolves of sRGB colours do not decode them
};

/// Attachments are indices into those of the render pass, or VK_ATTACHMENT_UNUSED.
struct Subpass {
  std::vector<uint32_t> colors;   ///< by location, at most maxColorTargets
  std::vector<uint32_t> resolves; ///< of colors; as many
  std::vector<uint32_t> inputs;
  uint32_t depthStencil = VK_ATTACHMENT_UNUSED;
  bool depthIsRead = false; ///< depthStencil may be, by shaders of the subpass
  uint32_t depthStencilResolve = VK_ATTACHMENT_UNUSED;
  VkResolveModeFlagBits depthResolve = VK_RESOLVE_MODE_NONE;
  VkResolveModeFlagBits stencilResolve = VK_RESOLVE_MODE_NONE;
  uint32_t shadingRate = VK_ATTACHMENT_UNUSED;
  uint32_t viewMask = 0;

  /// Every attachment that the subpass reads or writes; some may be listed twice. Without
  /// `shadingRate`, which nobody clears.
  std::vector<uint32_t> usedAttachments() const;
};

class RenderPass : public Object {
public:
  using Handle = VkRenderPass;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_RENDER_PASS;
  explicit RenderPass(const VkRenderPassCreateInfo &info);
  explicit RenderPass(const VkRenderPassCreateInfo2 &info);

  /// Nothing is attached in a subpass that does not exist.
  TargetFormats targetFormats(uint32_t subpass) const;

  std::vector<AttachmentDescription> attachments;
  std::vector<Subpass> subpasses;
};

class Framebuffer : public Object {
public:
  using Handle = VkFramebuffer;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_FRAMEBUFFER;
  explicit Framebuffer(const VkFramebufferCreateInfo &info);

  std::vector<const ImageView *> views; ///< empty if imageless
  const uint32_t width, height, layers;
};

} // namespace icd
