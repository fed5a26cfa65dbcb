//===- RayTracing.h - ray tracing pipelines ---------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// All shaders of a ray tracing pipeline become one compute kernel. Shader binding tables and the
/// launch are memory, whose layout lgc/RayLaunch.h gives:
///
///     RayTracingPipelineBuildInfo info;
///     info.shaders.push_back({rayGeneration, 1});  // ids as the handles of groups have them
///     info.shaders.push_back({miss, 2});
///     info.launchUserData = 16;                    // dwords 16 and 17: address of the launch
///     block auto result = compiler->buildRayTracingPipeline(info);
///
/// The kernel is dispatched as ceil(size / workgroup size) workgroups, with the size of
/// RayTracingPipelineResult::statistics.
#pragma once

#include "llpc/Compiler.h"

namespace llpc {

/// A shader of a ray tracing pipeline.
struct RayTracingShaderInfo : PipelineShaderInfo {
  /// What records of shader binding tables name the shader by: not 0, and no other shader's of the
  /// pipeline.
  uint32_t id = 0;
};

/// No node of resourceMapping has the dwords of launchUserData.
struct RayTracingPipelineBuildInfo : PipelineBuildInfo, lgc::RayTracingState {
  std::vector<RayTracingShaderInfo> shaders;
};

/// What a shader of a ray tracing pipeline has on the stack, in bytes of a lane: its own frame, and
/// those of what is called on the way to it.
struct RayTracingShaderStatistics {
  uint32_t id = 0;
  ShaderStage stage = ShaderStage::RayGen;
  uint32_t stackBytes = 0;
};

struct RayTracingPipelineResult : PipelineResult {
  /// Of the kernel. scratchBytes is what the code object's metadata has: enough for the deepest
  /// recursion, by Vulkan's default pipeline stack size.
  ShaderStatistics statistics;
  std::vector<RayTracingShaderStatistics> shaders; ///< as in the build info; only for an ELF
};

/// What a shader of this stage has on the stack, by the code object of its pipeline: Vulkan's
/// default pipeline stack size is made of these. Errors: InvalidInput when it is no code object.
llvm::Expected<uint32_t> rayTracingStackBytes(llvm::ArrayRef<uint8_t> elf, ShaderStage stage);

/// The first dword behind all nodes, where launchUserData may be.
uint32_t userDataBehind(const ResourceMappingData &mapping);

/// For shaders that come without a pipeline: resourceMapping with what they use, and launchUserData
/// behind it. Errors: as Compiler::buildAutoLayout().
llvm::Error applyAutoLayout(RayTracingPipelineBuildInfo &info);

} // namespace llpc
