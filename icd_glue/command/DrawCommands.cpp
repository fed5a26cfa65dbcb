//===- DrawCommands.cpp - vkCmdDraw and its variants ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A draw is resolved when it is recorded, but for two things: what it writes to, which is in the
/// Execution, and the numbers of indirect draws, which are in memory.
///
/// Not valid usage: without a pipeline a draw is nothing; outside a render pass instance it is a
/// fault, as everything is that the device finds wrong.
#include "icd_glue/command/DrawPreparation.h"
#include "icd_glue/command/ReplacedBindings.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/image/BorderColors.h"
#include "icd_glue/memory/Buffer.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/bit.h"
#include <cstring>

namespace icd {
namespace {

using namespace pal::device;

/// The numbers of a draw with a mesh shader.
struct Workgroups {
  std::array<uint32_t, 3> counts = {};
  uint32_t drawIndex = 0;
};

/// Everything of a draw but its numbers and its targets.
struct RecordedDraw {
  std::shared_ptr<const Program> program;
  std::vector<uint32_t> userData;
  GpuAddress vertexBufferTable = 0;
  std::optional<uint32_t> taskView; ///< user data dword of the view
  DrawState state;
  ColorLocations locations;
  BoundIndexBuffer indexBuffer; ///< type None: direct

  llvm::Error run(Execution &execution, const DrawRange &range) const;
  llvm::Error run(Execution &execution, const Workgroups &workgroups) const;

private:
  llvm::Error run(Execution &execution, const DrawRange &range,
                  const std::array<uint32_t, 3> &groups) const;
  llvm::Error runViews(Execution &execution, DrawInfo info) const;
};

llvm::Error RecordedDraw::run(Execution &execution, const DrawRange &range) const {
  return run(execution, range, {});
}

llvm::Error RecordedDraw::run(Execution &execution, const Workgroups &workgroups) const {
  DrawRange range;
  range.vertexCount = workgroups.counts[0] && workgroups.counts[1] && workgroups.counts[2];
  range.drawIndex = workgroups.drawIndex;
  return run(execution, range, workgroups.counts);
}

llvm::Error RecordedDraw::run(Execution &execution, const DrawRange &range,
                              const std::array<uint32_t, 3> &groups) const {
  const RenderingState &rendering = execution.rendering;
  if (!rendering.active)
    return llvm::make_error<DeviceFault>(DeviceFault::Kind::BadLaunch,
                                         "a draw outside a render pass instance");
  if (!range.vertexCount || !range.instanceCount)
    return llvm::Error::success();
  DrawInfo info;
  info.program = program.get();
  info.userData = userData;
  info.vertexBufferTable = vertexBufferTable;
  info.borderColors = execution.device.borderColors().address();
  info.input = {state.topology,          state.patchControlPoints, state.primitiveRestart,
                indexBuffer.type,        indexBuffer.address,      indexBuffer.size,
                indexBuffer.restartIndex};
  info.range = range;
  info.groups = groups;
  info.viewMask = rendering.viewMask;
  info.raster = state.raster;
  info.raster.renderArea = rectOf(rendering.area);
  info.raster.samplePositions = state.hasSampleLocations
                                    ? state.sampleLocations
                                    : standardSamplePositions(state.raster.samples);
  info.depthStencil = state.depthStencil;
  info.blend = state.blend;
  for (unsigned i = 0; i < maxColorTargets; ++i)
    if (!(state.colorWrites >> i & 1))
      info.blend.targets[i].writeMask = 0;
  info.blend.targets = locations.arrange(info.blend.targets, {.writeMask = 0});
  info.targets = rendering.targets;
  info.targets.colors = locations.arrange(info.targets.colors, {});
  info.compositeData = compositeDataOf(state, info.blend);
  info.statistics = &execution.statistics;
  if (execution.streamOut)
    info.streamOut = &*execution.streamOut;
  if (taskView && info.viewMask)
    return runViews(execution, info);
  return execution.device.gpu().draw(info);
}

/// A draw for each view, whose number is in its user data.
llvm::Error RecordedDraw::runViews(Execution &execution, DrawInfo info) const {
  for (uint32_t views = info.viewMask; views; views &= views - 1) {
    const auto view = static_cast<uint32_t>(llvm::countr_zero(views));
    std::vector<uint32_t> data = userData;
    data[*taskView] = view;
    info.userData = data;
    info.viewMask = 1u << view;
    KILN_TRY(execution.device.gpu().draw(info));
  }
  return llvm::Error::success();
}

/// With shader objects all state is what commands have set.
DrawState stateOfShaders(const DrawBindings &bindings) {
  DrawState state = bindings.dynamic;
  if (state.depthClipFollowsClamp)
    state.raster.depthClipEnable = !state.raster.depthClampEnable;
  return state;
}

/// What has no format is not tested or written, also if the rendering has it attached.
void leaveUnused(DrawState &state, const TargetFormats &formats) {
  if (!formats.hasDepth())
    state.depthStencil.depthTest = state.depthStencil.depthBounds = false;
  if (!formats.hasStencil())
    state.depthStencil.stencilTest = false;
  for (unsigned i = 0; i < maxColorTargets; ++i)
    if (!formats.colors[i])
      state.blend.targets[i].writeMask = 0;
}

/// Depths outside 0 .. 1 are clamped (VK_EXT_depth_clamp_zero_one).
bool staysInZeroToOne(const Device &device, const TargetFormats &formats) {
  const bool mayLeave =
      device.extensions().has(Extension::EXT_depth_range_unrestricted) &&
      (formats.depth == VK_FORMAT_D32_SFLOAT || formats.depth == VK_FORMAT_D32_SFLOAT_S8_UINT);
  return device.features().depthClampZeroOne && !mayLeave;
}

/// Only a geometry shader emits vertices to other streams than the first.
bool rasterizesOtherStream(VkShaderStageFlags stages, const DrawState &state) {
  return state.rasterizationStream &&
         !(stages & (VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_MESH_BIT_EXT));
}

enum class DrawKind : uint8_t { Direct, Indexed, Mesh };

/// Nothing without a graphics pipeline of that kind or shader objects, or when the device cannot
/// execute the pipeline, or when memory is exhausted.
std::optional<RecordedDraw> prepareDraw(CommandBuffer &commandBuffer, DrawKind kind) {
  const bool isIndexed = kind == DrawKind::Indexed;
  BindPointState &bound = commandBuffer.state(VK_PIPELINE_BIND_POINT_GRAPHICS);
  DrawBindings &bindings = commandBuffer.drawBindings();
  const std::shared_ptr<const PipelineData> pipeline =
      bound.pipeline ? bound.pipeline : pipelineOfShaders(commandBuffer);
  if (!pipeline || pipeline->kind != PipelineData::Kind::Graphics)
    return std::nullopt;
  const GraphicsPipelineData &graphics = *pipeline->graphics();
  const bool isMesh = graphics.state.stages & VK_SHADER_STAGE_MESH_BIT_EXT;
  if (isMesh != (kind == DrawKind::Mesh))
    return std::nullopt;
  RecordedDraw draw;
  draw.state = bound.pipeline ? stateOfDraw(*pipeline, bindings) : stateOfShaders(bindings);
  const TargetFormats &formats = bound.pipeline ? graphics.state.formats : bindings.formats;
  draw.locations = formats.locations;
  const std::shared_ptr<const PipelineData> drawn =
      bound.pipeline ? variantOf(commandBuffer, pipeline, draw.state) : pipeline;
  draw.program = drawn ? programOfDraw(commandBuffer, *drawn) : nullptr;
  if (!draw.program) {
    commandBuffer.setError(VK_ERROR_UNKNOWN);
    return std::nullopt;
  }
  leaveUnused(draw.state, formats);
  draw.state.raster.rasterizerDiscard |= rasterizesOtherStream(graphics.state.stages, draw.state);
  draw.state.raster.depthZeroToOne = staysInZeroToOne(commandBuffer.device(), formats);
  // Whatever the smallest fraction: what code needs no shading by sample for is one invocation.
  // fragmentShadingRateWithCustomSampleLocations is false.
  draw.state.raster.shadingRate.onePixel =
      graphics.state.rsState.perSampleShading || draw.state.hasSampleLocations;
  auto userData = userDataFor(commandBuffer, bound, *pipeline, *drawn);
  auto table = vertexTableFor(commandBuffer, *drawn, draw.state.strides);
  if (!userData || !table) {
    commandBuffer.setError(VK_ERROR_OUT_OF_DEVICE_MEMORY);
    return std::nullopt;
  }
  draw.userData = std::move(*userData);
  draw.taskView = taskViewFor(commandBuffer, *pipeline, *drawn);
  if (draw.taskView)
    draw.userData.resize(std::max<size_t>(draw.userData.size(), *draw.taskView + 1));
  draw.vertexBufferTable = *table;
  if (isIndexed)
    draw.indexBuffer = bindings.indexBuffer;
  if (isIndexed && draw.indexBuffer.type == IndexType::None)
    draw.indexBuffer.type = IndexType::U32; // VK_KHR_maintenance6: as if null had been bound
  return draw;
}

//===--- Direct draws -----------------------------------------------------===//

/// \p Numbers: DrawRange or Workgroups.
template <typename Numbers>
void recordDraws(VkCommandBuffer handle, const char *name, DrawKind kind,
                 std::vector<Numbers> all) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  std::optional<RecordedDraw> draw = prepareDraw(*commandBuffer, kind);
  if (!draw)
    return;
  commandBuffer->recordConditional(
      name, [draw = std::move(*draw), all = std::move(all)](Execution &execution) -> llvm::Error {
        for (const Numbers &numbers : all)
          KILN_TRY(draw.run(execution, numbers));
        return llvm::Error::success();
      });
}

//===--- Indirect draws ---------------------------------------------------===//

DrawRange numbersOf(const VkDrawIndirectCommand &command) {
  return {.firstVertex = command.firstVertex,
          .vertexCount = command.vertexCount,
          .firstInstance = command.firstInstance,
          .instanceCount = command.instanceCount};
}

DrawRange numbersOf(const VkDrawIndexedIndirectCommand &command) {
  return {.firstVertex = command.firstIndex,
          .vertexCount = command.indexCount,
          .vertexOffset = command.vertexOffset,
          .firstInstance = command.firstInstance,
          .instanceCount = command.instanceCount};
}

Workgroups numbersOf(const VkDrawMeshTasksIndirectCommandEXT &command) {
  return {{command.groupCountX, command.groupCountY, command.groupCountZ}};
}

template <typename Command>
constexpr DrawKind kindOf =
    std::is_same_v<Command, VkDrawIndexedIndirectCommand>        ? DrawKind::Indexed
    : std::is_same_v<Command, VkDrawMeshTasksIndirectCommandEXT> ? DrawKind::Mesh
                                                                 : DrawKind::Direct;

/// Where indirect draws find their numbers.
struct IndirectArguments {
  GpuAddress address = 0;
  uint64_t stride = 0;
  uint32_t maxCount = 0;
  GpuAddress countAddress = 0; ///< of a dword; 0: maxCount
};

template <typename Command>
llvm::Error runIndirect(const RecordedDraw &draw, Execution &execution,
                        const IndirectArguments &arguments) {
  uint32_t count = arguments.maxCount;
  if (arguments.countAddress) {
    auto memory = KILN_TRY(execution.memory(arguments.countAddress, sizeof(count)));
    std::memcpy(&count, memory, sizeof(count));
    count = std::min(count, arguments.maxCount);
  }
  for (uint32_t i = 0; i < count; ++i) {
    auto memory = execution.memory(arguments.address + i * arguments.stride, sizeof(Command));
    if (!memory)
      return memory.takeError();
    Command command;
    std::memcpy(&command, *memory, sizeof(command));
    auto numbers = numbersOf(command);
    numbers.drawIndex = i;
    KILN_TRY(draw.run(execution, numbers));
  }
  return llvm::Error::success();
}

template <typename Command>
void recordIndirect(VkCommandBuffer handle, const char *name, const IndirectArguments &arguments) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  // Vulkan wants a stride of whole commands as soon as there are two of them.
  if (arguments.maxCount > 1 && arguments.stride < sizeof(Command))
    return;
  std::optional<RecordedDraw> draw = prepareDraw(*commandBuffer, kindOf<Command>);
  if (!draw)
    return;
  commandBuffer->recordConditional(name,
                                   [draw = std::move(*draw), arguments](Execution &execution) {
                                     return runIndirect<Command>(draw, execution, arguments);
                                   });
}

