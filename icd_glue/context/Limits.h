//===- Limits.h - VkPhysicalDeviceLimits ----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/context/PhysicalDeviceStructs.h"

namespace icd {

/// Descriptors of one kind that a set or stage may have. Sets are plain memory: only size counts.
inline constexpr uint32_t manyDescriptors = 1u << 20;

// What goes into user data, which has 160 dwords: a pointer for each set, four dwords for each
// dynamic buffer, push constants, the view of task shaders or the address of a launch of rays:
// 30 + 4 * 16 + 64 + 2 = 160.
inline constexpr uint32_t maxBoundSets = 30;
inline constexpr uint32_t maxDynamicUniformBuffers = 8;
inline constexpr uint32_t maxDynamicStorageBuffers = 8;
inline constexpr uint32_t maxPushConstantBytes = 256;

/// Vertex bindings, and attributes, that a pipeline may have.
inline constexpr uint32_t maxVertexBindings = 32;

/// Control points of a patch.
inline constexpr uint32_t maxPatchControlPoints = 32;

/// Levels of command buffers that a secondary one executes, and operations that a command buffer
/// may have with all of them: a few lines of a program could make any number.
inline constexpr uint32_t maxNesting = 64;
inline constexpr uint64_t maxOperations = 1u << 26;

/// Bytes of the alignment of host pointers that may be imported, and of their sizes.
inline constexpr uint64_t hostPointerAlignment = 4096;

/// Layers of framebuffers.
inline constexpr uint32_t maxFramebufferLayers = 2048;

/// Alignment that every buffer asks for, in bytes.
inline constexpr VkDeviceSize bufferAlignment = 256;

/// Samplers with a border colour of their own: what the field of a sampler can name.
inline constexpr uint32_t maxCustomBorderColors = 4096;

/// VkPhysicalDeviceShaderObjectPropertiesEXT::shaderBinaryVersion. The UUID names the build, so
/// that nothing is ever read that another build wrote.
inline constexpr uint32_t shaderBinaryVersion = 3;

/// Sample counts of images and attachments. Every sample is a slice of a linear image, so any count
/// would do; these are RDNA's.
inline constexpr VkSampleCountFlags imageSampleCounts =
    VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_2_BIT | VK_SAMPLE_COUNT_4_BIT | VK_SAMPLE_COUNT_8_BIT;
/// VK_EXT_sample_locations: all pixels have the same, in sixteenths of a pixel as hardware has
/// them.
inline constexpr VkSampleCountFlags sampleLocationCounts =
    imageSampleCounts & ~VkSampleCountFlags(VK_SAMPLE_COUNT_1_BIT);
inline constexpr VkExtent2D sampleLocationGrid = {1, 1};
inline constexpr uint32_t sampleLocationBits = 4;
inline constexpr float maxSampleLocation = 1 - 1.0F / (1 << sampleLocationBits);
/// Fraction bits of framebuffer coordinates.
inline constexpr uint32_t subPixelBits = 8;

/// Limits of a device with these features.
VkPhysicalDeviceLimits makeLimits(const Features &features);

} // namespace icd
