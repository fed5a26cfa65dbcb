//===- CopyCommands.cpp - copies of acceleration structures ---------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Entrypoints.h"
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/memory/AccelerationStructure.h"
#include "icd_glue/rays/Launches.h"
#include "icd_glue/rays/SerialIdentity.h"
#include "icd_glue/sync/QueryPool.h"
#include "lgc/AccelerationStructure.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>
#include <optional>

namespace icd {
namespace {

/// As many as a structure of that size may have: invocations of a copy.
uint64_t granulesOf(VkAccelerationStructureKHR handle) {
  return llvm::divideCeil(sizeOf(handle), lgc::accel::nodeGranule);
}

void recordCopy(VkCommandBuffer commandBuffer, const char *command, Kernel kernel,
                const KernelArguments &arguments, uint64_t granules) {
  Launches launches(*fromHandle<CommandBuffer>(commandBuffer));
  launches.add(kernel, arguments, granules);
  launches.record(command);
}

/// What a header says, as far as the structure's memory goes: one that was deserialized may say
/// anything, and copies write no more than this.
struct Header {
  uint64_t size, compactedSize, handles;

  Header(const uint8_t *header, uint64_t structureSize) {
    auto read = [&](uint32_t offset, uint64_t limit) {
      uint64_t value = 0;
      std::memcpy(&value, header + offset, sizeof(value));
      return std::min(value, limit);
    };
    size = read(lgc::accel::headerSize, structureSize) & ~uint64_t(3); // copied by words
    compactedSize = read(lgc::accel::headerCompactedSize, structureSize);
    const uint64_t leaves = std::max<uint64_t>(size, lgc::accel::leavesOffset);
    handles = read(lgc::accel::headerHandleCount,
                   (leaves - lgc::accel::leavesOffset) / lgc::accel::instanceBytes);
  }

  /// Nothing: another query.
  std::optional<uint64_t> property(VkQueryType type) const {
    switch (type) {
    case VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR:
      return compactedSize;
    case VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR:
      return llvm::alignTo(scratch::serialHandles + 8 * handles, lgc::accel::nodeGranule) + size;
    case VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR:
      return size;
    case VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR:
      return handles;
    default:
      return std::nullopt;
    }
  }
};

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdCopyAccelerationStructureKHR(
    VkCommandBuffer commandBuffer, const VkCopyAccelerationStructureInfoKHR *info) {
  KernelArguments arguments;
  arguments.structure = addressOf(info->dst);
  arguments.source = addressOf(info->src);
  arguments.step = info->mode == VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR
                       ? scratch::copyCompact
                       : scratch::copyClone;
  arguments.range = sizeOf(info->dst);
  arguments.indices = sizeOf(info->src);
  recordCopy(commandBuffer, "vkCmdCopyAccelerationStructureKHR", Kernel::copy, arguments,
             granulesOf(info->src));
}

VKAPI_ATTR void VKAPI_CALL CmdCopyAccelerationStructureToMemoryKHR(
    VkCommandBuffer commandBuffer, const VkCopyAccelerationStructureToMemoryInfoKHR *info) {
  KernelArguments arguments;
  arguments.source = addressOf(info->src);
  arguments.scratch = info->dst.deviceAddress;
  arguments.range = sizeOf(info->src);
  arguments.identity = serialIdentityOf(fromHandle<CommandBuffer>(commandBuffer)->device());
  recordCopy(commandBuffer, "vkCmdCopyAccelerationStructureToMemoryKHR", Kernel::serialize,
             arguments, granulesOf(info->src));
}

VKAPI_ATTR void VKAPI_CALL CmdCopyMemoryToAccelerationStructureKHR(
    VkCommandBuffer commandBuffer, const VkCopyMemoryToAccelerationStructureInfoKHR *info) {
  KernelArguments arguments;
  arguments.structure = addressOf(info->dst);
  arguments.source = info->src.deviceAddress;
  arguments.range = sizeOf(info->dst);
  recordCopy(commandBuffer, "vkCmdCopyMemoryToAccelerationStructureKHR", Kernel::deserialize,
             arguments, granulesOf(info->dst));
}

VKAPI_ATTR void VKAPI_CALL CmdWriteAccelerationStructuresPropertiesKHR(
    VkCommandBuffer commandBuffer, uint32_t count, const VkAccelerationStructureKHR *structures,
    VkQueryType type, VkQueryPool pool, uint32_t firstQuery) {
  std::vector<std::pair<pal::device::GpuAddress, uint64_t>> places; // and sizes
  for (uint32_t i = 0; i < count; ++i)
    places.emplace_back(addressOf(structures[i]), sizeOf(structures[i]));
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdWriteAccelerationStructuresPropertiesKHR",
               [places = std::move(places), queries = fromHandle<QueryPool>(pool), firstQuery,
                type](Execution &execution) -> llvm::Error {
                 uint32_t query = firstQuery;
                 for (const auto &[address, size] : places) {
                   uint8_t *data = KILN_TRY(execution.memory(address, lgc::accel::headerBytes));
                   if (const auto value = Header(data, size).property(type))
                     queries->writeValue(query, *value);
                   ++query;
                 }
                 return llvm::Error::success();
               });
}

} // namespace icd
