//===- Rays.h - a ray tracing pipeline of a job ---------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace exec {

struct RayShaderSpec {
  std::string name; ///< of the section
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR;
  std::vector<uint32_t> spirv;
  uint32_t library = 0; ///< not 0: in this library, which has no group of it
};

/// Shaders are numbers of RaysSpec::shaders, or VK_SHADER_UNUSED_KHR.
struct RayGroupSpec {
  VkRayTracingShaderGroupTypeKHR type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR;
  uint32_t general = VK_SHADER_UNUSED_KHR, closestHit = VK_SHADER_UNUSED_KHR,
           anyHit = VK_SHADER_UNUSED_KHR, intersection = VK_SHADER_UNUSED_KHR;
  uint32_t library = 0; ///< the group is in this library; 0: in the pipeline itself
};

struct RayRecordSpec {
  std::optional<uint32_t> group; ///< nothing: a null handle
  std::vector<uint8_t> data;
};

enum class RayTable : uint8_t { RayGen, Miss, Hit, Callable };
inline constexpr unsigned rayTableCount = 4;

/// One launch.
struct TraceSpec {
  enum class From : uint8_t { Command, Indirect, Indirect2 };
  From from = From::Command;
  std::array<uint32_t, 3> size = {1, 1, 1};
  uint32_t rayGen = 0; ///< record
};

struct RaysSpec {
  std::vector<RayShaderSpec> shaders;
  std::vector<RayGroupSpec> groups;
  std::array<std::vector<RayRecordSpec>, rayTableCount> records;
  std::vector<TraceSpec> traces;
  VkPipelineCreateFlags flags = 0;
  uint32_t depth = 1;                              ///< maxPipelineRayRecursionDepth
  uint32_t payloadBytes = 64, attributeBytes = 32; ///< of libraries at most
  std::optional<uint32_t> stackBytes; ///< dynamic state, on top of what the pipeline needs
  bool replays = false;               ///< created again, with the handles of the first time
  std::string
      captureFolder; ///< not empty: gets pipeline and libraries as captures (docs/replay.md)
};

} // namespace exec
