//===- DeviceDescriptorWords.h - hardware words of a device's objects --------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/descriptor/SetWriter.h"

namespace icd {

class Device;

/// DescriptorWords of real API objects.
class DeviceDescriptorWords : public DescriptorWords {
public:
  explicit DeviceDescriptorWords(Device &device) : device(device) {}
  BufferWords buffer(VkDescriptorType type, const VkDescriptorBufferInfo &info) const override;
  BufferWords texelBuffer(VkDescriptorType type, VkBufferView view) const override;
  ImageWords image(VkDescriptorType type, VkImageView view, uint32_t plane) const override;
  SamplerWords sampler(VkSampler sampler) const override;
  StructureWords structure(VkAccelerationStructureKHR structure) const override;

  /// The same for memory that no buffer object says: \p size bytes from \p address on.
  BufferWords bufferAt(uint64_t address, uint64_t size) const;
  BufferWords texelBufferAt(uint64_t address, uint64_t size, VkFormat format) const;

private:
  Device &device;
};

/// What a set layout keeps of \p sampler. All zeros for null.
ImmutableSampler immutableSamplerOf(VkSampler sampler);

} // namespace icd
