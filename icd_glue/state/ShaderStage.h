//===- ShaderStage.h - VkPipelineShaderStageCreateInfo for the compiler ---===//
// SPDX-License-Identifier: MIT
/// \file
/// What is the same for the shaders of every kind of pipeline: the module (a handle, or inline in
/// the pNext chain), specialization, subgroup size and robustness.
#pragma once

#include "icd_glue/Object.h"
#include "llpc/Compiler.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace icd {

class Device;

/// Module, entry point, specialization and subgroup size of a stage. Nothing, with a null module,
/// if there is an identifier and no such module is alive. Errors: the module's.
llvm::Expected<llpc::PipelineShaderInfo> shaderInfoOf(Device &device,
                                                      const VkPipelineShaderStageCreateInfo &stage);

/// The same of a stage whose module is known: \p stage.module is not looked at.
llpc::PipelineShaderInfo shaderInfoOf(Device &device, llpc::ShaderModule module,
                                      const VkPipelineShaderStageCreateInfo &stage);

/// The same with the stage, of a graphics pipeline. Errors: also stages that these do not have.
llvm::Expected<llpc::PipelineShaderInfo>
graphicsShaderOf(Device &device, const VkPipelineShaderStageCreateInfo &stage);
llvm::Expected<llpc::PipelineShaderInfo>
graphicsShaderOf(Device &device, llpc::ShaderModule module,
                 const VkPipelineShaderStageCreateInfo &stage);

/// Options that the device's features decide, changed by VkPipelineRobustnessCreateInfo in
/// \p pipelineNext and in any of \p stages.
llpc::PipelineOptions pipelineOptionsOf(Device &device, const void *pipelineNext,
                                        llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages,
                                        VkPipelineCreateFlags2KHR flags);

/// VkPipelineCreateFlags2CreateInfo if it is in the chain, else \p flags.
VkPipelineCreateFlags2KHR pipelineFlagsOf(VkPipelineCreateFlags flags, const void *next);

} // namespace icd
