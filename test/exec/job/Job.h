//===- Job.h - a dispatch or a draw with everything it needs ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What scripts, families, corpus cases and differential runs have in common: resources with
/// contents, bindings, one pipeline, dispatches or draws. runJob() creates all of it on a device,
/// runs it and returns the contents afterwards. A Job knows nothing of a device, so the same one
/// runs on several.
#pragma once

#include "Acceleration.h"
#include "Graphics.h"
#include "Rays.h"
#include "llpc/SpecConstant.h"
#include <cstdint>
#include <string>
#include <vector>

namespace exec {

using Bytes = std::vector<uint8_t>;

/// An image and its contents: texels packed tightly, mip by mip, in each mip layer by layer, then
/// z, y, x. Aspects of multi-planar formats are not handled here.
struct ImageSpec {
  VkImageType type = VK_IMAGE_TYPE_2D;
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkExtent3D extent = {1, 1, 1};
  uint32_t mips = 1;
  uint32_t layers = 1;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkImageCreateFlags flags = 0;
  VkImageUsageFlags usage = 0; ///< on top of transfer
  uint32_t blockBytes = 4;     ///< of one texel, or of one block of a compressed format
  uint32_t blockWidth = 1, blockHeight = 1;
  Bytes data;                             ///< empty: the image is not written before the dispatch
  std::optional<VkClearColorValue> clear; ///< instead of data, of multisampled colour images
  /// Of the data and of barriers; of a depth/stencil image: the one plane that `data` holds.
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  VkImageAspectFlags allAspects = VK_IMAGE_ASPECT_COLOR_BIT;

  /// Bytes of one mip level with all layers.
  uint64_t mipBytes(uint32_t mip) const;
  uint64_t totalBytes() const;
};

struct SamplerSpec {
  VkSamplerCreateInfo info = {};
  VkSamplerReductionMode reduction = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
};

/// One descriptor.
struct Binding {
  uint32_t set = 0, binding = 0, element = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  uint32_t resource = 0; ///< index of the buffer, image or structure
  uint64_t offset = 0, range = VK_WHOLE_SIZE;
  uint32_t dynamicOffset = 0;
  VkFormat viewFormat = VK_FORMAT_UNDEFINED; ///< texel buffers; images: other than the image's
  VkImageViewType viewType = VK_IMAGE_VIEW_TYPE_2D;
  VkImageSubresourceRange view = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                  VK_REMAINING_ARRAY_LAYERS};
  VkComponentMapping swizzle = {};
  VkExtent2D slices = {0, ~0u};  ///< of a 3D view: the first one, and how many
  float minLod = 0;              ///< of an image view
  uint32_t sampler = 0;          ///< index of the sampler
  bool immutableSampler = false; ///< the sampler is part of the layout
  bool isNull = false;           ///< a null descriptor
  Bytes inlineData;              ///< inline uniform blocks
};

/// Writes the address of a buffer or structure into a buffer, or into the push constants, before
/// the dispatch.
struct PointerPatch {
  static constexpr uint32_t pushConstants = ~0u;
  uint32_t buffer = 0; ///< or pushConstants
  uint64_t offset = 0;
  uint32_t target = 0;
  bool isStructure = false; ///< what `target` counts
  uint64_t targetOffset = 0;
};

/// A binding of the layout, whether or not a descriptor is written to it.
struct LayoutBinding {
  uint32_t set = 0, binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  uint32_t count = 1;
};

struct Dispatch {
  uint32_t base[3] = {0, 0, 0};
  uint32_t groups[3] = {1, 1, 1};
  bool indirect = false; ///< groups come from `indirectBuffer` at `indirectOffset`
  uint32_t indirectBuffer = 0;
  uint64_t indirectOffset = 0;
};

struct Job {
  std::string name;
  std::vector<uint32_t> spirv;
  std::string entry = "main";
  std::vector<llpc::SpecConstant> specialization;
  uint32_t subgroupSize = 0; ///< required size; 0: the driver's choice
  bool fullSubgroups = false;
  std::vector<Bytes> buffers;
  std::vector<ImageSpec> images;
  std::vector<SamplerSpec> samplers;
  std::vector<StructureSpec> structures;
  std::vector<Binding> bindings;
  std::vector<LayoutBinding> layoutBindings; ///< besides those of `bindings`
  uint32_t setCount = 0;                     ///< of the layout at least
  std::vector<PointerPatch> pointers;
  Bytes push;
  std::vector<Dispatch> dispatches;
  std::optional<GraphicsSpec> graphics; ///< draws instead of dispatches; `spirv` is unused
  std::optional<RaysSpec> rays;         ///< launches of rays instead
};

struct JobResult {
  std::vector<Bytes> buffers;
  std::vector<Bytes> images;
};

/// Errors: what Vulkan reports, with the function's name.
llvm::Expected<JobResult> runJob(Device &device, const Job &job);

} // namespace exec
