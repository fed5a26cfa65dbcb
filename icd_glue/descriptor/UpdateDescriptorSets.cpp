//===- UpdateDescriptorSets.cpp - writes, copies and update templates -----===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/Device.h"
#include "icd_glue/descriptor/DescriptorSet.h"
#include "icd_glue/descriptor/DeviceDescriptorWords.h"
#include "icd_glue/descriptor/UpdateTemplate.h"

namespace icd {

VKAPI_ATTR void VKAPI_CALL UpdateDescriptorSets(VkDevice device, uint32_t writeCount,
                                                const VkWriteDescriptorSet *writes,
                                                uint32_t copyCount,
                                                const VkCopyDescriptorSet *copies) {
  DeviceDescriptorWords words(*fromHandle<Device>(device));
  for (uint32_t i = 0; i < writeCount; ++i)
    if (auto *set = fromHandle<DescriptorSet>(writes[i].dstSet))
      writeDescriptors(set->memory(), sourceOf(writes[i]), words);
  for (uint32_t i = 0; i < copyCount; ++i) {
    auto *from = fromHandle<DescriptorSet>(copies[i].srcSet);
    auto *to = fromHandle<DescriptorSet>(copies[i].dstSet);
    if (from && to)
      copyDescriptors(from->memory(), to->memory(), copies[i]);
  }
}

void UpdateTemplate::apply(const SetMemory &memory, const void *data,
                           const DescriptorWords &words) const {
  for (const VkDescriptorUpdateTemplateEntry &entry : entries)
    writeDescriptors(memory,
                     {entry.descriptorType, entry.dstBinding, entry.dstArrayElement,
                      entry.descriptorCount, static_cast<const uint8_t *>(data) + entry.offset,
                      entry.stride},
                     words);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDescriptorUpdateTemplate(
    VkDevice deviceHandle, const VkDescriptorUpdateTemplateCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkDescriptorUpdateTemplate *updateTemplate) {
  auto *device = fromHandle<Device>(deviceHandle);
  auto *made = device->create<UpdateTemplate>(allocator, *info);
  *updateTemplate = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL
DestroyDescriptorUpdateTemplate(VkDevice device, VkDescriptorUpdateTemplate updateTemplate,
                                const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<UpdateTemplate>(updateTemplate), allocator);
}

VKAPI_ATTR void VKAPI_CALL
UpdateDescriptorSetWithTemplate(VkDevice device, VkDescriptorSet descriptorSet,
                                VkDescriptorUpdateTemplate updateTemplate, const void *data) {
  DeviceDescriptorWords words(*fromHandle<Device>(device));
  fromHandle<UpdateTemplate>(updateTemplate)
      ->apply(fromHandle<DescriptorSet>(descriptorSet)->memory(), data, words);
}

} // namespace icd