/// \p counter: null for draws with a count that is known.
template <typename Command>
void recordIndirect(VkCommandBuffer commandBuffer, const char *name, VkBuffer buffer,
                    VkDeviceSize offset, uint32_t count, uint32_t stride,
                    VkBuffer counter = VK_NULL_HANDLE, VkDeviceSize counterOffset = 0) {
  auto *from = fromHandle<Buffer>(buffer);
  if (!from)
    return;
  IndirectArguments arguments{from->address() + offset, stride, count};
  if (auto *counts = fromHandle<Buffer>(counter))
    arguments.countAddress = counts->address() + counterOffset;
  recordIndirect<Command>(commandBuffer, name, arguments);
}

IndirectArguments argumentsOf(const VkDrawIndirect2InfoKHR &info) {
  return {info.addressRange.address, info.addressRange.stride, info.drawCount};
}

IndirectArguments argumentsOf(const VkDrawIndirectCount2InfoKHR &info) {
  return {info.addressRange.address, info.addressRange.stride, info.maxDrawCount,
          info.countAddressRange.address};
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdDraw(VkCommandBuffer commandBuffer, uint32_t vertexCount,
                                   uint32_t instanceCount, uint32_t firstVertex,
                                   uint32_t firstInstance) {
  recordDraws(commandBuffer, "vkCmdDraw", DrawKind::Direct,
              std::vector{numbersOf(
                  VkDrawIndirectCommand{vertexCount, instanceCount, firstVertex, firstInstance})});
}

VKAPI_ATTR void VKAPI_CALL CmdDrawIndexed(VkCommandBuffer commandBuffer, uint32_t indexCount,
                                          uint32_t instanceCount, uint32_t firstIndex,
                                          int32_t vertexOffset, uint32_t firstInstance) {
  recordDraws(commandBuffer, "vkCmdDrawIndexed", DrawKind::Indexed,
              std::vector{numbersOf(VkDrawIndexedIndirectCommand{
                  indexCount, instanceCount, firstIndex, vertexOffset, firstInstance})});
}

VKAPI_ATTR void VKAPI_CALL CmdDrawIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                           VkDeviceSize offset, uint32_t count, uint32_t stride) {
  recordIndirect<VkDrawIndirectCommand>(commandBuffer, "vkCmdDrawIndirect", buffer, offset, count,
                                        stride);
}

