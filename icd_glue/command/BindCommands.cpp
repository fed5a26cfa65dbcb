//===- BindCommands.cpp - pipelines, descriptor sets, push constants ------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/command/DrawPreparation.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/descriptor/DescriptorSet.h"
#include "icd_glue/descriptor/DeviceDescriptorWords.h"
#include "icd_glue/descriptor/UpdateTemplate.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/pipeline/RayTracingState.h"
#include <cstring>

namespace icd {
namespace {

/// Binds one set and takes its dynamic offsets off the front of \p offsets.
void bindSet(BindPointState &state, uint32_t index, DescriptorSet *set,
             llvm::ArrayRef<uint32_t> &offsets) {
  BoundSet &bound = state.sets[index];
  if (state.push.layout && state.push.set == index)
    state.push = {};
  bound = {};
  if (!set)
    return;
  bound.table = set->tablePointer();
  for (const BufferWords &words : set->dynamicBufferWords()) {
    uint32_t offset = offsets.empty() ? 0 : offsets.front();
    offsets = offsets.drop_front(offsets.empty() ? 0 : 1);
    bound.dynamicBuffers.push_back(withOffset(words, offset));
  }
}

void bindSets(BindPointState &state, uint32_t first, llvm::ArrayRef<VkDescriptorSet> sets,
              llvm::ArrayRef<uint32_t> offsets) {
  for (VkDescriptorSet set : sets) {
    if (first >= state.sets.size())
      return;
    bindSet(state, first++, fromHandle<DescriptorSet>(set), offsets);
  }
}

/// The bind points that commands with stages instead of a bind point mean.
llvm::SmallVector<VkPipelineBindPoint, 3> bindPointsOf(VkShaderStageFlags stages) {
  llvm::SmallVector<VkPipelineBindPoint, 3> bindPoints;
  if (stages & VK_SHADER_STAGE_COMPUTE_BIT)
    bindPoints.push_back(VK_PIPELINE_BIND_POINT_COMPUTE);
  if (stages & VK_SHADER_STAGE_ALL_GRAPHICS)
    bindPoints.push_back(VK_PIPELINE_BIND_POINT_GRAPHICS);
  if (stages & rayTracingStages)
    bindPoints.push_back(VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
  return bindPoints;
}

/// Calls \p function with the push set of number \p set, if the layout has it.
template <typename Function>
void withPushSet(CommandBuffer &commandBuffer, VkPipelineBindPoint bindPoint,
                 VkPipelineLayout layout, uint32_t set, Function &&function) {
  auto *pipelineLayout = fromHandle<PipelineLayout>(layout);
  std::shared_ptr<const SetLayout> setLayout =
      pipelineLayout ? pipelineLayout->setLayout(set) : nullptr;
  if (!setLayout || set >= maxBoundSets)
    return;
  PushSet &push = commandBuffer.state(bindPoint).pushSet(set, setLayout);
  function(push.memory());
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdBindPipeline(VkCommandBuffer commandBuffer,
                                           VkPipelineBindPoint bindPoint, VkPipeline pipeline) {
  auto *object = fromHandle<Pipeline>(pipeline);
  auto *buffer = fromHandle<CommandBuffer>(commandBuffer);
  buffer->state(bindPoint).pipeline = object ? object->data : nullptr;
  if (bindPoint != VK_PIPELINE_BIND_POINT_GRAPHICS)
    return;
  buffer->drawBindings().shaders = {};
  prepareDraws(*buffer, DrawPiece::Shaders);
}

VKAPI_ATTR void VKAPI_CALL CmdBindShadersEXT(VkCommandBuffer handle, uint32_t count,
                                             const VkShaderStageFlagBits *stages,
                                             const VkShaderEXT *shaders) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  DrawShaders &bound = commandBuffer->drawBindings().shaders;
  bool isChanged = false;
  for (uint32_t i = 0; i < count; ++i) {
    auto *object = shaders ? fromHandle<ShaderObject>(shaders[i]) : nullptr;
    const std::shared_ptr<const ShaderData> data = object ? object->data : nullptr;
    const bool isCompute = stages[i] == VK_SHADER_STAGE_COMPUTE_BIT;
    // Any shader takes the place of the pipeline, also the null one.
    commandBuffer
        ->state(isCompute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS)
        .pipeline = isCompute && data ? data->compute() : nullptr;
    auto *place = bound.find(stages[i]);
    if (!place || *place == data)
      continue;
    *place = data;
    isChanged = true;
  }
  if (isChanged)
    prepareDraws(*commandBuffer, DrawPiece::Shaders);
}

//===--- Descriptor sets --------------------------------------------------===//

VKAPI_ATTR void VKAPI_CALL CmdBindDescriptorSets(VkCommandBuffer commandBuffer,
                                                 VkPipelineBindPoint bindPoint, VkPipelineLayout,
                                                 uint32_t firstSet, uint32_t setCount,
                                                 const VkDescriptorSet *sets, uint32_t offsetCount,
                                                 const uint32_t *offsets) {
  bindSets(fromHandle<CommandBuffer>(commandBuffer)->state(bindPoint), firstSet, {sets, setCount},
           {offsets, offsetCount});
}

VKAPI_ATTR void VKAPI_CALL CmdBindDescriptorSets2(VkCommandBuffer commandBuffer,
                                                  const VkBindDescriptorSetsInfo *info) {
  for (VkPipelineBindPoint bindPoint : bindPointsOf(info->stageFlags))
    CmdBindDescriptorSets(commandBuffer, bindPoint, info->layout, info->firstSet,
                          info->descriptorSetCount, info->pDescriptorSets, info->dynamicOffsetCount,
                          info->pDynamicOffsets);
}

VKAPI_ATTR void VKAPI_CALL CmdPushDescriptorSet(VkCommandBuffer handle,
                                                VkPipelineBindPoint bindPoint,
                                                VkPipelineLayout layout, uint32_t set,
                                                uint32_t writeCount,
                                                const VkWriteDescriptorSet *writes) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  DeviceDescriptorWords words(commandBuffer->device());
  withPushSet(*commandBuffer, bindPoint, layout, set, [&](const SetMemory &memory) {
    for (uint32_t i = 0; i < writeCount; ++i)
      writeDescriptors(memory, sourceOf(writes[i]), words);
  });
}

VKAPI_ATTR void VKAPI_CALL CmdPushDescriptorSet2(VkCommandBuffer commandBuffer,
                                                 const VkPushDescriptorSetInfo *info) {
  for (VkPipelineBindPoint bindPoint : bindPointsOf(info->stageFlags))
    CmdPushDescriptorSet(commandBuffer, bindPoint, info->layout, info->set,
                         info->descriptorWriteCount, info->pDescriptorWrites);
}

VKAPI_ATTR void VKAPI_CALL
CmdPushDescriptorSetWithTemplate(VkCommandBuffer handle, VkDescriptorUpdateTemplate updateTemplate,
                                 VkPipelineLayout layout, uint32_t set, const void *data) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  auto *object = fromHandle<UpdateTemplate>(updateTemplate);
  DeviceDescriptorWords words(commandBuffer->device());
  withPushSet(*commandBuffer, object->bindPoint, layout, set,
              [&](const SetMemory &memory) { object->apply(memory, data, words); });
}

VKAPI_ATTR void VKAPI_CALL CmdPushDescriptorSetWithTemplate2(
    VkCommandBuffer commandBuffer, const VkPushDescriptorSetWithTemplateInfo *info) {
  CmdPushDescriptorSetWithTemplate(commandBuffer, info->descriptorUpdateTemplate, info->layout,
                                   info->set, info->pData);
}

//===--- Descriptor buffers -----------------------------------------------===//

namespace {

/// What descriptors of a set are read from.
void bindTable(BindPointState &state, uint32_t set, pal::device::GpuAddress address) {
  if (set >= state.sets.size())
    return;
  if (state.push.layout && state.push.set == set)
    state.push = {};
  state.sets[set] = {};
  state.sets[set].table = static_cast<uint32_t>(address);
}

} // namespace

VKAPI_ATTR void VKAPI_CALL CmdBindDescriptorBuffersEXT(
    VkCommandBuffer commandBuffer, uint32_t count, const VkDescriptorBufferBindingInfoEXT *infos) {
  auto &buffers = fromHandle<CommandBuffer>(commandBuffer)->descriptorBuffers();
  for (uint32_t i = 0; i < count && i < buffers.size(); ++i)
    buffers[i] = infos[i].address;
}

VKAPI_ATTR void VKAPI_CALL CmdSetDescriptorBufferOffsetsEXT(
    VkCommandBuffer handle, VkPipelineBindPoint bindPoint, VkPipelineLayout, uint32_t firstSet,
    uint32_t setCount, const uint32_t *bufferIndices, const VkDeviceSize *offsets) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  const auto &buffers = commandBuffer->descriptorBuffers();
  for (uint32_t i = 0; i < setCount; ++i)
    if (bufferIndices[i] < buffers.size())
      bindTable(commandBuffer->state(bindPoint), firstSet + i,
                buffers[bufferIndices[i]] + offsets[i]);
}

