//===- Buffer.h - VkBuffer ------------------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/memory/DeviceMemory.h"

namespace icd {

class Buffer : public Object {
public:
  using Handle = VkBuffer;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_BUFFER;
  Buffer(VkDeviceSize size, VkBufferUsageFlags2KHR usage)
      : Object(type), size(size), usage(usage) {}

  void bind(DeviceMemory *toMemory, VkDeviceSize offset) {
    memory = toMemory;
    memoryOffset = offset;
    binding = memory ? AddressBinding{memory->address() + offset, size} : AddressBinding();
  }
  /// What was bound, though the memory may be gone by now.
  const AddressBinding &lastBinding() const { return binding; }
  /// Address of byte 0; 0 while no memory is bound.
  pal::device::GpuAddress address() const { return memory ? memory->address() + memoryOffset : 0; }
  /// Host pointer to byte 0; null while no memory is bound.
  uint8_t *host() const { return memory ? memory->host() + memoryOffset : nullptr; }
  /// Bytes from \p offset on that a range may have: resolves VK_WHOLE_SIZE.
  VkDeviceSize rangeFrom(VkDeviceSize offset, VkDeviceSize range) const {
    return range == VK_WHOLE_SIZE ? size - offset : range;
  }

  const VkDeviceSize size;
  const VkBufferUsageFlags2KHR usage;

private:
  DeviceMemory *memory = nullptr;
  VkDeviceSize memoryOffset = 0;
  AddressBinding binding;
};

} // namespace icd
