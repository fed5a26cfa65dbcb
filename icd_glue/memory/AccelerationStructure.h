//===- AccelerationStructure.h - VkAccelerationStructureKHR ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/memory/Buffer.h"

namespace icd {

/// A range of a buffer, or of addresses; what is in there: lgc/AccelerationStructure.h.
class AccelerationStructure : public Object {
public:
  using Handle = VkAccelerationStructureKHR;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR;
  /// \p buffer may be null: \p offset is an address.
  AccelerationStructure(const Buffer *buffer, VkDeviceSize offset, VkDeviceSize size)
      : Object(type), size(size), buffer(buffer), offset(offset) {}

  /// 0 while the buffer has no memory.
  pal::device::GpuAddress address() const {
    if (!buffer)
      return offset;
    const pal::device::GpuAddress start = buffer->address();
    return start ? start + offset : 0;
  }

  const VkDeviceSize size;

private:
  const Buffer *buffer;
  const VkDeviceSize offset;
};

/// Of a handle that may be null, as a shader gets it: 0.
inline pal::device::GpuAddress addressOf(VkAccelerationStructureKHR handle) {
  const auto *object = fromHandle<AccelerationStructure>(handle);
  return object ? object->address() : 0;
}
/// Likewise.
inline VkDeviceSize sizeOf(VkAccelerationStructureKHR handle) {
  const auto *object = fromHandle<AccelerationStructure>(handle);
  return object ? object->size : 0;
}

} // namespace icd
