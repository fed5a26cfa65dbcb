//===- BuildInfos.h - AMD's build infos as the compiler's -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/amd/Interface.h"
#include "icd_glue/amd/Module.h"

namespace icd::amd {

/// What a conversion needs besides the info itself.
struct Conversion {
  ModuleCache &modules;
  uint32_t subgroupSize = 64; ///< of shaders that may not choose
  /// Of a graphics pipeline: its attributes will be known when the halves are linked.
  bool isHalf = false;
};

/// Without allocator: results are copied to the driver's memory when they are there. Errors:
/// InvalidInput for what breaks the interface, Unsupported for what the compiler does not have.
llvm::Expected<llpc::ComputePipelineBuildInfo>
computeInfoOf(const Vkgc::ComputePipelineBuildInfo &from, const Conversion &conversion);
llvm::Expected<llpc::GraphicsPipelineBuildInfo>
graphicsInfoOf(const Vkgc::GraphicsPipelineBuildInfo &from, const Conversion &conversion);

/// Null: none. Entries of more than 8 bytes, which no constant has, are left out. Errors:
/// InvalidInput for an entry beyond the data, for a null array with elements.
llvm::Expected<std::vector<llpc::SpecConstant>> specializationOf(const VkSpecializationInfo *from);
/// Bindings, attributes and divisors. Null: none. Errors: InvalidInput for a null array with
/// elements.
llvm::Expected<llpc::VertexInputInfo>
vertexInputOf(const VkPipelineVertexInputStateCreateInfo *from);

} // namespace icd::amd
