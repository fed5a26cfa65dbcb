//===- Pipelines.h - the pipelines of the picture, and their set ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Three pipelines with one layout: a set with the uniform block (binding 0) and the shadow map
/// (binding 1), and a push constant, -1 for what is drawn mirrored. Viewport, scissor and cull mode
/// are dynamic.
#ifndef TREFOIL_PIPELINES_H
#define TREFOIL_PIPELINES_H
#include "Device.h"

constexpr VkFormat colourFormat = VK_FORMAT_R8G8B8A8_SRGB;
constexpr VkFormat depthFormat = VK_FORMAT_D32_SFLOAT;
constexpr VkFormat shadowFormat = VK_FORMAT_D16_UNORM; // one that every device can filter
constexpr VkSampleCountFlagBits sampleCount = VK_SAMPLE_COUNT_4_BIT;

struct Pipelines {
  VkDescriptorSetLayout setLayout;
  VkPipelineLayout layout;
  VkPipeline shadow; ///< depth only
  VkPipeline knot;
  VkPipeline ground; ///< blends with what is there
};

Pipelines createPipelines(const Device &d);
void destroy(const Device &d, const Pipelines &p);

/// A set, and what lives as long as it.
struct BoundSet {
  VkSampler sampler;
  VkDescriptorPool pool;
  VkDescriptorSet set;
};

BoundSet createSet(const Device &d, const Pipelines &p, VkBuffer block, VkImageView shadowMap);
void destroy(const Device &d, const BoundSet &s);

#endif
