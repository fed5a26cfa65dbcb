//===- Limits.cpp - VkPhysicalDeviceLimits --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Limits of hardware are those of RDNA (T# and V# field widths, LDS); limits of graphics, which is
/// not there, are the least that Vulkan allows ("Required Limits").
#include "icd_glue/device/Limits.h"
#include "icd_glue/memory/Buffer.h"
#include "pal_shim/abi/TargetInfo.h"

namespace icd {
namespace {

/// Every sample is a slice of a linear image, so any count would do; these are RDNA's.
constexpr VkSampleCountFlags imageSampleCounts =
    VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_2_BIT | VK_SAMPLE_COUNT_4_BIT | VK_SAMPLE_COUNT_8_BIT;

void setImageLimits(VkPhysicalDeviceLimits &limits, const Features &features) {
  limits.maxImageDimension1D = 16384;
  limits.maxImageDimension2D = 16384;
  limits.maxImageDimension3D = 8192;
  limits.maxImageDimensionCube = 16384;
  limits.maxImageArrayLayers = 8192;
  limits.bufferImageGranularity = 1;
  limits.subTexelPrecisionBits = 8;
  limits.mipmapPrecisionBits = 8;
  limits.maxSamplerLodBias = 16;
  limits.maxSamplerAnisotropy = features.samplerAnisotropy ? 16 : 1;
  limits.minTexelOffset = -32;
  limits.maxTexelOffset = 31;
  limits.minTexelGatherOffset = -32;
  limits.maxTexelGatherOffset = 31;
  limits.sampledImageColorSampleCounts = imageSampleCounts;
  limits.sampledImageIntegerSampleCounts = imageSampleCounts;
  limits.sampledImageDepthSampleCounts = imageSampleCounts;
  limits.sampledImageStencilSampleCounts = imageSampleCounts;
  limits.storageImageSampleCounts = imageSampleCounts;
  limits.maxSampleMaskWords = 1;
}

void setBufferLimits(VkPhysicalDeviceLimits &limits) {
  limits.maxTexelBufferElements = 1u << 27;
  // Whole dwords: V# sizes of 32 bits are rounded up to them.
  limits.maxUniformBufferRange = UINT32_MAX - 3;
  limits.maxStorageBufferRange = UINT32_MAX - 3;
  limits.maxPushConstantsSize = maxPushConstantBytes;
  limits.maxMemoryAllocationCount = 1u << 16;
  limits.maxSamplerAllocationCount = 1u << 16;
  limits.minMemoryMapAlignment = 64;
  limits.minTexelBufferOffsetAlignment = 4;
  limits.minUniformBufferOffsetAlignment = 4;
  limits.minStorageBufferOffsetAlignment = 4;
  limits.optimalBufferCopyOffsetAlignment = 1;
  limits.optimalBufferCopyRowPitchAlignment = 1;
  limits.nonCoherentAtomSize = 64;
}

void setDescriptorLimits(VkPhysicalDeviceLimits &limits) {
  limits.maxBoundDescriptorSets = maxBoundSets;
  limits.maxPerStageDescriptorSamplers = manyDescriptors;
  limits.maxPerStageDescriptorUniformBuffers = manyDescriptors;
  limits.maxPerStageDescriptorStorageBuffers = manyDescriptors;
  limits.maxPerStageDescriptorSampledImages = manyDescriptors;
  limits.maxPerStageDescriptorStorageImages = manyDescriptors;
  limits.maxPerStageDescriptorInputAttachments = manyDescriptors;
  limits.maxPerStageResources = manyDescriptors;
  limits.maxDescriptorSetSamplers = manyDescriptors;
  limits.maxDescriptorSetUniformBuffers = manyDescriptors;
  limits.maxDescriptorSetUniformBuffersDynamic = maxDynamicUniformBuffers;
  limits.maxDescriptorSetStorageBuffers = manyDescriptors;
  limits.maxDescriptorSetStorageBuffersDynamic = maxDynamicStorageBuffers;
  limits.maxDescriptorSetSampledImages = manyDescriptors;
  limits.maxDescriptorSetStorageImages = manyDescriptors;
  limits.maxDescriptorSetInputAttachments = manyDescriptors;
}

void setComputeLimits(VkPhysicalDeviceLimits &limits) {
  limits.maxComputeSharedMemorySize = pal::abi::maxLdsBytesPerWorkgroup;
  limits.maxComputeWorkGroupCount[0] = INT32_MAX;
  limits.maxComputeWorkGroupCount[1] = UINT16_MAX;
  limits.maxComputeWorkGroupCount[2] = UINT16_MAX;
  limits.maxComputeWorkGroupInvocations = 1024;
  for (uint32_t &size : limits.maxComputeWorkGroupSize)
    size = 1024;
  limits.timestampComputeAndGraphics = VK_TRUE;
  limits.timestampPeriod = 1; // nanoseconds
  limits.discreteQueuePriorities = 2;
}

/// The least that is allowed, 0 for what belongs to an optional feature.
void setGraphicsLimits(VkPhysicalDeviceLimits &limits) {
  limits.maxVertexInputAttributes = 16;
  limits.maxVertexInputBindings = 16;
  limits.maxVertexInputAttributeOffset = 2047;
  limits.maxVertexInputBindingStride = 2048;
  limits.maxVertexOutputComponents = 64;
  limits.maxFragmentInputComponents = 64;
  limits.maxFragmentOutputAttachments = 4;
  limits.maxFragmentCombinedOutputResources = 4;
  limits.subPixelPrecisionBits = 4;
  limits.maxDrawIndexedIndexValue = (1u << 24) - 1;
  limits.maxDrawIndirectCount = 1;
  limits.maxViewports = 1;
  limits.maxViewportDimensions[0] = limits.maxViewportDimensions[1] = 4096;
  limits.viewportBoundsRange[0] = -8192;
  limits.viewportBoundsRange[1] = 8191;
  limits.maxFramebufferWidth = limits.maxFramebufferHeight = 4096;
  limits.maxFramebufferLayers = 256;
  limits.framebufferColorSampleCounts = VK_SAMPLE_COUNT_1_BIT;
  limits.framebufferDepthSampleCounts = VK_SAMPLE_COUNT_1_BIT;
  limits.framebufferStencilSampleCounts = VK_SAMPLE_COUNT_1_BIT;
  limits.framebufferNoAttachmentsSampleCounts = VK_SAMPLE_COUNT_1_BIT;
  limits.maxColorAttachments = 4;
  limits.pointSizeRange[0] = limits.pointSizeRange[1] = 1;
  limits.lineWidthRange[0] = limits.lineWidthRange[1] = 1;
}

} // namespace

VkPhysicalDeviceLimits makeLimits(const Features &features) {
  VkPhysicalDeviceLimits limits = {};
  setImageLimits(limits, features);
  setBufferLimits(limits);
  setDescriptorLimits(limits);
  setComputeLimits(limits);
  setGraphicsLimits(limits);
  return limits;
}

} // namespace icd
