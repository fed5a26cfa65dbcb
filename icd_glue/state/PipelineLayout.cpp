//===- PipelineLayout.cpp - VkPipelineLayout ------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/state/PipelineLayout.h"
#include "icd_glue/context/CreationObserver.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/descriptor/DescriptorSet.h"
#include "llpc/StateKey.h"
#include <algorithm>

namespace icd {

static llpc::Hash128 hashOfMapping(const lgc::ResourceMapping &mapping) {
  llpc::Hasher key("pipeline-layout", 1);
  encode(key, mapping);
  return key.finish();
}

PipelineLayoutData::PipelineLayoutData(std::vector<std::shared_ptr<const SetLayout>> setLayouts,
                                       uint32_t pushBytes, UserDataLayout rootLayout)
    : sets(std::move(setLayouts)), pushBytes(pushBytes), userData(std::move(rootLayout)),
      mapping(buildResourceMapping(userData, sets)), linkLayout(mapping),
      hash(hashOfMapping(mapping)) {}

std::shared_ptr<const PipelineLayoutData>
PipelineLayoutData::create(std::vector<std::shared_ptr<const SetLayout>> sets, uint32_t pushBytes) {
  std::optional<UserDataLayout> userData = buildUserDataLayout(sets, pushBytes);
  if (!userData)
    return nullptr;
  return std::make_shared<const PipelineLayoutData>(std::move(sets), pushBytes,
                                                    std::move(*userData));
}

std::shared_ptr<const PipelineLayoutData>
PipelineLayoutData::ofHandles(llvm::ArrayRef<VkDescriptorSetLayout> setHandles,
                              llvm::ArrayRef<VkPushConstantRange> pushRanges) {
  std::vector<std::shared_ptr<const SetLayout>> sets;
  for (VkDescriptorSetLayout handle : setHandles) {
    auto *setLayout = fromHandle<DescriptorSetLayout>(handle);
    sets.push_back(setLayout ? setLayout->layout : nullptr);
  }
  uint32_t pushBytes = 0;
  for (const VkPushConstantRange &range : pushRanges)
    pushBytes = std::max(pushBytes, range.offset + range.size);
  return create(std::move(sets), pushBytes);
}

VKAPI_ATTR VkResult VKAPI_CALL CreatePipelineLayout(VkDevice deviceHandle,
                                                    const VkPipelineLayoutCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkPipelineLayout *pipelineLayout) {
  auto *device = fromHandle<Device>(deviceHandle);
  *pipelineLayout = VK_NULL_HANDLE;
  std::shared_ptr<const PipelineLayoutData> data =
      PipelineLayoutData::ofHandles({info->pSetLayouts, info->setLayoutCount},
                                    {info->pPushConstantRanges, info->pushConstantRangeCount});
  if (!data) {
    device->reportError("KILN-pipeline-layout",
                        "vkCreatePipelineLayout: more sets, dynamic buffers and push constants "
                        "than the limits allow");
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (CreationObserver *observer = device->observer())
    observer->layoutCreated(data);
  auto *made = device->create<PipelineLayout>(allocator, std::move(data));
  *pipelineLayout = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyPipelineLayout(VkDevice device, VkPipelineLayout pipelineLayout,
                                                 const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<PipelineLayout>(pipelineLayout), allocator);
}

} // namespace icd
