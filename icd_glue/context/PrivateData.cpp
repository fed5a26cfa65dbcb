//===- PrivateData.cpp - vkSetPrivateData and its relatives ---------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/PrivateData.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"

namespace icd {

VkResult VKAPI_CALL CreatePrivateDataSlot(VkDevice handle, const VkPrivateDataSlotCreateInfo *,
                                          const VkAllocationCallbacks *pAllocator,
                                          VkPrivateDataSlot *pPrivateDataSlot) {
  Device *device = fromHandle<Device>(handle);
  PrivateDataSlot *slot =
      device->create<PrivateDataSlot>(pAllocator, device->nextPrivateDataSlot());
  if (!slot)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  *pPrivateDataSlot = toHandle(slot);
  return VK_SUCCESS;
}

void VKAPI_CALL DestroyPrivateDataSlot(VkDevice device, VkPrivateDataSlot slot,
                                       const VkAllocationCallbacks *pAllocator) {
  fromHandle<Device>(device)->destroy(fromHandle<PrivateDataSlot>(slot), pAllocator);
}

VkResult VKAPI_CALL SetPrivateData(VkDevice, VkObjectType objectType, uint64_t objectHandle,
                                   VkPrivateDataSlot slot, uint64_t data) {
  if (!isOwnType(objectType))
    return VK_ERROR_UNKNOWN;
  ObjectNotes &notes = objectFromRawHandle(objectHandle)->notes();
  std::lock_guard<std::mutex> lock(notes.mutex);
  notes.privateData[fromHandle<PrivateDataSlot>(slot)->number] = data;
  return VK_SUCCESS;
}

void VKAPI_CALL GetPrivateData(VkDevice, VkObjectType objectType, uint64_t objectHandle,
                               VkPrivateDataSlot slot, uint64_t *pData) {
  *pData = 0;
  if (!isOwnType(objectType))
    return;
  ObjectNotes &notes = objectFromRawHandle(objectHandle)->notes();
  std::lock_guard<std::mutex> lock(notes.mutex);
  auto found = notes.privateData.find(fromHandle<PrivateDataSlot>(slot)->number);
  if (found != notes.privateData.end())
    *pData = found->second;
}

} // namespace icd
