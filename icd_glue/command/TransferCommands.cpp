//===- TransferCommands.cpp - commands that move or fill images -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Records the transfers of images. What is recorded is a value: planes with their layouts and
/// addresses, and one region. Each region of a command is an operation of its own; the engine
/// (CopyEngine.h) does the work when the queue executes it.
#include "icd_glue/Entrypoints.h"
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/command/PlaneAt.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/memory/Buffer.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/bit.h"
#include <memory>

namespace icd {

using pal::device::GpuAddress;
using pal::formats::Texel;

namespace {

llvm::Error checked(bool done) {
  return done ? llvm::Error::success() : outsideError("a region is outside its image");
}

/// Appends an operation that works on two planes.
template <typename Run>
void recordPair(VkCommandBuffer commandBuffer, const char *name, SharedPlane source,
                SharedPlane destination, Run run) {
  if (!source || !destination)
    return;
  fromHandle<CommandBuffer>(commandBuffer)
      ->record(name,
               [source = std::move(source), destination = std::move(destination),
                run](Execution &execution) -> llvm::Error {
                 HostPlane from = KILN_TRY(source->lookUp(execution));
                 HostPlane to = KILN_TRY(destination->lookUp(execution));
                 return checked(run(from, to));
               });
}

template <typename Run>
void recordOne(VkCommandBuffer commandBuffer, const char *name, SharedPlane image, Run run) {
  if (!image)
    return;
  fromHandle<CommandBuffer>(commandBuffer)
      ->record(name, [image = std::move(image), run](Execution &execution) -> llvm::Error {
        HostPlane plane = KILN_TRY(image->lookUp(execution));
        return run(plane, execution);
      });
}

//===--- Buffers ----------------------------------------------------------===//

/// Where texels are outside of an image.
struct TexelMemory {
  VkDeviceAddressRangeKHR range;
  uint32_t rowLength, imageHeight; ///< in texels; 0: tight
};

/// One region between memory and an image; \p Region may be any structure that has a region of an
/// image with these names.
template <typename Region>
void recordMemoryImage(VkCommandBuffer commandBuffer, const char *name, const TexelMemory &memory,
                       VkImage image, const Region &region, bool toImage) {
  const auto aspect = static_cast<VkImageAspectFlagBits>(region.imageSubresource.aspectMask);
  const Layers layers = Layers::of(region.imageSubresource);
  recordOne(commandBuffer, name, planeOf(image, aspect),
            [memory, layers, toImage, offset = region.imageOffset, extent = region.imageExtent](
                const HostPlane &plane, Execution &execution) -> llvm::Error {
              ElementBox box;
              if (!elementBox(plane.plane, layers, offset, extent, box))
                return outsideError("a region is outside its image");
              const BufferShape shape =
                  bufferShape(plane.plane, box, memory.rowLength, memory.imageHeight);
              if (shape.bytes > memory.range.size)
                return outsideError("a region is outside its buffer");
              if (shape.bytes == 0)
                return llvm::Error::success();
              uint8_t *host = KILN_TRY(execution.memory(memory.range.address, shape.bytes));
              if (toImage)
                copyBufferToImage(host, shape, plane, box);
              else
                copyImageToBuffer(plane, box, host, shape);
              return llvm::Error::success();
            });
}

template <typename Region>
void recordBufferImage(VkCommandBuffer commandBuffer, VkBuffer bufferHandle, VkImage image,
                       const Region &region, bool toImage) {
  const auto *buffer = fromHandle<Buffer>(bufferHandle);
  if (!buffer || region.bufferOffset > buffer->size)
    return;
  recordMemoryImage(commandBuffer, toImage ? "vkCmdCopyBufferToImage" : "vkCmdCopyImageToBuffer",
                    {{buffer->address() + region.bufferOffset, buffer->size - region.bufferOffset},
                     region.bufferRowLength,
                     region.bufferImageHeight},
                    image, region, toImage);
}

void recordMemoryImages(VkCommandBuffer commandBuffer, const char *name,
                        const VkCopyDeviceMemoryImageInfoKHR *info, bool toImage) {
  if (!info)
    return;
  for (const VkDeviceMemoryImageCopyKHR &region : llvm::ArrayRef(info->pRegions, info->regionCount))
    recordMemoryImage(commandBuffer, name,
                      {region.addressRange, region.addressRowLength, region.addressImageHeight},
                      info->image, region, toImage);
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdCopyBufferToImage(VkCommandBuffer commandBuffer, VkBuffer srcBuffer,
                                                VkImage dstImage, VkImageLayout,
                                                uint32_t regionCount,
                                                const VkBufferImageCopy *pRegions) {
  for (uint32_t i = 0; i < regionCount; ++i)
    recordBufferImage(commandBuffer, srcBuffer, dstImage, pRegions[i], true);
}

VKAPI_ATTR void VKAPI_CALL CmdCopyBufferToImage2(VkCommandBuffer commandBuffer,
                                                 const VkCopyBufferToImageInfo2 *pInfo) {
  for (uint32_t i = 0; i < pInfo->regionCount; ++i)
    recordBufferImage(commandBuffer, pInfo->srcBuffer, pInfo->dstImage, pInfo->pRegions[i], true);
}

VKAPI_ATTR void VKAPI_CALL CmdCopyImageToBuffer(VkCommandBuffer commandBuffer, VkImage srcImage,
                                                VkImageLayout, VkBuffer dstBuffer,
                                                uint32_t regionCount,
                                                const VkBufferImageCopy *pRegions) {
  for (uint32_t i = 0; i < regionCount; ++i)
    recordBufferImage(commandBuffer, dstBuffer, srcImage, pRegions[i], false);
}

VKAPI_ATTR void VKAPI_CALL CmdCopyImageToBuffer2(VkCommandBuffer commandBuffer,
                                                 const VkCopyImageToBufferInfo2 *pInfo) {
  for (uint32_t i = 0; i < pInfo->regionCount; ++i)
    recordBufferImage(commandBuffer, pInfo->dstBuffer, pInfo->srcImage, pInfo->pRegions[i], false);
}

VKAPI_ATTR void VKAPI_CALL CmdCopyMemoryToImageKHR(
    VkCommandBuffer commandBuffer, const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo) {
  recordMemoryImages(commandBuffer, "vkCmdCopyMemoryToImageKHR", pCopyMemoryInfo, true);
}

VKAPI_ATTR void VKAPI_CALL CmdCopyImageToMemoryKHR(
    VkCommandBuffer commandBuffer, const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo) {
  recordMemoryImages(commandBuffer, "vkCmdCopyImageToMemoryKHR", pCopyMemoryInfo, false);
}

//===--- Images -----------------------------------------------------------===//

namespace {

template <typename Region>
void recordCopy(VkCommandBuffer commandBuffer, VkImage from, VkImage to, const Region &region) {
  const auto sources = aspectsOf(region.srcSubresource.aspectMask);
  const auto destinations = aspectsOf(region.dstSubresource.aspectMask);
  for (size_t i = 0; i < sources.size() && i < destinations.size(); ++i)
    recordPair(commandBuffer, "vkCmdCopyImage", planeOf(from, sources[i]),
               planeOf(to, destinations[i]),
               [sourceLayers = Layers::of(region.srcSubresource),
                destinationLayers = Layers::of(region.dstSubresource),
                sourceOffset = region.srcOffset, destinationOffset = region.dstOffset,
                extent = region.extent](const HostPlane &source, const HostPlane &destination) {
                 return copyImage(source, sourceLayers, sourceOffset, destination,
                                  destinationLayers, destinationOffset, extent);
               });
}

template <typename Region>
void recordBlit(VkCommandBuffer commandBuffer, VkImage from, VkImage to, const Region &region,
                VkFilter filter) {
  const BlitSide source = {Layers::of(region.srcSubresource), region.srcOffsets[0],
                           region.srcOffsets[1]};
  const BlitSide destination = {Layers::of(region.dstSubresource), region.dstOffsets[0],
                                region.dstOffsets[1]};
  const auto sources = aspectsOf(region.srcSubresource.aspectMask);
  const auto destinations = aspectsOf(region.dstSubresource.aspectMask);
  for (size_t i = 0; i < sources.size() && i < destinations.size(); ++i)
    recordPair(commandBuffer, "vkCmdBlitImage", planeOf(from, sources[i]),
               planeOf(to, destinations[i]),
               [source, destination, filter](const HostPlane &read, const HostPlane &write) {
                 return blitImage(read, source, write, destination, filter);
               });
}

/// Of one aspect.
template <typename Region>
void recordResolve(VkCommandBuffer commandBuffer, VkImage from, VkImage to, const Region &region,
                   VkImageAspectFlagBits aspect, const ResolveRule &rule) {
  recordPair(commandBuffer, "vkCmdResolveImage", planeOf(from, aspect), planeOf(to, aspect),
             [sourceLayers = Layers::of(region.srcSubresource),
              destinationLayers = Layers::of(region.dstSubresource),
              sourceOffset = region.srcOffset, destinationOffset = region.dstOffset,
              extent = region.extent, rule](const HostPlane &source, const HostPlane &destination) {
               return resolveImage(source, sourceLayers, sourceOffset, destination,
                                   destinationLayers, destinationOffset, extent, rule);
             });
}

/// Averages colours where \p info does not say how. Depth and stencil need it.
ResolveRule ruleOf(const VkResolveImageModeInfoKHR *info, VkImageAspectFlagBits aspect) {
  if (!info)
    return {};
  const bool encoded = info->flags & VK_RESOLVE_IMAGE_SKIP_TRANSFER_FUNCTION_BIT_KHR;
  return {aspect == VK_IMAGE_ASPECT_STENCIL_BIT ? info->stencilResolveMode : info->resolveMode,
          encoded};
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdCopyImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                        VkImageLayout, VkImage dstImage, VkImageLayout,
                                        uint32_t regionCount, const VkImageCopy *pRegions) {
  for (uint32_t i = 0; i < regionCount; ++i)
    recordCopy(commandBuffer, srcImage, dstImage, pRegions[i]);
}

VKAPI_ATTR void VKAPI_CALL CmdCopyImage2(VkCommandBuffer commandBuffer,
                                         const VkCopyImageInfo2 *pInfo) {
  for (uint32_t i = 0; i < pInfo->regionCount; ++i)
    recordCopy(commandBuffer, pInfo->srcImage, pInfo->dstImage, pInfo->pRegions[i]);
}

VKAPI_ATTR void VKAPI_CALL CmdBlitImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                        VkImageLayout, VkImage dstImage, VkImageLayout,
                                        uint32_t regionCount, const VkImageBlit *pRegions,
                                        VkFilter filter) {
  for (uint32_t i = 0; i < regionCount; ++i)
    recordBlit(commandBuffer, srcImage, dstImage, pRegions[i], filter);
}

VKAPI_ATTR void VKAPI_CALL CmdBlitImage2(VkCommandBuffer commandBuffer,
                                         const VkBlitImageInfo2 *pInfo) {
  for (uint32_t i = 0; i < pInfo->regionCount; ++i)
    recordBlit(commandBuffer, pInfo->srcImage, pInfo->dstImage, pInfo->pRegions[i], pInfo->filter);
}

VKAPI_ATTR void VKAPI_CALL CmdResolveImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                           VkImageLayout, VkImage dstImage, VkImageLayout,
                                           uint32_t regionCount, const VkImageResolve *pRegions) {
  for (uint32_t i = 0; i < regionCount; ++i)
    recordResolve(commandBuffer, srcImage, dstImage, pRegions[i], VK_IMAGE_ASPECT_COLOR_BIT, {});
}

VKAPI_ATTR void VKAPI_CALL CmdResolveImage2(VkCommandBuffer commandBuffer,
                                            const VkResolveImageInfo2 *pInfo) {
  const auto *info = findInChain<VkResolveImageModeInfoKHR>(
      pInfo->pNext, VK_STRUCTURE_TYPE_RESOLVE_IMAGE_MODE_INFO_KHR);
  for (const VkImageResolve2 &region : llvm::ArrayRef(pInfo->pRegions, pInfo->regionCount))
    for (VkImageAspectFlagBits aspect : aspectsOf(region.srcSubresource.aspectMask))
      if (const ResolveRule rule = ruleOf(info, aspect); rule.mode != VK_RESOLVE_MODE_NONE)
        recordResolve(commandBuffer, pInfo->srcImage, pInfo->dstImage, region, aspect, rule);
}

//===--- Clears -----------------------------------------------------------===//

namespace {

void recordClear(VkCommandBuffer commandBuffer, const char *name, VkImage image,
                 VkImageAspectFlagBits aspect, const Texel &color,
                 const VkImageSubresourceRange &range) {
  const ClearRange cleared = {range.baseMipLevel, range.levelCount, range.baseArrayLayer,
                              range.layerCount};
  recordOne(commandBuffer, name, planeOf(image, aspect),
            [color, cleared](const HostPlane &plane, Execution &) {
              return checked(clearImage(plane, color, cleared));
            });
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdClearColorImage(VkCommandBuffer commandBuffer, VkImage image,
                                              VkImageLayout, const VkClearColorValue *pColor,
                                              uint32_t rangeCount,
                                              const VkImageSubresourceRange *pRanges) {
  // Floats and integers alike are the bits that a shader would have in registers.
  const Texel color = {pColor->uint32[0], pColor->uint32[1], pColor->uint32[2], pColor->uint32[3]};
  for (uint32_t i = 0; i < rangeCount; ++i)
    recordClear(commandBuffer, "vkCmdClearColorImage", image, VK_IMAGE_ASPECT_COLOR_BIT, color,
                pRanges[i]);
}

VKAPI_ATTR void VKAPI_CALL CmdClearDepthStencilImage(VkCommandBuffer commandBuffer, VkImage image,
                                                     VkImageLayout,
                                                     const VkClearDepthStencilValue *pDepthStencil,
                                                     uint32_t rangeCount,
                                                     const VkImageSubresourceRange *pRanges) {
  for (uint32_t i = 0; i < rangeCount; ++i) {
    for (VkImageAspectFlagBits aspect : aspectsOf(pRanges[i].aspectMask)) {
      const bool depth = aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
      const Texel value = {depth ? llvm::bit_cast<uint32_t>(pDepthStencil->depth)
                                 : pDepthStencil->stencil & 0xff}; // higher bits are not stored
      recordClear(commandBuffer, "vkCmdClearDepthStencilImage", image, aspect, value, pRanges[i]);
    }
  }
}

} // namespace icd
