//===- Acceleration.h - acceleration structures of a job ------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace exec {

/// A place in a buffer of the job.
struct BufferPlace {
  uint32_t buffer = 0;
  uint64_t offset = 0;
};

/// Triangles or AABBs of a structure.
struct GeometrySpec {
  VkGeometryTypeKHR type = VK_GEOMETRY_TYPE_TRIANGLES_KHR;
  BufferPlace data;
  uint32_t count = 0; ///< primitives
  uint64_t stride = 0;
  VkFormat format = VK_FORMAT_R32G32B32_SFLOAT;
  VkIndexType indexType = VK_INDEX_TYPE_NONE_KHR;
  BufferPlace indices;
  uint32_t firstVertex = 0;
  std::optional<BufferPlace> transform;
  VkGeometryFlagsKHR flags = 0;
};

/// An instance of a top level structure.
struct InstanceSpec {
  std::optional<uint32_t> structure; ///< nothing: no structure, an inactive instance
  VkAccelerationStructureInstanceKHR words = {};
};

/// A structure: built, or made of another one that comes before it.
struct StructureSpec {
  enum class From : uint8_t { Build, Update, Clone, Compact, Serialize };
  From from = From::Build;
  uint32_t source = 0; ///< unless it is built
  VkAccelerationStructureTypeKHR type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
  VkBuildAccelerationStructureFlagsKHR flags = 0;
  std::vector<GeometrySpec> geometries;
  std::vector<InstanceSpec> instances;
  bool pointers = false; ///< instances are an array of pointers
};

} // namespace exec
