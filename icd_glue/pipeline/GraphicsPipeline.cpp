//===- GraphicsPipeline.cpp - vkCreateGraphicsPipelines -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shader stages, layout and state -> what the compiler calls a graphics pipeline -> code. State
/// that the code does not depend on stays in a DrawState. Libraries and pipelines of libraries:
/// LibraryLink.h.
#include "icd_glue/pipeline/LibraryLink.h"
#include "icd_glue/pipeline/PipelineBinary.h"
#include "icd_glue/pipeline/PipelineCreation.h"
#include "icd_glue/pipeline/PipelineKey.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "icd_glue/state/StageKey.h"
#include "pal_shim/abi/Try.h"

namespace icd {
namespace {

/// The stages that run, with modules. False: one is an identifier of a module that is not alive.
llvm::Expected<bool> setShaders(Device &device, llpc::GraphicsPipelineBuildInfo &build,
                                const GraphicsState &state,
                                llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages,
                                VkPipelineCreateFlags2KHR flags) {
  for (const VkPipelineShaderStageCreateInfo &stage : stages) {
    if (stage.stage == VK_SHADER_STAGE_FRAGMENT_BIT && !(state.stages & stage.stage))
      continue;
    auto shader = KILN_TRY(graphicsShaderOf(device, stage));
    if (!shader.module)
      return false;
    shader.options.viewIndexFromDeviceIndex = readsDeviceAsView(flags, state);
    build.shader(shader.entryStage) = std::move(shader);
  }
  return true;
}

/// What the compiler is told of a pipeline. The state is in \p state already. None: as
/// setShaders().
llvm::Expected<std::optional<llpc::GraphicsPipelineBuildInfo>>
buildInfoOf(Device &device, const VkGraphicsPipelineCreateInfo &info, const GraphicsState &state,
            const PipelineLayoutData &layout) {
  const VkPipelineCreateFlags2KHR flags = pipelineFlagsOf(info.flags, info.pNext);
  const llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages(info.pStages, info.stageCount);
  llpc::GraphicsPipelineBuildInfo build;
  auto hasAll = KILN_TRY(setShaders(device, build, state, stages, flags));
  if (!hasAll)
    return std::nullopt;
  build.options = pipelineOptionsOf(device, info.pNext, stages, flags);
  build.resourceMapping = mappingFor(layout, state);
  setCompilerState(build, state);
  return build;
}

/// Also of a fragment shader that never runs.
VkShaderStageFlags allStagesOf(const VkGraphicsPipelineCreateInfo &info) {
  VkShaderStageFlags stages = 0;
  for (uint32_t i = 0; i < info.stageCount; ++i)
    stages |= info.pStages[i].stage;
  return stages;
}

llvm::Expected<std::shared_ptr<const PipelineData>>
buildMonolithic(const PipelineCreation &creation, const VkGraphicsPipelineCreateInfo &info,
                Subsets subsets) {
  Device &device = creation.device;
  auto graphics = std::make_shared<const GraphicsPipelineData>(graphicsStateOf(info, subsets));
  const GraphicsState &state = graphics->state;
  if (!state.isComplete())
    return lgc::invalidInput("a pipeline that is no library lacks a subset of its state");
  auto data =
      std::make_shared<PipelineData>(PipelineData::Kind::Graphics, layoutDataOf(info.layout));
  const PipelineLayoutData &layout = data->layout();
  data->setGraphics(graphics);
  if (auto code = offlineCodeOf(creation, info.pNext, allStagesOf(info), *data))
    return finishData(std::move(data), std::move(*code));
  if (auto *binaries = pipelineBinariesOf(info.pNext)) {
    if (hasVariants(state) && binaries->binaryCount > 1) {
      auto pieces = KILN_TRY(describedPiecesWithShaders(device, info, subsets, binaries));
      data->setPieces(std::move(pieces));
    }
    return finishData(std::move(data), codeOf(*binaries, state.stages, hasVariants(state)));
  }
  if (hasDynamicInput(state)) // draws link parts
    return buildOfLibraries(creation, info, LibraryInfo(info, creation.flags));
  if (hasVariants(state)) {
    auto pieces = KILN_TRY(describedPiecesWithShaders(device, info, subsets));
    if (!pieces.canCompile()) // draws may have to
      return nullptr;
    data->setPieces(std::move(pieces));
  }
  const CodePlaces places =
      creation.places(pipelineKeyOf(device, info, state, layout), state.stages);
  auto code = findCode(creation, places);
  if (code)
    data->setCode(code);
  if (code && !code->lacksImprovement())
    return data;
  auto build = KILN_TRY(buildInfoOf(device, info, state, layout));
  if (!build)
    return code ? data : nullptr;
  const CodeRequest request{.device = device,
                            .places = places,
                            .layout = data->sharedLayout(),
                            .name = programNameOf(*build),
                            .mayCompile = creation.mayCompile()};
  if (!code)
    return finishData(std::move(data), codeOf(request, *build));
  data->setCode(improvedWhenUsed(request, *build, std::move(code)));
  return data;
}

llvm::Expected<std::shared_ptr<const PipelineData>>
buildPipeline(const PipelineCreation &creation, const VkGraphicsPipelineCreateInfo &info) {
  const LibraryInfo library(info, creation.flags);
  if (library.isOfLibraries()) {
    if (creation.cache && creation.cache->offline)
      return lgc::unsupported("pipeline libraries in a cache that was compiled offline");
    return buildOfLibraries(creation, info, library);
  }
  return buildMonolithic(creation, info, library.own);
}

/// With all that draws may need of it.
llvm::Expected<std::shared_ptr<const PipelineData>>
buildWithVariants(const PipelineCreation &creation, const VkGraphicsPipelineCreateInfo &info) {
  auto data = KILN_TRY(buildPipeline(creation, info));
  if (!data || data->kind != PipelineData::Kind::Graphics)
    return data;
  const bool hasAll = KILN_TRY(data->addShaders(creation.device, creation.mayCompile()));
  return hasAll ? data : nullptr;
}

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache,
                                                       uint32_t count,
                                                       const VkGraphicsPipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkPipeline *pipelines) {
  return createPipelines(*fromHandle<Device>(device), "vkCreateGraphicsPipelines", cache, count,
                         infos, allocator, pipelines, buildWithVariants);
}

} // namespace icd
