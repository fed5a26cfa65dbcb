//===- PipelineCreation.h - what creating any kind of pipeline does -------===//
// SPDX-License-Identifier: MIT
/// \file
/// vkCreate*Pipelines: many at once, feedback, and what a compiler error is to Vulkan: there is no
/// result that fits, so VK_ERROR_UNKNOWN, and the message goes to the debug messengers and the log.
#pragma once

#include "icd_glue/device/Device.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/pipeline/ShaderStage.h"
#include "pal_shim/abi/ElfObject.h"
#include <algorithm>
#include <chrono>

namespace icd {

/// VkPipelineCreationFeedbackCreateInfo: times the whole, and says the same of each stage.
class PipelineFeedback {
public:
  explicit PipelineFeedback(const void *next)
      : info(findInChain<VkPipelineCreationFeedbackCreateInfo>(
            next, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO)),
        begin(std::chrono::steady_clock::now()) {}
  ~PipelineFeedback();
  PipelineFeedback(const PipelineFeedback &) = delete;

private:
  const VkPipelineCreationFeedbackCreateInfo *info;
  std::chrono::steady_clock::time_point begin;
};

/// The text in a section of a code object, or the part of it that \p symbol names; empty when there
/// is none.
std::string textOf(const pal::abi::ElfObject &elf, llvm::StringRef section,
                   llvm::StringRef symbol = {});

/// Makes the object of a pipeline, or reports why \p data is an error.
VkResult finishPipeline(Device &device, const char *command,
                        llvm::Expected<std::shared_ptr<const PipelineData>> data,
                        const VkAllocationCallbacks *allocator, VkPipeline &pipeline);

/// Creates \p count pipelines; \p build(device, info) gives the data of one.
template <typename Info, typename Build>
VkResult createPipelines(Device &device, const char *command, uint32_t count, const Info *infos,
                         const VkAllocationCallbacks *allocator, VkPipeline *pipelines,
                         Build &&build) {
  std::fill_n(pipelines, count, VkPipeline(VK_NULL_HANDLE));
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; ++i) {
    const VkPipelineCreateFlags2KHR flags = pipelineFlagsOf(infos[i].flags, infos[i].pNext);
    VkResult one = VK_PIPELINE_COMPILE_REQUIRED; // there is no cache that could hold the result
    PipelineFeedback feedback(infos[i].pNext);
    if (!(flags & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT_KHR))
      one = finishPipeline(device, command, build(device, infos[i]), allocator, pipelines[i]);
    if (one == VK_SUCCESS)
      continue;
    // An error tells more than "a compile would be needed".
    if (result == VK_SUCCESS || one < 0)
      result = one;
    if (flags & VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT_KHR)
      break;
  }
  return result;
}

} // namespace icd
