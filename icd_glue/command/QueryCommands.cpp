//===- QueryCommands.cpp - vkCmdBeginQuery and its relatives --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Entrypoints.h"
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/memory/Buffer.h"
#include "icd_glue/sync/QueryPool.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace icd {

using pal::device::DeviceFault;

namespace {

/// How long a queue waits for a query that nothing before on this queue has ended. Another queue
/// may end it meanwhile; a GPU that waits for longer is reset.
constexpr uint64_t patienceNanoseconds = 2'000'000'000;

/// Consecutive queries that a command uses: with multiview one for each view.
uint32_t queriesOf(const Execution &execution) {
  const int views = llvm::popcount(execution.rendering.viewMask);
  return static_cast<uint32_t>(std::max(views, 1));
}

void recordTimestamp(VkCommandBuffer commandBuffer, VkQueryPool pool, uint32_t query) {
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdWriteTimestamp",
               [pool = fromHandle<QueryPool>(pool), query](Execution &execution) {
                 pool->writeTimestamp(query, queriesOf(execution));
                 return llvm::Error::success();
               });
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdWriteTimestamp(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits,
                                             VkQueryPool pool, uint32_t query) {
  recordTimestamp(commandBuffer, pool, query);
}

VKAPI_ATTR void VKAPI_CALL CmdWriteTimestamp2(VkCommandBuffer commandBuffer, VkPipelineStageFlags2,
                                              VkQueryPool pool, uint32_t query) {
  recordTimestamp(commandBuffer, pool, query);
}

/// All occlusion queries are precise: every draw counts its samples.
VKAPI_ATTR void VKAPI_CALL CmdBeginQuery(VkCommandBuffer commandBuffer, VkQueryPool pool,
                                         uint32_t query, VkQueryControlFlags flags) {
  CmdBeginQueryIndexedEXT(commandBuffer, pool, query, flags, 0);
}

VKAPI_ATTR void VKAPI_CALL CmdBeginQueryIndexedEXT(VkCommandBuffer commandBuffer, VkQueryPool pool,
                                                   uint32_t query, VkQueryControlFlags,
                                                   uint32_t index) {
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdBeginQuery",
               [pool = fromHandle<QueryPool>(pool), query, index](Execution &execution) {
                 pool->begin(query, execution.statistics, index);
                 return llvm::Error::success();
               });
}

VKAPI_ATTR void VKAPI_CALL CmdEndQueryIndexedEXT(VkCommandBuffer commandBuffer, VkQueryPool pool,
                                                 uint32_t query, uint32_t) {
  CmdEndQuery(commandBuffer, pool, query);
}

VKAPI_ATTR void VKAPI_CALL CmdEndQuery(VkCommandBuffer commandBuffer, VkQueryPool pool,
                                       uint32_t query) {
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdEndQuery", [pool = fromHandle<QueryPool>(pool), query](Execution &execution) {
        pool->end(query, queriesOf(execution), execution.statistics);
        return llvm::Error::success();
      });
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

static void recordResults(VkCommandBuffer commandBuffer, const char *name, VkQueryPool pool,
                          uint32_t first, uint32_t count, pal::device::GpuAddress address,
                          VkDeviceSize stride, VkQueryResultFlags flags) {
  auto *source = fromHandle<QueryPool>(pool);
  if (!source || count == 0)
    return;
  // A size that does not wrap around is found to lie outside of memory.
  const uint64_t size =
      llvm::SaturatingMultiplyAdd<uint64_t>(count - 1, stride, source->resultBytes(flags));
  fromHandle<CommandBuffer>(commandBuffer)->record(name, [=](Execution &execution) -> llvm::Error {
    uint8_t *data = KILN_TRY(execution.memory(address, size));
    // Unavailable results stay as they are, which is what the command has to do too.
    if (source->getResults(first, count, data, stride, flags, patienceNanoseconds) == VK_TIMEOUT)
      return llvm::make_error<DeviceFault>(
          DeviceFault::Kind::Deadlock,
          "waits for queries that nobody has ended since they were reset");
    return llvm::Error::success();
  });
}

VKAPI_ATTR void VKAPI_CALL CmdCopyQueryPoolResults(VkCommandBuffer commandBuffer, VkQueryPool pool,
                                                   uint32_t first, uint32_t count, VkBuffer buffer,
                                                   VkDeviceSize offset, VkDeviceSize stride,
                                                   VkQueryResultFlags flags) {
  if (auto *target = fromHandle<Buffer>(buffer))
    recordResults(commandBuffer, "vkCmdCopyQueryPoolResults", pool, first, count,
                  target->address() + offset, stride, flags);
}

VKAPI_ATTR void VKAPI_CALL
CmdCopyQueryPoolResultsToMemoryKHR(VkCommandBuffer commandBuffer, VkQueryPool pool, uint32_t first,
                                   uint32_t count, const VkStridedDeviceAddressRangeKHR *range,
                                   VkAddressCommandFlagsKHR, VkQueryResultFlags flags) {
  recordResults(commandBuffer, "vkCmdCopyQueryPoolResultsToMemoryKHR", pool, first, count,
                range->address, range->stride, flags);
}

} // namespace icd
