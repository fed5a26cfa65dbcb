//===- StageNames.h - what stages are called ------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Compiler.h"

namespace llpc {

/// A stage by all of its names.
struct StageNames {
  ShaderStage stage;
  llvm::StringLiteral name;         ///< in messages: "tessellation control"
  llvm::StringLiteral suffix;       ///< of files with GLSL: "tesc"
  llvm::StringLiteral pipe;         ///< of sections in .pipe files: "Tcs"
  llvm::StringLiteral pipeLong;     ///< the same, AMD's longer form: "TessControlShader"
  llvm::StringLiteral model;        ///< SPIR-V's execution model, and
  uint32_t modelNumber, vulkanFlag; ///< its number; VkShaderStageFlagBits
};

/// Every stage, in the order of ShaderStage.
llvm::ArrayRef<StageNames> stageNames();
/// Those of graphics pipelines and compute.
inline llvm::ArrayRef<StageNames> rasterAndComputeStages() {
  return stageNames().take_front(lgc::shaderStageCount);
}
/// \p stage must be one.
inline const StageNames &namesOf(ShaderStage stage) {
  return stageNames()[static_cast<unsigned>(stage)];
}

// Count: there is none.
ShaderStage stageOfSuffix(llvm::StringRef suffix);
ShaderStage stageOfModel(uint32_t modelNumber);
ShaderStage stageOfVulkan(uint32_t flag);

} // namespace llpc
