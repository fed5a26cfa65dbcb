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
  *info->pPipelineCreationFeedback = feedback;
  for (uint32_t i = 0; i < info->pipelineStageCreationFeedbackCount; ++i)
    info->pPipelineStageCreationFeedbacks[i] = feedback;
}

std::string textOf(const pal::abi::ElfObject &elf, llvm::StringRef name, llvm::StringRef symbol) {
  const pal::abi::ElfSection *section = elf.findSection(name);
  if (!section)
    return {};
  llvm::StringRef text(reinterpret_cast<const char *>(section->data.data()), section->data.size());
  if (!symbol.empty()) {
    const pal::abi::ElfSymbol *part = elf.findSymbol(symbol);
    if (!part)
      return {};
    text = text.substr(part->value, part->size);
  }
  return text.rtrim('\0').str();
}

VkResult finishPipeline(Device &device, const char *command,
                        llvm::Expected<std::shared_ptr<const PipelineData>> data,
                        const VkAllocationCallbacks *allocator, VkPipeline &pipeline) {
  if (!data) {
    device.reportError("KILN-compile",
                       std::string(command) + ": " + llvm::toString(data.takeError()));
    return VK_ERROR_UNKNOWN;
  }
  auto *made = device.create<Pipeline>(allocator, std::move(*data));
  pipeline = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                           const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<Pipeline>(pipeline), allocator);
}

} // namespace icd
