//===- BufferCommands.cpp - copies, fills and updates of buffers ----------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/memory/Buffer.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

namespace icd {
namespace {

/// A piece of a buffer by its address; checked against the buffer when recorded, against memory
/// when executed.
struct BufferRange {
  pal::device::GpuAddress address = 0;
  uint64_t size = 0;
};

/// [offset, offset + size) cut off at the buffer's end. Empty for a null buffer.
BufferRange rangeOf(VkBuffer handle, VkDeviceSize offset, VkDeviceSize size) {
  auto *buffer = fromHandle<Buffer>(handle);
  if (!buffer || offset >= buffer->size)
    return {};
  return {buffer->address() + offset,
          std::min(buffer->rangeFrom(offset, size), buffer->size - offset)};
}

BufferRange rangeOf(const VkDeviceAddressRangeKHR &range) { return {range.address, range.size}; }

void recordCopy(VkCommandBuffer commandBuffer, const char *name, BufferRange from, BufferRange to) {
  uint64_t size = std::min(from.size, to.size);
  if (size == 0)
    return;
  fromHandle<CommandBuffer>(commandBuffer)->record(name, [=](Execution &execution) -> llvm::Error {
    uint8_t *source = KILN_TRY(execution.memory(from.address, size));
    uint8_t *target = KILN_TRY(execution.memory(to.address, size));
    std::memmove(target, source, size);
    return llvm::Error::success();
  });
}

template <typename Region>
void copyBuffer(VkCommandBuffer commandBuffer, VkBuffer from, VkBuffer to, uint32_t count,
                const Region *regions) {
  for (const Region &region : llvm::ArrayRef<Region>(regions, count))
    recordCopy(commandBuffer, "vkCmdCopyBuffer", rangeOf(from, region.srcOffset, region.size),
               rangeOf(to, region.dstOffset, region.size));
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdCopyBuffer(VkCommandBuffer commandBuffer, VkBuffer from, VkBuffer to,
                                         uint32_t count, const VkBufferCopy *regions) {
  copyBuffer(commandBuffer, from, to, count, regions);
}

VKAPI_ATTR void VKAPI_CALL CmdCopyBuffer2(VkCommandBuffer commandBuffer,
                                          const VkCopyBufferInfo2 *info) {
  copyBuffer(commandBuffer, info->srcBuffer, info->dstBuffer, info->regionCount, info->pRegions);
}

VKAPI_ATTR void VKAPI_CALL CmdCopyMemoryKHR(VkCommandBuffer commandBuffer,
                                            const VkCopyDeviceMemoryInfoKHR *info) {
  if (!info)
    return;
  for (const VkDeviceMemoryCopyKHR &region : llvm::ArrayRef(info->pRegions, info->regionCount))
    recordCopy(commandBuffer, "vkCmdCopyMemoryKHR", rangeOf(region.srcRange),
               rangeOf(region.dstRange));
}

static void recordFill(VkCommandBuffer commandBuffer, const char *name, BufferRange range,
                       uint32_t data) {
  range.size &= ~uint64_t(3); // VK_WHOLE_SIZE: whole dwords only
  if (range.size == 0)
    return;
  fromHandle<CommandBuffer>(commandBuffer)->record(name, [=](Execution &execution) -> llvm::Error {
    uint8_t *target = KILN_TRY(execution.memory(range.address, range.size));
    for (uint64_t at = 0; at < range.size; at += sizeof(data))
      std::memcpy(target + at, &data, sizeof(data));
    return llvm::Error::success();
  });
}

VKAPI_ATTR void VKAPI_CALL CmdFillBuffer(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                         VkDeviceSize offset, VkDeviceSize size, uint32_t data) {
  recordFill(commandBuffer, "vkCmdFillBuffer", rangeOf(buffer, offset, size), data);
}

VKAPI_ATTR void VKAPI_CALL CmdFillMemoryKHR(VkCommandBuffer commandBuffer,
                                            const VkDeviceAddressRangeKHR *range,
                                            VkAddressCommandFlagsKHR, uint32_t data) {
  recordFill(commandBuffer, "vkCmdFillMemoryKHR", rangeOf(*range), data);
}

/// Everything before has been executed when the marker is written, whatever the stage.
VKAPI_ATTR void VKAPI_CALL CmdWriteBufferMarker2AMD(VkCommandBuffer commandBuffer,
                                                    VkPipelineStageFlags2, VkBuffer buffer,
                                                    VkDeviceSize offset, uint32_t marker) {
  recordFill(commandBuffer, "vkCmdWriteBufferMarker2AMD", rangeOf(buffer, offset, sizeof(marker)),
             marker);
}

VKAPI_ATTR void VKAPI_CALL CmdWriteBufferMarkerAMD(VkCommandBuffer commandBuffer,
                                                   VkPipelineStageFlagBits, VkBuffer buffer,
                                                   VkDeviceSize offset, uint32_t marker) {
  recordFill(commandBuffer, "vkCmdWriteBufferMarkerAMD", rangeOf(buffer, offset, sizeof(marker)),
             marker);
}

VKAPI_ATTR void VKAPI_CALL CmdWriteMarkerToMemoryAMD(VkCommandBuffer commandBuffer,
                                                     const VkMemoryMarkerInfoAMD *info) {
  recordFill(commandBuffer, "vkCmdWriteMarkerToMemoryAMD",
             {info->dstRange.address, sizeof(info->marker)}, info->marker);
}

/// The predicate is read once, here.
static void recordBeginConditional(VkCommandBuffer commandBuffer, const char *name,
                                   pal::device::GpuAddress address,
                                   VkConditionalRenderingFlagsEXT flags) {
  const bool isInverted = flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT;
  fromHandle<CommandBuffer>(commandBuffer)->record(name, [=](Execution &execution) -> llvm::Error {
    uint32_t predicate = 0;
    uint8_t *memory = KILN_TRY(execution.memory(address, sizeof(predicate)));
    std::memcpy(&predicate, memory, sizeof(predicate));
    execution.leavesOut = (predicate == 0) != isInverted;
    return llvm::Error::success();
  });
}

VKAPI_ATTR void VKAPI_CALL CmdBeginConditionalRenderingEXT(
    VkCommandBuffer commandBuffer, const VkConditionalRenderingBeginInfoEXT *info) {
  recordBeginConditional(commandBuffer, "vkCmdBeginConditionalRenderingEXT",
                         rangeOf(info->buffer, info->offset, 4).address, info->flags);
}

VKAPI_ATTR void VKAPI_CALL CmdBeginConditionalRendering2EXT(
    VkCommandBuffer commandBuffer, const VkConditionalRenderingBeginInfo2EXT *info) {
  recordBeginConditional(commandBuffer, "vkCmdBeginConditionalRendering2EXT",
                         info->addressRange.address, info->flags);
}

VKAPI_ATTR void VKAPI_CALL CmdEndConditionalRenderingEXT(VkCommandBuffer commandBuffer) {
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdEndConditionalRenderingEXT", [](Execution &execution) {
        execution.leavesOut = false;
        return llvm::Error::success();
      });
}

static void recordUpdate(VkCommandBuffer commandBuffer, const char *name, BufferRange range,
                         const void *data) {
  const auto *bytes = static_cast<const uint8_t *>(data);
  if (range.size == 0)
    return;
  fromHandle<CommandBuffer>(commandBuffer)
      ->record(name,
               [address = range.address, copy = std::vector<uint8_t>(bytes, bytes + range.size)](
                   Execution &execution) -> llvm::Error {
                 uint8_t *target = KILN_TRY(execution.memory(address, copy.size()));
                 std::memcpy(target, copy.data(), copy.size());
                 return llvm::Error::success();
               });
}

VKAPI_ATTR void VKAPI_CALL CmdUpdateBuffer(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                           VkDeviceSize offset, VkDeviceSize size,
                                           const void *data) {
  recordUpdate(commandBuffer, "vkCmdUpdateBuffer", rangeOf(buffer, offset, size), data);
}

VKAPI_ATTR void VKAPI_CALL CmdUpdateMemoryKHR(VkCommandBuffer commandBuffer,
                                              const VkDeviceAddressRangeKHR *range,
                                              VkAddressCommandFlagsKHR, VkDeviceSize size,
                                              const void *data) {
  recordUpdate(commandBuffer, "vkCmdUpdateMemoryKHR", {range->address, std::min(range->size, size)},
               data);
}

} // namespace icd
