//===- Image.cpp - VkImage: layout, limits, creation ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Image objects and what Vulkan asks about them: memory requirements, layouts, limits.
#include "icd_glue/image/Image.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/image/CopyEngine.h"
#include "icd_glue/image/DrmModifier.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace icd {

ImageShape ImageShape::of(const VkImageCreateInfo &info) {
  ImageShape shape;
  shape.type = info.imageType;
  shape.format = findImageFormat(info.format);
  shape.extent = info.extent;
  shape.levels = info.mipLevels;
  shape.layers = info.arrayLayers;
  shape.samples = static_cast<uint32_t>(info.samples);
  for (unsigned i = 0; i < shape.format->planeCount; ++i) {
    ImagePlane &plane = shape.planes[i];
    plane.format = shape.format->planes[i];
    plane.extent = {std::max(info.extent.width / plane.format.xDivisor, 1u),
                    std::max(info.extent.height / plane.format.yDivisor, 1u), info.extent.depth};
    plane.is3d = info.imageType == VK_IMAGE_TYPE_3D;
    plane.slices = plane.is3d ? info.extent.depth : info.arrayLayers;
    plane.levels = info.mipLevels;
    plane.samples = shape.samples;
    plane.layout = pal::srd::LinearLayout({.format = plane.format.format,
                                           .width = plane.extent.width,
                                           .height = plane.extent.height,
                                           .slices = plane.slices,
                                           .levels = plane.levels,
                                           .samples = plane.samples});
    plane.offset = shape.size;
    shape.size = llvm::alignTo(shape.size + plane.layout.totalBytes(), imageAlignment);
  }
  return shape;
}

//===--- Limits -----------------------------------------------------------===//

