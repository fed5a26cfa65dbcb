//===- TraceCommands.cpp - vkCmdTraceRaysKHR and its variants -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A launch is a dispatch of the pipeline's kernel, which finds shader binding tables and size in a
/// block of memory (lgc/RayLaunch.h) that is written when the command executes.
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/command/ReplacedBindings.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/image/BorderColors.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/pipeline/RayTracingState.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

namespace icd {
namespace {

using namespace lgc::launch;

/// What a launch is of, in Vulkan's words for what memory may hold.
using Launch = VkTraceRaysIndirectCommand2KHR;

/// Workgroups of a launch that is not empty, all in one dimension: the others end at 65535.
struct LaunchShape {
  uint32_t blockShift = 0, row = 0, layerRows = 0, groups = 0;

  explicit LaunchShape(const Launch &launch);
};

/// A workgroup is as square as the launch lets it be.
LaunchShape::LaunchShape(const Launch &launch) {
  constexpr uint32_t squareShift = 3;
  blockShift = launch.height < 4 ? launchGroupShift - llvm::Log2_32_Ceil(launch.height)
                                 : std::min(squareShift, llvm::Log2_32_Ceil(launch.width));
  row = static_cast<uint32_t>(llvm::divideCeil(uint64_t(launch.width), 1u << blockShift));
  layerRows = static_cast<uint32_t>(
      llvm::divideCeil(uint64_t(launch.height), 1u << (launchGroupShift - blockShift)));
  groups = row * layerRows * launch.depth;
}

/// number / divisor = (number * factor) >> shift for numbers of 31 bits (Granlund and Montgomery,
/// "Division by Invariant Integers using Multiplication", theorem 4.2).
struct Reciprocal {
  uint32_t factor, shift;

  explicit Reciprocal(uint32_t divisor) : factor(0), shift(31 + llvm::Log2_32_Ceil(divisor)) {
    factor = static_cast<uint32_t>(llvm::divideCeil(uint64_t(1) << shift, divisor));
  }
};

/// The block of lgc/RayLaunch.h.
std::array<uint8_t, launchBytes> blockOf(const Launch &launch, const LaunchShape &shape) {
  std::array<uint8_t, launchBytes> block = {};
  auto put = [&](uint32_t offset, auto value) {
    std::memcpy(block.data() + offset, &value, sizeof(value));
  };
  auto table = [&](uint32_t offset, uint64_t address, uint64_t stride, uint64_t size) {
    if (!address)
      return;
    put(offset + tableAddress, address);
    put(offset + tableStride, static_cast<uint32_t>(std::min<uint64_t>(stride, UINT32_MAX)));
    put(offset + tableSize, static_cast<uint32_t>(std::min<uint64_t>(size, UINT32_MAX)));
  };
  put(launchRayGen, launch.raygenShaderRecordAddress);
  table(launchMiss, launch.missShaderBindingTableAddress, launch.missShaderBindingTableStride,
        launch.missShaderBindingTableSize);
  table(launchHit, launch.hitShaderBindingTableAddress, launch.hitShaderBindingTableStride,
        launch.hitShaderBindingTableSize);
  table(launchCallable, launch.callableShaderBindingTableAddress,
        launch.callableShaderBindingTableStride, launch.callableShaderBindingTableSize);
  put(launchSize, launch.width);
  put(launchSize + 4, launch.height);
  put(launchSize + 8, launch.depth);
  put(launchBlockShift, shape.blockShift);
  const Reciprocal byRow(shape.row), byLayer(shape.layerRows);
  put(launchRow, shape.row);
  put(launchRowFactor, byRow.factor);
  put(launchRowShift, byRow.shift);
  put(launchLayerRows, shape.layerRows);
  put(launchLayerFactor, byLayer.factor);
  put(launchLayerShift, byLayer.shift);
  return block;
}

/// A launch as recorded: program and user data are final, but for the address of the block.
struct RecordedTrace {
  std::shared_ptr<const pal::device::Program> program;
  std::vector<uint32_t> userData;
  uint32_t blockDword = 0;
  uint32_t scratchBytes = 0;

