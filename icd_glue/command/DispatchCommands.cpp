//===- DispatchCommands.cpp - vkCmdDispatch and its variants --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/command/ReplacedBindings.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/image/BorderColors.h"
#include "icd_glue/memory/Buffer.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "pal_shim/abi/Try.h"
#include <cstring>

namespace icd {
namespace {

/// A dispatch as recorded: program and user data are final.
struct RecordedDispatch {
  std::shared_ptr<const pal::device::Program> program;
  std::vector<uint32_t> userData;
  std::array<uint32_t, 3> base = {0, 0, 0};
  std::array<uint32_t, 3> groups = {0, 0, 0};

  pal::device::DispatchInfo info(Device &device) const {
    return {.program = program.get(),
            .base = base,
            .groups = groups,
            .userData = userData,
            .borderColors = device.borderColors().address()};
  }

  /// Adds the invocations of \p number workgroups to what pipeline statistics queries see.
  void count(Execution &execution, const std::array<uint32_t, 3> &number) const {
    uint64_t invocations = 1;
    for (uint32_t size : program->workgroupSize())
      invocations *= size;
    for (uint32_t along : number)
      invocations *= along;
    execution.statistics.computeInvocations += invocations;
  }
};

/// Nothing without a compute pipeline (not valid usage), when the device cannot execute it, or when
/// memory is exhausted.
std::optional<RecordedDispatch> prepareDispatch(CommandBuffer &commandBuffer) {
  BindPointState &state = commandBuffer.state(VK_PIPELINE_BIND_POINT_COMPUTE);
  if (!state.pipeline || state.pipeline->kind != PipelineData::Kind::Compute)
    return std::nullopt;
  auto program = state.pipeline->program(commandBuffer.device());
  if (!program) {
    commandBuffer.setError(VK_ERROR_UNKNOWN);
    return std::nullopt;
  }
  auto userData = userDataFor(commandBuffer, state, *state.pipeline, *state.pipeline);
  if (!userData) {
    commandBuffer.setError(VK_ERROR_OUT_OF_DEVICE_MEMORY);
    return std::nullopt;
  }
  return RecordedDispatch{std::move(program), std::move(*userData)};
}

void recordDispatch(VkCommandBuffer handle, const char *name, std::array<uint32_t, 3> base,
                    std::array<uint32_t, 3> groups) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  std::optional<RecordedDispatch> dispatch = prepareDispatch(*commandBuffer);
  if (!dispatch)
    return;
  dispatch->base = base;
  dispatch->groups = groups;
  commandBuffer->recordConditional(name, [dispatch = std::move(*dispatch)](Execution &execution) {
    dispatch.count(execution, dispatch.groups);
    return execution.device.gpu().dispatch(dispatch.info(execution.device));
  });
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdDispatch(VkCommandBuffer commandBuffer, uint32_t x, uint32_t y,
                                       uint32_t z) {
  recordDispatch(commandBuffer, "vkCmdDispatch", {0, 0, 0}, {x, y, z});
}

VKAPI_ATTR void VKAPI_CALL CmdDispatchBase(VkCommandBuffer commandBuffer, uint32_t baseX,
                                           uint32_t baseY, uint32_t baseZ, uint32_t x, uint32_t y,
                                           uint32_t z) {
  recordDispatch(commandBuffer, "vkCmdDispatchBase", {baseX, baseY, baseZ}, {x, y, z});
}

static void recordIndirect(VkCommandBuffer handle, const char *name,
                           pal::device::GpuAddress address) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  std::optional<RecordedDispatch> dispatch = prepareDispatch(*commandBuffer);
  if (!dispatch)
    return;
  commandBuffer->recordConditional(
      name, [dispatch = std::move(*dispatch), address](Execution &execution) -> llvm::Error {
        std::array<uint32_t, 3> groups;
        uint8_t *data = KILN_TRY(execution.memory(address, sizeof(groups)));
        std::memcpy(groups.data(), data, sizeof(groups));
        dispatch.count(execution, groups);
        return execution.device.gpu().dispatchIndirect(dispatch.info(execution.device), address);
      });
}

VKAPI_ATTR void VKAPI_CALL CmdDispatchIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                               VkDeviceSize offset) {
  if (auto *arguments = fromHandle<Buffer>(buffer))
    recordIndirect(commandBuffer, "vkCmdDispatchIndirect", arguments->address() + offset);
}

VKAPI_ATTR void VKAPI_CALL CmdDispatchIndirect2KHR(VkCommandBuffer commandBuffer,
                                                   const VkDispatchIndirect2InfoKHR *info) {
  recordIndirect(commandBuffer, "vkCmdDispatchIndirect2KHR", info->addressRange.address);
}

} // namespace icd
