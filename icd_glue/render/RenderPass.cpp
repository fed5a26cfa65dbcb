//===- RenderPass.cpp - VkRenderPass and VkFramebuffer --------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/render/RenderPass.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/image/ImageView.h"

namespace icd {
namespace {

/// Attachments of a list of references; indices that do not exist become unused.
template <typename Reference>
std::vector<uint32_t> indicesOf(const Reference *references, uint32_t count, size_t attachments) {
  std::vector<uint32_t> indices(count, VK_ATTACHMENT_UNUSED);
  for (uint32_t i = 0; references && i < count; ++i)
    if (references[i].attachment < attachments)
      indices[i] = references[i].attachment;
  return indices;
}

template <typename Reference> uint32_t indexOf(const Reference *reference, size_t attachments) {
  return reference ? indicesOf(reference, 1, attachments)[0] : VK_ATTACHMENT_UNUSED;
}

/// What both versions of the structures have under the same names.
template <typename Description> Subpass subpassOf(const Description &info, size_t attachments) {
  Subpass subpass;
  const uint32_t colors =
      std::min<uint32_t>(info.colorAttachmentCount, pal::device::maxColorTargets);
  subpass.colors = indicesOf(info.pColorAttachments, colors, attachments);
  subpass.resolves = indicesOf(info.pResolveAttachments, colors, attachments);
  subpass.inputs = indicesOf(info.pInputAttachments, info.inputAttachmentCount, attachments);
  subpass.depthStencil = indexOf(info.pDepthStencilAttachment, attachments);
  subpass.depthIsRead = subpass.depthStencil != VK_ATTACHMENT_UNUSED &&
                        (llvm::is_contained(subpass.inputs, subpass.depthStencil) ||
                         info.pDepthStencilAttachment->layout ==
                             VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT);
  return subpass;
}

template <typename Description> AttachmentDescription attachmentOf(const Description &info) {
  return {info.format, info.samples, info.loadOp, info.stencilLoadOp,
          (info.flags & VK_ATTACHMENT_DESCRIPTION_RESOLVE_SKIP_TRANSFER_FUNCTION_BIT_KHR) != 0};
}

} // namespace

std::vector<uint32_t> Subpass::usedAttachments() const {
  std::vector<uint32_t> used;
  auto use = [&](uint32_t attachment) {
    if (attachment != VK_ATTACHMENT_UNUSED)
      used.push_back(attachment);
  };
  for (const std::vector<uint32_t> *list : {&colors, &resolves, &inputs})
    for (uint32_t attachment : *list)
      use(attachment);
  use(depthStencil);
  use(depthStencilResolve);
  return used;
}

RenderPass::RenderPass(const VkRenderPassCreateInfo &info) : Object(type) {
  for (uint32_t i = 0; i < info.attachmentCount; ++i)
    attachments.push_back(attachmentOf(info.pAttachments[i]));
  const auto *multiview = findInChain<VkRenderPassMultiviewCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
  for (uint32_t i = 0; i < info.subpassCount; ++i) {
    Subpass subpass = subpassOf(info.pSubpasses[i], attachments.size());
    if (multiview && i < multiview->subpassCount)
      subpass.viewMask = multiview->pViewMasks[i];
    subpasses.push_back(std::move(subpass));
  }
}

RenderPass::RenderPass(const VkRenderPassCreateInfo2 &info) : Object(type) {
  for (uint32_t i = 0; i < info.attachmentCount; ++i)
    attachments.push_back(attachmentOf(info.pAttachments[i]));
  for (uint32_t i = 0; i < info.subpassCount; ++i) {
    const VkSubpassDescription2 &description = info.pSubpasses[i];
    Subpass subpass = subpassOf(description, attachments.size());
    subpass.viewMask = description.viewMask;
    if (const auto *resolve = findInChain<VkSubpassDescriptionDepthStencilResolve>(
            description.pNext, VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE)) {
      subpass.depthStencilResolve =
          indexOf(resolve->pDepthStencilResolveAttachment, attachments.size());
      subpass.depthResolve = resolve->depthResolveMode;
      subpass.stencilResolve = resolve->stencilResolveMode;
    }
    if (const auto *rate = findInChain<VkFragmentShadingRateAttachmentInfoKHR>(
            description.pNext, VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR))
      subpass.shadingRate = indexOf(rate->pFragmentShadingRateAttachment, attachments.size());
    subpasses.push_back(std::move(subpass));
  }
}

TargetFormats RenderPass::targetFormats(uint32_t index) const {
  TargetFormats formats;
  if (index >= subpasses.size())
    return formats;
  const Subpass &subpass = subpasses[index];
  for (size_t i = 0; i < subpass.colors.size(); ++i)
    if (subpass.colors[i] != VK_ATTACHMENT_UNUSED)
      formats.colors[i] = attachments[subpass.colors[i]].format;
  if (subpass.depthStencil != VK_ATTACHMENT_UNUSED) {
    const VkFormat format = attachments[subpass.depthStencil].format;
    const ImageFormat *row = findImageFormat(format);
    const VkImageAspectFlags aspects = row ? row->aspects() : 0;
    if (aspects & VK_IMAGE_ASPECT_DEPTH_BIT)
      formats.depth = format;
    if (aspects & VK_IMAGE_ASPECT_STENCIL_BIT)
      formats.stencil = format;
  }
  formats.viewMask = subpass.viewMask;
  return formats;
}

namespace {

uint32_t colorCountOf(uint32_t count) {
  return std::min<uint32_t>(count, pal::device::maxColorTargets);
}

ColorLocations locationsIn(const void *next) {
  return ColorLocations(findInChain<VkRenderingAttachmentLocationInfo>(
      next, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO));
}

} // namespace

/// What draws during a custom resolve has other targets (VK_EXT_custom_resolve).
static void setResolved(TargetFormats &formats, const void *next) {
  const auto *info = findInChain<VkCustomResolveCreateInfoEXT>(
      next, VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT);
  if (!info || !info->customResolve)
    return;
  formats.colors = {};
  if (info->pColorAttachmentFormats)
    std::copy_n(info->pColorAttachmentFormats, colorCountOf(info->colorAttachmentCount),
                formats.colors.begin());
  formats.depth = info->depthAttachmentFormat;
  formats.stencil = info->stencilAttachmentFormat;
}

ColorLocations::ColorLocations(const VkRenderingAttachmentLocationInfo *info) : ColorLocations() {
  if (!info || !info->pColorAttachmentLocations)
    return;
  numbers.fill(VK_ATTACHMENT_UNUSED);
  std::copy_n(info->pColorAttachmentLocations, colorCountOf(info->colorAttachmentCount),
              numbers.begin());
}

TargetFormats targetFormatsOf(const VkGraphicsPipelineCreateInfo &info, Subsets subsets) {
  if (!(subsets & ~vertexInputSubset))
    return {};
  if (const auto *renderPass = fromHandle<RenderPass>(info.renderPass))
    return renderPass->targetFormats(info.subpass);
  TargetFormats formats;
  const auto *rendering = findInChain<VkPipelineRenderingCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
  if (!rendering)
    return formats;
  // Of the fragment output the formats count, of the subsets with shaders the views.
  if (subsets & (preRasterizationSubset | fragmentShaderSubset))
    formats.viewMask = rendering->viewMask;
  if (!(subsets & fragmentOutputSubset))
    return formats;
  if (rendering->pColorAttachmentFormats)
    std::copy_n(rendering->pColorAttachmentFormats, colorCountOf(rendering->colorAttachmentCount),
                formats.colors.begin());
  formats.locations = locationsIn(info.pNext);
  formats.depth = rendering->depthAttachmentFormat;
  formats.stencil = rendering->stencilAttachmentFormat;
  setResolved(formats, info.pNext);
  return formats;
}

TargetFormats targetFormatsOf(const VkRenderingInfo &info) {
  auto formatOf = [](const VkRenderingAttachmentInfo *attachment) {
    const auto *view = attachment ? fromHandle<ImageView>(attachment->imageView) : nullptr;
    return view ? view->format : VK_FORMAT_UNDEFINED;
  };
  TargetFormats formats;
  formats.viewMask = info.viewMask;
  for (uint32_t i = 0; i < colorCountOf(info.colorAttachmentCount); ++i)
    formats.colors[i] = formatOf(&info.pColorAttachments[i]);
  formats.depth = formatOf(info.pDepthAttachment);
  formats.stencil = formatOf(info.pStencilAttachment);
  return formats;
}

TargetFormats inheritedFormatsOf(const VkCommandBufferInheritanceInfo *info) {
  TargetFormats formats;
  // Beside a render pass the structure is ignored.
  if (!info || info->renderPass)
    return formats;
  const auto *rendering = findInChain<VkCommandBufferInheritanceRenderingInfo>(
      info->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
  if (!rendering)
    return formats;
  formats.viewMask = rendering->viewMask;
  std::copy_n(rendering->pColorAttachmentFormats, colorCountOf(rendering->colorAttachmentCount),
              formats.colors.begin());
  formats.locations = locationsIn(info->pNext);
  formats.depth = rendering->depthAttachmentFormat;
  formats.stencil = rendering->stencilAttachmentFormat;
  setResolved(formats, info->pNext);
  return formats;
}

Framebuffer::Framebuffer(const VkFramebufferCreateInfo &info)
    : Object(type), width(info.width), height(info.height), layers(info.layers) {
  if (info.flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT)
    return;
  for (uint32_t i = 0; i < info.attachmentCount; ++i)
    views.push_back(fromHandle<ImageView>(info.pAttachments[i]));
}

//===--- Commands ---------------------------------------------------------===//

VKAPI_ATTR VkResult VKAPI_CALL CreateRenderPass(VkDevice device,
                                                const VkRenderPassCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkRenderPass *pRenderPass) {
  auto *made = fromHandle<Device>(device)->create<RenderPass>(pAllocator, *pCreateInfo);
  *pRenderPass = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateRenderPass2(VkDevice device,
                                                 const VkRenderPassCreateInfo2 *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator,
                                                 VkRenderPass *pRenderPass) {
  auto *made = fromHandle<Device>(device)->create<RenderPass>(pAllocator, *pCreateInfo);
  *pRenderPass = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyRenderPass(VkDevice device, VkRenderPass renderPass,
                                             const VkAllocationCallbacks *pAllocator) {
  fromHandle<Device>(device)->destroy(fromHandle<RenderPass>(renderPass), pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateFramebuffer(VkDevice device,
                                                 const VkFramebufferCreateInfo *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator,
                                                 VkFramebuffer *pFramebuffer) {
  auto *made = fromHandle<Device>(device)->create<Framebuffer>(pAllocator, *pCreateInfo);
  *pFramebuffer = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyFramebuffer(VkDevice device, VkFramebuffer framebuffer,
                                              const VkAllocationCallbacks *pAllocator) {
  fromHandle<Device>(device)->destroy(fromHandle<Framebuffer>(framebuffer), pAllocator);
}

/// Anything may be rendered at no cost, so the granularity is a texel.
VKAPI_ATTR void VKAPI_CALL GetRenderAreaGranularity(VkDevice, VkRenderPass,
                                                    VkExtent2D *pGranularity) {
  *pGranularity = {1, 1};
}

VKAPI_ATTR void VKAPI_CALL GetRenderingAreaGranularity(VkDevice, const VkRenderingAreaInfo *,
                                                       VkExtent2D *pGranularity) {
  *pGranularity = {1, 1};
}

} // namespace icd
