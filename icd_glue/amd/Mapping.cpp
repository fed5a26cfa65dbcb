//===- Mapping.cpp - AMD's resource mapping data --------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Mapping.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cstring>

namespace icd::amd {
namespace {

using lgc::ResourceNodeType;
using NodeType = Vkgc::ResourceMappingNodeType;

constexpr uint32_t amdYcbcrDwords =
    lgc::ycbcrSamplerDwords + sizeof(Vkgc::SamplerYCbCrConversionMetaData) / 4;

/// Root nodes that stand for what the compiler finds without them.
bool isSpecialUserData(NodeType type) {
  return type == NodeType::IndirectUserDataVaPtr || type == NodeType::StreamOutTableVaPtr;
}

llvm::Expected<lgc::ResourceNode> nodeOf(const Vkgc::ResourceMappingNode &from, bool isRoot) {
  if (from.type == NodeType::Unknown || from.type >= NodeType::Count)
    return lgc::invalidInput("resource mapping node of type " +
                             llvm::Twine(static_cast<unsigned>(from.type)));
  lgc::ResourceNode node;
  node.type = static_cast<ResourceNodeType>(from.type);
  node.sizeInDwords = from.sizeInDwords;
  node.offsetInDwords = from.offsetInDwords;
  if (from.type != NodeType::DescriptorTableVaPtr) {
    node.set = from.srdRange.set;
    node.binding = from.srdRange.binding;
    node.strideInDwords = from.srdRange.strideInDwords;
    return node;
  }
  if (!isRoot)
    return lgc::invalidInput("resource mapping: a table in a table");
  if (from.tablePtr.nodeCount && !from.tablePtr.pNext)
    return lgc::invalidInput("resource mapping: a table without nodes");
  for (const Vkgc::ResourceMappingNode &inner :
       llvm::ArrayRef(from.tablePtr.pNext, from.tablePtr.nodeCount)) {
    auto converted = KILN_TRY(nodeOf(inner, /*isRoot=*/false));
    node.table.push_back(std::move(converted));
  }
  if (!node.table.empty())
    node.set = node.table.front().set;
  return node;
}

/// AMD's drivers number a swizzle as hardware does; identity is spelt out.
lgc::YcbcrSwizzle swizzleOf(unsigned number) {
  using lgc::YcbcrSwizzle;
  constexpr YcbcrSwizzle table[] = {
      YcbcrSwizzle::Zero, YcbcrSwizzle::One, YcbcrSwizzle::Identity, YcbcrSwizzle::Identity,
      YcbcrSwizzle::R,    YcbcrSwizzle::G,   YcbcrSwizzle::B,        YcbcrSwizzle::A};
  return table[number & 7];
}

} // namespace

lgc::YcbcrInfo ycbcrInfoOf(const Vkgc::SamplerYCbCrConversionMetaData &words) {
  lgc::YcbcrInfo info;
  info.model = static_cast<lgc::YcbcrModel>(std::min(words.word0.yCbCrModel, 4u));
  info.narrowRange = words.word0.yCbCrRange;
  info.xMidpoint = words.word1.xChromaOffset;
  info.yMidpoint = words.word1.yChromaOffset;
  info.linearChroma = words.word1.chromaFilter;
  info.planes = static_cast<uint8_t>(std::clamp(words.word1.planes, 1u, 3u));
  info.halfWidth = words.word1.xSubSampled;
  info.halfHeight = words.word1.ySubSampled;
  const auto &mapping = words.word0.componentMapping;
  info.swizzle = {swizzleOf(mapping.swizzleR), swizzleOf(mapping.swizzleG),
                  swizzleOf(mapping.swizzleB), swizzleOf(mapping.swizzleA)};
  info.bits = static_cast<uint8_t>(std::clamp(words.word0.bitDepth.channelBitsR, 8u, 16u));
  info.inPlace = true;
  return info;
}

lgc::StaticDescriptor staticDescriptorOf(const Vkgc::StaticDescriptorValue &from) {
  lgc::StaticDescriptor value;
  value.type = static_cast<ResourceNodeType>(from.type);
  value.set = from.set;
  value.binding = from.binding;
  value.arraySize = from.arraySize;
  if (value.type != ResourceNodeType::DescriptorYCbCrSampler) {
    value.dwords.assign(from.pValue,
                        from.pValue + from.arraySize * size_t(lgc::ycbcrSamplerDwords));
    return value;
  }
  for (uint32_t i = 0; i < from.arraySize; ++i) {
    const unsigned *element = from.pValue + size_t(i) * amdYcbcrDwords;
    Vkgc::SamplerYCbCrConversionMetaData words;
    std::memcpy(&words, element + lgc::ycbcrSamplerDwords, sizeof(words));
    const auto encoded = lgc::encodeYcbcr(ycbcrInfoOf(words));
    value.dwords.insert(value.dwords.end(), element, element + lgc::ycbcrSamplerDwords);
    value.dwords.insert(value.dwords.end(), encoded.begin(), encoded.end());
  }
  return value;
}

llvm::Expected<lgc::ResourceMapping> mappingOf(const Vkgc::ResourceMappingData &data) {
  if ((data.userDataNodeCount && !data.pUserDataNodes) ||
      (data.staticDescriptorValueCount && !data.pStaticDescriptorValues))
    return lgc::invalidInput("resource mapping: a null array with elements");
  lgc::ResourceMapping mapping;
  for (const Vkgc::ResourceMappingRootNode &root :
       llvm::ArrayRef(data.pUserDataNodes, data.userDataNodeCount)) {
    if (isSpecialUserData(root.node.type))
      continue;
    auto node = KILN_TRY(nodeOf(root.node, /*isRoot=*/true));
    mapping.roots.push_back(std::move(node));
  }
  for (const Vkgc::StaticDescriptorValue &value :
       llvm::ArrayRef(data.pStaticDescriptorValues, data.staticDescriptorValueCount)) {
    if (value.arraySize && !value.pValue)
      return lgc::invalidInput("resource mapping: a static descriptor without value");
    if (value.type != NodeType::DescriptorSampler &&
        value.type != NodeType::DescriptorCombinedTexture &&
        value.type != NodeType::DescriptorYCbCrSampler)
      return lgc::unsupported("static descriptors of type " +
                              llvm::Twine(static_cast<unsigned>(value.type)));
    mapping.staticDescriptors.push_back(staticDescriptorOf(value));
  }
  return mapping;
}

} // namespace icd::amd
