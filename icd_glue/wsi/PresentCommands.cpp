//===- PresentCommands.cpp - acquiring and presenting images --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/queue/Queue.h"
#include "icd_glue/sync/Fence.h"
#include "icd_glue/sync/Semaphore.h"
#include "icd_glue/wsi/Swapchain.h"

namespace icd {
namespace {

/// The image is free when acquire() returns, so semaphore and fence are signaled at once.
VkResult acquireNextImage(Device &device, Swapchain &swapchain, uint64_t timeout,
                          VkSemaphore semaphore, VkFence fence, uint32_t &index) {
  if (VkResult result = swapchain.acquire(timeout, index))
    return result;
  device.sync().update([&] {
    if (semaphore)
      fromHandle<Semaphore>(semaphore)->signal(0);
    if (fence)
      fromHandle<Fence>(fence)->signal();
  });
  return VK_SUCCESS;
}

/// Of several presents: the one that the specification names first.
VkResult worse(VkResult one, VkResult other) {
  constexpr VkResult ranks[] = {VK_ERROR_DEVICE_LOST, VK_ERROR_SURFACE_LOST_KHR,
                                VK_ERROR_OUT_OF_DATE_KHR, VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT};
  for (VkResult rank : ranks)
    if (one == rank || other == rank)
      return rank;
  return one ? one : other;
}

} // namespace

VkResult VKAPI_CALL AcquireNextImageKHR(VkDevice device, VkSwapchainKHR swapchain, uint64_t timeout,
                                        VkSemaphore semaphore, VkFence fence,
                                        uint32_t *pImageIndex) {
  return acquireNextImage(*fromHandle<Device>(device), *fromHandle<Swapchain>(swapchain), timeout,
                          semaphore, fence, *pImageIndex);
}

VkResult VKAPI_CALL AcquireNextImage2KHR(VkDevice device,
                                         const VkAcquireNextImageInfoKHR *pAcquireInfo,
                                         uint32_t *pImageIndex) {
  return acquireNextImage(*fromHandle<Device>(device),
                          *fromHandle<Swapchain>(pAcquireInfo->swapchain), pAcquireInfo->timeout,
                          pAcquireInfo->semaphore, pAcquireInfo->fence, *pImageIndex);
}

VkResult VKAPI_CALL ReleaseSwapchainImagesEXT(VkDevice,
                                              const VkReleaseSwapchainImagesInfoEXT *info) {
  for (uint32_t index = 0; index < info->imageIndexCount; ++index)
    fromHandle<Swapchain>(info->swapchain)->releaseImage(info->pImageIndices[index]);
  return VK_SUCCESS;
}

VkResult VKAPI_CALL WaitForPresentKHR(VkDevice, VkSwapchainKHR swapchain, uint64_t presentId,
                                      uint64_t timeout) {
  return fromHandle<Swapchain>(swapchain)->waitForPresent(presentId, timeout);
}

VkResult VKAPI_CALL WaitForPresent2KHR(VkDevice, VkSwapchainKHR swapchain,
                                       const VkPresentWait2InfoKHR *info) {
  return fromHandle<Swapchain>(swapchain)->waitForPresent(info->presentId, info->timeout);
}

VkResult VKAPI_CALL QueuePresentKHR(VkQueue handle, const VkPresentInfoKHR *pPresentInfo) {
  Queue *queue = fromHandle<Queue>(handle);
  const VkPresentInfoKHR &info = *pPresentInfo;
  Batch batch;
  for (uint32_t index = 0; index < info.waitSemaphoreCount; ++index)
    batch.waits.push_back({fromHandle<Semaphore>(info.pWaitSemaphores[index]), 0});
  const auto *ids = findInChain<VkPresentIdKHR>(info.pNext, VK_STRUCTURE_TYPE_PRESENT_ID_KHR);
  const auto *ids2 = findInChain<VkPresentId2KHR>(info.pNext, VK_STRUCTURE_TYPE_PRESENT_ID_2_KHR);
  const auto *times = findInChain<VkPresentTimesInfoGOOGLE>(
      info.pNext, VK_STRUCTURE_TYPE_PRESENT_TIMES_INFO_GOOGLE);
  const auto *timings =
      findInChain<VkPresentTimingsInfoEXT>(info.pNext, VK_STRUCTURE_TYPE_PRESENT_TIMINGS_INFO_EXT);
  const auto *fences = findInChain<VkSwapchainPresentFenceInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT);
  VkResult overall = VK_SUCCESS;
  for (uint32_t index = 0; index < info.swapchainCount; ++index) {
    PresentRequest request;
    if (ids && ids->pPresentIds)
      request.id = ids->pPresentIds[index];
    if (ids2 && ids2->pPresentIds)
      request.id = ids2->pPresentIds[index];
    if (times && times->pTimes)
      request.time = &times->pTimes[index];
    if (timings && timings->pTimingInfos)
      request.timing = &timings->pTimingInfos[index];
    VkResult result = fromHandle<Swapchain>(info.pSwapchains[index])
                          ->queuePresent(info.pImageIndices[index], request, batch.work);
    if (Fence *fence = fences ? fromHandle<Fence>(fences->pFences[index]) : nullptr)
      batch.work.push_back([&device = queue->device(), fence] {
        device.sync().update([fence] { fence->signal(); });
        return llvm::Error::success();
      });
    if (info.pResults)
      info.pResults[index] = result;
    overall = worse(overall, result);
  }
  // The specification: semaphores are waited for even if no image can be shown.
  std::vector<Batch> batches;
  batches.push_back(std::move(batch));
  if (VkResult result = queue->submit(std::move(batches)))
    return result;
  return overall;
}

} // namespace icd
