//===- HostCopy.cpp - copies of images by the host ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// VK_EXT_host_image_copy: the transfers of CopyEngine.h, at once, on the calling thread. Images
/// have one layout and all memory is the host's, so that transitions have nothing to do.
///
/// VK_HOST_IMAGE_COPY_MEMCPY: what is copied are whole subresources, in a form that is the
/// implementation's own. Ours is the form without the flag, tightly packed.
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/image/CopyEngine.h"
#include <optional>

namespace icd {
namespace {

/// The plane that an aspect names. Nothing when the image has none, or no memory.
std::optional<HostPlane> hostPlaneOf(Device &device, VkImage handle, VkImageAspectFlags aspect) {
  const auto *image = fromHandle<Image>(handle);
  const unsigned index =
      image ? image->shape.format->planeOf(static_cast<VkImageAspectFlagBits>(aspect)) : 0;
  if (!image || index >= image->shape.format->planeCount || !image->address(index))
    return std::nullopt;
  const ImagePlane &plane = image->shape.planes[index];
  uint8_t *host = device.gpu().translate(image->address(index), plane.layout.totalBytes());
  return host ? std::optional<HostPlane>({plane, host}) : std::nullopt;
}

struct HostRegion {
  HostPlane image;
  ElementBox box;
  BufferShape memory;
};

/// VkMemoryToImageCopy and VkImageToMemoryCopy have the same members. Nothing: the region is
/// outside its image, or there is nothing to copy.
template <typename Region>
std::optional<HostRegion> regionOf(VkDevice device, VkImage image, const Region &region,
                                   VkHostImageCopyFlags flags) {
  auto plane = hostPlaneOf(*fromHandle<Device>(device), image, region.imageSubresource.aspectMask);
  const bool isPacked = flags & VK_HOST_IMAGE_COPY_MEMCPY;
  ElementBox box;
  if (!plane || !elementBox(plane->plane, Layers::of(region.imageSubresource), region.imageOffset,
                            region.imageExtent, box))
    return std::nullopt;
  const BufferShape shape = bufferShape(plane->plane, box, isPacked ? 0 : region.memoryRowLength,
                                        isPacked ? 0 : region.memoryImageHeight);
  return shape.bytes ? std::optional<HostRegion>({*plane, box, shape}) : std::nullopt;
}

/// Of all regions of a command.
VkResult resultOf(bool areInside) { return areInside ? VK_SUCCESS : VK_ERROR_UNKNOWN; }

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL CopyMemoryToImage(VkDevice device,
                                                 const VkCopyMemoryToImageInfo *pInfo) {
  bool areInside = true;
  for (const VkMemoryToImageCopy &copy : llvm::ArrayRef(pInfo->pRegions, pInfo->regionCount)) {
    auto region = regionOf(device, pInfo->dstImage, copy, pInfo->flags);
    areInside &= region.has_value();
    if (region)
      copyBufferToImage(static_cast<const uint8_t *>(copy.pHostPointer), region->memory,
                        region->image, region->box);
  }
  return resultOf(areInside);
}

VKAPI_ATTR VkResult VKAPI_CALL CopyImageToMemory(VkDevice device,
                                                 const VkCopyImageToMemoryInfo *pInfo) {
  bool areInside = true;
  for (const VkImageToMemoryCopy &copy : llvm::ArrayRef(pInfo->pRegions, pInfo->regionCount)) {
    auto region = regionOf(device, pInfo->srcImage, copy, pInfo->flags);
    areInside &= region.has_value();
    if (region)
      copyImageToBuffer(region->image, region->box, static_cast<uint8_t *>(copy.pHostPointer),
                        region->memory);
  }
  return resultOf(areInside);
}

VKAPI_ATTR VkResult VKAPI_CALL CopyImageToImage(VkDevice handle,
                                                const VkCopyImageToImageInfo *pInfo) {
  auto &device = *fromHandle<Device>(handle);
  bool areInside = true;
  for (const VkImageCopy2 &region : llvm::ArrayRef(pInfo->pRegions, pInfo->regionCount)) {
    const auto sources = aspectsOf(region.srcSubresource.aspectMask);
    const auto destinations = aspectsOf(region.dstSubresource.aspectMask);
    for (size_t i = 0; i < sources.size() && i < destinations.size(); ++i) {
      auto source = hostPlaneOf(device, pInfo->srcImage, sources[i]);
      auto destination = hostPlaneOf(device, pInfo->dstImage, destinations[i]);
      areInside &=
          source && destination &&
          copyImage(*source, Layers::of(region.srcSubresource), region.srcOffset, *destination,
                    Layers::of(region.dstSubresource), region.dstOffset, region.extent);
    }
  }
  return resultOf(areInside);
}

VKAPI_ATTR VkResult VKAPI_CALL TransitionImageLayout(VkDevice, uint32_t,
                                                     const VkHostImageLayoutTransitionInfo *) {
  return VK_SUCCESS;
}

} // namespace icd