VKAPI_ATTR void VKAPI_CALL CmdSetDescriptorBufferOffsets2EXT(
    VkCommandBuffer commandBuffer, const VkSetDescriptorBufferOffsetsInfoEXT *info) {
  for (VkPipelineBindPoint bindPoint : bindPointsOf(info->stageFlags))
    CmdSetDescriptorBufferOffsetsEXT(commandBuffer, bindPoint, info->layout, info->firstSet,
                                     info->setCount, info->pBufferIndices, info->pOffsets);
}

VKAPI_ATTR void VKAPI_CALL CmdBindDescriptorBufferEmbeddedSamplersEXT(VkCommandBuffer handle,
                                                                      VkPipelineBindPoint bindPoint,
                                                                      VkPipelineLayout layout,
                                                                      uint32_t set) {
  auto *commandBuffer = fromHandle<CommandBuffer>(handle);
  auto *pipelineLayout = fromHandle<PipelineLayout>(layout);
  const std::shared_ptr<const SetLayout> setLayout =
      pipelineLayout ? pipelineLayout->setLayout(set) : nullptr;
  if (!setLayout || !setLayout->sizeDwords)
    return;
  std::vector<uint32_t> words(setLayout->sizeDwords);
  initializeSet({setLayout.get(), words, {}, 0});
  const pal::device::GpuAddress address = commandBuffer->tables().upload(words);
  if (!address)
    return commandBuffer->setError(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  bindTable(commandBuffer->state(bindPoint), set, address);
}

VKAPI_ATTR void VKAPI_CALL CmdBindDescriptorBufferEmbeddedSamplers2EXT(
    VkCommandBuffer commandBuffer, const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *info) {
  for (VkPipelineBindPoint bindPoint : bindPointsOf(info->stageFlags))
    CmdBindDescriptorBufferEmbeddedSamplersEXT(commandBuffer, bindPoint, info->layout, info->set);
}

//===--- Push constants ---------------------------------------------------===//

VKAPI_ATTR void VKAPI_CALL CmdPushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout,
                                            VkShaderStageFlags, uint32_t offset, uint32_t size,
                                            const void *values) {
  auto &bytes = fromHandle<CommandBuffer>(commandBuffer)->pushConstants().bytes;
  if (offset <= bytes.size() && size <= bytes.size() - offset)
    std::memcpy(bytes.data() + offset, values, size);
}

VKAPI_ATTR void VKAPI_CALL CmdPushConstants2(VkCommandBuffer commandBuffer,
                                             const VkPushConstantsInfo *info) {
  CmdPushConstants(commandBuffer, info->layout, info->stageFlags, info->offset, info->size,
                   info->pValues);
}

} // namespace icd
