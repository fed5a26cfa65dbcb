//===- RayTracingState.h - what a ray tracing pipeline consists of --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shaders and groups of a ray tracing pipeline, with those of its libraries: libraries hold no
/// code, the pipeline that is linked of them compiles all shaders together (llpc/RayTracing.h).
#pragma once

#include "icd_glue/code/Executable.h"
#include "lgc/RayLaunch.h"
#include "llpc/RayTracing.h"

namespace icd {

class Device;

struct RayShader {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR;
  llpc::Hash128 key = {};        ///< names all that its code depends on (state/StageKey.h)
  uint32_t id = 0;               ///< RayShaderIds
  llpc::PipelineShaderInfo info; ///< without a module: only an identifier is known of it
};

/// Bytes of a group's handle, which begins a record.
inline constexpr uint32_t rayHandleBytes = lgc::launch::recordData;
using RayHandle = std::array<uint8_t, rayHandleBytes>;

/// Ids of its shaders; 0: it has none.
struct RayGroup {
  uint32_t general = 0; ///< or closest hit
  uint32_t anyHit = 0;
  uint32_t intersection = 0;

  RayHandle handle() const;
};

struct RayTracingState {
  std::vector<RayShader> shaders; ///< each once
  std::vector<RayGroup> groups;
  /// Ids of all stages, as groups number them: the pipeline's own, then the libraries'.
  std::vector<uint32_t> stageIds;
  uint32_t maxRecursionDepth = 0;
  VkPipelineCreateFlags2KHR flags = 0;
  bool hasDynamicStackSize = false;
  /// With what libraries say of robustness.
  llpc::PipelineOptions options;

  VkShaderStageFlags stages() const;
  bool canCompile() const; ///< there is SPIR-V for all
};

/// What \p info says, behind what its libraries hold. Errors: those of modules; VulkanError for
/// handles that were captured elsewhere.
llvm::Expected<RayTracingState> rayTracingStateOf(Device &device,
                                                  const VkRayTracingPipelineCreateInfoKHR &info);

/// The pipeline key (PipelineKey.h).
llpc::Hash128 pipelineKeyOf(Device &device, const RayTracingState &state,
                            const llpc::Hash128 &layout);

} // namespace icd
