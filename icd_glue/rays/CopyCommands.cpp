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
#include <cstring>

namespace icd {
namespace {

/// As many as a structure of that size may have: invocations of a copy.
uint64_t granulesOf(VkAccelerationStructureKHR handle) {
  const auto *structure = fromHandle<AccelerationStructure>(handle);
  return structure ? llvm::divideCeil(structure->size, lgc::accel::nodeGranule) : 0;
}

void recordCopy(VkCommandBuffer commandBuffer, const char *command, Kernel kernel,
                const KernelArguments &arguments, uint64_t granules) {
  Launches launches(*fromHandle<CommandBuffer>(commandBuffer));
  launches.add(kernel, arguments, granules);
  launches.record(command);
}

/// Where the value of a property is in the header; nothing for other queries.
std::optional<uint32_t> headerFieldOf(VkQueryType type) {
  switch (type) {
  case VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR:
    return lgc::accel::headerCompactedSize;
  case VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR:
    return lgc::accel::headerSerializedSize;
  case VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR:
    return lgc::accel::headerSize;
  case VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR:
    return lgc::accel::headerHandleCount;
  default:
    return std::nullopt;
  }
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdCopyAccelerationStructureKHR(
    VkCommandBuffer commandBuffer, const VkCopyAccelerationStructureInfoKHR *info) {
  KernelArguments arguments;
  arguments.structure = addressOf(info->dst);
  arguments.source = addressOf(info->src);
  arguments.step = info->mode == VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR
                       ? scratch::copyCompact
                       : scratch::copyClone;
  recordCopy(commandBuffer, "vkCmdCopyAccelerationStructureKHR", Kernel::copy, arguments,
             granulesOf(info->src));
}

VKAPI_ATTR void VKAPI_CALL CmdCopyAccelerationStructureToMemoryKHR(
    VkCommandBuffer commandBuffer, const VkCopyAccelerationStructureToMemoryInfoKHR *info) {
  KernelArguments arguments;
  arguments.source = addressOf(info->src);
  arguments.scratch = info->dst.deviceAddress;
  arguments.identity = serialIdentityOf(fromHandle<CommandBuffer>(commandBuffer)->device());
  recordCopy(commandBuffer, "vkCmdCopyAccelerationStructureToMemoryKHR", Kernel::serialize,
             arguments, granulesOf(info->src));
}

VKAPI_ATTR void VKAPI_CALL CmdCopyMemoryToAccelerationStructureKHR(
    VkCommandBuffer commandBuffer, const VkCopyMemoryToAccelerationStructureInfoKHR *info) {
  KernelArguments arguments;
  arguments.structure = addressOf(info->dst);
  arguments.source = info->src.deviceAddress;
  if (const auto *structure = fromHandle<AccelerationStructure>(info->dst))
    arguments.range = structure->size;
  recordCopy(commandBuffer, "vkCmdCopyMemoryToAccelerationStructureKHR", Kernel::deserialize,
             arguments, granulesOf(info->dst));
}

VKAPI_ATTR void VKAPI_CALL CmdWriteAccelerationStructuresPropertiesKHR(
    VkCommandBuffer commandBuffer, uint32_t count, const VkAccelerationStructureKHR *structures,
    VkQueryType type, VkQueryPool pool, uint32_t firstQuery) {
  const std::optional<uint32_t> field = headerFieldOf(type);
  if (!field)
    return; // no valid usage
  std::vector<pal::device::GpuAddress> addresses;
  for (uint32_t i = 0; i < count; ++i)
    addresses.push_back(addressOf(structures[i]) + *field);
  fromHandle<CommandBuffer>(commandBuffer)
      ->record("vkCmdWriteAccelerationStructuresPropertiesKHR",
               [addresses = std::move(addresses), queries = fromHandle<QueryPool>(pool),
                firstQuery](Execution &execution) -> llvm::Error {
                 uint32_t query = firstQuery;
                 for (pal::device::GpuAddress address : addresses) {
                   uint64_t value = 0;
                   uint8_t *data = KILN_TRY(execution.memory(address, sizeof(value)));
                   std::memcpy(&value, data, sizeof(value));
                   queries->writeValue(query++, value);
                 }
                 return llvm::Error::success();
               });
}

} // namespace icd
