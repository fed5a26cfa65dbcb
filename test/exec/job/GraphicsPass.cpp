//===- GraphicsPass.cpp - render pass and framebuffer of draws -------------===//
// SPDX-License-Identifier: MIT
#include "Resources.h"
#include <algorithm>

using llvm::Error;
using llvm::Expected;

namespace exec {

namespace {

constexpr VkAttachmentLoadOp none = VK_ATTACHMENT_LOAD_OP_DONT_CARE;

VkAttachmentDescription2 description(VkFormat format, VkSampleCountFlagBits samples,
                                     VkAttachmentLoadOp load, VkAttachmentLoadOp stencilLoad) {
  VkAttachmentDescription2 text = {};
  text.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2;
  text.format = format;
  text.samples = samples;
  text.loadOp = load;
  text.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  text.stencilLoadOp = stencilLoad;
  text.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
  text.initialLayout = text.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  return text;
}

VkAttachmentReference2 reference(uint32_t attachment, VkImageAspectFlags aspects) {
  return {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, attachment, VK_IMAGE_LAYOUT_GENERAL,
          aspects};
}

VkSubpassDescriptionDepthStencilResolve depthResolveInfo(const GraphicsSpec &spec,
                                                         const VkAttachmentReference2 *reference) {
  VkSubpassDescriptionDepthStencilResolve info = {};
  info.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE;
  info.depthResolveMode = spec.depth ? spec.depth->resolveMode : VK_RESOLVE_MODE_NONE;
  info.stencilResolveMode =
      spec.stencil && spec.stencil->resolves ? spec.stencil->resolveMode : VK_RESOLVE_MODE_NONE;
  info.pDepthStencilResolveAttachment = reference;
  return info;
}

VkFragmentShadingRateAttachmentInfoKHR ratesInfo(const VkAttachmentReference2 *reference,
                                                 const void *next) {
  return {VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR, next, reference,
          rateTexelSize};
}

/// The same for vkCreateRenderPass; without multiview and depth resolves.
VkRenderPass createFirstVersion(VkDevice device, const DeviceApi &api,
                                const VkRenderPassCreateInfo2 &info, VkResult &result) {
  std::vector<VkAttachmentDescription> descriptions;
  for (uint32_t i = 0; i < info.attachmentCount; ++i) {
    const VkAttachmentDescription2 &a = info.pAttachments[i];
    descriptions.push_back({a.flags, a.format, a.samples, a.loadOp, a.storeOp, a.stencilLoadOp,
                            a.stencilStoreOp, a.initialLayout, a.finalLayout});
  }
  const VkSubpassDescription2 &from = info.pSubpasses[0];
  std::vector<VkAttachmentReference> colors, resolves, inputs;
  for (uint32_t i = 0; i < from.inputAttachmentCount; ++i)
    inputs.push_back({from.pInputAttachments[i].attachment, VK_IMAGE_LAYOUT_GENERAL});
  for (uint32_t i = 0; i < from.colorAttachmentCount; ++i) {
    colors.push_back({from.pColorAttachments[i].attachment, VK_IMAGE_LAYOUT_GENERAL});
    resolves.push_back({from.pResolveAttachments[i].attachment, VK_IMAGE_LAYOUT_GENERAL});
  }
  VkAttachmentReference depth = {VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_GENERAL};
  if (from.pDepthStencilAttachment)
    depth.attachment = from.pDepthStencilAttachment->attachment;
  VkSubpassDescription subpass = {};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.inputAttachmentCount = inputs.size();
  subpass.pInputAttachments = inputs.data();
  subpass.colorAttachmentCount = from.colorAttachmentCount;
  subpass.pColorAttachments = colors.data();
  subpass.pResolveAttachments = resolves.data();
  subpass.pDepthStencilAttachment = &depth;
  VkRenderPassCreateInfo old = {};
  old.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO;
  old.attachmentCount = descriptions.size();
  old.pAttachments = descriptions.data();
  old.subpassCount = 1;
  old.pSubpasses = &subpass;
  std::vector<VkSubpassDependency> dependencies;
  for (uint32_t i = 0; i < info.dependencyCount; ++i) {
    const VkSubpassDependency2 &d = info.pDependencies[i];
    dependencies.push_back({d.srcSubpass, d.dstSubpass, d.srcStageMask, d.dstStageMask,
                            d.srcAccessMask, d.dstAccessMask, d.dependencyFlags});
  }
  old.dependencyCount = dependencies.size();
  old.pDependencies = dependencies.data();
  VkRenderPass pass = VK_NULL_HANDLE;
  result = api.CreateRenderPass(device, &old, nullptr, &pass);
  return pass;
}

/// From the draws of a subpass to later ones that read what they wrote.
VkSubpassDependency2 selfDependency(bool multiview) {
  VkSubpassDependency2 info = {};
  info.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2;
  info.srcStageMask = writingStages;
  info.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  info.srcAccessMask = writingAccesses;
  info.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
  info.dependencyFlags =
      VK_DEPENDENCY_BY_REGION_BIT | (multiview ? VK_DEPENDENCY_VIEW_LOCAL_BIT : 0);
  return info;
}

VkClearValue depthStencilClear(const GraphicsSpec &spec) {
  VkClearValue clear = spec.depth ? spec.depth->clear : spec.stencil->clear;
  if (spec.stencil)
    clear.depthStencil.stencil = spec.stencil->clear.depthStencil.stencil;
  return clear;
}

/// \p dependency: null, if there is none.
VkRenderPassCreateInfo2 passInfo(llvm::ArrayRef<VkAttachmentDescription2> descriptions,
                                 const VkSubpassDescription2 &subpass,
                                 const VkSubpassDependency2 *dependency) {
  VkRenderPassCreateInfo2 info = {};
  info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2;
  info.attachmentCount = descriptions.size();
  info.pAttachments = descriptions.data();
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = dependency ? 1 : 0;
  info.pDependencies = dependency;
  return info;
}

} // namespace

std::vector<VkAttachmentReference2> JobObjects::inputReferences(
    llvm::ArrayRef<VkAttachmentReference2> colors, uint32_t depth,
    llvm::function_ref<uint32_t(const AttachmentSpec &, VkImageView)> addAttachment) {
  const GraphicsSpec &spec = *job.graphics;
  std::vector<VkAttachmentReference2> references;
  for (size_t i = 0; i < spec.inputs.size(); ++i) {
    const AttachmentSpec &input = spec.inputs[i];
    const VkImageAspectFlags aspect = job.images[input.image].aspect;
    references.resize(std::max<size_t>(references.size(), input.location + 1),
                      reference(VK_ATTACHMENT_UNUSED, aspect));
    uint32_t attachment = VK_ATTACHMENT_UNUSED;
    for (const AttachmentSpec &color : spec.colors)
      if (color.image == input.image && color.layer == input.layer)
        attachment = colors[color.location].attachment;
    for (const auto &one : {spec.depth, spec.stencil})
      if (one && one->image == input.image && one->layer == input.layer)
        attachment = depth;
    if (attachment == VK_ATTACHMENT_UNUSED)
      attachment = addAttachment(input, inputViews[i].view);
    references[input.location] = reference(attachment, aspect);
  }
  return references;
}

Error JobObjects::createPass(const VkRenderPassCreateInfo2 &info) {
  const GraphicsSpec &spec = *job.graphics;
  if (spec.pass == PassKind::RenderPass && !spec.viewMask && !info.pSubpasses[0].pNext) {
    VkResult result;
    renderPass = createFirstVersion(device.handle(), api, info, result);
    return check(result, "vkCreateRenderPass");
  }
  return check(api.CreateRenderPass2(device.handle(), &info, nullptr, &renderPass),
               "vkCreateRenderPass2");
}

Error JobObjects::createRenderPass() {
  const GraphicsSpec &spec = *job.graphics;
  std::vector<VkAttachmentDescription2> descriptions;
  std::vector<VkImageView> views;
  std::vector<VkAttachmentReference2> colors, resolves;
  auto add = [&](VkImageView view, VkFormat format, VkSampleCountFlagBits samples,
                 VkAttachmentLoadOp load, VkAttachmentLoadOp stencilLoad, VkClearValue clear) {
    descriptions.push_back(description(format, samples, load, stencilLoad));
    views.push_back(view);
    clears.push_back(clear);
    return static_cast<uint32_t>(views.size() - 1);
  };
  for (size_t i = 0; i < spec.colors.size(); ++i) {
    const AttachmentSpec &color = spec.colors[i];
    colors.resize(std::max<size_t>(colors.size(), color.location + 1),
                  reference(VK_ATTACHMENT_UNUSED, VK_IMAGE_ASPECT_COLOR_BIT));
    resolves.resize(colors.size(), reference(VK_ATTACHMENT_UNUSED, VK_IMAGE_ASPECT_COLOR_BIT));
    colors[color.location].attachment =
        add(colorViews[i].view, formatOf(color), job.images[color.image].samples, color.load, none,
            color.clear);
    if (color.resolves)
      resolves[color.location].attachment =
          add(colorViews[i].resolve, formatOf(color), VK_SAMPLE_COUNT_1_BIT, none, none, {});
  }
  VkSubpassDescription2 subpass = {};
  subpass.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2;
  VkAttachmentReference2 depth = {}, depthResolve = {};
  VkSubpassDescriptionDepthStencilResolve resolveInfo = depthResolveInfo(spec, &depthResolve);
  if (spec.depth || spec.stencil) {
    const AttachmentSpec &one = spec.depth ? *spec.depth : *spec.stencil;
    const ImageSpec &image = job.images[one.image];
    depth = reference(add(depthStencilViews.view, formatOf(one), image.samples,
                          spec.depth ? spec.depth->load : none,
                          spec.stencil ? spec.stencil->load : none, depthStencilClear(spec)),
                      image.allAspects);
    subpass.pDepthStencilAttachment = &depth;
    if (one.resolves) {
      depthResolve = reference(
          add(depthStencilViews.resolve, formatOf(one), VK_SAMPLE_COUNT_1_BIT, none, none, {}),
          image.allAspects);
      subpass.pNext = &resolveInfo;
    }
  }
  VkAttachmentReference2 ratesReference = {};
  const VkFragmentShadingRateAttachmentInfoKHR rates = ratesInfo(&ratesReference, subpass.pNext);
  if (spec.rates) {
    ratesReference = reference(
        add(ratesView, formatOf(*spec.rates), VK_SAMPLE_COUNT_1_BIT, spec.rates->load, none, {}),
        VK_IMAGE_ASPECT_COLOR_BIT);
    subpass.pNext = &rates;
  }
  const auto inputs =
      inputReferences(colors, depth.attachment, [&](const AttachmentSpec &input, VkImageView view) {
        return add(view, formatOf(input), job.images[input.image].samples, input.load, input.load,
                   input.clear);
      });
  subpass.inputAttachmentCount = inputs.size();
  subpass.pInputAttachments = inputs.data();
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.viewMask = spec.viewMask;
  subpass.colorAttachmentCount = colors.size();
  subpass.pColorAttachments = colors.data();
  subpass.pResolveAttachments = resolves.data();
  const VkSubpassDependency2 dependency = selfDependency(spec.viewMask != 0);
  const VkRenderPassCreateInfo2 info =
      passInfo(descriptions, subpass, inputs.empty() ? nullptr : &dependency);
  Error error = createPass(info);
  return error ? std::move(error) : createFramebuffer(views);
}

Error JobObjects::createFramebuffer(llvm::ArrayRef<VkImageView> views) {
  const GraphicsSpec &spec = *job.graphics;
  VkFramebufferCreateInfo frame = {};
  frame.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO;
  frame.renderPass = renderPass;
  frame.attachmentCount = views.size();
  frame.pAttachments = views.data();
  frame.width = area.offset.x + area.extent.width;
  frame.height = area.offset.y + area.extent.height;
  frame.layers = spec.viewMask ? 1 : spec.layers;
  return check(api.CreateFramebuffer(device.handle(), &frame, nullptr, &framebuffer),
               "vkCreateFramebuffer");
}

} // namespace exec
