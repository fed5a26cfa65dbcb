//===- RenderCommands.cpp - begin and end of rendering, clears within -----===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Entrypoints.h"
#include "icd_glue/command/DrawPreparation.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/render/RenderPhase.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/bit.h"

namespace icd {

using pal::device::DeviceFault;
using pal::device::Surface;
using pal::formats::Texel;

namespace {

void recordBegin(CommandBuffer &commandBuffer, const char *name, RenderSequence sequence) {
  if (sequence.phases.empty())
    return;
  auto shared = std::make_shared<const RenderSequence>(std::move(sequence));
  commandBuffer.record(
      name, [shared](Execution &execution) { return shared->phases[0].begin(execution); });
  commandBuffer.setRendering(std::move(shared));
}

void recordNext(VkCommandBuffer handle, const char *name) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  const std::shared_ptr<const RenderSequence> sequence = commandBuffer->rendering();
  const size_t now = commandBuffer->phase();
  if (!sequence || now + 1 >= sequence->phases.size())
    return;
  commandBuffer->nextPhase();
  commandBuffer->record(name, [sequence, now](Execution &execution) -> llvm::Error {
    KILN_TRY(sequence->phases[now].end(execution));
    return sequence->phases[now + 1].begin(execution);
  });
}

void recordEnd(VkCommandBuffer handle, const char *name) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  const std::shared_ptr<const RenderSequence> sequence = commandBuffer->rendering();
  if (!sequence)
    return;
  commandBuffer->record(name, [sequence, now = commandBuffer->phase()](Execution &execution) {
    return sequence->phases[now].end(execution);
  });
  commandBuffer->setRendering(nullptr);
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdBeginRenderPass(VkCommandBuffer commandBuffer,
                                              const VkRenderPassBeginInfo *pRenderPassBegin,
                                              VkSubpassContents) {
  recordBegin(*fromHandle<CommandBuffer>(commandBuffer), "vkCmdBeginRenderPass",
              {phasesOf(*pRenderPassBegin)});
}

VKAPI_ATTR void VKAPI_CALL CmdBeginRenderPass2(VkCommandBuffer commandBuffer,
                                               const VkRenderPassBeginInfo *pRenderPassBegin,
                                               const VkSubpassBeginInfo *) {
  recordBegin(*fromHandle<CommandBuffer>(commandBuffer), "vkCmdBeginRenderPass2",
              {phasesOf(*pRenderPassBegin)});
}

VKAPI_ATTR void VKAPI_CALL CmdNextSubpass(VkCommandBuffer commandBuffer, VkSubpassContents) {
  recordNext(commandBuffer, "vkCmdNextSubpass");
}

VKAPI_ATTR void VKAPI_CALL CmdNextSubpass2(VkCommandBuffer commandBuffer,
                                           const VkSubpassBeginInfo *, const VkSubpassEndInfo *) {
  recordNext(commandBuffer, "vkCmdNextSubpass2");
}

VKAPI_ATTR void VKAPI_CALL CmdEndRenderPass(VkCommandBuffer commandBuffer) {
  recordEnd(commandBuffer, "vkCmdEndRenderPass");
}

VKAPI_ATTR void VKAPI_CALL CmdEndRenderPass2(VkCommandBuffer commandBuffer,
                                             const VkSubpassEndInfo *) {
  recordEnd(commandBuffer, "vkCmdEndRenderPass2");
}

VKAPI_ATTR void VKAPI_CALL CmdBeginRendering(VkCommandBuffer commandBuffer,
                                             const VkRenderingInfo *pRenderingInfo) {
  auto *object = fromHandle<CommandBuffer>(commandBuffer);
  setPiece(*object, DrawPiece::Formats, object->drawBindings().formats,
           targetFormatsOf(*pRenderingInfo));
  recordBegin(*object, "vkCmdBeginRendering", sequenceOf(*pRenderingInfo));
}

VKAPI_ATTR void VKAPI_CALL CmdBeginCustomResolveEXT(VkCommandBuffer commandBuffer,
                                                    const VkBeginCustomResolveInfoEXT *) {
  auto *object = fromHandle<CommandBuffer>(commandBuffer);
  const std::shared_ptr<const RenderSequence> sequence = object->rendering();
  if (!sequence)
    return; // not valid usage
  TargetFormats formats = sequence->resolveFormats;
  formats.locations = object->drawBindings().formats.locations;
  setPiece(*object, DrawPiece::Formats, object->drawBindings().formats, formats);
  recordNext(commandBuffer, "vkCmdBeginCustomResolveEXT");
}

VKAPI_ATTR void VKAPI_CALL CmdSetRenderingAttachmentLocations(
    VkCommandBuffer commandBuffer, const VkRenderingAttachmentLocationInfo *pLocationInfo) {
  // Pipelines say it themselves, the same.
  auto *object = fromHandle<CommandBuffer>(commandBuffer);
  setPiece(*object, DrawPiece::Formats, object->drawBindings().formats.locations,
           ColorLocations(pLocationInfo));
}

/// Input attachments are read through descriptors, whatever their index.
VKAPI_ATTR void VKAPI_CALL CmdSetRenderingInputAttachmentIndices(
    VkCommandBuffer, const VkRenderingInputAttachmentIndexInfo *) {}

VKAPI_ATTR void VKAPI_CALL CmdEndRendering(VkCommandBuffer commandBuffer) {
  fromHandle<CommandBuffer>(commandBuffer)->drawBindings().forget(DrawPiece::Formats);
  recordEnd(commandBuffer, "vkCmdEndRendering");
}

VKAPI_ATTR void VKAPI_CALL CmdEndRendering2KHR(VkCommandBuffer commandBuffer,
                                               const VkRenderingEndInfoKHR *) {
  CmdEndRendering(commandBuffer);
}

//===--- vkCmdClearAttachments --------------------------------------------===//

namespace {

/// One aspect of a VkClearAttachment.
struct AttachmentClear {
  VkImageAspectFlagBits aspect;
  uint32_t color; ///< index of the colour target
  Texel value;

