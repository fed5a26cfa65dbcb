//===- Fence.cpp - commands of VkFence ------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sync/Fence.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/sync/ExternalSync.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {

VkResult VKAPI_CALL CreateFence(VkDevice handle, const VkFenceCreateInfo *pCreateInfo,
                                const VkAllocationCallbacks *pAllocator, VkFence *pFence) {
  Fence *fence = fromHandle<Device>(handle)->create<Fence>(
      pAllocator, (pCreateInfo->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0);
  if (!fence)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  *pFence = toHandle(fence);
  return VK_SUCCESS;
}

void VKAPI_CALL DestroyFence(VkDevice device, VkFence fence,
                             const VkAllocationCallbacks *pAllocator) {
  auto *object = fromHandle<Fence>(fence);
  if (object)
    forgetPayload(fromHandle<Device>(device)->sync(), object->payload);
  fromHandle<Device>(device)->destroy(object, pAllocator);
}

VkResult VKAPI_CALL ResetFences(VkDevice device, uint32_t fenceCount, const VkFence *pFences) {
  fromHandle<Device>(device)->sync().update([&] {
    for (VkFence fence : llvm::ArrayRef(pFences, fenceCount))
      fromHandle<Fence>(fence)->payload.reset();
  });
  return VK_SUCCESS;
}

VkResult VKAPI_CALL GetFenceStatus(VkDevice handle, VkFence fence) {
  Device *device = fromHandle<Device>(handle);
  if (device->isLost())
    return device->lostResult();
  return device->sync().read([&] { return fromHandle<Fence>(fence)->isSignaled(); }) ? VK_SUCCESS
                                                                                     : VK_NOT_READY;
}

VkResult VKAPI_CALL WaitForFences(VkDevice handle, uint32_t fenceCount, const VkFence *pFences,
                                  VkBool32 waitAll, uint64_t timeout) {
  Device *device = fromHandle<Device>(handle);
  llvm::ArrayRef<VkFence> fences(pFences, fenceCount);
  auto isSignaled = [](VkFence fence) { return fromHandle<Fence>(fence)->isSignaled(); };
  WaitResult result = device->sync().wait(timeout, [&] {
    return waitAll ? llvm::all_of(fences, isSignaled) : llvm::any_of(fences, isSignaled);
  });
  if (result == WaitResult::Lost)
    return device->lostResult();
  return result == WaitResult::Satisfied ? VK_SUCCESS : VK_TIMEOUT;
}

} // namespace icd
