//===- UserDataLayout.cpp - a pipeline layout as root user data -----------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/state/UserDataLayout.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace icd {

using lgc::ResourceNode;
using lgc::ResourceNodeType;

std::optional<UserDataLayout> buildUserDataLayout(SetLayouts setLayouts, uint32_t pushBytes) {
  UserDataLayout layout;
  layout.sets.resize(setLayouts.size());
  uint64_t next = 0;
  for (size_t i = 0; i < setLayouts.size(); ++i)
    if (setLayouts[i] && setLayouts[i]->sizeDwords)
      layout.sets[i].tableOffset = static_cast<uint32_t>(next++);
  for (size_t i = 0; i < setLayouts.size(); ++i) {
    if (!setLayouts[i] || !setLayouts[i]->dynamicCount)
      continue;
    layout.sets[i].dynamicOffset = static_cast<uint32_t>(next);
    layout.sets[i].dynamicCount = setLayouts[i]->dynamicCount;
    next += uint64_t(setLayouts[i]->dynamicCount) * bufferDwords;
    if (next > maxUserDataDwords - 2)
      return std::nullopt;
  }
  layout.pushOffset = static_cast<uint32_t>(next);
  layout.pushDwords = llvm::divideCeil(pushBytes, 4u);
  next += layout.pushDwords;
  if (next > maxUserDataDwords - 2)
    return std::nullopt;
  layout.totalDwords = static_cast<uint32_t>(next);
  return layout;
}

ResourceNodeType nodeTypeOf(const SetBinding &binding) {
  switch (binding.type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
    return ResourceNodeType::DescriptorSampler;
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    return binding.hasYcbcrSampler() ? ResourceNodeType::DescriptorYCbCrSampler
                                     : ResourceNodeType::DescriptorCombinedTexture;
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    return ResourceNodeType::DescriptorResource;
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    return ResourceNodeType::DescriptorImage;
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    return ResourceNodeType::DescriptorConstTexelBuffer;
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    return ResourceNodeType::DescriptorTexelBuffer;
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
  case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR: // four words without a kind of their own
    return ResourceNodeType::DescriptorConstBuffer;
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
    return ResourceNodeType::DescriptorBuffer;
  case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
    return ResourceNodeType::InlineBuffer;
  case VK_DESCRIPTOR_TYPE_MUTABLE_EXT:
    return ResourceNodeType::DescriptorMutable;
  default:
    return ResourceNodeType::Unknown;
  }
}

namespace {

ResourceNode nodeOf(const SetBinding &binding, uint32_t set, uint32_t offset) {
  ResourceNode node;
  node.type = nodeTypeOf(binding);
  node.set = set;
  node.binding = binding.number;
  node.offsetInDwords = offset;
  node.strideInDwords = binding.isDynamic() ? bufferDwords : binding.strideDwords;
  node.sizeInDwords = binding.isDynamic() ? binding.count * bufferDwords : binding.sizeDwords;
  return node;
}

/// Immutable samplers go into the code, unless other devices would have other words. In a binding
/// with a YCbCr sampler every element gets conversion words, which are the identity for ordinary
/// samplers.
lgc::StaticDescriptor staticOf(const SetBinding &binding, uint32_t set) {
  lgc::StaticDescriptor fixed;
  bool ycbcr = binding.hasYcbcrSampler();
  fixed.type = ycbcr ? ResourceNodeType::DescriptorYCbCrSampler : nodeTypeOf(binding);
  fixed.set = set;
  fixed.binding = binding.number;
  fixed.arraySize = static_cast<uint32_t>(binding.immutableSamplers.size());
  for (const ImmutableSampler &sampler : binding.immutableSamplers) {
    fixed.dwords.insert(fixed.dwords.end(), sampler.words.begin(), sampler.words.end());
    if (!ycbcr)
      continue;
    std::array<uint32_t, lgc::ycbcrWords> words =
        sampler.isYcbcr ? sampler.conversion : lgc::encodeYcbcr({});
    fixed.dwords.insert(fixed.dwords.end(), words.begin(), words.end());
  }
  return fixed;
}

} // namespace

lgc::ResourceMapping buildResourceMapping(const UserDataLayout &layout, SetLayouts setLayouts) {
  lgc::ResourceMapping mapping;
  std::vector<ResourceNode> dynamic;
  for (uint32_t set = 0; set < setLayouts.size(); ++set) {
    if (!setLayouts[set])
      continue;
    ResourceNode table;
    table.type = ResourceNodeType::DescriptorTableVaPtr;
    table.set = set;
    table.offsetInDwords = layout.sets[set].tableOffset;
    table.sizeInDwords = 1;
    for (const SetBinding &binding : setLayouts[set]->bindings) {
      if (binding.isDynamic())
        dynamic.push_back(nodeOf(
            binding, set, layout.sets[set].dynamicOffset + binding.firstDynamic * bufferDwords));
      else
        table.table.push_back(nodeOf(binding, set, binding.offsetDwords));
      if (binding.hasStaticSamplers())
        mapping.staticDescriptors.push_back(staticOf(binding, set));
    }
    if (layout.sets[set].tableOffset != SetUserData::none)
      mapping.roots.push_back(std::move(table));
  }
  mapping.roots.insert(mapping.roots.end(), dynamic.begin(), dynamic.end());
  if (layout.pushDwords) {
    ResourceNode push;
    push.type = ResourceNodeType::PushConst;
    push.offsetInDwords = layout.pushOffset;
    push.sizeInDwords = layout.pushDwords;
    mapping.roots.push_back(push);
  }
  return mapping;
}

} // namespace icd
