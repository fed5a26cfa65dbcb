//===- CommandBuffer.cpp - VkCommandBuffer --------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/queue/Queue.h"

namespace icd {

CommandBuffer::CommandBuffer(CommandPool &pool, VkCommandBufferLevel level)
    : Object(type), pool(pool), bufferLevel(level),
      recording(std::make_shared<Recording>(pool.tableChunks())) {}

void CommandBuffer::reset() {
  // Not cleared in place: a submission that has not ended may share the old one.
  recording = std::make_shared<Recording>(pool.tableChunks());
  for (BindPointState &bindPoint : bindPoints)
    bindPoint.reset();
  constants = {};
  boundDescriptorBuffers = {};
  rayStack = 0;
  draws = {};
  labels.clear();
  setRendering(nullptr);
  isRecording = false;
  error = VK_SUCCESS;
}

VkResult CommandBuffer::begin(const VkCommandBufferBeginInfo &info) {
  reset();
  isRecording = true;
  if (bufferLevel == VK_COMMAND_BUFFER_LEVEL_SECONDARY &&
      (info.flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT)) {
    draws.formats = inheritedFormatsOf(info.pInheritanceInfo);
    draws.given = static_cast<uint16_t>(DrawPiece::Formats);
  }
  return VK_SUCCESS;
}

VkResult CommandBuffer::end() {
  isRecording = false;
  return error;
}

bool CommandBuffer::execute(const CommandBuffer &other) {
  // Why: what is complete cannot execute what is not, so that there are no circles.
  const bool isTooDeep =
      bufferLevel == VK_COMMAND_BUFFER_LEVEL_SECONDARY && other.recording->nesting >= maxNesting;
  const uint64_t operations =
      recording->executed + other.recording->executed + other.recording->operations.size();
  if (other.isRecording || isTooDeep || operations > maxOperations)
    return false;
  recording->executed = operations;
  recording->nesting = std::max(recording->nesting, other.recording->nesting + 1);
  record("vkCmdExecuteCommands", [recorded = other.recorded()](Execution &execution) {
    return recorded->execute(execution);
  });
  return true;
}

void CommandBuffer::record(const char *name,
                           llvm::unique_function<llvm::Error(Execution &) const> run) {
  Operation operation{name, std::move(run)};
  if (!labels.empty())
    operation.label = labels.back();
  recording->operations.push_back(std::move(operation));
}

BindPointState &CommandBuffer::state(VkPipelineBindPoint bindPoint) {
  return bindPoints[bindPointIndex(bindPoint)];
}

void CommandBuffer::beginLabel(const char *name) {
  labels.push_back(std::make_shared<const std::string>(name ? name : ""));
}

void CommandBuffer::endLabel() {
  // A label may have been begun in an earlier command buffer.
  if (!labels.empty())
    labels.pop_back();
}

Work workOfCommandBuffer(VkCommandBuffer handle) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  return [recording = commandBuffer->recorded(), &device = commandBuffer->device()]() {
    Execution execution{device};
    return recording->execute(execution);
  };
}

VKAPI_ATTR VkResult VKAPI_CALL BeginCommandBuffer(VkCommandBuffer commandBuffer,
                                                  const VkCommandBufferBeginInfo *info) {
  return fromHandle<CommandBuffer>(commandBuffer)->begin(*info);
}

VKAPI_ATTR VkResult VKAPI_CALL EndCommandBuffer(VkCommandBuffer commandBuffer) {
  return fromHandle<CommandBuffer>(commandBuffer)->end();
}

VKAPI_ATTR VkResult VKAPI_CALL ResetCommandBuffer(VkCommandBuffer commandBuffer,
                                                  VkCommandBufferResetFlags) {
  fromHandle<CommandBuffer>(commandBuffer)->reset();
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL CmdExecuteCommands(VkCommandBuffer commandBuffer, uint32_t count,
                                              const VkCommandBuffer *commandBuffers) {
  auto *outer = fromHandle<CommandBuffer>(commandBuffer);
  for (uint32_t i = 0; i < count; ++i) {
    auto *inner = fromHandle<CommandBuffer>(commandBuffers[i]);
    if (inner->level() == VK_COMMAND_BUFFER_LEVEL_SECONDARY && outer->execute(*inner))
      continue;
    outer->device().reportError("KILN-execute-commands",
                                "vkCmdExecuteCommands: only secondary command buffers are "
                                "executed, that are recorded to the end, over at most " +
                                    std::to_string(maxNesting) + " levels and with " +
                                    std::to_string(maxOperations) + " operations",
                                outer);
    outer->setError(VK_ERROR_UNKNOWN);
  }
}

/// All devices of the group: there is one.
VKAPI_ATTR void VKAPI_CALL CmdSetDeviceMask(VkCommandBuffer, uint32_t) {}

VKAPI_ATTR void VKAPI_CALL CmdBeginDebugUtilsLabelEXT(VkCommandBuffer commandBuffer,
                                                      const VkDebugUtilsLabelEXT *label) {
  fromHandle<CommandBuffer>(commandBuffer)->beginLabel(label->pLabelName);
}

VKAPI_ATTR void VKAPI_CALL CmdEndDebugUtilsLabelEXT(VkCommandBuffer commandBuffer) {
  fromHandle<CommandBuffer>(commandBuffer)->endLabel();
}

/// A single label names nothing that could fault.
VKAPI_ATTR void VKAPI_CALL CmdInsertDebugUtilsLabelEXT(VkCommandBuffer,
                                                       const VkDebugUtilsLabelEXT *) {}

} // namespace icd