VKAPI_ATTR void VKAPI_CALL CmdDrawIndexedIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                  VkDeviceSize offset, uint32_t count,
                                                  uint32_t stride) {
  recordIndirect<VkDrawIndexedIndirectCommand>(commandBuffer, "vkCmdDrawIndexedIndirect", buffer,
                                               offset, count, stride);
}

VKAPI_ATTR void VKAPI_CALL CmdDrawIndirectCount(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                VkDeviceSize offset, VkBuffer counter,
                                                VkDeviceSize counterOffset, uint32_t maxCount,
                                                uint32_t stride) {
  if (counter)
    recordIndirect<VkDrawIndirectCommand>(commandBuffer, "vkCmdDrawIndirectCount", buffer, offset,
                                          maxCount, stride, counter, counterOffset);
}

VKAPI_ATTR void VKAPI_CALL CmdDrawIndexedIndirectCount(VkCommandBuffer commandBuffer,
                                                       VkBuffer buffer, VkDeviceSize offset,
                                                       VkBuffer counter, VkDeviceSize counterOffset,
                                                       uint32_t maxCount, uint32_t stride) {
  if (counter)
    recordIndirect<VkDrawIndexedIndirectCommand>(commandBuffer, "vkCmdDrawIndexedIndirectCount",
                                                 buffer, offset, maxCount, stride, counter,
                                                 counterOffset);
}

