//===- DeviceMemory.cpp - commands of VkDeviceMemory ----------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/memory/DeviceMemory.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"

using namespace llvm;

namespace icd {

VkResult VKAPI_CALL AllocateMemory(VkDevice handle, const VkMemoryAllocateInfo *pAllocateInfo,
                                   const VkAllocationCallbacks *pAllocator,
                                   VkDeviceMemory *pMemory) {
  Device *device = fromHandle<Device>(handle);
  PhysicalDevice &physical = device->physicalDevice();
  const VkDeviceSize size = pAllocateInfo->allocationSize;
  if (size > physical.properties().maxMemoryAllocationSize || !physical.takeMemory(size))
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  MemorySource source;
  if (VkResult result = findMemorySource(*pAllocateInfo, source)) {
    physical.returnMemory(size);
    return result;
  }
  // A dedicated allocation has the size that the resource asked for: nothing else to do for it.
  Expected<std::unique_ptr<pal::device::Allocation>> allocation =
      device->gpu().allocate({.size = size,
                              .alignment = memoryAlignment,
                              .heap = pAllocateInfo->memoryTypeIndex == MemoryTypeDescriptors
                                          ? pal::device::Heap::DescriptorTables
                                          : pal::device::Heap::General,
                              .name = "VkDeviceMemory",
                              .hostMemory = source.host});
  if (!allocation) {
    physical.returnMemory(size);
    device->reportWarning("KILN-out-of-memory", toString(allocation.takeError()));
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  DeviceMemory *memory = device->create<DeviceMemory>(
      pAllocator, std::move(*allocation), pAllocateInfo->memoryTypeIndex, std::move(source));
  if (!memory) {
    physical.returnMemory(size);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (memory->source.shared)
    memory->source.shared->adopt();
  *pMemory = toHandle(memory);
  return VK_SUCCESS;
}

void VKAPI_CALL FreeMemory(VkDevice handle, VkDeviceMemory memory,
                           const VkAllocationCallbacks *pAllocator) {
  Device *device = fromHandle<Device>(handle);
  if (!memory)
    return;
  device->physicalDevice().returnMemory(fromHandle<DeviceMemory>(memory)->size());
  device->destroy(fromHandle<DeviceMemory>(memory), pAllocator);
}

VkResult VKAPI_CALL MapMemory(VkDevice, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize,
                              VkMemoryMapFlags, void **ppData) {
  *ppData = fromHandle<DeviceMemory>(memory)->host() + offset;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL MapMemory2(VkDevice, const VkMemoryMapInfo *pMemoryMapInfo, void **ppData) {
  *ppData = fromHandle<DeviceMemory>(pMemoryMapInfo->memory)->host() + pMemoryMapInfo->offset;
  return VK_SUCCESS;
}

void VKAPI_CALL UnmapMemory(VkDevice, VkDeviceMemory) {}

VkResult VKAPI_CALL UnmapMemory2(VkDevice, const VkMemoryUnmapInfo *) { return VK_SUCCESS; }

// All memory is coherent: the device works on what the host sees.
VkResult VKAPI_CALL FlushMappedMemoryRanges(VkDevice, uint32_t, const VkMappedMemoryRange *) {
  return VK_SUCCESS;
}
VkResult VKAPI_CALL InvalidateMappedMemoryRanges(VkDevice, uint32_t, const VkMappedMemoryRange *) {
  return VK_SUCCESS;
}

void VKAPI_CALL GetDeviceMemoryCommitment(VkDevice, VkDeviceMemory memory,
                                          VkDeviceSize *pCommittedMemoryInBytes) {
  *pCommittedMemoryInBytes = fromHandle<DeviceMemory>(memory)->size();
}

// Nothing is ever moved out of memory.
void VKAPI_CALL SetDeviceMemoryPriorityEXT(VkDevice, VkDeviceMemory, float) {}

// bufferDeviceAddressCaptureReplay is not there, so that the value cannot be used for anything.
uint64_t VKAPI_CALL
GetDeviceMemoryOpaqueCaptureAddress(VkDevice, const VkDeviceMemoryOpaqueCaptureAddressInfo *pInfo) {
  return fromHandle<DeviceMemory>(pInfo->memory)->address();
}

} // namespace icd
