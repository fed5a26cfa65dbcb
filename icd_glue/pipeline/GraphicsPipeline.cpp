//===- GraphicsPipeline.cpp - vkCreateGraphicsPipelines -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shader stages, layout and state -> what the compiler calls a graphics pipeline -> code. State
/// that the code does not depend on stays in a DrawState.
#include "icd_glue/key/PipelineKey.h"
#include "icd_glue/key/StageKey.h"
#include "icd_glue/pipeline/GraphicsBuild.h"
#include "icd_glue/pipeline/PipelineCode.h"
#include "icd_glue/pipeline/PipelineCreation.h"
#include "llpc/Formats.h"

namespace icd {
namespace {

/// The stages that run, with modules.
llvm::Error setShaders(Device &device, llpc::GraphicsPipelineBuildInfo &build,
                       const GraphicsState &state,
                       llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages) {
  for (const VkPipelineShaderStageCreateInfo &stage : stages) {
    const auto *row =
        llvm::find_if(stageNames, [&](const StageName &name) { return name.flag == stage.stage; });
    if (row == stageNames.end() || row->stage == llpc::ShaderStage::Compute)
      return lgc::invalidInput("shader stage " + llvm::Twine(stage.stage) +
                               " is no graphics stage");
    if (!(state.stages & stage.stage))
      continue;
    auto shader = shaderInfoOf(device, stage);
    if (!shader)
      return shader.takeError();
    shader->entryStage = row->stage;
    build.shader(row->stage) = std::move(*shader);
  }
  return llvm::Error::success();
}

void setVertexFetch(GraphicsPipelineData &data) {
  for (const llpc::VertexAttributeInfo &attribute : data.state.input.attributes) {
    if (attribute.binding >= maxVertexBindings)
      continue; // not valid usage; the compiler says so
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

/// What the compiler is told of a pipeline. The state is in \p state already.
llvm::Expected<llpc::GraphicsPipelineBuildInfo>
buildInfoOf(Device &device, const VkGraphicsPipelineCreateInfo &info, const GraphicsState &state,
            const PipelineLayoutData &layout) {
  const VkPipelineCreateFlags2KHR flags = pipelineFlagsOf(info.flags, info.pNext);
  const llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages(info.pStages, info.stageCount);
  llpc::GraphicsPipelineBuildInfo build;
  if (llvm::Error error = setShaders(device, build, state, stages))
    return error;
  build.options = pipelineOptionsOf(device, info.pNext, stages, flags);
  build.resourceMapping = layout.mapping;
  setCompilerState(build, state);
  return build;
}

llvm::Expected<std::shared_ptr<const PipelineData>>
buildPipeline(const PipelineCreation &creation, const VkGraphicsPipelineCreateInfo &info) {
  Device &device = creation.device;
  auto graphics = std::make_shared<GraphicsPipelineData>(graphicsStateOf(info, allSubsets));
  const GraphicsState &state = graphics->state;
  setVertexFetch(*graphics);
  auto data = std::make_shared<PipelineData>();
  data->layout = layoutDataOf(info.layout);
  data->graphics = graphics;
  const CodePlaces places{pipelineKeyOf(device, info, state, *data->layout), creation.cache};
  data->code = findCode(creation, places);
  if (data->code)
    return data;
  if (std::any_of(info.pStages, info.pStages + info.stageCount, isIdentifierOnly))
    return nullptr;
  auto build = buildInfoOf(device, info, state, *data->layout);
  if (!build)
    return build.takeError();
  auto found = codeOf({.device = device,
                       .places = places,
                       .layout = data->layout,
                       .name = programName(*build),
                       .stages = state.stages,
                       .mayCompile = creation.mayCompile()},
                      *build);
  return finishData(std::move(data), std::move(found));
}

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache,
                                                       uint32_t count,
                                                       const VkGraphicsPipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkPipeline *pipelines) {
  return createPipelines(*fromHandle<Device>(device), "vkCreateGraphicsPipelines", cache, count,
                         infos, allocator, pipelines, buildPipeline);
}

} // namespace icd
