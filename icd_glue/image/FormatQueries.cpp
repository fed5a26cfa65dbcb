//===- FormatQueries.cpp - what formats can do ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Format properties and image limits of a physical device, in all the forms that Vulkan has.
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/context/PhysicalDevice.h"
#include "icd_glue/image/DrmModifier.h"
#include "icd_glue/image/Image.h"
#include "icd_glue/memory/ExternalMemory.h"
#include "icd_glue/memory/StructureVertices.h"
#include "llpc/Formats.h"

namespace icd {

namespace {

/// The features that VkFormatProperties can say; the rest exists in VkFormatProperties3 only.
constexpr VkFormatFeatureFlags2 oldFeatures = 0x7fffffff;

/// Of texel buffers, vertex buffers, and those that acceleration structures are built of.
VkFormatFeatureFlags2 allBufferFeatures(const pal::abi::GpuTarget &target, VkFormat format) {
  VkFormatFeatureFlags2 features = bufferFeatures(target, format);
  if (structureVertexOf(format))
    features |= VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_VERTEX_BUFFER_BIT_KHR;
  return llpc::vertexElementBytes(static_cast<uint32_t>(format))
             ? features | VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT
             : features;
}

VkFormatProperties oldProperties(const pal::abi::GpuTarget &target, VkFormat format) {
  const auto images =
      static_cast<VkFormatFeatureFlags>(imageFeatures(target, format) & oldFeatures);
  const auto buffers =
      static_cast<VkFormatFeatureFlags>(allBufferFeatures(target, format) & oldFeatures);
  return {images, images, buffers};
}

/// Of the handle type that the chain asks for; null: it asks for none.
const VkPhysicalDeviceExternalImageFormatInfo *externalInfoOf(const void *next) {
  const auto *external = findInChain<VkPhysicalDeviceExternalImageFormatInfo>(
      next, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO);
  return external && external->handleType != 0 ? external : nullptr;
}

} // namespace

VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceFormatProperties(VkPhysicalDevice physicalDevice,
                                                             VkFormat format,
                                                             VkFormatProperties *pProperties) {
  *pProperties = oldProperties(fromHandle<PhysicalDevice>(physicalDevice)->target(), format);
}

VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceFormatProperties2(VkPhysicalDevice physicalDevice,
                                                              VkFormat format,
                                                              VkFormatProperties2 *pProperties) {
  const pal::abi::GpuTarget &target = fromHandle<PhysicalDevice>(physicalDevice)->target();
  pProperties->formatProperties = oldProperties(target, format);
  if (auto *wide = findOutInChain<VkFormatProperties3>(pProperties->pNext,
                                                       VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3)) {
    wide->linearTilingFeatures = wide->optimalTilingFeatures = imageFeatures(target, format);
    wide->bufferFeatures = allBufferFeatures(target, format);
  }
  if (auto *more = findOutInChain<VkFormatProperties4KHR>(
          pProperties->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_4_KHR))
    more->linearTilingFeatures = more->optimalTilingFeatures = more->bufferFeatures = 0;
  fillModifiers(target, format, pProperties->pNext);
}

VKAPI_ATTR VkResult VKAPI_CALL GetPhysicalDeviceImageFormatProperties2(
    VkPhysicalDevice physicalDevice, const VkPhysicalDeviceImageFormatInfo2 *pInfo,
    VkImageFormatProperties2 *pProperties) {
  auto *device = fromHandle<PhysicalDevice>(physicalDevice);
  VkImageFormatProperties &out = pProperties->imageFormatProperties;
  if (const auto *external = externalInfoOf(pInfo->pNext)) {
    const VkExternalMemoryProperties memory =
        externalMemoryProperties(device->instance().udmabuf(), external->handleType);
    if (!memory.externalMemoryFeatures) {
      out = {};
      return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
    if (auto *answer = findOutInChain<VkExternalImageFormatProperties>(
            pProperties->pNext, VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES))
      answer->externalMemoryProperties = memory;
  }
  const VkResult result = imageFormatProperties(device->limits(), device->target(), *pInfo, out);
  if (auto *ycbcr = findOutInChain<VkSamplerYcbcrConversionImageFormatProperties>(
          pProperties->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES)) {
    const ImageFormat *format = findImageFormat(pInfo->format);
    ycbcr->combinedImageSamplerDescriptorCount = format && format->isYcbcr ? format->planeCount : 1;
  }
  if (auto *gather = findOutInChain<VkTextureLODGatherFormatPropertiesAMD>(
          pProperties->pNext, VK_STRUCTURE_TYPE_TEXTURE_LOD_GATHER_FORMAT_PROPERTIES_AMD))
    gather->supportsTextureGatherLODBiasAMD =
        device->hasExtension(Extension::AMD_texture_gather_bias_lod) &&
        (imageFeatures(device->target(), pInfo->format) & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT);
  // Usage makes no difference to how an image lies in memory.
  if (auto *copies = findOutInChain<VkHostImageCopyDevicePerformanceQuery>(
          pProperties->pNext, VK_STRUCTURE_TYPE_HOST_IMAGE_COPY_DEVICE_PERFORMANCE_QUERY))
    copies->optimalDeviceAccess = copies->identicalMemoryLayout = VK_TRUE;
  noteUncompressed(pProperties->pNext);
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL GetPhysicalDeviceImageFormatProperties(
    VkPhysicalDevice physicalDevice, VkFormat format, VkImageType type, VkImageTiling tiling,
    VkImageUsageFlags usage, VkImageCreateFlags flags, VkImageFormatProperties *pProperties) {
  auto *device = fromHandle<PhysicalDevice>(physicalDevice);
  VkPhysicalDeviceImageFormatInfo2 info = {};
  info.format = format;
  info.type = type;
  info.tiling = tiling;
  info.usage = usage;
  info.flags = flags;
  return imageFormatProperties(device->limits(), device->target(), info, *pProperties);
}

// There are no sparse images.

VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceSparseImageFormatProperties(
    VkPhysicalDevice, VkFormat, VkImageType, VkSampleCountFlagBits, VkImageUsageFlags,
    VkImageTiling, uint32_t *pPropertyCount, VkSparseImageFormatProperties *) {
  *pPropertyCount = 0;
}

VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceSparseImageFormatProperties2(
    VkPhysicalDevice, const VkPhysicalDeviceSparseImageFormatInfo2 *, uint32_t *pPropertyCount,
    VkSparseImageFormatProperties2 *) {
  *pPropertyCount = 0;
}

} // namespace icd