namespace {

/// The bytes of all subresources of an image together. Vulkan asks for 2^31 at least.
constexpr uint64_t maxImageBytes = uint64_t(1) << 32;

constexpr VkImageCreateFlags supportedFlags =
    VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT |
    VK_IMAGE_CREATE_ALIAS_BIT | VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT |
    VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT |
    VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT |
    VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR |
    // Depth is not compressed: it does not matter where its samples were.
    VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT;

/// Largest extent and number of layers by type.
bool sizeLimits(const VkPhysicalDeviceLimits &limits, VkImageType type,
                VkImageFormatProperties &out) {
  switch (type) {
  case VK_IMAGE_TYPE_1D:
    out.maxExtent = {limits.maxImageDimension1D, 1, 1};
    out.maxArrayLayers = limits.maxImageArrayLayers;
    return true;
  case VK_IMAGE_TYPE_2D:
    out.maxExtent = {limits.maxImageDimension2D, limits.maxImageDimension2D, 1};
    out.maxArrayLayers = limits.maxImageArrayLayers;
    return true;
  case VK_IMAGE_TYPE_3D:
    out.maxExtent = {limits.maxImageDimension3D, limits.maxImageDimension3D,
                     limits.maxImageDimension3D};
    out.maxArrayLayers = 1;
    return true;
  default:
    return false;
  }
}

/// What images of the format can do together with views of other formats that a mutable image may
/// have (Vulkan "Format Compatibility Classes"). \p blocksAsTexels: of blocks also those whose
/// texels are as large as a block.
VkFormatFeatureFlags2 viewFeatures(const pal::abi::GpuTarget &target, VkFormat format,
                                   bool blocksAsTexels) {
  VkFormatFeatureFlags2 features = imageFeatures(target, format);
  const ImageFormat *row = findImageFormat(format);
  if (!row || row->isDepthStencil()) // only views of the same format
    return features;
  for (const PlaneFormat &plane : row->planeList()) {
    const pal::formats::FormatInfo &info = pal::formats::formatInfo(plane.format);
    if (info.isBlock() && !blocksAsTexels) // blocks of one class can all do the same
      continue;
    for (const ImageFormat &view : allImageFormats()) {
      const pal::formats::FormatInfo &viewInfo = pal::formats::formatInfo(view.planes[0].format);
      if (view.planeCount == 1 && !view.isDepthStencil() && !viewInfo.isBlock() &&
          viewInfo.texelBytes == info.texelBytes)
        features |= imageFeatures(target, view.format);
    }
  }
  return features;
}

/// What a usage of the image may need: with extended usage it is enough that a view can do it.
VkFormatFeatureFlags2 allowedFeatures(const pal::abi::GpuTarget &target,
                                      const VkPhysicalDeviceImageFormatInfo2 &info) {
  if (info.flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT)
    return viewFeatures(target, info.format,
                        info.flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT);
  return imageFeatures(target, info.format);
}

/// What the chain says of stencil alone.
VkImageUsageFlags2KHR stencilUsageIn(const void *next) {
  if (const auto *usage = findInChain<VkImageStencilUsage2CreateInfoKHR>(
          next, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_2_CREATE_INFO_KHR))
    return usage->stencilUsage;
  const auto *usage = findInChain<VkImageStencilUsageCreateInfo>(
      next, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
  return usage ? usage->stencilUsage : 0;
}

/// Usages of all aspects. What is said of stencil is ignored where there is none.
VkImageUsageFlags2KHR usageOf(const ImageFormat &format,
                              const VkPhysicalDeviceImageFormatInfo2 &info) {
  const bool hasStencil = format.aspects() & VK_IMAGE_ASPECT_STENCIL_BIT;
  return info.usage | (hasStencil ? stencilUsageIn(info.pNext) : 0);
}

/// Sample counts that every usage of the image allows.
VkSampleCountFlags sampleCounts(const VkPhysicalDeviceLimits &limits, const ImageFormat &format,
                                VkFormatFeatureFlags2 features,
                                const VkPhysicalDeviceImageFormatInfo2 &info) {
  // The specification (VkImageFormatProperties): several samples are for attachments.
  constexpr VkFormatFeatureFlags2 attachment =
      VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
  if (!(features & attachment) || info.type != VK_IMAGE_TYPE_2D ||
      info.tiling != VK_IMAGE_TILING_OPTIMAL || format.isYcbcr ||
      (info.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) ||
      (info.usage & VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR))
    return VK_SAMPLE_COUNT_1_BIT;
  const VkImageAspectFlags aspects = format.aspects();
  const bool depth = aspects & VK_IMAGE_ASPECT_DEPTH_BIT;
  const bool stencil = aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
  const bool integer = pal::formats::formatInfo(format.planes[0].format).isInteger();
  VkSampleCountFlags counts = limits.sampledImageColorSampleCounts;
  if (info.usage & VK_IMAGE_USAGE_SAMPLED_BIT) {
    if (depth)
      counts &= limits.sampledImageDepthSampleCounts;
    if (stencil)
      counts &= limits.sampledImageStencilSampleCounts;
    if (!depth && !stencil && integer)
      counts &= limits.sampledImageIntegerSampleCounts;
  }
  if (info.usage & VK_IMAGE_USAGE_STORAGE_BIT)
    counts &= limits.storageImageSampleCounts;
  // Integer colour targets have the counts of the others (framebufferIntegerColorSampleCounts).
  if (info.usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
    counts &= limits.framebufferColorSampleCounts;
  if (info.usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT) {
    if (depth)
      counts &= limits.framebufferDepthSampleCounts;
    if (stencil)
      counts &= limits.framebufferStencilSampleCounts;
  }
  return counts | VK_SAMPLE_COUNT_1_BIT;
}

} // namespace

VkResult imageFormatProperties(const VkPhysicalDeviceLimits &limits,
                               const pal::abi::GpuTarget &target,
                               const VkPhysicalDeviceImageFormatInfo2 &asked,
                               VkImageFormatProperties &properties) {
  properties = {};
  const auto effective = withExtendedFlags(asked);
  if (!effective)
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  const VkPhysicalDeviceImageFormatInfo2 &info = *effective;
  const VkFormatFeatureFlags2 features = imageFeatures(target, info.format);
  const ImageFormat *format = findImageFormat(info.format);
  if (!format || !features)
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  const bool isModified = info.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
  if (info.tiling != VK_IMAGE_TILING_OPTIMAL && info.tiling != VK_IMAGE_TILING_LINEAR &&
      !isModified)
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  // Other devices know pictures, and no levels, layers or cubes.
  if (isModified &&
      (info.type != VK_IMAGE_TYPE_2D || !hasModifier(*format) ||
       !allowsLinearModifier(info.pNext) || (info.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT)))
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  if (!allowsUsage(allowedFeatures(target, info), usageOf(*format, info)) ||
      (info.flags & ~supportedFlags))
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  const bool isFlat = (info.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) ||
                      (info.usage & VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR);
  if (isFlat && info.type != VK_IMAGE_TYPE_2D)
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  if ((info.flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT) &&
      !pal::formats::formatInfo(format->planes[0].format).isBlock())
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  if (format->isYcbcr && info.type != VK_IMAGE_TYPE_2D)
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  if (!sizeLimits(limits, info.type, properties))
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  if (isModified)
    properties.maxArrayLayers = 1;
  if (format->isYcbcr || isModified)
    properties.maxMipLevels = 1;
  else
    properties.maxMipLevels =
        llvm::Log2_32(std::max(properties.maxExtent.width, properties.maxExtent.depth)) + 1;
  properties.sampleCounts = sampleCounts(limits, *format, features, info);
  properties.maxResourceSize = maxImageBytes;
  return VK_SUCCESS;
}

//===--- Commands ---------------------------------------------------------===//

namespace {

VkMemoryRequirements requirementsOf(const ImageShape &shape) {
  return {std::max<uint64_t>(shape.size, 1), imageAlignment, commonMemoryTypeBits};
}

void fillDedicated(void *next) {
  if (auto *dedicated = findOutInChain<VkMemoryDedicatedRequirements>(
          next, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS)) {
    dedicated->prefersDedicatedAllocation = VK_FALSE;
    dedicated->requiresDedicatedAllocation = VK_FALSE;
  }
}

/// Whether an image of these sizes exists; the application should have asked before.
VkResult checkImage(Device &device, const VkImageCreateInfo &info) {
  VkPhysicalDeviceImageFormatInfo2 query = {};
  // What matters of the chain (stencil usage) is the same in both structures.
  query.pNext = info.pNext;
  query.format = info.format;
  query.type = info.imageType;
  query.tiling = info.tiling;
  query.usage = info.usage;
  query.flags = info.flags;
  VkImageFormatProperties allowed;
  if (VkResult result =
          imageFormatProperties(device.physicalDevice().limits(), device.target(), query, allowed))
    return result;
  const VkExtent3D &extent = info.extent, &most = allowed.maxExtent;
  const bool fits = extent.width - 1 < most.width && extent.height - 1 < most.height &&
                    extent.depth - 1 < most.depth && info.mipLevels - 1 < allowed.maxMipLevels &&
                    info.arrayLayers - 1 < allowed.maxArrayLayers &&
                    (info.samples & allowed.sampleCounts);
  return fits ? VK_SUCCESS : VK_ERROR_FORMAT_NOT_SUPPORTED;
}

void subresourceLayout(const ImageShape &shape, const VkImageSubresource &subresource,
                       VkSubresourceLayout &out) {
  out = {};
  const unsigned index = memoryPlaneOf(*shape.format, subresource.aspectMask);
  if (index >= shape.format->planeCount || subresource.mipLevel >= shape.levels)
    return;
  const ImagePlane &plane = shape.planes[index];
  const pal::srd::LinearLevel &level = plane.layout.level(subresource.mipLevel);
  const uint64_t sliceBytes = plane.layout.sliceBytes();
  out.offset = plane.offset + level.offset + sliceBytes * plane.samples * subresource.arrayLayer;
  out.rowPitch = level.rowPitch;
  const uint64_t levelBytes = uint64_t(level.rowPitch) * level.rows;
  out.size = plane.is3d ? sliceBytes * (plane.slicesOf(subresource.mipLevel) - 1) + levelBytes
                        : sliceBytes * (plane.samples - 1) + levelBytes;
  out.arrayPitch = shape.layers > 1 ? sliceBytes * plane.samples : 0;
  out.depthPitch = plane.is3d ? sliceBytes : 0;
}

/// Answers for VK_HOST_IMAGE_COPY_MEMCPY, if they are asked for (HostCopy.cpp).
void fillPackedSize(const ImageShape &shape, const VkImageSubresource &subresource, void *next) {
  auto *out = findOutInChain<VkSubresourceHostMemcpySize>(
      next, VK_STRUCTURE_TYPE_SUBRESOURCE_HOST_MEMCPY_SIZE);
  if (!out)
    return;
  out->size = 0;
  const unsigned index = memoryPlaneOf(*shape.format, subresource.aspectMask);
  if (index >= shape.format->planeCount || subresource.mipLevel >= shape.levels)
    return;
  const ImagePlane &plane = shape.planes[index];
  auto sizeAt = [&](uint32_t size) { return std::max(size >> subresource.mipLevel, 1u); };
  ElementBox box;
  if (elementBox(plane, {subresource.mipLevel, subresource.arrayLayer, 1}, {0, 0, 0},
                 {sizeAt(plane.extent.width), sizeAt(plane.extent.height),
                  plane.is3d ? plane.slicesOf(subresource.mipLevel) : 1},
                 box))
    out->size = bufferShape(plane, box, 0, 0).bytes;
}

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL CreateImage(VkDevice device, const VkImageCreateInfo *pCreateInfo,
                                           const VkAllocationCallbacks *pAllocator,
                                           VkImage *pImage) {
  auto *owner = fromHandle<Device>(device);
  const auto info = withExtendedFlags(*pCreateInfo);
  if (!info)
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  if (VkResult result = checkImage(*owner, *info))
    return result;
  ImageShape shape = ImageShape::of(*info);
  if (VkResult result = placePlanes(*info, maxImageBytes, shape))
    return result;
  // The specification (VkImageFormatProperties): an image larger than maxResourceSize must fail so,
  // even when each parameter is within its limit.
  if (shape.size > maxImageBytes)
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  Image *image = owner->create<Image>(pAllocator, *info, shape);
  if (!image)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  *pImage = toHandle(image);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroyImage(VkDevice handle, VkImage image,
                                        const VkAllocationCallbacks *pAllocator) {
  auto *device = fromHandle<Device>(handle);
  auto *object = fromHandle<Image>(image);
  if (object)
    device->reportBinding(*object, object->lastBinding(),
                          VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
  device->destroy(object, pAllocator);
}

VKAPI_ATTR void VKAPI_CALL GetImageMemoryRequirements2(VkDevice,
                                                       const VkImageMemoryRequirementsInfo2 *pInfo,
                                                       VkMemoryRequirements2 *pMemoryRequirements) {
  pMemoryRequirements->memoryRequirements = requirementsOf(fromHandle<Image>(pInfo->image)->shape);
  fillDedicated(pMemoryRequirements->pNext);
}

VKAPI_ATTR void VKAPI_CALL GetImageMemoryRequirements(VkDevice, VkImage image,
                                                      VkMemoryRequirements *pMemoryRequirements) {
  *pMemoryRequirements = requirementsOf(fromHandle<Image>(image)->shape);
}

VKAPI_ATTR void VKAPI_CALL
GetDeviceImageMemoryRequirements(VkDevice device, const VkDeviceImageMemoryRequirements *pInfo,
                                 VkMemoryRequirements2 *pMemoryRequirements) {
  const VkImageCreateInfo &info = *pInfo->pCreateInfo;
  VkMemoryRequirements &out = pMemoryRequirements->memoryRequirements;
  out = {0, imageAlignment, commonMemoryTypeBits};
  if (checkImage(*fromHandle<Device>(device), info) == VK_SUCCESS) {
    ImageShape shape = ImageShape::of(info);
    if (placePlanes(info, maxImageBytes, shape) == VK_SUCCESS)
      out = requirementsOf(shape);
  }
  fillDedicated(pMemoryRequirements->pNext);
}

VKAPI_ATTR void VKAPI_CALL GetImageSubresourceLayout(VkDevice, VkImage image,
                                                     const VkImageSubresource *pSubresource,
                                                     VkSubresourceLayout *pLayout) {
  subresourceLayout(fromHandle<Image>(image)->shape, *pSubresource, *pLayout);
}

VKAPI_ATTR void VKAPI_CALL GetImageSubresourceLayout2(VkDevice, VkImage image,
                                                      const VkImageSubresource2 *pSubresource,
                                                      VkSubresourceLayout2 *pLayout) {
  subresourceLayout(fromHandle<Image>(image)->shape, pSubresource->imageSubresource,
                    pLayout->subresourceLayout);
  fillPackedSize(fromHandle<Image>(image)->shape, pSubresource->imageSubresource, pLayout->pNext);
  noteUncompressed(pLayout->pNext);
}

VKAPI_ATTR void VKAPI_CALL GetDeviceImageSubresourceLayout(
    VkDevice, const VkDeviceImageSubresourceInfo *pInfo, VkSubresourceLayout2 *pLayout) {
  pLayout->subresourceLayout = {};
  if (!findImageFormat(pInfo->pCreateInfo->format))
    return;
  ImageShape shape = ImageShape::of(*pInfo->pCreateInfo);
  if (placePlanes(*pInfo->pCreateInfo, maxImageBytes, shape) != VK_SUCCESS)
    return;
  subresourceLayout(shape, pInfo->pSubresource->imageSubresource, pLayout->subresourceLayout);
  fillPackedSize(shape, pInfo->pSubresource->imageSubresource, pLayout->pNext);
  noteUncompressed(pLayout->pNext);
}

// There are no sparse images.

VKAPI_ATTR void VKAPI_CALL GetImageSparseMemoryRequirements(VkDevice, VkImage, uint32_t *pCount,
                                                            VkSparseImageMemoryRequirements *) {
  *pCount = 0;
}

VKAPI_ATTR void VKAPI_CALL
GetImageSparseMemoryRequirements2(VkDevice, const VkImageSparseMemoryRequirementsInfo2 *,
                                  uint32_t *pCount, VkSparseImageMemoryRequirements2 *) {
  *pCount = 0;
}

VKAPI_ATTR void VKAPI_CALL
GetDeviceImageSparseMemoryRequirements(VkDevice, const VkDeviceImageMemoryRequirements *,
                                       uint32_t *pCount, VkSparseImageMemoryRequirements2 *) {
  *pCount = 0;
}

} // namespace icd
