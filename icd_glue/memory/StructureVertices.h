//===- StructureVertices.h - formats that structures are built of ---------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vulkan/vulkan_core.h>

namespace icd {

/// What the vertices of an acceleration structure may be in memory; of more than three components
/// the first three count.
struct StructureVertex {
  enum class Type : uint8_t { Float32, Float16, Snorm16 };
  Type type = Type::Float32;
  bool isFlat = false; ///< two components, the third one is 0
};

/// Nothing: no structure can be built of the format.
std::optional<StructureVertex> structureVertexOf(VkFormat format);

} // namespace icd
