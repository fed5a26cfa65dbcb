//===- SyncCommands.cpp - barriers, events and queries --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Operations run one after another on coherent memory, and images have one layout in memory:
/// pipeline barriers, and the barrier part of event waits, have nothing to do. Events are set by a
/// queue or the host and waited for by a queue.
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/device/Device.h"
#include "icd_glue/memory/Buffer.h"
#include "icd_glue/sync/Event.h"
#include "icd_glue/sync/QueryPool.h"

namespace icd {
namespace {

void recordSetEvent(VkCommandBuffer commandBuffer, VkEvent event) {
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdSetEvent", [event = fromHandle<Event>(event)](Execution &) {
        event->set();
        return llvm::Error::success();
      });
}

void recordResetEvent(VkCommandBuffer commandBuffer, VkEvent event) {
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdResetEvent", [event = fromHandle<Event>(event)](Execution &) {
        event->reset();
        return llvm::Error::success();
      });
}

void recordWaitEvents(VkCommandBuffer commandBuffer, uint32_t count, const VkEvent *events) {
  std::vector<Event *> list;
  for (uint32_t i = 0; i < count; ++i)
    list.push_back(fromHandle<Event>(events[i]));
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdWaitEvents", [list = std::move(list)](Execution &) {
        for (Event *event : list)
          if (!event->wait())
            break; // the device is lost, and the queue knows
        return llvm::Error::success();
      });
}

void recordTimestamp(VkCommandBuffer commandBuffer, VkQueryPool pool, uint32_t query) {
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdWriteTimestamp", [pool = fromHandle<QueryPool>(pool), query](Execution &) {
        if (query < pool->count())
          pool->writeTimestamp(query);
        return llvm::Error::success();
      });
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdPipelineBarrier(VkCommandBuffer, VkPipelineStageFlags,
                                              VkPipelineStageFlags, VkDependencyFlags, uint32_t,
                                              const VkMemoryBarrier *, uint32_t,
                                              const VkBufferMemoryBarrier *, uint32_t,
                                              const VkImageMemoryBarrier *) {}

VKAPI_ATTR void VKAPI_CALL CmdPipelineBarrier2(VkCommandBuffer, const VkDependencyInfo *) {}

VKAPI_ATTR void VKAPI_CALL CmdSetEvent(VkCommandBuffer commandBuffer, VkEvent event,
                                       VkPipelineStageFlags) {
  recordSetEvent(commandBuffer, event);
}

VKAPI_ATTR void VKAPI_CALL CmdSetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                        const VkDependencyInfo *) {
  recordSetEvent(commandBuffer, event);
}

VKAPI_ATTR void VKAPI_CALL CmdResetEvent(VkCommandBuffer commandBuffer, VkEvent event,
                                         VkPipelineStageFlags) {
  recordResetEvent(commandBuffer, event);
}

VKAPI_ATTR void VKAPI_CALL CmdResetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                          VkPipelineStageFlags2) {
  recordResetEvent(commandBuffer, event);
}

VKAPI_ATTR void VKAPI_CALL CmdWaitEvents(VkCommandBuffer commandBuffer, uint32_t count,
                                         const VkEvent *events, VkPipelineStageFlags,
                                         VkPipelineStageFlags, uint32_t, const VkMemoryBarrier *,
                                         uint32_t, const VkBufferMemoryBarrier *, uint32_t,
                                         const VkImageMemoryBarrier *) {
  recordWaitEvents(commandBuffer, count, events);
}

VKAPI_ATTR void VKAPI_CALL CmdWaitEvents2(VkCommandBuffer commandBuffer, uint32_t count,
                                          const VkEvent *events, const VkDependencyInfo *) {
  recordWaitEvents(commandBuffer, count, events);
}

VKAPI_ATTR void VKAPI_CALL CmdWriteTimestamp(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits,
                                             VkQueryPool pool, uint32_t query) {
  recordTimestamp(commandBuffer, pool, query);
}

VKAPI_ATTR void VKAPI_CALL CmdWriteTimestamp2(VkCommandBuffer commandBuffer, VkPipelineStageFlags2,
                                              VkQueryPool pool, uint32_t query) {
  recordTimestamp(commandBuffer, pool, query);
}

VKAPI_ATTR void VKAPI_CALL CmdResetQueryPool(VkCommandBuffer commandBuffer, VkQueryPool pool,
                                             uint32_t first, uint32_t count) {
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdResetQueryPool",
               [pool = fromHandle<QueryPool>(pool), first, count](Execution &) {
                 pool->reset(first, count);
                 return llvm::Error::success();
               });
}

VKAPI_ATTR void VKAPI_CALL CmdCopyQueryPoolResults(VkCommandBuffer commandBuffer, VkQueryPool pool,
                                                   uint32_t first, uint32_t count, VkBuffer buffer,
                                                   VkDeviceSize offset, VkDeviceSize stride,
                                                   VkQueryResultFlags flags) {
  auto *target = fromHandle<Buffer>(buffer);
  if (!target || count == 0)
    return;
  // A result and its availability, of 4 or 8 bytes each.
  uint64_t word = flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
  uint64_t element = flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT ? 2 * word : word;
  uint64_t size = (count - 1) * stride + element;
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdCopyQueryPoolResults",
               [=, pool = fromHandle<QueryPool>(pool),
                address = target->address() + offset](Execution &execution) -> llvm::Error {
                 llvm::Expected<uint8_t *> data = execution.memory(address, size);
                 if (!data)
                   return data.takeError();
                 // Unavailable results stay as they are, which is what the command has to do too.
                 pool->getResults(first, count, *data, stride, flags);
                 return llvm::Error::success();
               });
}

/// There are no queries with a begin and an end (occlusion, pipeline statistics): nothing to do
/// for pools that only hold timestamps.
VKAPI_ATTR void VKAPI_CALL CmdBeginQuery(VkCommandBuffer, VkQueryPool, uint32_t,
                                         VkQueryControlFlags) {}
VKAPI_ATTR void VKAPI_CALL CmdEndQuery(VkCommandBuffer, VkQueryPool, uint32_t) {}

} // namespace icd
