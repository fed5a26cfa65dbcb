//===- PipelineCreation.cpp - what creating any kind of pipeline does -----===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineCreation.h"
#include "icd_glue/VulkanError.h"
#include "icd_glue/partial/PartCounters.h"
#include "pal_shim/abi/Try.h"

namespace icd {

PipelineFeedback::~PipelineFeedback() {
  if (!info)
    return;
  auto elapsed = std::chrono::steady_clock::now() - begin;
  VkPipelineCreationFeedback feedback = {
      VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT,
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count())};
  if (isFromApplicationCache)
    feedback.flags |= VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
  *info->pPipelineCreationFeedback = feedback;
  const uint32_t stages = info->pipelineStageCreationFeedbackCount;
  for (uint32_t i = 0; i < stages; ++i) // without VALID no other bit may be set
    info->pPipelineStageCreationFeedbacks[i] =
        stages == 1 ? feedback : VkPipelineCreationFeedback{0, 0};
}

std::shared_ptr<const PipelineLayoutData> layoutDataOf(VkPipelineLayout handle) {
  if (auto *layout = fromHandle<PipelineLayout>(handle))
    return layout->data.share();
  return PipelineLayoutData::create({}, 0);
}

std::optional<llvm::Expected<PipelineCode>> offlineCodeOf(const PipelineCreation &creation,
                                                          const void *next,
                                                          VkShaderStageFlags stages,
                                                          PipelineData &data) {
  if (!creation.cache || !creation.cache->offline)
    return std::nullopt;
  const bool keepsBytes = creation.flags & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
  auto code = KILN_TRY(creation.cache->offline->codeOf(next, stages, keepsBytes));
  if (sc::PipelinePools *pools = creation.device.pipelinePools()) {
    const auto &info = *findInChain<sc::OfflineInfo>(next, sc::offlineInfoType); // codeOf()'s
    auto entry = KILN_TRY(pools->take(info.poolEntrySize));
    *creation.poolEntry = std::move(entry);
  }
  creation.feedback.isFromApplicationCache = true;
  ++creation.device.counters().codeHits;
  // So that what the device cannot execute is an error now.
  data.setProgram(KILN_TRY(code->load(creation.device.gpu())));
  return code;
}

std::shared_ptr<const CodeObject> findCode(const PipelineCreation &creation,
                                           const CodePlaces &places) {
  FoundCode found = findCode(creation.device, places);
  creation.feedback.isFromApplicationCache = found.isFromApplication;
  return std::move(found.code);
}

llvm::Expected<std::shared_ptr<const PipelineData>> finishData(std::shared_ptr<PipelineData> data,
                                                               llvm::Expected<PipelineCode> found) {
  if (!found)
    return found.takeError();
  if (!*found)
    return nullptr;
  data->setCode(std::move(*found));
  return data;
}

VkResult finishPipeline(const PipelineCreation &creation, const char *command,
                        llvm::Expected<std::shared_ptr<const PipelineData>> data,
                        const VkAllocationCallbacks *allocator, VkPipeline &pipeline) {
  Device &device = creation.device;
  if (!data) {
    const Failure failure = failureOf(data.takeError());
    device.reportError("KILN-compile", std::string(command) + ": " + failure.message);
    return failure.result;
  }
  if (!*data)
    return VK_PIPELINE_COMPILE_REQUIRED;
  auto *made = device.create<Pipeline>(
      allocator, std::move(*data), creation.flags & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR,
      creation.poolEntry ? std::move(*creation.poolEntry) : sc::PoolEntry());
  pipeline = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                           const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<Pipeline>(pipeline), allocator);
}

} // namespace icd
