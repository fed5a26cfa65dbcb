//===- RenderPasses.cpp - render passes out of files ----------------------===//
// SPDX-License-Identifier: MIT
#include "RenderPasses.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using llvm::ArrayRef;

namespace replay {
namespace {

/// Elements of a list that may be null.
template <typename T> ArrayRef<T> listOf(const T *elements, uint32_t count) {
  return {elements, elements ? count : 0};
}

VkImageAspectFlags aspectsOf(VkFormat format) {
  if (format < VK_FORMAT_D16_UNORM || format > VK_FORMAT_D32_SFLOAT_S8_UINT)
    return VK_IMAGE_ASPECT_COLOR_BIT;
  if (format == VK_FORMAT_S8_UINT)
    return VK_IMAGE_ASPECT_STENCIL_BIT;
  return format >= VK_FORMAT_D16_UNORM_S8_UINT
             ? VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT
             : VK_IMAGE_ASPECT_DEPTH_BIT;
}

template <typename T> llvm::MutableArrayRef<T> make(llvm::BumpPtrAllocator &arena, size_t count) {
  T *elements = arena.Allocate<T>(count);
  std::uninitialized_fill_n(elements, count, T());
  return {elements, count};
}

template <typename T> const T *find(const void *chain, VkStructureType type) {
  for (auto *next = static_cast<const VkBaseInStructure *>(chain); next; next = next->pNext)
    if (next->sType == type)
      return reinterpret_cast<const T *>(next);
  return nullptr;
}

/// Makes one render pass of another.
class Converter {
public:
  Converter(const VkRenderPassCreateInfo &from, llvm::BumpPtrAllocator &arena)
      : from(from), arena(arena),
        views(find<VkRenderPassMultiviewCreateInfo>(
            from.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO)),
        aspects(find<VkRenderPassInputAttachmentAspectCreateInfo>(
            from.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_INPUT_ATTACHMENT_ASPECT_CREATE_INFO)) {}

  VkRenderPassCreateInfo2 *convert() {
    if (views && views->subpassCount && views->subpassCount != from.subpassCount)
      return nullptr;
    VkRenderPassCreateInfo2 &to = make<VkRenderPassCreateInfo2>(arena, 1)[0];
    to.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2;
    to.flags = from.flags;
    auto attachments = make<VkAttachmentDescription2>(arena, from.attachmentCount);
    for (uint32_t i = 0; i < from.attachmentCount; ++i)
      attachments[i] = attachment(from.pAttachments[i]);
    subpasses = make<VkSubpassDescription2>(arena, from.subpassCount);
    for (uint32_t i = 0; i < from.subpassCount; ++i)
      convertSubpass(i);
    to.attachmentCount = from.attachmentCount;
    to.pAttachments = attachments.data();
    to.subpassCount = from.subpassCount;
    to.pSubpasses = subpasses.data();
    // Dependencies are not looked at by who compiles pipelines.
    return applyAspects() ? &to : nullptr;
  }

private:
  static VkAttachmentDescription2 attachment(const VkAttachmentDescription &old) {
    return {VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
            nullptr,
            old.flags,
            old.format,
            old.samples,
            old.loadOp,
            old.storeOp,
            old.stencilLoadOp,
            old.stencilStoreOp,
            old.initialLayout,
            old.finalLayout};
  }
  VkAttachmentReference2 *references(ArrayRef<VkAttachmentReference> old) {
    if (old.empty())
      return nullptr;
    auto references = make<VkAttachmentReference2>(arena, old.size());
    for (size_t i = 0; i < old.size(); ++i)
      references[i] = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, old[i].attachment,
                       old[i].layout, 0};
    return references.data();
  }
  void convertSubpass(uint32_t index) {
    const VkSubpassDescription &old = from.pSubpasses[index];
    VkSubpassDescription2 &to = subpasses[index];
    to.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2;
    to.flags = old.flags;
    to.pipelineBindPoint = old.pipelineBindPoint;
    to.viewMask = views && index < views->subpassCount ? views->pViewMasks[index] : 0;
    to.inputAttachmentCount = old.pInputAttachments ? old.inputAttachmentCount : 0;
    to.pInputAttachments = references(listOf(old.pInputAttachments, old.inputAttachmentCount));
    to.colorAttachmentCount = old.pColorAttachments ? old.colorAttachmentCount : 0;
    to.pColorAttachments = references(listOf(old.pColorAttachments, old.colorAttachmentCount));
    to.pResolveAttachments = references(listOf(old.pResolveAttachments, old.colorAttachmentCount));
    to.pDepthStencilAttachment = references(listOf(old.pDepthStencilAttachment, 1));
    to.preserveAttachmentCount = old.preserveAttachmentCount;
    to.pPreserveAttachments = old.pPreserveAttachments;
  }
  bool applyAspects() {
    if (!aspects)
      return true;
    for (const VkInputAttachmentAspectReference &reference :
         listOf(aspects->pAspectReferences, aspects->aspectReferenceCount)) {
      if (reference.subpass >= subpasses.size())
        return false;
      VkSubpassDescription2 &subpass = subpasses[reference.subpass];
      if (reference.inputAttachmentIndex >= subpass.inputAttachmentCount)
        return false;
      const_cast<VkAttachmentReference2 &>(
          subpass.pInputAttachments[reference.inputAttachmentIndex])
          .aspectMask = reference.aspectMask; // ours, in the arena
    }
    return true;
  }

  const VkRenderPassCreateInfo &from;
  llvm::BumpPtrAllocator &arena;
  const VkRenderPassMultiviewCreateInfo *views;
  const VkRenderPassInputAttachmentAspectCreateInfo *aspects;
  llvm::MutableArrayRef<VkSubpassDescription2> subpasses;
};

} // namespace

const char *findRenderPassFault(const VkRenderPassCreateInfo2 &pass, uint32_t subpass) {
  if (subpass >= pass.subpassCount)
    return "no such subpass";
  auto isWrong = [&](const VkAttachmentReference2 &reference) {
    return reference.attachment != VK_ATTACHMENT_UNUSED &&
           reference.attachment >= pass.attachmentCount;
  };
  for (const VkSubpassDescription2 &each : listOf(pass.pSubpasses, pass.subpassCount))
    for (ArrayRef<VkAttachmentReference2> list :
         {listOf(each.pColorAttachments, each.colorAttachmentCount),
          listOf(each.pResolveAttachments, each.colorAttachmentCount),
          listOf(each.pDepthStencilAttachment, 1),
          listOf(each.pInputAttachments, each.inputAttachmentCount)})
      if (llvm::any_of(list, isWrong))
        return "a subpass refers to an attachment that there is not";
  return nullptr;
}

void setInputAspects(const VkRenderPassCreateInfo2 &pass) {
  for (const VkSubpassDescription2 &subpass : listOf(pass.pSubpasses, pass.subpassCount))
    for (const VkAttachmentReference2 &each :
         listOf(subpass.pInputAttachments, subpass.inputAttachmentCount)) {
      auto &input = const_cast<VkAttachmentReference2 &>(each); // of whoever made the pass
      if (!input.aspectMask && input.attachment != VK_ATTACHMENT_UNUSED)
        input.aspectMask = aspectsOf(pass.pAttachments[input.attachment].format);
    }
}

VkRenderPassCreateInfo2 *toRenderPass2(const VkRenderPassCreateInfo &pass,
                                       llvm::BumpPtrAllocator &arena) {
  return Converter(pass, arena).convert();
}

} // namespace replay