  const Surface &surface(const pal::device::RenderTargets &targets) const {
    if (aspect == VK_IMAGE_ASPECT_COLOR_BIT)
      return targets.colors[color];
    return aspect == VK_IMAGE_ASPECT_DEPTH_BIT ? targets.depth : targets.stencil;
  }
};

std::vector<AttachmentClear> clearsOf(llvm::ArrayRef<VkClearAttachment> attachments) {
  std::vector<AttachmentClear> clears;
  for (const VkClearAttachment &attachment : attachments) {
    const VkClearValue &value = attachment.clearValue;
    // VK_ATTACHMENT_UNUSED is an index beyond all targets.
    if ((attachment.aspectMask & VK_IMAGE_ASPECT_COLOR_BIT) &&
        attachment.colorAttachment < pal::device::maxColorTargets)
      clears.push_back({VK_IMAGE_ASPECT_COLOR_BIT, attachment.colorAttachment,
                        clearTexel(value, VK_IMAGE_ASPECT_COLOR_BIT)});
    for (VkImageAspectFlagBits aspect : {VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT})
      if (attachment.aspectMask & aspect)
        clears.push_back({aspect, 0, clearTexel(value, aspect)});
  }
  return clears;
}

llvm::Error clearAttachments(const Execution &execution, llvm::ArrayRef<AttachmentClear> clears,
                             llvm::ArrayRef<VkClearRect> rects) {
  const RenderingState &rendering = execution.rendering;
  if (!rendering.active)
    return llvm::make_error<DeviceFault>(DeviceFault::Kind::BadLaunch,
                                         "outside a render pass instance");
  for (const AttachmentClear &clear : clears) {
    const Surface &surface = clear.surface(rendering.targets);
    if (!surface.exists())
      continue;
    HostSurface to = KILN_TRY(lookUp(execution, surface));
    for (const VkClearRect &rect : rects)
      clearSurface(to, clear.value, intersect(rect.rect, rendering.area),
                   layersOf(rendering.viewMask, rect.baseArrayLayer,
                            std::min(rect.layerCount, surface.slices)));
  }
  return llvm::Error::success();
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdClearAttachments(VkCommandBuffer commandBuffer,
                                               uint32_t attachmentCount,
                                               const VkClearAttachment *pAttachments,
                                               uint32_t rectCount, const VkClearRect *pRects) {
  fromHandle<CommandBuffer>(commandBuffer)
      ->recordConditional(
          "vkCmdClearAttachments",
          [clears = clearsOf({pAttachments, attachmentCount}),
           rects = std::vector<VkClearRect>(pRects, pRects + rectCount)](Execution &execution) {
            return clearAttachments(execution, clears, rects);
          });
}

} // namespace icd
