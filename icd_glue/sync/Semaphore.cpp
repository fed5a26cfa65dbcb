//===- Semaphore.cpp - commands of VkSemaphore ----------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sync/Semaphore.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/sync/ExternalSync.h"

namespace icd {

VkResult VKAPI_CALL CreateSemaphore(VkDevice handle, const VkSemaphoreCreateInfo *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator,
                                    VkSemaphore *pSemaphore) {
  auto *typeInfo = findInChain<VkSemaphoreTypeCreateInfo>(
      pCreateInfo->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  bool timeline = typeInfo && typeInfo->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
  Semaphore *semaphore = fromHandle<Device>(handle)->create<Semaphore>(
      pAllocator, timeline, timeline ? typeInfo->initialValue : 0);
  if (!semaphore)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  *pSemaphore = toHandle(semaphore);
  return VK_SUCCESS;
}

void VKAPI_CALL DestroySemaphore(VkDevice device, VkSemaphore semaphore,
                                 const VkAllocationCallbacks *pAllocator) {
  auto *object = fromHandle<Semaphore>(semaphore);
  if (object)
    forgetPayload(fromHandle<Device>(device)->sync(), object->payload);
  fromHandle<Device>(device)->destroy(object, pAllocator);
}

VkResult VKAPI_CALL GetSemaphoreCounterValue(VkDevice handle, VkSemaphore semaphore,
                                             uint64_t *pValue) {
  Device *device = fromHandle<Device>(handle);
  if (device->isLost())
    return device->lostResult();
  *pValue = device->sync().read([&] { return fromHandle<Semaphore>(semaphore)->payload.load(); });
  return VK_SUCCESS;
}

VkResult VKAPI_CALL SignalSemaphore(VkDevice handle, const VkSemaphoreSignalInfo *pSignalInfo) {
  fromHandle<Device>(handle)->sync().update(
      [&] { fromHandle<Semaphore>(pSignalInfo->semaphore)->signal(pSignalInfo->value); });
  return VK_SUCCESS;
}

VkResult VKAPI_CALL WaitSemaphores(VkDevice handle, const VkSemaphoreWaitInfo *pWaitInfo,
                                   uint64_t timeout) {
  Device *device = fromHandle<Device>(handle);
  const bool any = pWaitInfo->flags & VK_SEMAPHORE_WAIT_ANY_BIT;
  WaitResult result = device->sync().wait(timeout, [&] {
    uint32_t reached = 0;
    for (uint32_t index = 0; index < pWaitInfo->semaphoreCount; ++index)
      reached +=
          fromHandle<Semaphore>(pWaitInfo->pSemaphores[index])->reached(pWaitInfo->pValues[index]);
    return any ? reached > 0 : reached == pWaitInfo->semaphoreCount;
  });
  if (result == WaitResult::Lost)
    return device->lostResult();
  return result == WaitResult::Satisfied ? VK_SUCCESS : VK_TIMEOUT;
}

} // namespace icd
