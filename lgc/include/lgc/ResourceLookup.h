//===- ResourceLookup.h - (set, binding, kind) -> place of a descriptor ---===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/OpEnums.h"
#include "lgc/Pipeline.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace lgc {

/// What an access wants from a binding.
enum class ResourceUse : uint8_t { UniformBuffer, StorageBuffer, Image, Sampler, TexelBuffer };

/// Where a node lives. The way there starts at the root user data: `hops` lists, outermost first,
/// the dword offset of each 32-bit table pointer to follow (the first in the root, the others in
/// the table before). `offsetInDwords` is then the node's place in the last table, or in the root
/// when there is no hop.
struct ResourceLocation {
  const ResourceNode *node = nullptr;
  llvm::SmallVector<uint32_t, 2> hops;
  uint32_t offsetInDwords = 0;
};

/// The node that serves `use` of (set, binding): one of exactly the wanted type, else one that can
/// stand in for it (combined, mutable, storage for uniform buffer ...). `node` is null when the
/// mapping has none.
ResourceLocation findResource(const ResourceMapping &mapping, uint32_t set, uint32_t binding,
                              ResourceUse use);

/// Nodes for (set, binding), of whatever type.
unsigned countNodes(const ResourceMapping &mapping, uint32_t set, uint32_t binding);

/// The PushConst node, in the root or in an IndirectUserDataVaPtr table.
ResourceLocation findPushConst(const ResourceMapping &mapping);

/// The root dword with the view that a task shader runs for (lgc/TaskView.h); nothing: none.
std::optional<uint32_t> findTaskView(const ResourceMapping &mapping);

/// Immutable sampler of (set, binding), or null.
const StaticDescriptor *findStaticSampler(const ResourceMapping &mapping, uint32_t set,
                                          uint32_t binding);

/// Dwords from one array element to the next; 0 when neither node nor type say.
uint32_t strideInDwords(const ResourceNode &node);

} // namespace lgc
