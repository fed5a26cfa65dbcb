//===- FeedbackCommands.cpp - VK_EXT_transform_feedback -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Buffers are bound when commands are recorded; how far they are filled is in the Execution while
/// transform feedback is active, and in counter buffers, as byte offsets, in between.
/// vkCmdDrawIndirectByteCountEXT is with the draws.
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/memory/Buffer.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <cstring>

namespace icd {

using pal::device::GpuAddress;
using pal::device::StreamOut;

namespace {

using CounterAddresses = std::array<GpuAddress, pal::device::streamOutBuffers>; ///< 0: none

CounterAddresses countersOf(uint32_t first, uint32_t count, const VkBuffer *buffers,
                            const VkDeviceSize *offsets) {
  CounterAddresses addresses = {};
  for (uint32_t i = 0; buffers && i < count && first + i < addresses.size(); ++i)
    if (auto *buffer = fromHandle<Buffer>(buffers[i]))
      addresses[first + i] = buffer->address() + (offsets ? offsets[i] : 0);
  return addresses;
}

/// \p ranges: may be null. Empty ones are no counters.
CounterAddresses countersOf(uint32_t first, uint32_t count,
                            const VkBindTransformFeedbackBuffer2InfoEXT *ranges) {
  CounterAddresses addresses = {};
  for (uint32_t i = 0; ranges && i < count && first + i < addresses.size(); ++i)
    if (ranges[i].addressRange.size)
      addresses[first + i] = ranges[i].addressRange.address;
  return addresses;
}

void recordBegin(VkCommandBuffer handle, const char *name, const CounterAddresses &counters) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  commandBuffer->record(name,
                        [streamOut = commandBuffer->drawBindings().streamOut,
                         counters](Execution &execution) -> llvm::Error {
                          execution.streamOut = streamOut;
                          for (auto [buffer, counter] :
                               llvm::zip_equal(execution.streamOut->buffers, counters)) {
                            if (!counter)
                              continue;
                            uint8_t *data = KILN_TRY(execution.memory(counter, sizeof(uint32_t)));
                            buffer.start = llvm::support::endian::read32le(data) / 4;
                          }
                          return llvm::Error::success();
                        });
}

void recordEnd(VkCommandBuffer handle, const char *name, const CounterAddresses &counters) {
  fromHandle<CommandBuffer>(handle)->record(name, [counters](Execution &execution) -> llvm::Error {
    const std::optional<StreamOut> streamOut = std::exchange(execution.streamOut, std::nullopt);
    if (!streamOut)
      return llvm::Error::success(); // not valid usage
    for (auto [buffer, counter] : llvm::zip_equal(streamOut->buffers, counters)) {
      if (!counter)
        continue;
      uint8_t *data = KILN_TRY(execution.memory(counter, sizeof(uint32_t)));
      llvm::support::endian::write32le(data, (buffer.start + buffer.written) * 4);
    }
    return llvm::Error::success();
  });
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdBindTransformFeedbackBuffersEXT(VkCommandBuffer handle,
                                                              uint32_t first, uint32_t count,
                                                              const VkBuffer *buffers,
                                                              const VkDeviceSize *offsets,
                                                              const VkDeviceSize *sizes) {
  StreamOut &streamOut = fromHandle<CommandBuffer>(handle)->drawBindings().streamOut;
  for (uint32_t i = 0; i < count && first + i < streamOut.buffers.size(); ++i) {
    StreamOut::Buffer &to = streamOut.buffers[first + i] = {};
    auto *buffer = fromHandle<Buffer>(buffers[i]);
    if (!buffer || !buffer->address() || offsets[i] >= buffer->size)
      continue;
    to.address = buffer->address() + offsets[i];
    to.bytes = std::min(buffer->rangeFrom(offsets[i], sizes ? sizes[i] : VK_WHOLE_SIZE),
                        buffer->size - offsets[i]);
  }
}

VKAPI_ATTR void VKAPI_CALL
CmdBindTransformFeedbackBuffers2EXT(VkCommandBuffer handle, uint32_t first, uint32_t count,
                                    const VkBindTransformFeedbackBuffer2InfoEXT *ranges) {
  StreamOut &streamOut = fromHandle<CommandBuffer>(handle)->drawBindings().streamOut;
  for (uint32_t i = 0; ranges && i < count && first + i < streamOut.buffers.size(); ++i) {
    StreamOut::Buffer &to = streamOut.buffers[first + i] = {};
    to.address = ranges[i].addressRange.address;
    to.bytes = ranges[i].addressRange.size;
  }
}

VKAPI_ATTR void VKAPI_CALL CmdBeginTransformFeedbackEXT(VkCommandBuffer commandBuffer,
                                                        uint32_t first, uint32_t count,
                                                        const VkBuffer *buffers,
                                                        const VkDeviceSize *offsets) {
  recordBegin(commandBuffer, "vkCmdBeginTransformFeedbackEXT",
              countersOf(first, count, buffers, offsets));
}

VKAPI_ATTR void VKAPI_CALL
CmdBeginTransformFeedback2EXT(VkCommandBuffer commandBuffer, uint32_t first, uint32_t count,
                              const VkBindTransformFeedbackBuffer2InfoEXT *counters) {
  recordBegin(commandBuffer, "vkCmdBeginTransformFeedback2EXT", countersOf(first, count, counters));
}

VKAPI_ATTR void VKAPI_CALL CmdEndTransformFeedbackEXT(VkCommandBuffer commandBuffer, uint32_t first,
                                                      uint32_t count, const VkBuffer *buffers,
                                                      const VkDeviceSize *offsets) {
  recordEnd(commandBuffer, "vkCmdEndTransformFeedbackEXT",
            countersOf(first, count, buffers, offsets));
}

VKAPI_ATTR void VKAPI_CALL
CmdEndTransformFeedback2EXT(VkCommandBuffer commandBuffer, uint32_t first, uint32_t count,
                            const VkBindTransformFeedbackBuffer2InfoEXT *counters) {
  recordEnd(commandBuffer, "vkCmdEndTransformFeedback2EXT", countersOf(first, count, counters));
}

} // namespace icd
