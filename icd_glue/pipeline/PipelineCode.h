//===- PipelineCode.h - how a pipeline comes by its code ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// In this order: the driver's cache has the whole code; its parts are there or about to be
/// (partial/PartialPipeline.h), and are linked in microseconds; a whole compile. What comes of it
/// goes to the cache.
#pragma once

#include "icd_glue/pipeline/CodeObject.h"
#include "icd_glue/pipeline/PipelineLayout.h"

namespace icd {

struct CodeRequest {
  Device &device;
  std::shared_ptr<const PipelineLayoutData> layout;
  std::string name; ///< of the program, for messages
  VkShaderStageFlags stages = 0;
  /// VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT is not set.
  bool mayCompile = true;
};

struct PipelineCode {
  std::shared_ptr<const CodeObject> code; ///< null: a compile would be needed, and is not allowed
  /// Set after a whole compile: code that the device cannot execute is an error at once.
  std::shared_ptr<const pal::device::Program> program;
};

/// The code of a pipeline; \p build has the resource mapping of the request's layout. Reports the
/// compiler's warnings. Errors: those of the whole compile.
llvm::Expected<PipelineCode> codeOf(const CodeRequest &request,
                                    const llpc::ComputePipelineBuildInfo &build);
llvm::Expected<PipelineCode> codeOf(const CodeRequest &request,
                                    const llpc::GraphicsPipelineBuildInfo &build);

} // namespace icd
