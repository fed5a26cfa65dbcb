//===- DeviceMemory.h - VkDeviceMemory ------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/context/AddressBinding.h"
#include "icd_glue/context/PhysicalDeviceStructs.h"
#include "icd_glue/memory/ExternalMemory.h"
#include "pal_shim/device/Device.h"
#include <memory>

namespace icd {

/// One allocation of the GPU's memory. All of it is mapped all the time; where the application may
/// say what happens with its addresses, it gets a mapping of its own.
class DeviceMemory : public Object {
public:
  using Handle = VkDeviceMemory;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_DEVICE_MEMORY;
  DeviceMemory(std::unique_ptr<pal::device::Allocation> allocation, uint32_t memoryType,
               MemorySource source = {})
      : Object(type), source(std::move(source)), allocation(std::move(allocation)),
        memoryType(memoryType) {}

  pal::device::GpuAddress address() const { return allocation->address(); }
  VkDeviceSize size() const { return allocation->size(); }
  uint8_t *host() const { return allocation->host(); }

  /// Of the same bytes under any handle, among all that exist.
  uint64_t number() const {
    constexpr uint64_t shared = uint64_t(1) << 63; // no address
    return source.shared ? source.shared->number() | shared : address();
  }

  const MemorySource source;
  const std::unique_ptr<pal::device::Allocation> allocation;
  const uint32_t memoryType;
  std::unique_ptr<PageMapping> view; ///< what the application has mapped, if not the memory itself
};

/// VK_EXT_map_memory_placed: may the application place mappings, or keep their addresses?
inline bool mapsViews(const Features &features) {
  return features.memoryMapPlaced || features.memoryUnmapReserve;
}

/// Answers a VkBindMemoryStatus in the chain of a bind info: binding cannot fail.
inline void noteBound(const void *next) {
  if (const auto *status =
          findInChain<VkBindMemoryStatus>(next, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS))
    *status->pResult = VK_SUCCESS;
}

/// Alignment in bytes of every VkDeviceMemory's address: no resource may need more.
inline constexpr VkDeviceSize memoryAlignment = 64 * 1024;

} // namespace icd
