//===- GraphicsPipeline.cpp - vkCreateGraphicsPipelines -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shader stages, layout and state -> what the compiler calls a graphics pipeline -> code. State
/// that the code does not depend on stays in a DrawState.
#include "icd_glue/pipeline/GraphicsBuild.h"
#include "icd_glue/pipeline/PipelineCode.h"
#include "icd_glue/pipeline/PipelineCreation.h"
#include "llpc/Formats.h"

namespace icd {
namespace {

llvm::Error setShaders(Device &device, llpc::GraphicsPipelineBuildInfo &build,
                       llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages,
                       bool discardsEverything) {
  for (const VkPipelineShaderStageCreateInfo &stage : stages) {
    const auto *row =
        llvm::find_if(stageNames, [&](const StageName &name) { return name.flag == stage.stage; });
    if (row == stageNames.end() || row->stage == llpc::ShaderStage::Compute)
      return lgc::invalidInput("shader stage " + llvm::Twine(stage.stage) +
                               " is no graphics stage");
    // Behind a rasteriser that discards everything no fragment shader runs.
    if (row->stage == llpc::ShaderStage::Fragment && discardsEverything)
      continue;
    auto shader = shaderInfoOf(device, stage);
    if (!shader)
      return shader.takeError();
    shader->entryStage = row->stage;
    build.shader(row->stage) = std::move(*shader);
  }
  return llvm::Error::success();
}

void setVertexFetch(GraphicsPipelineData &data, const llpc::VertexInputInfo &input) {
  for (const llpc::VertexAttributeInfo &attribute : input.attributes) {
    const uint64_t end = uint64_t(attribute.offset) + llpc::vertexElementBytes(attribute.format);
    uint32_t &last = data.elementEnds[attribute.binding];
    last = std::max(last, static_cast<uint32_t>(std::min<uint64_t>(end, UINT32_MAX)));
    data.vertexBindings = std::max(data.vertexBindings, attribute.binding + 1);
  }
}

std::string programName(const llpc::GraphicsPipelineBuildInfo &build) {
  std::string name;
  for (unsigned i = 0; i < llpc::graphicsStageCount; ++i) {
    const auto stage = static_cast<llpc::ShaderStage>(i);
    if (const llpc::PipelineShaderInfo &shader = build.shader(stage); shader.module)
      name += (name.empty() ? "" : ", ") + llpc::shaderStageName(stage).str() + " " +
              shader.entryTarget;
  }
  return name;
}

VkShaderStageFlags stagesOf(const llpc::GraphicsPipelineBuildInfo &build) {
  VkShaderStageFlags stages = 0;
  for (unsigned i = 0; i < llpc::graphicsStageCount; ++i)
    if (const auto stage = static_cast<llpc::ShaderStage>(i); build.shader(stage).module)
      stages |= flagOf(stage);
  return stages;
}

llvm::Expected<std::shared_ptr<const PipelineData>>
buildPipeline(Device &device, const VkGraphicsPipelineCreateInfo &info) {
  const VkPipelineCreateFlags2KHR flags = pipelineFlagsOf(info.flags, info.pNext);
  const llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages(info.pStages, info.stageCount);
  const TargetFormats formats = targetFormatsOf(info);
  auto graphics = std::make_shared<GraphicsPipelineData>();
  graphics->dynamic = DynamicStates(info.pDynamicState);
  graphics->fixed = staticDrawState(info, formats);
  const bool discardsEverything =
      graphics->fixed.raster.rasterizerDiscard &&
      !graphics->dynamic.has(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);

  llpc::GraphicsPipelineBuildInfo build;
  if (llvm::Error error = setShaders(device, build, stages, discardsEverything))
    return error;
  build.options = pipelineOptionsOf(device, info.pNext, stages, flags);
  auto data = std::make_shared<PipelineData>();
  data->layout = layoutDataOf(info.layout);
  build.resourceMapping = data->layout->mapping;
  setCompilerState(build, info, formats, graphics->fixed, graphics->dynamic);
  setVertexFetch(*graphics, build.vertexInput);
  data->graphics = std::move(graphics);
  auto found = codeOf({.device = device,
                       .layout = data->layout,
                       .name = programName(build),
                       .stages = stagesOf(build),
                       .mayCompile = mayCompile(flags)},
                      build);
  return finishData(std::move(data), std::move(found));
}

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL CreateGraphicsPipelines(VkDevice device, VkPipelineCache,
                                                       uint32_t count,
                                                       const VkGraphicsPipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkPipeline *pipelines) {
  return createPipelines(*fromHandle<Device>(device), "vkCreateGraphicsPipelines", count, infos,
                         allocator, pipelines, buildPipeline);
}

} // namespace icd
