//===- PipelineCreation.h - what creating any kind of pipeline does -------===//
// SPDX-License-Identifier: MIT
/// \file
/// vkCreate*Pipelines: many at once, feedback, and what a compiler error is to Vulkan: there is no
/// result that fits, so VK_ERROR_UNKNOWN, and the message goes to the debug messengers and the log.
#pragma once

#include "icd_glue/assemble/PipelineCode.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/pipeline/PipelineCache.h"
#include "icd_glue/state/ShaderStage.h"
#include <algorithm>
#include <chrono>
#include <optional>

namespace icd {

/// VkPipelineCreationFeedbackCreateInfo: times the whole. Of a stage it speaks where that is the
/// only one: stages are compiled together, so that none of several has a time of its own.
class PipelineFeedback {
public:
  explicit PipelineFeedback(const void *next)
      : info(findInChain<VkPipelineCreationFeedbackCreateInfo>(
            next, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO)) {
    if (info)
      begin = std::chrono::steady_clock::now();
  }
  ~PipelineFeedback();
  PipelineFeedback(const PipelineFeedback &) = delete;

  bool isFromApplicationCache = false;

private:
  const VkPipelineCreationFeedbackCreateInfo *info;
  std::chrono::steady_clock::time_point begin;
};

/// The application keeps the code for ever; without a compile what there is will do.
constexpr bool keepsCode(VkPipelineCreateFlags2KHR flags) {
  return (flags & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR) &&
         !(flags & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT_KHR);
}

/// What a call that creates pipelines says of each.
struct PipelineCreation {
  Device &device;
  PipelineCache *cache; ///< may be null
  VkPipelineCreateFlags2KHR flags;
  PipelineFeedback &feedback;
  sc::PoolEntry *poolEntry = nullptr; ///< gets what the pipeline takes, if it has a cache

  const std::shared_ptr<CacheContent> *applicationCache() const {
    return cache ? &cache->content : nullptr;
  }
  CodePlaces places(const std::optional<llpc::Hash128> &key, VkShaderStageFlags stages) const {
    return {.key = key,
            .application = applicationCache(),
            .stages = stages,
            .mustBeFinal = keepsCode(flags),
            .isLookedInto =
                (flags & (VK_PIPELINE_CREATE_2_CAPTURE_STATISTICS_BIT_KHR |
                          VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR)) != 0};
  }
  /// Not VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT.
  bool mayCompile() const {
    return !(flags & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT_KHR);
  }
};

/// The code of a pipeline out of a cache that was compiled offline, the only source then, with
/// feedback and an entry of the device's pools. Nothing: the pipeline's cache is another, or none.
/// \p data: the pipeline, which gets the program.
std::optional<llvm::Expected<PipelineCode>> offlineCodeOf(const PipelineCreation &creation,
                                                          const void *next,
                                                          VkShaderStageFlags stages,
                                                          PipelineData &data);

/// findCode() with feedback.
std::shared_ptr<const CodeObject> findCode(const PipelineCreation &creation,
                                           const CodePlaces &places);

/// Null: a layout of nothing.
std::shared_ptr<const PipelineLayoutData> layoutDataOf(VkPipelineLayout layout);

/// \p data with its code. Null: a compile would be needed, and is not allowed.
llvm::Expected<std::shared_ptr<const PipelineData>> finishData(std::shared_ptr<PipelineData> data,
                                                               llvm::Expected<PipelineCode> found);

/// Makes the object of a pipeline, or reports why \p data is an error. Null data: a
/// compile would be needed.
VkResult finishPipeline(const PipelineCreation &creation, const char *command,
                        llvm::Expected<std::shared_ptr<const PipelineData>> data,
                        const VkAllocationCallbacks *allocator, VkPipeline &pipeline);

/// Creates \p count pipelines; \p build(creation, info) gives the data of one.
template <typename Info, typename Build>
VkResult createPipelines(Device &device, const char *command, VkPipelineCache cache, uint32_t count,
                         const Info *infos, const VkAllocationCallbacks *allocator,
                         VkPipeline *pipelines, Build &&build) {
  std::fill_n(pipelines, count, VkPipeline(VK_NULL_HANDLE));
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; ++i) {
    PipelineFeedback feedback(infos[i].pNext);
    sc::PoolEntry poolEntry;
    const PipelineCreation creation{device, fromHandle<PipelineCache>(cache),
                                    pipelineFlagsOf(infos[i].flags, infos[i].pNext), feedback,
                                    &poolEntry};
    const VkResult one =
        finishPipeline(creation, command, build(creation, infos[i]), allocator, pipelines[i]);
    if (one == VK_SUCCESS)
      continue;
    // An error tells more than "a compile would be needed".
    if (result == VK_SUCCESS || one < 0)
      result = one;
    if (!(creation.flags & VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT_KHR))
      continue;
    while (++i < count) // Vulkan: the feedback of all pipelines is written
      PipelineFeedback unused(infos[i].pNext);
  }
  return result;
}

} // namespace icd