VKAPI_ATTR void VKAPI_CALL CmdDrawIndirect2KHR(VkCommandBuffer commandBuffer,
                                               const VkDrawIndirect2InfoKHR *info) {
  recordIndirect<VkDrawIndirectCommand>(commandBuffer, "vkCmdDrawIndirect2KHR", argumentsOf(*info));
}

VKAPI_ATTR void VKAPI_CALL CmdDrawIndexedIndirect2KHR(VkCommandBuffer commandBuffer,
                                                      const VkDrawIndirect2InfoKHR *info) {
  recordIndirect<VkDrawIndexedIndirectCommand>(commandBuffer, "vkCmdDrawIndexedIndirect2KHR",
                                               argumentsOf(*info));
}

VKAPI_ATTR void VKAPI_CALL CmdDrawIndirectCount2KHR(VkCommandBuffer commandBuffer,
                                                    const VkDrawIndirectCount2InfoKHR *info) {
  recordIndirect<VkDrawIndirectCommand>(commandBuffer, "vkCmdDrawIndirectCount2KHR",
                                        argumentsOf(*info));
}

VKAPI_ATTR void VKAPI_CALL CmdDrawIndexedIndirectCount2KHR(
    VkCommandBuffer commandBuffer, const VkDrawIndirectCount2InfoKHR *info) {
  recordIndirect<VkDrawIndexedIndirectCommand>(commandBuffer, "vkCmdDrawIndexedIndirectCount2KHR",
                                               argumentsOf(*info));
}

