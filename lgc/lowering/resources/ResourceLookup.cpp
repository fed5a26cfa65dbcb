//===- ResourceLookup.cpp - (set, binding, kind) -> place of a descriptor -===//
// SPDX-License-Identifier: MIT
#include "lgc/ResourceLookup.h"
#include "lgc/TaskView.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace llvm;

namespace lgc {
namespace {

/// How well a node type serves a use: 0 not at all, higher is better.
unsigned rankOf(ResourceNodeType type, ResourceUse use) {
  using T = ResourceNodeType;
  struct Row {
    ResourceUse use;
    T type;
    unsigned rank;
  };
  static constexpr Row rows[] = {
      {ResourceUse::UniformBuffer, T::DescriptorConstBuffer, 4},
      {ResourceUse::UniformBuffer, T::DescriptorConstBufferCompact, 4},
      {ResourceUse::UniformBuffer, T::InlineBuffer, 4},
      {ResourceUse::UniformBuffer, T::DescriptorBuffer, 3},
      {ResourceUse::UniformBuffer, T::DescriptorBufferCompact, 3},
      {ResourceUse::UniformBuffer, T::DescriptorMutable, 2},
      {ResourceUse::StorageBuffer, T::DescriptorBuffer, 4},
      {ResourceUse::StorageBuffer, T::DescriptorBufferCompact, 4},
      {ResourceUse::StorageBuffer, T::DescriptorAtomicCounter, 4},
      {ResourceUse::StorageBuffer, T::DescriptorConstBuffer, 3},
      {ResourceUse::StorageBuffer, T::DescriptorConstBufferCompact, 3},
      {ResourceUse::StorageBuffer, T::DescriptorMutable, 2},
      {ResourceUse::Image, T::DescriptorResource, 4},
      {ResourceUse::Image, T::DescriptorImage, 4},
      {ResourceUse::Image, T::DescriptorCombinedTexture, 3},
      {ResourceUse::Image, T::DescriptorYCbCrSampler, 2},
      {ResourceUse::Image, T::DescriptorMutable, 2},
      {ResourceUse::Sampler, T::DescriptorSampler, 4},
      {ResourceUse::Sampler, T::DescriptorYCbCrSampler, 4},
      {ResourceUse::Sampler, T::DescriptorCombinedTexture, 3},
      {ResourceUse::Sampler, T::DescriptorMutable, 2},
      {ResourceUse::TexelBuffer, T::DescriptorTexelBuffer, 4},
      {ResourceUse::TexelBuffer, T::DescriptorConstTexelBuffer, 4},
      {ResourceUse::TexelBuffer, T::DescriptorMutable, 2},
  };
  for (const Row &row : rows)
    if (row.use == use && row.type == type)
      return row.rank;
  return 0;
}

bool isTable(ResourceNodeType type) {
  return type == ResourceNodeType::DescriptorTableVaPtr ||
         type == ResourceNodeType::IndirectUserDataVaPtr;
}

/// Deeper nesting does not occur in any layout; the bound keeps hostile metadata harmless.
constexpr unsigned maxTableDepth = 8;

void search(ArrayRef<ResourceNode> nodes, SmallVectorImpl<uint32_t> &hops,
            function_ref<unsigned(const ResourceNode &)> rank, unsigned &bestRank,
            ResourceLocation &best) {
  for (const ResourceNode &node : nodes) {
    if (isTable(node.type)) {
      if (hops.size() >= maxTableDepth)
        continue;
      hops.push_back(node.offsetInDwords);
      search(node.table, hops, rank, bestRank, best);
      hops.pop_back();
    } else if (unsigned nodeRank = rank(node); nodeRank > bestRank) {
      bestRank = nodeRank;
      best.node = &node;
      best.hops.assign(hops.begin(), hops.end());
      best.offsetInDwords = node.offsetInDwords;
    }
  }
}

ResourceLocation findBest(const ResourceMapping &mapping,
                          function_ref<unsigned(const ResourceNode &)> rank) {
  ResourceLocation best;
  SmallVector<uint32_t, 4> hops;
  unsigned bestRank = 0;
  search(mapping.roots, hops, rank, bestRank, best);
  return best;
}

} // namespace

ResourceLocation findResource(const ResourceMapping &mapping, uint32_t set, uint32_t binding,
                              ResourceUse use) {
  return findBest(mapping, [&](const ResourceNode &node) -> unsigned {
    if (node.set != set || node.binding != binding)
      return 0;
    return rankOf(node.type, use);
  });
}

unsigned countNodes(const ResourceMapping &mapping, uint32_t set, uint32_t binding) {
  unsigned count = 0;
  findBest(mapping, [&](const ResourceNode &node) -> unsigned {
    count += node.set == set && node.binding == binding && node.type != ResourceNodeType::PushConst;
    return 0;
  });
  return count;
}

ResourceLocation findPushConst(const ResourceMapping &mapping) {
  return findBest(mapping, [](const ResourceNode &node) -> unsigned {
    return node.type == ResourceNodeType::PushConst ? 1 : 0;
  });
}

std::optional<uint32_t> findTaskView(const ResourceMapping &mapping) {
  for (const ResourceNode &node : mapping.roots)
    if (node.type == ResourceNodeType::InlineBuffer && node.set == internalSet &&
        node.binding == taskViewBinding && node.sizeInDwords)
      return node.offsetInDwords;
  return std::nullopt;
}

const StaticDescriptor *findStaticSampler(const ResourceMapping &mapping, uint32_t set,
                                          uint32_t binding) {
  for (const StaticDescriptor &descriptor : mapping.staticDescriptors)
    if (descriptor.set == set && descriptor.binding == binding &&
        (descriptor.type == ResourceNodeType::DescriptorSampler ||
         descriptor.type == ResourceNodeType::DescriptorCombinedTexture ||
         descriptor.type == ResourceNodeType::DescriptorYCbCrSampler))
      return &descriptor;
  return nullptr;
}

uint32_t strideInDwords(const ResourceNode &node) {
  return node.strideInDwords ? node.strideInDwords : defaultStrideInDwords(node.type);
}

} // namespace lgc
