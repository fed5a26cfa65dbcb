//===- SetWriter.h - putting descriptors into a set's memory --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One writer for all ways that descriptors come: vkUpdateDescriptorSets, update templates and push
/// descriptors. Each is turned into DescriptorSource, elements at a fixed distance in the caller's
/// memory. A write that runs past the end of a binding goes on in the next one, as Vulkan has it;
/// what lies behind the last is dropped.
#pragma once

#include "icd_glue/descriptor/SetLayout.h"

namespace icd {

using BufferWords = std::array<uint32_t, bufferDwords>;
using ImageWords = std::array<uint32_t, imageDwords>;
using StructureWords = std::array<uint32_t, structureDwords>;
using SamplerWords = std::array<uint32_t, samplerDwords>;

/// The hardware's words for API objects. All-zero words for a null handle: what every access
/// through a null descriptor is defined on.
class DescriptorWords {
public:
  virtual BufferWords buffer(VkDescriptorType type, const VkDescriptorBufferInfo &info) const = 0;
  virtual BufferWords texelBuffer(VkDescriptorType type, VkBufferView view) const = 0;
  /// \p plane of a multi-planar view; 0 for others.
  virtual ImageWords image(VkDescriptorType type, VkImageView view, uint32_t plane) const = 0;
  virtual SamplerWords sampler(VkSampler sampler) const = 0;
  virtual StructureWords structure(VkAccelerationStructureKHR structure) const = 0;

protected:
  ~DescriptorWords() = default;
};

/// The memory of a set, or of push descriptors before a dispatch.
struct SetMemory {
  const SetLayout *layout = nullptr;
  llvm::MutableArrayRef<uint32_t> words;
  llvm::MutableArrayRef<BufferWords> dynamicBuffers;
  uint32_t variableCount = 0; ///< elements of the layout's variable binding

  /// Elements (bytes of an inline block) that \p binding has in this set.
  uint32_t countOf(const SetBinding &binding) const {
    return binding.hasVariableCount() ? variableCount : binding.count;
  }
};

/// `count` elements from (binding, element) on, read from data, data + stride, ... : a
/// VkDescriptorImageInfo, VkDescriptorBufferInfo, VkBufferView or VkAccelerationStructureKHR each,
/// as `type` decides. Inline uniform blocks: element and count are bytes, data points to the bytes.
struct DescriptorSource {
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_MAX_ENUM;
  uint32_t binding = 0;
  uint32_t element = 0;
  uint32_t count = 0;
  const void *data = nullptr;
  size_t stride = 0;
};

/// What \p write says, in the writer's terms.
DescriptorSource sourceOf(const VkWriteDescriptorSet &write);

void writeDescriptors(const SetMemory &memory, const DescriptorSource &source,
                      const DescriptorWords &words);
/// \p copy.srcSet and dstSet are not looked at.
void copyDescriptors(const SetMemory &from, const SetMemory &to, const VkCopyDescriptorSet &copy);
/// Fresh memory: zeros, and the immutable samplers where samplers live in memory.
void initializeSet(const SetMemory &memory);

} // namespace icd
