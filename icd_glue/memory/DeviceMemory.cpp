//===- DeviceMemory.cpp - commands of VkDeviceMemory ----------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/memory/DeviceMemory.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/context/Instance.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace icd {

static VkResult outOfMemory(const Device &device, VkDeviceSize size) {
  device.memoryReport().tellFailure(DeviceMemory::type, size);
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

VkResult VKAPI_CALL AllocateMemory(VkDevice handle, const VkMemoryAllocateInfo *pAllocateInfo,
                                   const VkAllocationCallbacks *pAllocator,
                                   VkDeviceMemory *pMemory) {
  Device *device = fromHandle<Device>(handle);
  PhysicalDevice &physical = device->physicalDevice();
  const VkDeviceSize size = pAllocateInfo->allocationSize;
  if (size > physical.properties().maxMemoryAllocationSize || !physical.takeMemory(size))
    return outOfMemory(*device, size);
  MemorySource source;
  if (VkResult result = findMemorySource(*pAllocateInfo, mapsViews(device->features()),
                                         physical.instance().udmabuf(), source)) {
    physical.returnMemory(size);
    device->memoryReport().tellFailure(DeviceMemory::type, size);
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
                              .hostMemory = source.host,
                              .hostOwner = source.owner()});
  if (!allocation) {
    physical.returnMemory(size);
    device->reportWarning("KILN-out-of-memory", toString(allocation.takeError()));
    return outOfMemory(*device, size);
  }
  DeviceMemory *memory = device->create<DeviceMemory>(
      pAllocator, std::move(*allocation), pAllocateInfo->memoryTypeIndex, std::move(source));
  if (!memory) {
    physical.returnMemory(size);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (memory->source.shared)
    memory->source.shared->adopt();
  device->reportBinding(*memory, {memory->address(), memory->size()},
                        VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
  device->memoryReport().tell(memory->source.isImported
                                  ? VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_IMPORT_EXT
                                  : VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT,
                              *memory, memory->number(), memory->size());
  *pMemory = toHandle(memory);
  return VK_SUCCESS;
}

void VKAPI_CALL FreeMemory(VkDevice handle, VkDeviceMemory memory,
                           const VkAllocationCallbacks *pAllocator) {
  Device *device = fromHandle<Device>(handle);
  if (!memory)
    return;
  DeviceMemory *object = fromHandle<DeviceMemory>(memory);
  device->reportBinding(*object, {object->address(), object->size()},
                        VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
  device->memoryReport().tell(object->source.isImported
                                  ? VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_UNIMPORT_EXT
                                  : VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT,
                              *object, object->number(), object->size());
  device->physicalDevice().returnMemory(object->size());
  device->destroy(object, pAllocator);
}

//===--- Mapping ----------------------------------------------------------===//

namespace {

/// Once more, at \p place or, if that is null, anywhere; from \p offset on, a multiple of pages.
std::unique_ptr<PageMapping> mapAgain(const DeviceMemory &memory, VkDeviceSize offset,
                                      VkDeviceSize size, void *place) {
  const SharedPages *shared = memory.source.shared.get();
  return shared && shared->isOfDmaBuf() ? PageMapping::ofFile(shared->file(), offset, size, place)
                                        : PageMapping::again(memory.host() + offset, size, place);
}

/// Maps once more, where the application says or anywhere: what it may unmap by itself, or exchange
/// for something else, is not what the device works on.
VkResult mapView(DeviceMemory &memory, const VkMemoryMapInfo &info, VkDeviceSize alignment,
                 void **data) {
  const VkDeviceSize rest = memory.size() - std::min(info.offset, memory.size());
  const VkDeviceSize size = info.size == VK_WHOLE_SIZE ? rest : info.size;
  if (memory.view || !size || size > rest)
    return VK_ERROR_MEMORY_MAP_FAILED; // not valid usage
  const VkDeviceSize intoPage = info.offset % alignment;
  const VkDeviceSize firstPage = info.offset - intoPage;
  if (info.flags & VK_MEMORY_MAP_PLACED_BIT_EXT) {
    const auto *placed = findInChain<VkMemoryMapPlacedInfoEXT>(
        info.pNext, VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT);
    if (!placed || !placed->pPlacedAddress || intoPage ||
        reinterpret_cast<uintptr_t>(placed->pPlacedAddress) % alignment)
      return VK_ERROR_MEMORY_MAP_FAILED;
    // The device's own mapping must stay.
    const auto at = reinterpret_cast<uintptr_t>(placed->pPlacedAddress),
               own = reinterpret_cast<uintptr_t>(memory.host());
    if (at < own + alignTo(memory.size(), alignment) && own < at + alignTo(size, alignment))
      return VK_ERROR_MEMORY_MAP_FAILED;
    memory.view = mapAgain(memory, firstPage, size, placed->pPlacedAddress);
  } else {
    memory.view = mapAgain(memory, firstPage, size + intoPage, nullptr);
  }
  if (!memory.view)
    return VK_ERROR_MEMORY_MAP_FAILED;
  *data = static_cast<uint8_t *>(memory.view->data()) + intoPage;
  return VK_SUCCESS;
}

} // namespace

VkResult VKAPI_CALL MapMemory2(VkDevice handle, const VkMemoryMapInfo *pMemoryMapInfo,
                               void **ppData) {
  Device *device = fromHandle<Device>(handle);
  DeviceMemory *memory = fromHandle<DeviceMemory>(pMemoryMapInfo->memory);
  if (mapsViews(device->features()) && memory->source.canBeMappedAgain())
    return mapView(*memory, *pMemoryMapInfo,
                   device->physicalDevice().properties().minPlacedMemoryMapAlignment, ppData);
  if (pMemoryMapInfo->flags & VK_MEMORY_MAP_PLACED_BIT_EXT)
    return VK_ERROR_MEMORY_MAP_FAILED; // imported from the host, or the feature is not enabled
  *ppData = memory->host() + pMemoryMapInfo->offset;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL MapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                              VkDeviceSize size, VkMemoryMapFlags, void **ppData) {
  VkMemoryMapInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO;
  info.memory = memory;
  info.offset = offset;
  info.size = size;
  return MapMemory2(device, &info, ppData);
}

VkResult VKAPI_CALL UnmapMemory2(VkDevice, const VkMemoryUnmapInfo *pMemoryUnmapInfo) {
  DeviceMemory *memory = fromHandle<DeviceMemory>(pMemoryUnmapInfo->memory);
  if ((pMemoryUnmapInfo->flags & VK_MEMORY_UNMAP_RESERVE_BIT_EXT) &&
      (!memory->view || !memory->view->leaveReserved()))
    return VK_ERROR_MEMORY_MAP_FAILED;
  memory->view.reset();
  return VK_SUCCESS;
}

void VKAPI_CALL UnmapMemory(VkDevice, VkDeviceMemory memory) {
  fromHandle<DeviceMemory>(memory)->view.reset();
}

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
