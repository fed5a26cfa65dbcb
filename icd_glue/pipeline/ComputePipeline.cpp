//===- ComputePipeline.cpp - vkCreateComputePipelines ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shader stage and layout -> what the compiler calls a compute pipeline -> code.
#include "icd_glue/pipeline/PipelineCode.h"
#include "icd_glue/pipeline/PipelineCreation.h"

namespace icd {
namespace {

llvm::Expected<std::shared_ptr<const PipelineData>>
buildPipeline(Device &device, const VkComputePipelineCreateInfo &info) {
  const VkPipelineCreateFlags2KHR flags = pipelineFlagsOf(info.flags, info.pNext);
  auto shader = shaderInfoOf(device, info.stage);
  if (!shader)
    return shader.takeError();
  auto data = std::make_shared<PipelineData>();
  data->layout = layoutDataOf(info.layout);
  llpc::ComputePipelineBuildInfo build;
  build.cs = std::move(*shader);
  build.options = pipelineOptionsOf(device, info.pNext, info.stage, flags);
  build.resourceMapping = data->layout->mapping;
  auto found = codeOf({.device = device,
                       .layout = data->layout,
                       .name = build.cs.entryTarget,
                       .stages = VK_SHADER_STAGE_COMPUTE_BIT,
                       .mayCompile = mayCompile(flags)},
                      build);
  return finishData(std::move(data), std::move(found));
}

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL CreateComputePipelines(VkDevice deviceHandle, VkPipelineCache,
                                                      uint32_t count,
                                                      const VkComputePipelineCreateInfo *infos,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkPipeline *pipelines) {
  return createPipelines(*fromHandle<Device>(deviceHandle), "vkCreateComputePipelines", count,
                         infos, allocator, pipelines, buildPipeline);
}

} // namespace icd
