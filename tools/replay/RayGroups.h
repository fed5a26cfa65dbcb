//===- RayGroups.h - shader groups of ray tracing pipelines ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Vulkan's rules about which stages the groups of a ray tracing pipeline name. Drivers take groups
/// as they are, so that a number of a stage that there is not would be read from anywhere.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vulkan/vulkan.h>

namespace replay {

inline constexpr VkShaderStageFlags rayTracingStages =
    VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
    VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
    VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;

struct GroupFault {
  const char *member; ///< in JSON
  std::string message;
};

/// \p stages: the pipeline's own, then those of its libraries; \p isOpen: as far as they are known.
std::optional<GroupFault> findGroupFault(const VkRayTracingShaderGroupCreateInfoKHR &group,
                                         llvm::ArrayRef<VkShaderStageFlagBits> stages, bool isOpen);

} // namespace replay
