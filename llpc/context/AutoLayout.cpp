//===- AutoLayout.cpp - a resource mapping made from what a shader uses ---===//
// SPDX-License-Identifier: MIT
/// \file
/// For a shader that comes without a pipeline layout (a file on amdllpc's command line, a module
/// compiled before its pipeline is known). Rules:
///  - each used set is one root entry, a DescriptorTableVaPtr, in ascending order of sets;
///  - inside a set the bindings follow each other in ascending order without gaps, each
///    (descriptor size) * (array size) dwords; a runtime array counts as 16 elements;
///  - push constants are the last root entry.
///   before: {ConstBuffer set 0 binding 0}, {Sampler set 1 binding 4, array 2}, 16 bytes push
///   after:  root 0: table {0: ConstBuffer 4 dwords}; root 1: table {0: Sampler 8 dwords};
///           root 2..5: PushConst
#include "llpc/context/AutoLayout.h"
#include "pal_shim/abi/Try.h"

namespace llpc {

using lgc::ResourceNode;
using lgc::ResourceNodeType;

static llvm::Expected<ResourceNode> descriptorNode(const ResourceNodeData &data, uint64_t offset) {
  uint32_t stride =
      data.type == ResourceNodeType::DescriptorMutable ? 12 : lgc::defaultStrideInDwords(data.type);
  uint64_t count = data.arraySize == ResourceNodeData::runtimeArray ? autoLayoutRuntimeArraySize
                                                                    : data.arraySize;
  if (offset + stride * count > autoLayoutMaxDwords)
    return lgc::limitExceeded("descriptor set " + llvm::Twine(data.set) + " binding " +
                              llvm::Twine(data.binding) + ": array of " + llvm::Twine(count) +
                              " descriptors is too large for an automatic layout");
  ResourceNode node;
  node.type = data.type;
  node.set = data.set;
  node.binding = data.binding;
  node.strideInDwords = stride;
  node.offsetInDwords = static_cast<uint32_t>(offset);
  node.sizeInDwords = static_cast<uint32_t>(stride * count);
  return node;
}

llvm::Expected<lgc::ResourceMapping> buildAutoLayout(const ResourceUsage &usage) {
  lgc::ResourceMapping mapping;
  uint32_t rootOffset = 0;
  // usage.nodes is sorted by set and binding, so equal sets are neighbours.
  for (const ResourceNodeData &data : usage.nodes) {
    if (mapping.roots.empty() || mapping.roots.back().set != data.set) {
      ResourceNode table;
      table.type = ResourceNodeType::DescriptorTableVaPtr;
      table.set = data.set;
      table.offsetInDwords = rootOffset++;
      table.sizeInDwords = 1;
      mapping.roots.push_back(std::move(table));
    }
    std::vector<ResourceNode> &table = mapping.roots.back().table;
    uint64_t offset =
        table.empty() ? 0 : uint64_t(table.back().offsetInDwords) + table.back().sizeInDwords;
    ResourceNode node = KILN_TRY(descriptorNode(data, offset));
    table.push_back(std::move(node));
  }
  if (usage.pushConstSize) {
    ResourceNode push;
    push.type = ResourceNodeType::PushConst;
    push.offsetInDwords = rootOffset;
    push.sizeInDwords = (usage.pushConstSize + 3) / 4;
    mapping.roots.push_back(push);
  }
  return mapping;
}

} // namespace llpc