//===--- VK_EXT_mesh_shader -----------------------------------------------===//

VKAPI_ATTR void VKAPI_CALL CmdDrawMeshTasksEXT(VkCommandBuffer commandBuffer, uint32_t countX,
                                               uint32_t countY, uint32_t countZ) {
  recordDraws(commandBuffer, "vkCmdDrawMeshTasksEXT", DrawKind::Mesh,
              std::vector{numbersOf(VkDrawMeshTasksIndirectCommandEXT{countX, countY, countZ})});
}

VKAPI_ATTR void VKAPI_CALL CmdDrawMeshTasksIndirectEXT(VkCommandBuffer commandBuffer,
                                                       VkBuffer buffer, VkDeviceSize offset,
                                                       uint32_t count, uint32_t stride) {
  recordIndirect<VkDrawMeshTasksIndirectCommandEXT>(commandBuffer, "vkCmdDrawMeshTasksIndirectEXT",
                                                    buffer, offset, count, stride);
}

VKAPI_ATTR void VKAPI_CALL CmdDrawMeshTasksIndirectCountEXT(VkCommandBuffer commandBuffer,
                                                            VkBuffer buffer, VkDeviceSize offset,
                                                            VkBuffer counter,
                                                            VkDeviceSize counterOffset,
                                                            uint32_t maxCount, uint32_t stride) {
  if (counter)
    recordIndirect<VkDrawMeshTasksIndirectCommandEXT>(
        commandBuffer, "vkCmdDrawMeshTasksIndirectCountEXT", buffer, offset, maxCount, stride,
        counter, counterOffset);
}

VKAPI_ATTR void VKAPI_CALL CmdDrawMeshTasksIndirect2EXT(VkCommandBuffer commandBuffer,
                                                        const VkDrawIndirect2InfoKHR *info) {
  recordIndirect<VkDrawMeshTasksIndirectCommandEXT>(commandBuffer, "vkCmdDrawMeshTasksIndirect2EXT",
                                                    argumentsOf(*info));
}

VKAPI_ATTR void VKAPI_CALL CmdDrawMeshTasksIndirectCount2EXT(
    VkCommandBuffer commandBuffer, const VkDrawIndirectCount2InfoKHR *info) {
  recordIndirect<VkDrawMeshTasksIndirectCommandEXT>(
      commandBuffer, "vkCmdDrawMeshTasksIndirectCount2EXT", argumentsOf(*info));
}

//===--- VK_EXT_transform_feedback ----------------------------------------===//

