//===- ComputePipeline.cpp - vkCreateComputePipelines ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shader stage and layout -> llpc -> ELF -> program of the software GPU.
#include "icd_glue/pipeline/PipelineCreation.h"
#include "icd_glue/pipeline/PipelineDump.h"

namespace icd {
namespace {

ExecutableInfo describe(const llpc::ComputePipelineResult &built, bool captureTexts) {
  ExecutableInfo info;
  info.name = "compute";
  info.description = "compute shader, pipeline " + llpc::toString(built.hashes.pipelineHash);
  info.stages = VK_SHADER_STAGE_COMPUTE_BIT;
  info.subgroupSize = built.statistics.waveSize;
  info.statistics = built.statistics;
  info.compileMs = built.times.total();
  if (!captureTexts)
    return info;
  if (auto elf = pal::abi::ElfObject::parse(built.elf.bytes())) {
    info.disassembly = textOf(*elf, ".AMDGPU.disasm");
    info.llvmIr = textOf(*elf, ".AMDGPU.comment.llvmir");
  } else {
    llvm::consumeError(elf.takeError()); // the program's loader says the same, and is asked first
  }
  return info;
}

llvm::Expected<std::shared_ptr<const PipelineData>>
buildPipeline(Device &device, const VkComputePipelineCreateInfo &info) {
  VkPipelineCreateFlags2KHR flags = pipelineFlagsOf(info.flags, info.pNext);
  auto *layout = fromHandle<PipelineLayout>(info.layout);
  auto shader = shaderInfoOf(device, info.stage);
  if (!shader)
    return shader.takeError();
  llpc::ComputePipelineBuildInfo build;
  build.cs = std::move(*shader);
  build.options = pipelineOptionsOf(device, info.pNext, info.stage, flags);
  if (layout)
    build.resourceMapping = layout->data->mapping;
  dumpPipeline(device, build, device.compiler().hashComputePipeline(build));
  auto built = device.compiler().buildComputePipeline(build);
  if (!built)
    return built.takeError();
  for (const std::string &warning : built->warnings)
    device.reportWarning("KILN-compile", warning);
  auto program = device.gpu().loadProgram(built->elf.bytes(), build.cs.entryTarget);
  if (!program)
    return program.takeError();
  auto data = std::make_shared<PipelineData>();
  data->bindPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
  data->layout = layout ? layout->data : std::make_shared<const PipelineLayoutData>();
  data->program = std::move(*program);
  data->executables.push_back(describe(*built, build.options.includeDisassembly));
  return std::shared_ptr<const PipelineData>(std::move(data));
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
