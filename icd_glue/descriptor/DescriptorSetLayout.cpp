//===- DescriptorSetLayout.cpp - VkDescriptorSetLayout --------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/CreationObserver.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/context/Limits.h"
#include "icd_glue/descriptor/DescriptorSet.h"
#include "icd_glue/descriptor/DeviceDescriptorWords.h"
#include <algorithm>
#include <vector>

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
  if (CreationObserver *observer = device->observer(); observer && made)
    observer->layoutCreated(made->layout);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyDescriptorSetLayout(VkDevice device,
                                                      VkDescriptorSetLayout setLayout,
                                                      const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<DescriptorSetLayout>(setLayout), allocator);
}

/// Elements that a variable binding could have: what fits into a set of maxSetBytes, within the
/// device's limits.
static uint32_t largestVariableCount(Device &device, const SetLayout &layout,
                                     const SetBinding &binding) {
  if (binding.isDynamic())
    return binding.count;
  const uint64_t room = maxSetBytes - uint64_t(binding.offsetDwords) * 4;
  if (binding.isInline())
    return static_cast<uint32_t>(
        std::min<uint64_t>(room, device.physicalDevice().properties().maxInlineUniformBlockSize));
  return static_cast<uint32_t>(
      std::min<uint64_t>(room / (uint64_t(binding.strideDwords) * 4), manyDescriptors));
}

/// The bindings of \p info, where a variable one without elements has some: the specification says
/// so for questions about support.
static std::vector<VkDescriptorSetLayoutBinding>
bindingsToAskFor(const VkDescriptorSetLayoutCreateInfo &info) {
  std::vector<VkDescriptorSetLayoutBinding> bindings(info.pBindings,
                                                     info.pBindings + info.bindingCount);
  const auto *flags = findInChain<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
  for (uint32_t i = 0; flags && i < flags->bindingCount && i < info.bindingCount; ++i) {
    VkDescriptorSetLayoutBinding &binding = bindings[i];
    if (binding.descriptorCount ||
        !(flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT))
      continue;
    binding.descriptorCount =
        binding.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 4 : 1;
    binding.pImmutableSamplers = nullptr; // without elements there are none
  }
  return bindings;
}

VKAPI_ATTR void VKAPI_CALL
GetDescriptorSetLayoutSupport(VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
                              VkDescriptorSetLayoutSupport *support) {
  const std::vector<VkDescriptorSetLayoutBinding> bindings = bindingsToAskFor(*info);
  VkDescriptorSetLayoutCreateInfo asked = *info;
  asked.pBindings = bindings.data();
  std::optional<SetLayout> layout = layoutOf(asked);
  support->supported = layout ? VK_TRUE : VK_FALSE;
  auto *variable = findOutInChain<VkDescriptorSetVariableDescriptorCountLayoutSupport>(
      support->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
  if (!variable)
    return;
  variable->maxVariableDescriptorCount = 0;
  const SetBinding *binding = layout ? layout->variableBinding() : nullptr;
  if (!binding)
    return;
  const uint32_t largest = largestVariableCount(*fromHandle<Device>(device), *layout, *binding);
  // "Greater than or equal to the requested size": of descriptors more than we recommend may be
  // asked for, as long as the set has room; of inline bytes not.
  if (binding->isInline() && binding->count > largest)
    support->supported = VK_FALSE;
  else
    variable->maxVariableDescriptorCount = std::max(largest, binding->count);
}

} // namespace icd
