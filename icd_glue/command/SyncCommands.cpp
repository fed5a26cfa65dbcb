//===- SyncCommands.cpp - barriers and events -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Operations run one after another on coherent memory, and images have one layout in memory:
/// pipeline barriers, and the barrier part of event waits, have nothing to do. Events are set by a
/// queue or the host and waited for by a queue.
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/sync/Event.h"

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

} // namespace icd
