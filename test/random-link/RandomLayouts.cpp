//===- RandomLayouts.cpp - layouts for one module -------------------------===//
// SPDX-License-Identifier: MIT
#include "RandomPart.h"
#include <algorithm>
#include <map>

namespace randomlink {

using lgc::ResourceMapping;
using lgc::ResourceNode;
using lgc::ResourceNodeType;

namespace {

ResourceNode nodeOf(const Binding &binding) {
  constexpr ResourceNodeType types[] = {
      ResourceNodeType::DescriptorBuffer,  ResourceNodeType::DescriptorConstBuffer,
      ResourceNodeType::DescriptorBuffer,  ResourceNodeType::DescriptorConstBuffer,
      ResourceNodeType::InlineBuffer,      ResourceNodeType::DescriptorCombinedTexture,
      ResourceNodeType::DescriptorResource};
  ResourceNode node;
  node.type = types[static_cast<unsigned>(binding.kind)];
  node.set = binding.set;
  node.binding = binding.binding;
  node.strideInDwords = lgc::defaultStrideInDwords(node.type);
  node.sizeInDwords =
      binding.kind == Binding::Kind::Inline ? inlineDwords : binding.elements * node.strideInDwords;
  return node;
}

/// Puts nodes behind each other, with gaps of up to `gap` dwords.
void place(std::vector<ResourceNode> &nodes, uint32_t gap, Random &random) {
  uint32_t at = 0;
  for (ResourceNode &node : nodes) {
    at += gap ? below(random, gap + 1) : 0;
    node.offsetInDwords = at;
    at += node.sizeInDwords;
  }
}

ResourceNode tableOf(uint32_t set, std::vector<ResourceNode> nodes) {
  ResourceNode table;
  table.type = ResourceNodeType::DescriptorTableVaPtr;
  table.sizeInDwords = 1;
  table.set = set;
  table.table = std::move(nodes);
  return table;
}

ResourceNode pushOf(uint32_t dwords) {
  ResourceNode push;
  push.type = ResourceNodeType::PushConst;
  push.sizeInDwords = dwords;
  return push;
}

} // namespace

uint32_t rootDwords(const ResourceMapping &mapping) {
  uint32_t end = 0;
  for (const ResourceNode &node : mapping.roots)
    end = std::max(end, node.offsetInDwords + node.sizeInDwords);
  return end;
}

ResourceMapping makePartLayout(const RandomModule &module, Random &random) {
  ResourceMapping mapping;
  std::map<uint32_t, std::vector<ResourceNode>> sets;
  for (const Binding &binding : module.bindings) {
    if (binding.isDynamic())
      mapping.roots.push_back(nodeOf(binding));
    else
      sets[binding.set].push_back(nodeOf(binding));
  }
  for (auto &[set, nodes] : sets) {
    std::shuffle(nodes.begin(), nodes.end(), random);
    place(nodes, 0, random);
    mapping.roots.push_back(tableOf(set, nodes));
  }
  mapping.roots.push_back(pushOf(module.pushDwords));
  std::shuffle(mapping.roots.begin(), mapping.roots.end(), random);
  place(mapping.roots, 0, random);
  return mapping;
}

ResourceMapping makeApplicationLayout(const RandomModule &module, Random &random) {
  ResourceMapping mapping;
  std::map<uint32_t, std::vector<ResourceNode>> sets;
  std::vector<Binding> bindings = module.bindings;
  const size_t used = bindings.size();
  const uint32_t extra = below(random, 8);
  for (uint32_t i = 0; i < extra; ++i) {
    Binding more;
    more.kind = static_cast<Binding::Kind>(below(random, 7));
    more.set = below(random, 7);
    more.binding = 2000 + i; // another number than those that are used
    more.elements = 1 + below(random, more.isDynamic() ? 3 : 40);
    bindings.push_back(more);
  }
  for (size_t i = 0; i < bindings.size(); ++i) {
    Binding binding = bindings[i];
    if (i < used && binding.elements > 1 && chance(random, 30))
      binding.elements += 1 + below(random, 3);
    if (binding.isDynamic())
      mapping.roots.push_back(nodeOf(binding));
    else
      sets[binding.set].push_back(nodeOf(binding));
  }
  const uint32_t gap = chance(random, 50) ? 0 : 4u << below(random, 8);
  for (auto &[set, nodes] : sets) {
    std::shuffle(nodes.begin(), nodes.end(), random);
    place(nodes, gap, random);
    mapping.roots.push_back(tableOf(set, nodes));
  }
  mapping.roots.push_back(pushOf(module.pushDwords + below(random, 8)));
  std::shuffle(mapping.roots.begin(), mapping.roots.end(), random);
  place(mapping.roots, chance(random, 50) ? 0 : 6, random);
  return mapping;
}

} // namespace randomlink
