//===- ComputePipeline.cpp - vkCreateComputePipelines ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shader stage and layout -> what the compiler calls a compute pipeline -> code.
#include "icd_glue/assemble/PipelineCode.h"
#include "icd_glue/pipeline/PipelineBinary.h"
#include "icd_glue/pipeline/PipelineCreation.h"
#include "icd_glue/pipeline/PipelineKey.h"
#include "icd_glue/state/StageKey.h"
#include "pal_shim/abi/Try.h"

namespace icd {
namespace {

llvm::Expected<std::shared_ptr<const PipelineData>>
buildPipeline(const PipelineCreation &creation, const VkComputePipelineCreateInfo &info) {
  Device &device = creation.device;
  auto data =
      std::make_shared<PipelineData>(PipelineData::Kind::Compute, layoutDataOf(info.layout));
  const PipelineLayoutData &layout = data->layout();
  if (auto code = offlineCodeOf(creation, info.pNext, VK_SHADER_STAGE_COMPUTE_BIT, *data))
    return finishData(std::move(data), std::move(*code));
  if (auto *binaries = pipelineBinariesOf(info.pNext))
    return finishData(std::move(data), codeOf(*binaries, VK_SHADER_STAGE_COMPUTE_BIT));
  const CodePlaces places =
      creation.places(pipelineKeyOf(device, info, layout), VK_SHADER_STAGE_COMPUTE_BIT);
  auto code = findCode(creation, places);
  if (code)
    data->setCode(code);
  if (code && !code->lacksImprovement())
    return data;
  auto shader = KILN_TRY(shaderInfoOf(device, info.stage));
  if (!shader.module)
    return code ? data : nullptr;
  llpc::ComputePipelineBuildInfo build;
  build.cs = std::move(shader);
  build.options = pipelineOptionsOf(device, info.pNext, info.stage, creation.flags);
  build.resourceMapping = layout.mapping;
  const CodeRequest request{.device = device,
                            .places = places,
                            .layout = data->sharedLayout(),
                            .name = build.cs.entryTarget,
                            .mayCompile = creation.mayCompile()};
  if (!code)
    return finishData(std::move(data), codeOf(request, build));
  data->setCode(improvedWhenUsed(request, build, std::move(code)));
  return data;
}

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL CreateComputePipelines(VkDevice deviceHandle, VkPipelineCache cache,
                                                      uint32_t count,
                                                      const VkComputePipelineCreateInfo *infos,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkPipeline *pipelines) {
  return createPipelines(*fromHandle<Device>(deviceHandle), "vkCreateComputePipelines", cache,
                         count, infos, allocator, pipelines, buildPipeline);
}

} // namespace icd