static void recordByteCount(VkCommandBuffer handle, const char *name, uint32_t instanceCount,
                            uint32_t firstInstance, GpuAddress address, uint32_t counterOffset,
                            uint32_t vertexStride) {
  if (!vertexStride)
    return; // not valid usage
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  std::optional<RecordedDraw> draw = prepareDraw(*commandBuffer, DrawKind::Direct);
  if (!draw)
    return;
  commandBuffer->recordConditional(
      name, [=, draw = std::move(*draw)](Execution &execution) -> llvm::Error {
        uint32_t bytes = 0;
        auto memory = KILN_TRY(execution.memory(address, sizeof(bytes)));
        std::memcpy(&bytes, memory, sizeof(bytes));
        uint32_t used = bytes > counterOffset ? bytes - counterOffset : 0;
        return draw.run(execution, DrawRange{.vertexCount = used / vertexStride,
                                             .firstInstance = firstInstance,
                                             .instanceCount = instanceCount});
      });
}

VKAPI_ATTR void VKAPI_CALL CmdDrawIndirectByteCountEXT(
    VkCommandBuffer commandBuffer, uint32_t instanceCount, uint32_t firstInstance, VkBuffer counter,
    VkDeviceSize counterBufferOffset, uint32_t counterOffset, uint32_t vertexStride) {
  if (auto *buffer = fromHandle<Buffer>(counter))
    recordByteCount(commandBuffer, "vkCmdDrawIndirectByteCountEXT", instanceCount, firstInstance,
                    buffer->address() + counterBufferOffset, counterOffset, vertexStride);
}

VKAPI_ATTR void VKAPI_CALL CmdDrawIndirectByteCount2EXT(
    VkCommandBuffer commandBuffer, uint32_t instanceCount, uint32_t firstInstance,
    const VkBindTransformFeedbackBuffer2InfoEXT *counter, uint32_t counterOffset,
    uint32_t vertexStride) {
  recordByteCount(commandBuffer, "vkCmdDrawIndirectByteCount2EXT", instanceCount, firstInstance,
                  counter->addressRange.address, counterOffset, vertexStride);
}

//===--- VK_EXT_multi_draw ------------------------------------------------===//

VKAPI_ATTR void VKAPI_CALL CmdDrawMultiEXT(VkCommandBuffer commandBuffer, uint32_t count,
                                           const VkMultiDrawInfoEXT *draws, uint32_t instanceCount,
                                           uint32_t firstInstance, uint32_t stride) {
  std::vector<DrawRange> ranges;
  const auto *bytes = reinterpret_cast<const uint8_t *>(draws);
  for (uint32_t i = 0; i < count; ++i) {
    VkMultiDrawInfoEXT draw;
    std::memcpy(&draw, bytes + size_t(i) * stride, sizeof(draw));
    ranges.push_back(numbersOf(
        VkDrawIndirectCommand{draw.vertexCount, instanceCount, draw.firstVertex, firstInstance}));
    ranges.back().drawIndex = i;
  }
  recordDraws(commandBuffer, "vkCmdDrawMultiEXT", DrawKind::Direct, std::move(ranges));
}

VKAPI_ATTR void VKAPI_CALL CmdDrawMultiIndexedEXT(VkCommandBuffer commandBuffer, uint32_t count,
                                                  const VkMultiDrawIndexedInfoEXT *draws,
                                                  uint32_t instanceCount, uint32_t firstInstance,
                                                  uint32_t stride, const int32_t *vertexOffset) {
  std::vector<DrawRange> ranges;
  const auto *bytes = reinterpret_cast<const uint8_t *>(draws);
  for (uint32_t i = 0; i < count; ++i) {
    VkMultiDrawIndexedInfoEXT draw;
    std::memcpy(&draw, bytes + size_t(i) * stride, sizeof(draw));
    ranges.push_back(numbersOf(VkDrawIndexedIndirectCommand{
        draw.indexCount, instanceCount, draw.firstIndex,
        vertexOffset ? *vertexOffset : draw.vertexOffset, firstInstance}));
    ranges.back().drawIndex = i;
  }
  recordDraws(commandBuffer, "vkCmdDrawMultiIndexedEXT", DrawKind::Indexed, std::move(ranges));
}

} // namespace icd
