//===- RenderPasses.h - render passes out of files ------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/Support/Allocator.h"
#include <vulkan/vulkan.h>

namespace replay {

/// What of \p pass no driver looks after: null when it can be created, else what is wrong with its
/// indices or with \p subpass.
const char *findRenderPassFault(const VkRenderPassCreateInfo2 &pass, uint32_t subpass);

/// Aspects of input attachments, which vkCreateRenderPass does not have: those that are 0 become
/// all that the attachment's format has. \p pass has no fault.
void setInputAspects(const VkRenderPassCreateInfo2 &pass);

/// The same pass for vkCreateRenderPass2, with VkRenderPassMultiviewCreateInfo and
/// VkRenderPassInputAttachmentAspectCreateInfo of its chain taken along. Null: these do not fit the
/// pass. Memory: the arena and \p pass.
VkRenderPassCreateInfo2 *toRenderPass2(const VkRenderPassCreateInfo &pass,
                                       llvm::BumpPtrAllocator &arena);

} // namespace replay
