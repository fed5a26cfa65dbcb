//===- PartLayout.cpp - the resource mapping that a part is compiled with -===//
// SPDX-License-Identifier: MIT
/// \file
/// Linking (lgc/Link.h) tells a part where bindings and root entries are, so two mappings that
/// differ in nothing else make one part. What is left of a mapping:
///  - bindings that the shader uses, and where each is: in its set's table or in the root;
///  - their type, as far as the code of the use differs: a uniform buffer is the same behind any
///    descriptor of a whole buffer, an image behind any that begins with an image;
///  - the stride of arrays, and the size of inline uniform blocks, which the shader checks against;
///  - table pointers by set, then root descriptors by set and binding, then push constants, as many
///    as the shader declares; bindings follow each other without gaps.
/// Immutable samplers are dropped: whoever links parts keeps the words of the sampler in the set's
/// memory, as for any other one.
///
///   before: root 0: PushConst 32 dwords; root 32: table of set 1 {0: Sampler binding 0,
///           16: CombinedTexture binding 5 array 4 stride 16}; shader uses 1.5 and 12 bytes
///   after:  root 0: table of set 1 {0: CombinedTexture binding 5, 64 dwords, stride 16};
///           root 1: PushConst 3 dwords
#include "llpc/context/PartLayout.h"
#include "lgc/ResourceLookup.h"
#include "llpc/context/AutoLayout.h"
#include "pal_shim/abi/Try.h"
#include <optional>

namespace llpc {

using lgc::ResourceLocation;
using lgc::ResourceMapping;
using lgc::ResourceNode;
using lgc::ResourceNodeType;
using lgc::ResourceUse;
using llvm::Error;
using llvm::Twine;

namespace {

using Type = ResourceNodeType;

/// What a single mutable descriptor counts as: the largest of them.
constexpr uint32_t mutableDwords = 12;

/// What accesses want from a binding of a type that the shader declares.
llvm::ArrayRef<ResourceUse> usesOf(Type declared) {
  static constexpr ResourceUse uniformBuffer[] = {ResourceUse::UniformBuffer};
  static constexpr ResourceUse storageBuffer[] = {ResourceUse::StorageBuffer};
  static constexpr ResourceUse image[] = {ResourceUse::Image};
  static constexpr ResourceUse sampler[] = {ResourceUse::Sampler};
  static constexpr ResourceUse combined[] = {ResourceUse::Image, ResourceUse::Sampler};
  static constexpr ResourceUse texelBuffer[] = {ResourceUse::TexelBuffer};
  static constexpr ResourceUse any[] = {ResourceUse::UniformBuffer, ResourceUse::StorageBuffer,
                                        ResourceUse::Image, ResourceUse::Sampler,
                                        ResourceUse::TexelBuffer};
  switch (declared) {
  case Type::DescriptorConstBuffer:
    return uniformBuffer;
  case Type::DescriptorBuffer:
    return storageBuffer;
  case Type::DescriptorResource:
  case Type::DescriptorImage:
    return image;
  case Type::DescriptorSampler:
    return sampler;
  case Type::DescriptorCombinedTexture:
    return combined;
  case Type::DescriptorTexelBuffer:
  case Type::DescriptorConstTexelBuffer:
    return texelBuffer;
  default:
    return any;
  }
}

/// One type for all that give the code of a declared one. A sampler inside a combined descriptor is
/// 8 dwords further on; in a mutable one that depends on the access.
Type typeClass(Type declared, Type given) {
  switch (given) {
  case Type::InlineBuffer:
    return given;
  case Type::DescriptorBufferCompact:
  case Type::DescriptorConstBufferCompact:
    return Type::DescriptorConstBufferCompact;
  default:
    break;
  }
  switch (declared) {
  case Type::DescriptorResource:
  case Type::DescriptorImage:
    return Type::DescriptorResource;
  case Type::DescriptorSampler:
    return given == Type::DescriptorCombinedTexture ? given : declared;
  case Type::DescriptorTexelBuffer:
  case Type::DescriptorConstTexelBuffer:
    return Type::DescriptorTexelBuffer;
  case Type::DescriptorConstBuffer:
  case Type::DescriptorBuffer:
    return declared;
  default:
    return given;
  }
}

std::string name(const ResourceNodeData &data) {
  return "set " + std::to_string(data.set) + " binding " + std::to_string(data.binding);
}

class PartLayout {
public:
  explicit PartLayout(const ResourceMapping &from) : from(from) {}
  llvm::Expected<ResourceMapping> make(const ResourceUsage &usage);

private:
  llvm::Expected<ResourceLocation> find(const ResourceNodeData &data) const;
  Error add(const ResourceNodeData &data);
  Error addToTable(const ResourceNodeData &data, ResourceNode node, uint32_t tableOffset);
  Error addPushConstants(uint32_t bytes);
  Error numberRoots();

