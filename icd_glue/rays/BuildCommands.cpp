//===- BuildCommands.cpp - vkCmdBuildAccelerationStructuresKHR ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Builds and updates as sequences of kernels (docs/ray-tracing.md).
#include "icd_glue/Entrypoints.h"
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/memory/AccelerationStructure.h"
#include "icd_glue/rays/BuildInput.h"
#include "icd_glue/rays/Launches.h"
#include "lgc/AccelerationStructure.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace icd {
namespace {

/// Where the range of each geometry is said.
struct Ranges {
  llvm::SmallVector<uint32_t, 4> maxPrimitives;
  const VkAccelerationStructureBuildRangeInfoKHR *direct = nullptr; ///< null: in memory
  VkDeviceAddress address = 0;
  uint32_t stride = 0;
};

/// Up to this many leaves one workgroup makes all box nodes.
constexpr uint32_t leavesOfOneGroup = 4096;

/// Levels of box nodes that have dispatches of their own. Of a tree as deep as trees of that size
/// usually are nothing is left for the single workgroup behind them.
uint32_t levelsFor(uint32_t leafCount) {
  if (leafCount <= leavesOfOneGroup)
    return 0;
  return std::min(llvm::Log2_32_Ceil(leafCount), scratch::maxLevels - 1);
}

/// \p steps: scratch::leavesXxx.
void addLeaves(Launches &launches, CommandBuffer &commandBuffer, KernelArguments common,
               const VkAccelerationStructureBuildGeometryInfoKHR &info, const Ranges &ranges,
               uint32_t steps) {
  common.step = steps;
  for (uint32_t i = 0; i < info.geometryCount; ++i) {
    const VkAccelerationStructureGeometryKHR &geometry = geometryOf(info, i);
    KernelArguments arguments = common;
    arguments.flags = 0;
    if (!describeGeometry(geometry, arguments))
      return commandBuffer.setError(VK_ERROR_UNKNOWN); // no valid usage
    arguments.maxPrimitives = ranges.maxPrimitives[i];
    arguments.geometry = i & lgc::accel::geometryIndexMask;
    if (geometry.flags & VK_GEOMETRY_OPAQUE_BIT_KHR)
      arguments.geometry |= lgc::accel::geometryOpaque;
    if (ranges.direct) {
      arguments.primitives = ranges.direct[i].primitiveCount;
      arguments.primitiveOffset = ranges.direct[i].primitiveOffset;
      arguments.firstVertex = ranges.direct[i].firstVertex;
      arguments.transformOffset = ranges.direct[i].transformOffset;
    } else {
      arguments.range = ranges.address + uint64_t(i) * ranges.stride;
    }
    launches.add(leafKernelOf(geometry), arguments, arguments.maxPrimitives);
    common.firstLeaf += arguments.maxPrimitives;
  }
}

void addSort(Launches &launches, KernelArguments arguments) {
  const uint64_t blocks = llvm::divideCeil(uint64_t(arguments.leafCount), scratch::sortBlock);
  for (arguments.step = 0; arguments.step < 32; arguments.step += scratch::digitBits) {
    launches.add(Kernel::sortCount, arguments, blocks * scratch::groupSize);
    launches.add(Kernel::sortScan, arguments, scratch::groupSize);
    launches.add(Kernel::sortScatter, arguments, blocks * scratch::groupSize);
  }
}

/// Rounds of clustering that have dispatches of their own. Of each about a third of the clusters
/// has merged; one workgroup does what is left.
uint32_t roundsFor(uint32_t leafCount) {
  if (leafCount <= leavesOfOneGroup)
    return 0;
  return 2 * llvm::Log2_32_Ceil(llvm::divideCeil(leafCount, scratch::plocRestCount));
}

/// A binary tree by clustering, which traversal is faster in than in a radix tree.
void addClustering(Launches &launches, KernelArguments arguments) {
  const uint32_t rounds = roundsFor(arguments.leafCount);
  for (arguments.step = 0; arguments.step < rounds; ++arguments.step) {
    auto add = [&](Kernel kernel) {
      if (arguments.step == 0)
        launches.add(kernel, arguments, arguments.leafCount);
      else
        launches.addIndirect(kernel, arguments,
                             arguments.scratch + scratch::statePlocGroups +
                                 12 * (arguments.step & 1));
    };
    add(Kernel::plocNearest);
    add(Kernel::plocCount);
    launches.add(Kernel::plocScan, arguments, scratch::groupSize);
    add(Kernel::plocMerge);
  }
  launches.add(Kernel::plocRest, arguments, scratch::groupSize);
}

/// The binary tree, and box nodes out of it. Of clusters it may be too deep, which is known on the
/// device: a radix tree takes its place.
void addTree(Launches &launches, KernelArguments arguments, bool isForFastTrace) {
  const uint32_t leaves = arguments.leafCount;
  if (isForFastTrace)
    addClustering(launches, arguments);
  arguments.step = isForFastTrace;
  launches.add(Kernel::tree, arguments, leaves);
  launches.add(Kernel::bounds, arguments, leaves);
  const uint32_t levels = levelsFor(leaves);
  for (arguments.step = 0; arguments.step < levels; ++arguments.step)
    launches.addIndirect(Kernel::collapse, arguments,
                         arguments.scratch + scratch::stateLevelGroups + 12 * arguments.step);
  launches.add(Kernel::collapseRest, arguments, scratch::groupSize);
}

void addBuild(Launches &launches, CommandBuffer &commandBuffer,
              const VkAccelerationStructureBuildGeometryInfoKHR &info, const Ranges &ranges) {
  const BuildShape shape = shapeOf(commandBuffer.device(), info, ranges.maxPrimitives.data());
  if (shape.granules() > uint64_t(1) << 29) // ids of nodes have 32 bits
    return commandBuffer.setError(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  KernelArguments arguments;
  arguments.structure = addressOf(info.dstAccelerationStructure);
  arguments.scratch = info.scratchData.deviceAddress;
  arguments.leafCount = shape.leafCount;
  arguments.kind = shape.kind;
  KernelArguments init = arguments;
  init.geometry = info.geometryCount;
  init.flags = info.flags;
  init.step = shape.boxCapacity();
  launches.add(Kernel::init, init, shape.granules());
  addLeaves(launches, commandBuffer, arguments, info, ranges,
            shape.isWide ? scratch::leavesBounds : scratch::leavesAll);
  launches.add(Kernel::morton, arguments, shape.leafCount);
  if (shape.leafCount > 1) {
    addSort(launches, arguments);
    addTree(launches, arguments,
            info.flags & VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR);
  }
  launches.add(Kernel::header, arguments, 1);
  if (shape.isWide) // now that leaves have places
    addLeaves(launches, commandBuffer, arguments, info, ranges, scratch::leavesNodes);
}

/// Bounds of all boxes over other leaves of the same number. Top level structures are built anew:
/// the tree may get better, and their leaves are few.
void addUpdate(Launches &launches, CommandBuffer &commandBuffer,
               const VkAccelerationStructureBuildGeometryInfoKHR &info, const Ranges &ranges) {
  const BuildShape shape = shapeOf(commandBuffer.device(), info, ranges.maxPrimitives.data());
  KernelArguments arguments;
  arguments.structure = addressOf(info.dstAccelerationStructure);
  arguments.source = addressOf(info.srcAccelerationStructure);
  arguments.scratch = info.scratchData.deviceAddress;
  arguments.leafCount = shape.leafCount;
  arguments.kind = shape.kind;
  if (arguments.source != arguments.structure) {
    KernelArguments copied = arguments;
    copied.range = sizeOf(info.dstAccelerationStructure);
    copied.indices = sizeOf(info.srcAccelerationStructure);
    launches.add(Kernel::copy, copied, shape.granules());
  }
  addLeaves(launches, commandBuffer, arguments, info, ranges, scratch::leavesAll);
  launches.add(Kernel::clearVisits, arguments, shape.granules() / 2 + 1);
  launches.add(Kernel::refit, arguments, shape.leafCount);
}

void recordBuilds(VkCommandBuffer handle, const char *command,
                  llvm::ArrayRef<VkAccelerationStructureBuildGeometryInfoKHR> infos,
                  llvm::function_ref<Ranges(uint32_t)> rangesOf) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  Launches launches(*commandBuffer);
  for (uint32_t i = 0; i < infos.size(); ++i) {
    const bool isUpdate = infos[i].mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR &&
                          infos[i].type == VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
    (isUpdate ? addUpdate : addBuild)(launches, *commandBuffer, infos[i], rangesOf(i));
  }
  launches.record(command);
}

} // namespace

