//===- StructureVertices.cpp - formats that structures are built of -------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/memory/StructureVertices.h"

namespace icd {

std::optional<StructureVertex> structureVertexOf(VkFormat format) {
  using Type = StructureVertex::Type;
  switch (format) {
  case VK_FORMAT_R32G32B32_SFLOAT:
  case VK_FORMAT_R32G32B32A32_SFLOAT:
    return StructureVertex{Type::Float32, false};
  case VK_FORMAT_R32G32_SFLOAT:
    return StructureVertex{Type::Float32, true};
  case VK_FORMAT_R16G16B16_SFLOAT:
  case VK_FORMAT_R16G16B16A16_SFLOAT:
    return StructureVertex{Type::Float16, false};
  case VK_FORMAT_R16G16_SFLOAT:
    return StructureVertex{Type::Float16, true};
  case VK_FORMAT_R16G16B16_SNORM:
  case VK_FORMAT_R16G16B16A16_SNORM:
    return StructureVertex{Type::Snorm16, false};
  case VK_FORMAT_R16G16_SNORM:
    return StructureVertex{Type::Snorm16, true};
  default:
    return std::nullopt;
  }
}

} // namespace icd
