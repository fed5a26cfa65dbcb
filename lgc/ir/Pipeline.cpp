//===- Pipeline.cpp - facts about resource node types ---------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/Pipeline.h"
#include <iterator>

namespace lgc {
namespace {

struct NodeTypeInfo {
  const char *name;
  uint32_t strideInDwords; ///< 0: the node's size decides
};

/// In the order of ResourceNodeType.
constexpr NodeTypeInfo nodeTypes[] = {
    {"Unknown", 0},
    {"DescriptorResource", 8},
    {"DescriptorSampler", 4},
    {"DescriptorCombinedTexture", 12},
    {"DescriptorTexelBuffer", 4},
    {"DescriptorFmask", 8},
    {"DescriptorBuffer", 4},
    {"DescriptorTableVaPtr", 1},
    {"IndirectUserDataVaPtr", 1},
    {"PushConst", 0},
    {"DescriptorBufferCompact", 2},
    {"StreamOutTableVaPtr", 1},
    {"Reserved12", 0},
    {"DescriptorYCbCrSampler", 0},
    {"DescriptorConstBuffer", 4},
    {"DescriptorConstBufferCompact", 2},
    {"DescriptorImage", 8},
    {"DescriptorConstTexelBuffer", 4},
    {"InlineBuffer", 0},
    {"DescriptorMutable", 0},
    {"DescriptorAtomicCounter", 4},
};
static_assert(std::size(nodeTypes) == static_cast<size_t>(ResourceNodeType::Count));

} // namespace

uint32_t defaultStrideInDwords(ResourceNodeType type) {
  auto index = static_cast<size_t>(type);
  return index < std::size(nodeTypes) ? nodeTypes[index].strideInDwords : 0;
}

const char *resourceNodeTypeName(ResourceNodeType type) {
  auto index = static_cast<size_t>(type);
  return index < std::size(nodeTypes) ? nodeTypes[index].name : "";
}

} // namespace lgc
