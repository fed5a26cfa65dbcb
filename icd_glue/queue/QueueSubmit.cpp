//===- QueueSubmit.cpp - vkQueueSubmit and its relatives ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Turns submissions into batches. Stage masks of waits are not looked at: a batch begins when all
/// its semaphores are signaled, which is later than asked for and therefore right.
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/queue/Queue.h"
#include "icd_glue/sync/Fence.h"
#include "icd_glue/sync/Semaphore.h"
#include <algorithm>

namespace icd {
namespace {

/// Value \p index of an array that may be absent or too short (binary semaphores have none).
uint64_t valueAt(const uint64_t *values, uint32_t count, uint32_t index) {
  return values && index < count ? values[index] : 0;
}

/// Waits and signals of structures whose timeline values are in the chain.
template <typename Info> Batch semaphoresOf(const Info &info) {
  Batch batch;
  auto *timeline = findInChain<VkTimelineSemaphoreSubmitInfo>(
      info.pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  const VkTimelineSemaphoreSubmitInfo none = {};
  const VkTimelineSemaphoreSubmitInfo &values = timeline ? *timeline : none;
  for (uint32_t index = 0; index < info.waitSemaphoreCount; ++index)
    batch.waits.push_back(
        {fromHandle<Semaphore>(info.pWaitSemaphores[index]),
         valueAt(values.pWaitSemaphoreValues, values.waitSemaphoreValueCount, index)});
  for (uint32_t index = 0; index < info.signalSemaphoreCount; ++index)
    batch.signals.push_back(
        {fromHandle<Semaphore>(info.pSignalSemaphores[index]),
         valueAt(values.pSignalSemaphoreValues, values.signalSemaphoreValueCount, index)});
  return batch;
}

Batch batchOf(const VkSubmitInfo &info) {
  Batch batch = semaphoresOf(info);
  for (uint32_t index = 0; index < info.commandBufferCount; ++index)
    batch.work.push_back(workOfCommandBuffer(info.pCommandBuffers[index]));
  return batch;
}

/// Without the binds, which the device has not.
Batch batchOf(const VkBindSparseInfo &info) { return semaphoresOf(info); }

bool bindsMemory(const VkBindSparseInfo &info) {
  return info.bufferBindCount || info.imageOpaqueBindCount || info.imageBindCount;
}

Batch batchOf(const VkSubmitInfo2 &info) {
  Batch batch;
  for (uint32_t index = 0; index < info.waitSemaphoreInfoCount; ++index)
    batch.waits.push_back({fromHandle<Semaphore>(info.pWaitSemaphoreInfos[index].semaphore),
                           info.pWaitSemaphoreInfos[index].value});
  for (uint32_t index = 0; index < info.commandBufferInfoCount; ++index)
    batch.work.push_back(workOfCommandBuffer(info.pCommandBufferInfos[index].commandBuffer));
  for (uint32_t index = 0; index < info.signalSemaphoreInfoCount; ++index)
    batch.signals.push_back({fromHandle<Semaphore>(info.pSignalSemaphoreInfos[index].semaphore),
                             info.pSignalSemaphoreInfos[index].value});
  return batch;
}

template <typename Info>
VkResult submitAll(VkQueue queue, uint32_t count, const Info *infos, VkFence fence) {
  std::vector<Batch> batches;
  for (uint32_t index = 0; index < count; ++index)
    batches.push_back(batchOf(infos[index]));
  if (fence) {
    // A fence alone is signaled after everything submitted before.
    if (batches.empty())
      batches.emplace_back();
    batches.back().fence = fromHandle<Fence>(fence);
  }
  return fromHandle<Queue>(queue)->submit(std::move(batches));
}

} // namespace

VkResult VKAPI_CALL QueueSubmit(VkQueue queue, uint32_t submitCount, const VkSubmitInfo *pSubmits,
                                VkFence fence) {
  return submitAll(queue, submitCount, pSubmits, fence);
}

VkResult VKAPI_CALL QueueSubmit2(VkQueue queue, uint32_t submitCount, const VkSubmitInfo2 *pSubmits,
                                 VkFence fence) {
  return submitAll(queue, submitCount, pSubmits, fence);
}

// No queue family has VK_QUEUE_SPARSE_BINDING_BIT, but every device has the command.
VkResult VKAPI_CALL QueueBindSparse(VkQueue queue, uint32_t bindInfoCount,
                                    const VkBindSparseInfo *pBindInfo, VkFence fence) {
  if (std::any_of(pBindInfo, pBindInfo + bindInfoCount, bindsMemory)) {
    fromHandle<Queue>(queue)->device().reportError(
        "KILN-sparse-binding", "vkQueueBindSparse: the device has no sparse resources to bind "
                               "memory to");
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  return submitAll(queue, bindInfoCount, pBindInfo, fence);
}

VkResult VKAPI_CALL QueueWaitIdle(VkQueue queue) { return fromHandle<Queue>(queue)->waitIdle(); }

} // namespace icd
