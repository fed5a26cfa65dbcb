//===- Limits.cpp - VkPhysicalDeviceLimits --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Limits of hardware are those of RDNA (field widths of T#, V# and exports, LDS).
#include "icd_glue/context/Limits.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/device/Draw.h"

namespace icd {
namespace {

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

void setVertexLimits(VkPhysicalDeviceLimits &limits) {
  limits.maxVertexInputAttributes = maxVertexBindings;
  limits.maxVertexInputBindings = maxVertexBindings;
  limits.maxVertexInputAttributeOffset = UINT16_MAX;
  limits.maxVertexInputBindingStride = (1u << 14) - 1; // V#
  limits.maxVertexOutputComponents = 4 * 32;
  limits.maxDrawIndexedIndexValue = UINT32_MAX;
  limits.maxDrawIndirectCount = UINT32_MAX;
  limits.maxClipDistances = 8;
  limits.maxCullDistances = 8;
  limits.maxCombinedClipAndCullDistances = 8;
}

/// The off-chip buffer has 32 KiB for a patch, LDS 64 KiB for its inputs and outputs.
void setTessellationLimits(VkPhysicalDeviceLimits &limits) {
  limits.maxTessellationGenerationLevel = 64; // as lgc-lower-tessellation programs it
  limits.maxTessellationPatchSize = maxPatchControlPoints;
  limits.maxTessellationControlPerVertexInputComponents = 4 * 32;
  limits.maxTessellationControlPerVertexOutputComponents = 4 * 32;
  limits.maxTessellationControlPerPatchOutputComponents = 120;
  limits.maxTessellationControlTotalOutputComponents =
      limits.maxTessellationPatchSize * limits.maxTessellationControlPerVertexOutputComponents;
  limits.maxTessellationEvaluationInputComponents = 4 * 32;
  limits.maxTessellationEvaluationOutputComponents = 4 * 32;
}

void setGeometryLimits(VkPhysicalDeviceLimits &limits) {
  limits.maxGeometryShaderInvocations = 32; // gfx12: 5 bits
  limits.maxGeometryInputComponents = 4 * 32;
  limits.maxGeometryOutputComponents = 4 * 32;
  // Primitive shaders export a vertex a lane, and keep all of an invocation in LDS.
  limits.maxGeometryOutputVertices = 256;
  // Bytes of a V#'s stride: the ring of legacy geometry shaders.
  limits.maxGeometryTotalOutputComponents = ((1u << 14) - 1) / 4;
}

void setRasterLimits(VkPhysicalDeviceLimits &limits) {
  limits.subPixelPrecisionBits = subPixelBits;
  limits.maxViewports = pal::device::maxViewports;
  limits.maxViewportDimensions[0] = limits.maxViewportDimensions[1] = 16384;
  limits.viewportBoundsRange[0] = -32768;
  limits.viewportBoundsRange[1] = 32767;
  limits.viewportSubPixelBits = subPixelBits;
  limits.pointSizeRange[0] = limits.lineWidthRange[0] = 0;
  limits.pointSizeRange[1] = limits.lineWidthRange[1] = 8191.875F;
  limits.pointSizeGranularity = limits.lineWidthGranularity = 0.125F;
  limits.strictLines = VK_TRUE; // the default line mode is rectangular
  limits.standardSampleLocations = VK_TRUE;
}

void setFragmentLimits(VkPhysicalDeviceLimits &limits) {
  limits.maxFragmentInputComponents = 4 * 32;
  limits.maxFragmentOutputAttachments = pal::device::maxColorTargets;
  limits.maxFragmentDualSrcAttachments = 1;
  limits.maxFragmentCombinedOutputResources = manyDescriptors;
  limits.minInterpolationOffset = -2;
  limits.maxInterpolationOffset = 2 - 1.0F / (1 << subPixelBits);
  limits.subPixelInterpolationOffsetBits = subPixelBits;
  limits.maxFramebufferWidth = limits.maxFramebufferHeight = 16384;
  limits.maxFramebufferLayers = maxFramebufferLayers;
  limits.framebufferColorSampleCounts = imageSampleCounts;
  limits.framebufferDepthSampleCounts = imageSampleCounts;
  limits.framebufferStencilSampleCounts = imageSampleCounts;
  limits.framebufferNoAttachmentsSampleCounts = imageSampleCounts;
  limits.maxColorAttachments = pal::device::maxColorTargets;
}

} // namespace

VkPhysicalDeviceLimits makeLimits(const Features &features) {
  VkPhysicalDeviceLimits limits = {};
  setImageLimits(limits, features);
  setBufferLimits(limits);
  setDescriptorLimits(limits);
  setComputeLimits(limits);
  setVertexLimits(limits);
  setTessellationLimits(limits);
  setGeometryLimits(limits);
  setRasterLimits(limits);
  setFragmentLimits(limits);
  return limits;
}

} // namespace icd
