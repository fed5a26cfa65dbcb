//===- RayStages.h - stages of ray tracing pipelines ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <vulkan/vulkan.h>

namespace icd {

/// All shaders of a ray tracing pipeline are one kernel.
inline constexpr VkShaderStageFlags rayTracingStages =
    VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
    VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
    VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;

} // namespace icd
