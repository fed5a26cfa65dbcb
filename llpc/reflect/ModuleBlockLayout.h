//===- ModuleBlockLayout.h - where what lies in a ShaderModuleDataEx ------===//
// SPDX-License-Identifier: MIT
/// \file
/// Private to the writer and the reader of blocks.
#pragma once

#include "llpc/reflect/ModuleBlock.h"
#include <cstddef>
#include <type_traits>

namespace llpc {

// The stored form is these structures as x86-64 and AArch64 lay them out; anything else must fail
// to compile, or have another version.
static_assert(sizeof(ShaderModuleData) == 64 && sizeof(ShaderModuleEntryData) == 48 &&
              sizeof(ShaderModuleEntry) == 32 && sizeof(ResourceNodeData) == 16 &&
              sizeof(FsOutInfo) == 16 && sizeof(ShaderModuleDataEx) == 184);

/// ResourceNodeData without its padding behind the type.
struct PackedNode {
  uint32_t type, set, binding, arraySize;
};
static_assert(sizeof(PackedNode) == sizeof(ResourceNodeData) &&
              offsetof(ResourceNodeData, set) == 4);
inline PackedNode packedNode(const ResourceNodeData &data) {
  return {static_cast<uint32_t>(data.type), data.set, data.binding, data.arraySize};
}

inline constexpr size_t entryPointerFields[] = {offsetof(ShaderModuleEntryData, pEntryName),
                                                offsetof(ShaderModuleEntryData, pShaderEntry),
                                                offsetof(ShaderModuleEntryData, pResNodeDatas)};

struct BlockCounts {
  uint64_t entries = 0, inputs = 0, nodes = 0, outputs = 0, nameBytes = 0, codeBytes = 0;
};

/// Offsets of the sections, in this order. No overflow: each count is below 2^32.
struct BlockLayout {
  uint64_t entries, inputs, nodes, outputs, names, code, end;

  static uint64_t entryData(uint64_t index) {
    return offsetof(ShaderModuleDataEx, extra.entryDatas) + index * sizeof(ShaderModuleEntryData);
  }
  explicit BlockLayout(const BlockCounts &counts)
      : entries(entryData(counts.entries ? counts.entries : 1)),
        inputs(entries + counts.entries * sizeof(ShaderModuleEntry)),
        nodes(inputs + counts.inputs * sizeof(FsOutInfo)),
        outputs(nodes + counts.nodes * sizeof(ResourceNodeData)),
        names(outputs + counts.outputs * sizeof(FsOutInfo)),
        code((names + counts.nameBytes + 7) & ~uint64_t(7)), end(code + counts.codeBytes) {}
};

} // namespace llpc