  llvm::Error run(Execution &execution, const Launch &launch) const;
};

llvm::Error RecordedTrace::run(Execution &execution, const Launch &launch) const {
  const uint64_t layerRays = uint64_t(launch.width) * launch.height;
  if (layerRays == 0 || launch.depth == 0)
    return llvm::Error::success();
  if (layerRays > launchMaxRays || layerRays * launch.depth > launchMaxRays)
    return lgc::invalidInput("a launch of " + llvm::Twine(launch.width) + " x " +
                             llvm::Twine(launch.height) + " x " + llvm::Twine(launch.depth) +
                             " rays, more than " + llvm::Twine(launchMaxRays));
  pal::device::SoftwareDevice &gpu = execution.device.gpu();
  const LaunchShape shape(launch);
  const auto block = blockOf(launch, shape);
  auto memory = KILN_TRY(gpu.allocate({.size = block.size(), .name = "launch of rays"}));
  std::memcpy(memory->host(), block.data(), block.size());
  std::vector<uint32_t> words = userData;
  words[blockDword] = static_cast<uint32_t>(memory->address());
  words[blockDword + 1] = static_cast<uint32_t>(memory->address() >> 32);
  return gpu.dispatch({.program = program.get(),
                       .groups = {shape.groups, 1, 1},
                       .userData = words,
                       .borderColors = execution.device.borderColors().address(),
                       .scratchBytes = scratchBytes});
}

/// Nothing without a ray tracing pipeline (not valid usage), when the device cannot execute it, or
/// when memory is exhausted.
std::optional<RecordedTrace> prepareTrace(CommandBuffer &commandBuffer) {
  BindPointState &state = commandBuffer.state(VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
  if (!state.pipeline || !state.pipeline->rays())
    return std::nullopt;
  RecordedTrace trace;
  trace.program = state.pipeline->program(commandBuffer.device());
  if (!trace.program) {
    commandBuffer.setError(VK_ERROR_UNKNOWN);
    return std::nullopt;
  }
  auto userData = userDataFor(commandBuffer, state, *state.pipeline, *state.pipeline);
  if (!userData) {
    commandBuffer.setError(VK_ERROR_OUT_OF_DEVICE_MEMORY);
    return std::nullopt;
  }
  trace.userData = std::move(*userData);
  trace.blockDword = launchDwordFor(commandBuffer, *state.pipeline);
  trace.userData.resize(std::max<size_t>(trace.userData.size(), trace.blockDword + 2));
  if (state.pipeline->rays()->hasDynamicStackSize)
    trace.scratchBytes = commandBuffer.rayStackBytes();
  return trace;
}

Launch launchOf(const VkStridedDeviceAddressRegionKHR &rayGen,
                const VkStridedDeviceAddressRegionKHR &miss,
                const VkStridedDeviceAddressRegionKHR &hit,
                const VkStridedDeviceAddressRegionKHR &callable) {
  Launch launch = {};
  launch.raygenShaderRecordAddress = rayGen.deviceAddress;
  launch.missShaderBindingTableAddress = miss.deviceAddress;
  launch.missShaderBindingTableSize = miss.size;
  launch.missShaderBindingTableStride = miss.stride;
  launch.hitShaderBindingTableAddress = hit.deviceAddress;
  launch.hitShaderBindingTableSize = hit.size;
  launch.hitShaderBindingTableStride = hit.stride;
  launch.callableShaderBindingTableAddress = callable.deviceAddress;
  launch.callableShaderBindingTableSize = callable.size;
  launch.callableShaderBindingTableStride = callable.stride;
  return launch;
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdTraceRaysKHR(VkCommandBuffer handle,
                                           const VkStridedDeviceAddressRegionKHR *rayGen,
                                           const VkStridedDeviceAddressRegionKHR *miss,
                                           const VkStridedDeviceAddressRegionKHR *hit,
                                           const VkStridedDeviceAddressRegionKHR *callable,
                                           uint32_t width, uint32_t height, uint32_t depth) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  std::optional<RecordedTrace> trace = prepareTrace(*commandBuffer);
  if (!trace)
    return;
  Launch launch = launchOf(*rayGen, *miss, *hit, *callable);
  launch.width = width;
  launch.height = height;
  launch.depth = depth;
  commandBuffer->record("vkCmdTraceRaysKHR",
                        [trace = std::move(*trace), launch](Execution &execution) {
                          return trace.run(execution, launch);
                        });
}

VKAPI_ATTR void VKAPI_CALL CmdTraceRaysIndirectKHR(VkCommandBuffer handle,
                                                   const VkStridedDeviceAddressRegionKHR *rayGen,
                                                   const VkStridedDeviceAddressRegionKHR *miss,
                                                   const VkStridedDeviceAddressRegionKHR *hit,
                                                   const VkStridedDeviceAddressRegionKHR *callable,
                                                   VkDeviceAddress address) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  std::optional<RecordedTrace> trace = prepareTrace(*commandBuffer);
  if (!trace)
    return;
  commandBuffer->record(
      "vkCmdTraceRaysIndirectKHR",
      [trace = std::move(*trace), address,
       tables = launchOf(*rayGen, *miss, *hit, *callable)](Execution &execution) -> llvm::Error {
        VkTraceRaysIndirectCommandKHR size;
        const uint8_t *from = KILN_TRY(execution.memory(address, sizeof(size)));
        std::memcpy(&size, from, sizeof(size));
        Launch launch = tables;
        launch.width = size.width;
        launch.height = size.height;
        launch.depth = size.depth;
        return trace.run(execution, launch);
      });
}

VKAPI_ATTR void VKAPI_CALL CmdTraceRaysIndirect2KHR(VkCommandBuffer handle,
                                                    VkDeviceAddress address) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  std::optional<RecordedTrace> trace = prepareTrace(*commandBuffer);
  if (!trace)
    return;
  commandBuffer->record("vkCmdTraceRaysIndirect2KHR",
                        [trace = std::move(*trace), address](Execution &execution) -> llvm::Error {
                          Launch launch;
                          const uint8_t *from = KILN_TRY(execution.memory(address, sizeof(launch)));
                          std::memcpy(&launch, from, sizeof(launch));
                          return trace.run(execution, launch);
                        });
}

VKAPI_ATTR void VKAPI_CALL CmdSetRayTracingPipelineStackSizeKHR(VkCommandBuffer handle,
                                                                uint32_t stackBytes) {
  fromHandle<CommandBuffer>(handle)->setRayStackBytes(stackBytes);
}

} // namespace icd
