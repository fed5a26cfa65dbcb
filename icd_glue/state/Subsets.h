//===- Subsets.h - the four subsets of a graphics pipeline's state --------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <vulkan/vulkan_core.h>

namespace icd {

/// VkGraphicsPipelineLibraryFlagsEXT: parts of a graphics pipeline that
/// VK_EXT_graphics_pipeline_library makes libraries of. Every member of GraphicsState and every
/// dynamic state belongs to one or more.
using Subsets = VkFlags;
inline constexpr Subsets vertexInputSubset =
    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
inline constexpr Subsets preRasterizationSubset =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
inline constexpr Subsets fragmentShaderSubset =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
inline constexpr Subsets fragmentOutputSubset =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
inline constexpr Subsets allSubsets =
    vertexInputSubset | preRasterizationSubset | fragmentShaderSubset | fragmentOutputSubset;

} // namespace icd
