//===- RelinkDemo.h - monolithic pipelines and linked ones, side by side --===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Compiler.h"
#include <string>
#include <vector>

namespace amdllpc {

struct RelinkDemo {
  std::string text;            ///< for people
  std::vector<uint8_t> linked; ///< code object
};

/// Makes parts of the pipeline with layouts that are guessed from its shaders, links them with the
/// pipeline's own layout, and compares with the code object `monolithic` of the pipeline compiled
/// in one piece, which took `monolithicMs`. Errors: those of parts and links; the message says
/// which part.
llvm::Expected<RelinkDemo> relinkDemo(const llpc::Compiler &compiler,
                                      const llpc::ComputePipelineBuildInfo &info,
                                      llvm::ArrayRef<uint8_t> monolithic, double monolithicMs);
llvm::Expected<RelinkDemo> relinkDemo(const llpc::Compiler &compiler,
                                      const llpc::GraphicsPipelineBuildInfo &info,
                                      llvm::ArrayRef<uint8_t> monolithic, double monolithicMs);

} // namespace amdllpc
