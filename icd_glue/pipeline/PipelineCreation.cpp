//===- PipelineCreation.cpp - what creating any kind of pipeline does -----===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineCreation.h"

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
  for (uint32_t i = 0; i < info->pipelineStageCreationFeedbackCount; ++i)
    info->pPipelineStageCreationFeedbacks[i] = feedback;
}

std::shared_ptr<const PipelineLayoutData> layoutDataOf(VkPipelineLayout handle) {
  if (auto *layout = fromHandle<PipelineLayout>(handle))
    return layout->data;
  return PipelineLayoutData::create({}, 0);
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
  if (!found->code)
    return nullptr;
  data->setCode(std::move(found->code));
  if (found->program)
    data->setProgram(std::move(found->program));
  return data;
}

VkResult finishPipeline(const PipelineCreation &creation, const char *command,
                        llvm::Expected<std::shared_ptr<const PipelineData>> data,
                        const VkAllocationCallbacks *allocator, VkPipeline &pipeline) {
  Device &device = creation.device;
  if (!data) {
    device.reportError("KILN-compile",
                       std::string(command) + ": " + llvm::toString(data.takeError()));
    return VK_ERROR_UNKNOWN;
  }
  if (!*data)
    return VK_PIPELINE_COMPILE_REQUIRED;
  auto *made = device.create<Pipeline>(allocator, std::move(*data),
                                       creation.flags & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR);
  pipeline = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                           const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<Pipeline>(pipeline), allocator);
}

} // namespace icd