  const ResourceMapping &from;
  std::vector<ResourceNode> tables, descriptors;
  std::vector<uint32_t> tableOffsets; ///< in the root of `from`
  std::optional<ResourceNode> push;
};

llvm::Expected<ResourceLocation> PartLayout::find(const ResourceNodeData &data) const {
  const lgc::StaticDescriptor *fixed = lgc::findStaticSampler(from, data.set, data.binding);
  if (fixed && fixed->type == Type::DescriptorYCbCrSampler)
    return lgc::unsupported("part: YCbCr sampler (" + name(data) + ")");
  ResourceLocation found;
  for (ResourceUse use : usesOf(data.type)) {
    ResourceLocation location = lgc::findResource(from, data.set, data.binding, use);
    if (!location.node && data.type == Type::DescriptorMutable)
      continue;
    if (!location.node && fixed && use == ResourceUse::Sampler)
      return lgc::unsupported("part: immutable sampler without memory (" + name(data) + ")");
    if (!location.node)
      return lgc::invalidInput("part: the resource mapping has no fitting descriptor for " +
                               name(data));
    if (found.node && found.node != location.node)
      return lgc::unsupported("part: several descriptors of one binding (" + name(data) + ")");
    found = std::move(location);
  }
  if (!found.node)
    return lgc::invalidInput("part: the resource mapping has no fitting descriptor for " +
                             name(data));
  if (found.node->type == Type::DescriptorYCbCrSampler)
    return lgc::unsupported("part: YCbCr sampler (" + name(data) + ")");
  if (found.hops.size() > 1)
    return lgc::unsupported("part: descriptor tables inside of tables (" + name(data) + ")");
  return found;
}

Error PartLayout::addToTable(const ResourceNodeData &data, ResourceNode node,
                             uint32_t tableOffset) {
  if (tables.empty() || tables.back().set != data.set) {
    for (const ResourceNode &root : from.roots)
      if (root.offsetInDwords == tableOffset && root.type == Type::IndirectUserDataVaPtr)
        return lgc::unsupported("part: descriptors in indirect user data (" + name(data) + ")");
    ResourceNode table;
    table.type = Type::DescriptorTableVaPtr;
    table.set = data.set;
    table.sizeInDwords = 1;
    tables.push_back(std::move(table));
    tableOffsets.push_back(tableOffset);
  }
  if (tableOffsets.back() != tableOffset)
    return lgc::unsupported("part: several tables of one set (" + name(data) + ")");
  std::vector<ResourceNode> &table = tables.back().table;
  const uint64_t offset =
      table.empty() ? 0 : uint64_t(table.back().offsetInDwords) + table.back().sizeInDwords;
  if (offset + node.sizeInDwords > autoLayoutMaxDwords)
    return lgc::limitExceeded("part: arrays of descriptors are too large (" + name(data) + ")");
  node.offsetInDwords = static_cast<uint32_t>(offset);
  table.push_back(std::move(node));
  return Error::success();
}

Error PartLayout::add(const ResourceNodeData &data) {
  auto location = KILN_TRY(find(data));
  const ResourceNode &given = *location.node;
  ResourceNode node;
  node.type = typeClass(data.type, given.type);
  node.set = data.set;
  node.binding = data.binding;
  if (node.type == Type::InlineBuffer) {
    node.sizeInDwords = given.sizeInDwords;
  } else {
    const uint32_t ofOne = node.type == Type::DescriptorMutable
                               ? mutableDwords
                               : lgc::defaultStrideInDwords(node.type);
    node.strideInDwords = data.arraySize == 1 ? ofOne : lgc::strideInDwords(given);
    uint64_t count = data.arraySize;
    if (data.arraySize == ResourceNodeData::runtimeArray)
      count = location.hops.empty() && node.strideInDwords
                  ? given.sizeInDwords / node.strideInDwords
                  : autoLayoutRuntimeArraySize;
    const uint64_t size = std::max<uint64_t>(node.strideInDwords * count, 1);
    if (size > autoLayoutMaxDwords)
      return lgc::limitExceeded("part: arrays of descriptors are too large (" + name(data) + ")");
    node.sizeInDwords = static_cast<uint32_t>(size);
  }
  if (!location.hops.empty())
    return addToTable(data, std::move(node), location.hops[0]);
  descriptors.push_back(std::move(node));
  return Error::success();
}

Error PartLayout::addPushConstants(uint32_t bytes) {
  if (!bytes)
    return Error::success();
  ResourceLocation location = lgc::findPushConst(from);
  if (!location.node)
    return lgc::invalidInput("part: the resource mapping has no push constants");
  if (!location.hops.empty())
    return lgc::unsupported("part: push constants in a table");
  push.emplace();
  push->type = Type::PushConst;
  push->sizeInDwords = (bytes + 3) / 4;
  return Error::success();
}

Error PartLayout::numberRoots() {
  uint64_t next = 0;
  auto place = [&](ResourceNode &root) {
    root.offsetInDwords = static_cast<uint32_t>(next);
    next += root.sizeInDwords;
  };
  llvm::for_each(tables, place);
  llvm::for_each(descriptors, place);
  if (push)
    place(*push);
  if (next > autoLayoutMaxDwords)
    return lgc::limitExceeded("part: " + Twine(next) + " dwords of root entries");
  return Error::success();
}

llvm::Expected<ResourceMapping> PartLayout::make(const ResourceUsage &usage) {
  // Sorted by set and binding, so equal sets are neighbours.
  for (const ResourceNodeData &data : usage.nodes)
    KILN_TRY(add(data));
  KILN_TRY(addPushConstants(usage.pushConstSize));
  KILN_TRY(numberRoots());
  ResourceMapping mapping;
  mapping.roots = std::move(tables);
  mapping.roots.reserve(mapping.roots.size() + descriptors.size() + 1);
  std::move(descriptors.begin(), descriptors.end(), std::back_inserter(mapping.roots));
  if (push)
    mapping.roots.push_back(std::move(*push));
  return mapping;
}

} // namespace

llvm::Expected<ResourceMapping> partMapping(const ResourceMapping &mapping,
                                            const ResourceUsage &usage) {
  return PartLayout(mapping).make(usage);
}

} // namespace llpc