VKAPI_ATTR void VKAPI_CALL
CmdBuildAccelerationStructuresKHR(VkCommandBuffer commandBuffer, uint32_t count,
                                  const VkAccelerationStructureBuildGeometryInfoKHR *infos,
                                  const VkAccelerationStructureBuildRangeInfoKHR *const *ranges) {
  recordBuilds(commandBuffer, "vkCmdBuildAccelerationStructuresKHR", {infos, count},
               [&](uint32_t index) {
                 Ranges result;
                 result.direct = ranges[index];
                 for (uint32_t i = 0; i < infos[index].geometryCount; ++i)
                   result.maxPrimitives.push_back(ranges[index][i].primitiveCount);
                 return result;
               });
}

VKAPI_ATTR void VKAPI_CALL CmdBuildAccelerationStructuresIndirectKHR(
    VkCommandBuffer commandBuffer, uint32_t count,
    const VkAccelerationStructureBuildGeometryInfoKHR *infos, const VkDeviceAddress *addresses,
    const uint32_t *strides, const uint32_t *const *maxPrimitives) {
  recordBuilds(commandBuffer, "vkCmdBuildAccelerationStructuresIndirectKHR", {infos, count},
               [&](uint32_t index) {
                 Ranges result;
                 result.address = addresses[index];
                 result.stride = strides[index];
                 result.maxPrimitives.assign(maxPrimitives[index],
                                             maxPrimitives[index] + infos[index].geometryCount);
                 return result;
               });
}

VKAPI_ATTR void VKAPI_CALL GetAccelerationStructureBuildSizesKHR(
    VkDevice device, VkAccelerationStructureBuildTypeKHR,
    const VkAccelerationStructureBuildGeometryInfoKHR *info, const uint32_t *maxPrimitives,
    VkAccelerationStructureBuildSizesInfoKHR *sizes) {
  const BuildShape shape = shapeOf(*fromHandle<Device>(device), *info, maxPrimitives);
  sizes->accelerationStructureSize = shape.bytes();
  sizes->buildScratchSize = shape.buildScratchBytes();
  sizes->updateScratchSize = shape.updateScratchBytes();
}

} // namespace icd
