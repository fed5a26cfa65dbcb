//===- PipelineLayout.cpp - VkPipelineLayout ------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineLayout.h"
#include "icd_glue/descriptor/DescriptorSet.h"
#include "icd_glue/device/Device.h"
#include <algorithm>

namespace icd {

/// Null when the layout needs more user data than there is.
static std::shared_ptr<const PipelineLayoutData>
buildLayoutData(const VkPipelineLayoutCreateInfo &info) {
  auto data = std::make_shared<PipelineLayoutData>();
  for (uint32_t i = 0; i < info.setLayoutCount; ++i) {
    auto *setLayout = fromHandle<DescriptorSetLayout>(info.pSetLayouts[i]);
    data->sets.push_back(setLayout ? setLayout->layout : nullptr);
  }
  for (uint32_t i = 0; i < info.pushConstantRangeCount; ++i) {
    const VkPushConstantRange &range = info.pPushConstantRanges[i];
    data->pushBytes = std::max(data->pushBytes, range.offset + range.size);
  }
  std::optional<UserDataLayout> userData = buildUserDataLayout(data->sets, data->pushBytes);
  if (!userData)
    return nullptr;
  data->userData = std::move(*userData);
  data->mapping = buildResourceMapping(data->userData, data->sets);
  return data;
}

VKAPI_ATTR VkResult VKAPI_CALL CreatePipelineLayout(VkDevice deviceHandle,
                                                    const VkPipelineLayoutCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkPipelineLayout *pipelineLayout) {
  auto *device = fromHandle<Device>(deviceHandle);
  *pipelineLayout = VK_NULL_HANDLE;
  std::shared_ptr<const PipelineLayoutData> data = buildLayoutData(*info);
  if (!data) {
    device->reportError("KILN-pipeline-layout",
                        "vkCreatePipelineLayout: more sets, dynamic buffers and push constants "
                        "than the limits allow");
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  auto *made = device->create<PipelineLayout>(allocator, std::move(data));
  *pipelineLayout = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyPipelineLayout(VkDevice device, VkPipelineLayout pipelineLayout,
                                                 const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<PipelineLayout>(pipelineLayout), allocator);
}

} // namespace icd
