//===- DescriptorSetLayout.cpp - VkDescriptorSetLayout --------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/descriptor/DescriptorSet.h"
#include "icd_glue/descriptor/DeviceWords.h"
#include "icd_glue/device/Device.h"
#include "icd_glue/partial/PartialPipeline.h"

namespace icd {

static std::optional<SetLayout> layoutOf(const VkDescriptorSetLayoutCreateInfo &info) {
  return buildSetLayout(info, immutableSamplerOf);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDescriptorSetLayout(
    VkDevice deviceHandle, const VkDescriptorSetLayoutCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkDescriptorSetLayout *setLayout) {
  auto *device = fromHandle<Device>(deviceHandle);
  *setLayout = VK_NULL_HANDLE;
  std::optional<SetLayout> layout = layoutOf(*info);
  if (!layout) {
    device->reportError("KILN-set-layout", "vkCreateDescriptorSetLayout: the set is too large or "
                                           "has a descriptor type that does not exist");
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  auto *made = device->create<DescriptorSetLayout>(allocator, std::move(*layout));
  *setLayout = toHandle(made);
  if (PartialPipeline *partial = device->partial(); partial && made)
    partial->learned().add(made->layout);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyDescriptorSetLayout(VkDevice device,
                                                      VkDescriptorSetLayout setLayout,
                                                      const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<DescriptorSetLayout>(setLayout), allocator);
}

/// Elements that a variable binding could have in a set of maxSetBytes.
static uint32_t largestVariableCount(const SetLayout &layout, const SetBinding &binding) {
  if (binding.isDynamic())
    return binding.count;
  uint64_t room = maxSetBytes - uint64_t(binding.offsetDwords) * 4;
  uint64_t each = binding.isInline() ? 1 : uint64_t(binding.strideDwords) * 4;
  return static_cast<uint32_t>(std::min<uint64_t>(room / each, UINT32_MAX));
}

VKAPI_ATTR void VKAPI_CALL GetDescriptorSetLayoutSupport(
    VkDevice, const VkDescriptorSetLayoutCreateInfo *info, VkDescriptorSetLayoutSupport *support) {
  std::optional<SetLayout> layout = layoutOf(*info);
  support->supported = layout ? VK_TRUE : VK_FALSE;
  auto *variable = findOutInChain<VkDescriptorSetVariableDescriptorCountLayoutSupport>(
      support->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
  if (!variable)
    return;
  const SetBinding *binding = layout ? layout->variableBinding() : nullptr;
  variable->maxVariableDescriptorCount = binding ? largestVariableCount(*layout, *binding) : 0;
}

} // namespace icd
