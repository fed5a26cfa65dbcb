//===- RenderPhase.cpp - subpasses and dynamic renderings -----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/render/RenderPhase.h"
#include "icd_glue/image/ImageView.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/bit.h"

namespace icd {

using pal::device::RenderTargets;
using pal::device::Surface;
using pal::formats::Texel;

llvm::Error RenderPhase::begin(Execution &execution) const {
  execution.rendering = state;
  for (const Clear &clear : clears) {
    HostSurface to = KILN_TRY(lookUp(execution, clear.surface));
    clearSurface(to, clear.value, state.area, clear.layers);
  }
  return llvm::Error::success();
}

llvm::Error RenderPhase::end(Execution &execution) const {
  const LayerList layers = layersOf(state.viewMask, 0, state.layers);
  for (const Resolve &resolve : resolves) {
    HostSurface from = KILN_TRY(lookUp(execution, resolve.from));
    HostSurface to = KILN_TRY(lookUp(execution, resolve.to));
    resolveSurface(from, to, resolve.rule, state.area, layers);
  }
  execution.rendering = {};
  return llvm::Error::success();
}

namespace {

constexpr VkImageAspectFlagBits color = VK_IMAGE_ASPECT_COLOR_BIT,
                                depth = VK_IMAGE_ASPECT_DEPTH_BIT,
                                stencil = VK_IMAGE_ASPECT_STENCIL_BIT;

} // namespace

Texel clearTexel(const VkClearValue &value, VkImageAspectFlagBits aspect) {
  if (aspect == depth)
    return {llvm::bit_cast<uint32_t>(value.depthStencil.depth)};
  if (aspect == stencil)
    return {value.depthStencil.stencil & 0xff}; // higher bits are not stored
  return {value.color.uint32[0], value.color.uint32[1], value.color.uint32[2],
          value.color.uint32[3]};
}

namespace {

/// Appends the clear of one surface, if there is one.
void addClear(RenderPhase &phase, const ImageView *view, VkImageAspectFlagBits aspect,
              const VkClearValue &value, const LayerList &layers) {
  Surface surface = surfaceOf(view, aspect);
  if (surface.exists() && !layers.empty())
    phase.clears.push_back({surface, clearTexel(value, aspect), layers});
}

void addResolve(RenderPhase &phase, const Surface &from, const ImageView *to,
                VkImageAspectFlagBits aspect, const ResolveRule &rule) {
  Surface surface = surfaceOf(to, aspect);
  if (rule.mode != VK_RESOLVE_MODE_NONE && from.exists() && surface.exists())
    phase.resolves.push_back({from, surface, rule});
}

/// The render area of the one device that there is.
VkRect2D areaOf(const VkRect2D &area, const void *next) {
  const auto *group = findInChain<VkDeviceGroupRenderPassBeginInfo>(
      next, VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO);
  return group && group->deviceRenderAreaCount ? group->pDeviceRenderAreas[0] : area;
}

//===--- Render passes ----------------------------------------------------===//

/// Goes through the subpasses in order and notes which attachments have been loaded: the load
/// operation happens in the first subpass that uses the attachment, with multiview for each view.
class PassBuilder {
public:
  PassBuilder(const VkRenderPassBeginInfo &info, const RenderPass &pass,
              const Framebuffer &framebuffer)
      : info(info), pass(pass), framebuffer(framebuffer), views(framebuffer.views),
        loadedViews(pass.attachments.size(), 0), area(areaOf(info.renderArea, info.pNext)) {
    if (const auto *imageless = findInChain<VkRenderPassAttachmentBeginInfo>(
            info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
        imageless && imageless->attachmentCount) {
      views.clear();
      for (uint32_t i = 0; i < imageless->attachmentCount; ++i)
        views.push_back(fromHandle<ImageView>(imageless->pAttachments[i]));
    }
    views.resize(pass.attachments.size(), nullptr);
  }

  RenderPhase phase(const Subpass &subpass) {
    RenderPhase result;
    RenderingState &state = result.state;
    state.active = true;
    state.area = area;
    state.layers = framebuffer.layers;
    state.viewMask = subpass.viewMask;
    for (size_t i = 0; i < subpass.colors.size(); ++i)
      state.targets.colors[i] = surfaceOf(viewOf(subpass.colors[i]), color);
    state.targets.depth = surfaceOf(viewOf(subpass.depthStencil), depth);
    state.targets.stencil = surfaceOf(viewOf(subpass.depthStencil), stencil);
    state.targets.depthIsRead = subpass.depthIsRead;
    state.targets.shadingRate = surfaceOf(viewOf(subpass.shadingRate), color);
    for (uint32_t attachment : subpass.usedAttachments())
      load(result, attachment);
    for (size_t i = 0; i < subpass.resolves.size(); ++i)
      addResolve(result, state.targets.colors[i], viewOf(subpass.resolves[i]), color,
                 {VK_RESOLVE_MODE_AVERAGE_BIT, resolvesEncoded(subpass, i)});
    const ImageView *resolved = viewOf(subpass.depthStencilResolve);
    addResolve(result, state.targets.depth, resolved, depth, {subpass.depthResolve});
    addResolve(result, state.targets.stencil, resolved, stencil, {subpass.stencilResolve});
    return result;
  }

private:
  const ImageView *viewOf(uint32_t attachment) const {
    return attachment < views.size() ? views[attachment] : nullptr;
  }

  /// Either side may say so: what is resolved, or what it is resolved to.
  bool resolvesEncoded(const Subpass &subpass, size_t index) const {
    auto says = [&](uint32_t attachment) {
      return attachment < pass.attachments.size() && pass.attachments[attachment].resolvesEncoded;
    };
    return says(subpass.colors[index]) || says(subpass.resolves[index]);
  }

  void load(RenderPhase &result, uint32_t attachment) {
    // Without multiview, all layers count as one view.
    const uint32_t mask = result.state.viewMask ? result.state.viewMask : 1;
    const uint32_t fresh = mask & ~loadedViews[attachment];
    loadedViews[attachment] |= mask;
    if (!fresh || attachment >= info.clearValueCount)
      return;
    const LayerList layers = layersOf(result.state.viewMask ? fresh : 0, 0, result.state.layers);
    const AttachmentDescription &description = pass.attachments[attachment];
    const VkClearValue &value = info.pClearValues[attachment];
    if (description.load == VK_ATTACHMENT_LOAD_OP_CLEAR) {
      addClear(result, viewOf(attachment), color, value, layers);
      addClear(result, viewOf(attachment), depth, value, layers);
    }
    if (description.stencilLoad == VK_ATTACHMENT_LOAD_OP_CLEAR)
      addClear(result, viewOf(attachment), stencil, value, layers);
  }

  const VkRenderPassBeginInfo &info;
  const RenderPass &pass;
  const Framebuffer &framebuffer;
  std::vector<const ImageView *> views;
  std::vector<uint32_t> loadedViews; ///< by attachment
  const VkRect2D area;
};

} // namespace

std::vector<RenderPhase> phasesOf(const VkRenderPassBeginInfo &info) {
  std::vector<RenderPhase> phases;
  const auto *pass = fromHandle<RenderPass>(info.renderPass);
  const auto *framebuffer = fromHandle<Framebuffer>(info.framebuffer);
  if (!pass || !framebuffer)
    return phases;
  PassBuilder builder(info, *pass, *framebuffer);
  for (const Subpass &subpass : pass->subpasses)
    phases.push_back(builder.phase(subpass));
  return phases;
}

//===--- Dynamic rendering ------------------------------------------------===//

namespace {

bool resolvesEncoded(const VkRenderingAttachmentInfo &attachment) {
  const auto *info = findInChain<VkRenderingAttachmentFlagsInfoKHR>(
      attachment.pNext, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_FLAGS_INFO_KHR);
  return info && info->flags & VK_RENDERING_ATTACHMENT_RESOLVE_SKIP_TRANSFER_FUNCTION_BIT_KHR;
}

/// Sets \p target to one attachment of a dynamic rendering.
void attach(RenderPhase &phase, const VkRenderingInfo &info,
            const VkRenderingAttachmentInfo *attachment, VkImageAspectFlagBits aspect,
            Surface &target) {
  const auto *view = attachment ? fromHandle<ImageView>(attachment->imageView) : nullptr;
  if (!view) // everything else is ignored
    return;
  target = surfaceOf(view, aspect);
  if (attachment->loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR &&
      !(info.flags & VK_RENDERING_RESUMING_BIT))
    addClear(phase, view, aspect, attachment->clearValue,
             layersOf(phase.state.viewMask, 0, phase.state.layers));
  // Without a mode the view is ignored: the handle may be an old one.
  if (attachment->resolveMode != VK_RESOLVE_MODE_NONE &&
      attachment->resolveMode != VK_RESOLVE_MODE_CUSTOM_BIT_EXT &&
      !(info.flags & VK_RENDERING_SUSPENDING_BIT))
    addResolve(phase, target, fromHandle<ImageView>(attachment->resolveImageView), aspect,
               {attachment->resolveMode, resolvesEncoded(*attachment)});
}

} // namespace

/// Does the layout allow that shaders of the rendering read the attachment? There is no list of
/// input attachments.
static bool mayBeRead(const VkRenderingAttachmentInfo *attachment) {
  return attachment &&
         (attachment->imageLayout == VK_IMAGE_LAYOUT_GENERAL ||
          attachment->imageLayout == VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ ||
          attachment->imageLayout == VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT);
}

RenderPhase phaseOf(const VkRenderingInfo &info) {
  RenderPhase phase;
  RenderingState &state = phase.state;
  state.active = true;
  state.area = areaOf(info.renderArea, info.pNext);
  state.layers = info.layerCount;
  state.viewMask = info.viewMask;
  for (uint32_t i = 0; i < info.colorAttachmentCount && i < pal::device::maxColorTargets; ++i)
    attach(phase, info, &info.pColorAttachments[i], color, state.targets.colors[i]);
  attach(phase, info, info.pDepthAttachment, depth, state.targets.depth);
  attach(phase, info, info.pStencilAttachment, stencil, state.targets.stencil);
  state.targets.depthIsRead =
      mayBeRead(info.pDepthAttachment) || mayBeRead(info.pStencilAttachment);
  if (const auto *rate = findInChain<VkRenderingFragmentShadingRateAttachmentInfoKHR>(
          info.pNext, VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR))
    state.targets.shadingRate = surfaceOf(fromHandle<ImageView>(rate->imageView), color);
  return phase;
}

namespace {

/// What a custom resolve of \p attachment draws to; null: nothing.
const ImageView *resolvedBy(const VkRenderingAttachmentInfo *attachment) {
  return attachment && attachment->imageView &&
                 attachment->resolveMode == VK_RESOLVE_MODE_CUSTOM_BIT_EXT
             ? fromHandle<ImageView>(attachment->resolveImageView)
             : nullptr;
}

/// Sets \p target and \p format to those of a custom resolve.
void attachResolved(const VkRenderingAttachmentInfo *attachment, VkImageAspectFlagBits aspect,
                    Surface &target, VkFormat &format) {
  const ImageView *view = resolvedBy(attachment);
  target = surfaceOf(view, aspect);
  format = view ? view->format : VK_FORMAT_UNDEFINED;
}

} // namespace

RenderSequence sequenceOf(const VkRenderingInfo &info) {
  RenderSequence sequence{{phaseOf(info)}};
  if (!(info.flags & VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT))
    return sequence;
  RenderPhase phase;
  phase.state = sequence.phases[0].state;
  RenderTargets &targets = phase.state.targets;
  TargetFormats &formats = sequence.resolveFormats;
  formats.viewMask = info.viewMask;
  for (uint32_t i = 0; i < info.colorAttachmentCount && i < pal::device::maxColorTargets; ++i)
    attachResolved(&info.pColorAttachments[i], color, targets.colors[i], formats.colors[i]);
  attachResolved(info.pDepthAttachment, depth, targets.depth, formats.depth);
  attachResolved(info.pStencilAttachment, stencil, targets.stencil, formats.stencil);
  targets.depthIsRead = false; // what shaders read is what is resolved
  sequence.phases.push_back(std::move(phase));
  return sequence;
}

} // namespace icd
