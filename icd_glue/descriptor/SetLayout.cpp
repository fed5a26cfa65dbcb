//===- SetLayout.cpp - what a descriptor set looks like in memory ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/descriptor/SetLayout.h"
#include "icd_glue/Object.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace icd {

bool SetBinding::hasYcbcrSampler() const {
  return llvm::any_of(immutableSamplers, [](const ImmutableSampler &s) { return s.isYcbcr; });
}

bool SetBinding::hasStaticSamplers() const {
  // Conversions are part of the code. What they clamp to the border is not valid usage.
  return !immutableSamplers.empty() &&
         (hasYcbcrSampler() ||
          llvm::none_of(immutableSamplers, [](const ImmutableSampler &s) { return s.isOfDevice; }));
}

const SetBinding *SetLayout::find(uint32_t number) const {
  auto found = std::lower_bound(
      bindings.begin(), bindings.end(), number,
      [](const SetBinding &binding, uint32_t wanted) { return binding.number < wanted; });
  return found != bindings.end() && found->number == number ? &*found : nullptr;
}

const SetBinding *SetLayout::variableBinding() const {
  return !bindings.empty() && bindings.back().hasVariableCount() ? &bindings.back() : nullptr;
}

uint64_t SetLayout::sizeDwordsFor(uint32_t variableCount) const {
  const SetBinding *last = variableBinding();
  if (!last || last->isDynamic())
    return sizeDwords;
  uint64_t dwords = last->isInline() ? llvm::divideCeil(uint64_t(variableCount), 4)
                                     : uint64_t(variableCount) * last->strideDwords;
  return last->offsetDwords + llvm::alignTo(dwords, descriptorAlignDwords);
}

uint32_t elementDwords(VkDescriptorType type) {
  switch (type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
    return samplerDwords;
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    return combinedDwords;
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    return imageDwords;
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    return bufferDwords;
  case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
    return structureDwords;
  default:
    return 0;
  }
}

uint32_t mutableDwords(const VkMutableDescriptorTypeListEXT *types) {
  uint32_t largest = 0;
  for (uint32_t i = 0; types && i < types->descriptorTypeCount; ++i)
    largest = std::max(largest, elementDwords(types->pDescriptorTypes[i]));
  return largest ? largest : combinedDwords;
}

namespace {

bool isKnownType(VkDescriptorType type) {
  return elementDwords(type) || type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK || type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
}

bool takesSamplers(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

/// \p flags: of the layout. In buffers of descriptors an application sees a combined descriptor
/// with YCbCr conversion as so many ordinary ones as it has planes.
uint32_t strideOf(const SetBinding &binding, const VkMutableDescriptorTypeListEXT *types,
                  VkDescriptorSetLayoutCreateFlags flags) {
  if (binding.type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT)
    return mutableDwords(types);
  if (binding.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER && binding.hasYcbcrSampler()) {
    uint32_t planes = 1;
    for (const ImmutableSampler &sampler : binding.immutableSamplers)
      planes = std::max(planes, sampler.planes);
    return planes * (flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT
                         ? combinedDwords
                         : imageDwords);
  }
  return elementDwords(binding.type);
}

/// Extension structures of a layout; entry i belongs to pBindings[i].
struct BindingExtras {
  llvm::ArrayRef<VkDescriptorBindingFlags> flags;
  llvm::ArrayRef<VkMutableDescriptorTypeListEXT> mutableTypes;

  explicit BindingExtras(const VkDescriptorSetLayoutCreateInfo &info) {
    if (auto *chained = findInChain<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
            info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO))
      flags = {chained->pBindingFlags, chained->pBindingFlags ? chained->bindingCount : 0};
    if (auto *chained = findInChain<VkMutableDescriptorTypeCreateInfoEXT>(
            info.pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT))
      mutableTypes = {chained->pMutableDescriptorTypeLists,
                      chained->pMutableDescriptorTypeLists ? chained->mutableDescriptorTypeListCount
                                                           : 0};
  }
};

SetBinding makeBinding(const VkDescriptorSetLayoutBinding &from, VkDescriptorBindingFlags flags,
                       const VkMutableDescriptorTypeListEXT *types,
                       VkDescriptorSetLayoutCreateFlags layoutFlags, SamplerLookup samplers) {
  SetBinding binding;
  binding.number = from.binding;
  binding.type = from.descriptorType;
  binding.flags = flags;
  binding.count = from.descriptorCount;
  if (from.pImmutableSamplers && takesSamplers(from.descriptorType))
    for (uint32_t i = 0; i < from.descriptorCount; ++i)
      binding.immutableSamplers.push_back(samplers(from.pImmutableSamplers[i]));
  binding.strideDwords = strideOf(binding, types, layoutFlags);
  return binding;
}

} // namespace

std::optional<SetLayout> buildSetLayout(const VkDescriptorSetLayoutCreateInfo &info,
                                        SamplerLookup samplers) {
  SetLayout layout;
  layout.flags = info.flags;
  BindingExtras extras(info);
  for (uint32_t i = 0; i < info.bindingCount; ++i) {
    const VkDescriptorSetLayoutBinding &from = info.pBindings[i];
    if (from.descriptorCount == 0) // reserved: takes no place, cannot be accessed
      continue;
    if (!isKnownType(from.descriptorType))
      return std::nullopt;
    layout.bindings.push_back(makeBinding(
        from, i < extras.flags.size() ? extras.flags[i] : 0,
        i < extras.mutableTypes.size() ? &extras.mutableTypes[i] : nullptr, info.flags, samplers));
  }
  llvm::sort(layout.bindings,
             [](const SetBinding &a, const SetBinding &b) { return a.number < b.number; });
  uint64_t offset = 0;
  for (SetBinding &binding : layout.bindings) {
    if (binding.isDynamic()) {
      binding.firstDynamic = layout.dynamicCount;
      layout.dynamicCount += binding.count;
      if (layout.dynamicCount > maxDynamicPerSet || binding.count > maxDynamicPerSet)
        return std::nullopt;
      continue;
    }
    binding.offsetDwords = static_cast<uint32_t>(offset);
    uint64_t dwords = binding.isInline() ? llvm::divideCeil(binding.count, 4u)
                                         : uint64_t(binding.count) * binding.strideDwords;
    binding.sizeDwords = static_cast<uint32_t>(dwords);
    offset += llvm::alignTo(dwords, descriptorAlignDwords);
    if (offset * 4 > maxSetBytes)
      return std::nullopt;
  }
  layout.sizeDwords = static_cast<uint32_t>(offset);
  return layout;
}

} // namespace icd
