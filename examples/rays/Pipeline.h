//===- Pipeline.h - the ray tracing pipeline and its tables ---------------===//
// SPDX-License-Identifier: MIT
#ifndef RAYS_PIPELINE_H
#define RAYS_PIPELINE_H
#include "Structures.h"

struct Pipeline {
  VkDescriptorSetLayout setLayout;
  VkPipelineLayout layout;
  VkPipeline pipeline;
  VkDescriptorPool pool;
  VkDescriptorSet set;
  Buffer tables;
  VkStridedDeviceAddressRegionKHR rayGen, miss, hit, callable;
};

/// \p pixels: what the picture is written to.
Pipeline createPipeline(const Device &d, const Scene &s, const Buffer &pixels);
void destroy(const Device &d, const Pipeline &p);

#endif
