//===- ComputePipeline.cpp - one compute pipeline from SPIR-V to ELF ------===//
// SPDX-License-Identifier: MIT
#include "llpc/context/CompilerImpl.h"

namespace llpc {

llvm::Expected<ComputePipelineResult>
Compiler::buildComputePipeline(const ComputePipelineBuildInfo &info) const {
  return lgc::unsupported("code generation of compute pipelines");
}

} // namespace llpc
