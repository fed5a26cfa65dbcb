//===- ComputePipeline.cpp - vkCreateComputePipelines ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shader stage and layout -> llpc -> ELF -> program of the software GPU. What a compiler error is
/// to Vulkan: there is no result that fits, so VK_ERROR_UNKNOWN, and the message goes to the debug
/// messengers and the log.
#include "icd_glue/device/Device.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/pipeline/PipelineDump.h"
#include "icd_glue/pipeline/ShaderStage.h"
#include "pal_shim/abi/ElfObject.h"
#include <chrono>

namespace icd {
namespace {

std::string sectionText(const pal::abi::ElfObject &elf, llvm::StringRef name) {
  const pal::abi::ElfSection *section = elf.findSection(name);
  if (!section)
    return {};
  llvm::StringRef text(reinterpret_cast<const char *>(section->data.data()), section->data.size());
  return text.rtrim('\0').str();
}

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
    info.disassembly = sectionText(*elf, ".AMDGPU.disasm");
    info.llvmIr = sectionText(*elf, ".AMDGPU.comment.llvmir");
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
  build.options = pipelineOptionsOf(device, info.pNext, info.stage.pNext, flags);
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

/// Times the whole and each stage.
class Feedback {
public:
  explicit Feedback(const void *next)
      : info(findInChain<VkPipelineCreationFeedbackCreateInfo>(
            next, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO)),
        begin(std::chrono::steady_clock::now()) {}
  ~Feedback() {
    if (!info)
      return;
    auto elapsed = std::chrono::steady_clock::now() - begin;
    VkPipelineCreationFeedback feedback = {
        VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT,
        static_cast<uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count())};
    *info->pPipelineCreationFeedback = feedback;
    for (uint32_t i = 0; i < info->pipelineStageCreationFeedbackCount; ++i)
      info->pPipelineStageCreationFeedbacks[i] = feedback;
  }
  Feedback(const Feedback &) = delete;

private:
  const VkPipelineCreationFeedbackCreateInfo *info;
  std::chrono::steady_clock::time_point begin;
};

VkResult createPipeline(Device &device, const VkComputePipelineCreateInfo &info,
                        const VkAllocationCallbacks *allocator, VkPipeline &pipeline) {
  Feedback feedback(info.pNext);
  // There is no cache yet that could hold the result.
  if (pipelineFlagsOf(info.flags, info.pNext) &
      VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT_KHR)
    return VK_PIPELINE_COMPILE_REQUIRED;
  auto data = buildPipeline(device, info);
  if (!data) {
    device.reportError("KILN-compile",
                       "vkCreateComputePipelines: " + llvm::toString(data.takeError()));
    return VK_ERROR_UNKNOWN;
  }
  auto *made = device.create<Pipeline>(allocator, std::move(*data));
  pipeline = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

} // namespace

VKAPI_ATTR VkResult VKAPI_CALL CreateComputePipelines(VkDevice deviceHandle, VkPipelineCache,
                                                      uint32_t count,
                                                      const VkComputePipelineCreateInfo *infos,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkPipeline *pipelines) {
  auto *device = fromHandle<Device>(deviceHandle);
  std::fill_n(pipelines, count, VkPipeline(VK_NULL_HANDLE));
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; ++i) {
    VkResult one = createPipeline(*device, infos[i], allocator, pipelines[i]);
    if (one == VK_SUCCESS)
      continue;
    // An error tells more than "a compile would be needed".
    if (result == VK_SUCCESS || one < 0)
      result = one;
    if (pipelineFlagsOf(infos[i].flags, infos[i].pNext) &
        VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT_KHR)
      break;
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                           const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<Pipeline>(pipeline), allocator);
}

} // namespace icd
