//===- ComputePipeline.cpp - one compute pipeline from SPIR-V to ELF ------===//
// SPDX-License-Identifier: MIT
#include "llpc/context/CompilerImpl.h"
#include "llpc/context/PipelineBuild.h"
#include "llpc/context/PipelineKey.h"
#include "llpc/context/WholeInput.h"
#include "pal_shim/abi/Try.h"

namespace llpc {

llvm::Expected<ComputePipelineResult> buildCompute(const ComputePipelineBuildInfo &info,
                                                   const lgc::PartState &part,
                                                   const PipelineHashes &hashes,
                                                   llvm::StringRef target, lgc::Backend &backend) {
  ComputePipelineResult result;
  result.hashes = hashes;
  const PipelineShaderInfo *shaders[] = {&info.cs};
  PipelineBuild build(info, shaders, target, backend, result);
  build.setPart(part);
  KILN_TRY(build.run([](lgc::PipelineState &) { return llvm::Error::success(); }));
  result.statistics = statisticsOf(build.compiled().stats);
  result.statistics.workgroupSize = build.state().compute.workgroupSize;
  return result;
}

llvm::Expected<ComputePipelineResult>
Compiler::buildComputePipeline(const ComputePipelineBuildInfo &info) const {
  if (info.cs.module && info.cs.entryStage != ShaderStage::Compute)
    return lgc::invalidInput("a compute pipeline cannot have " +
                             withArticle(shaderStageName(info.cs.entryStage)) + " shader");
  KILN_TRY(checkShader(info.cs, ShaderStage::Compute));
  KILN_TRY(checkOptions(info.cs));
  return buildCompute(wholeInput(info), {}, computePipelineHashes(info, impl->target.name),
                      impl->target.name, impl->backend);
}

PipelineHashes Compiler::hashComputePipeline(const ComputePipelineBuildInfo &info) const {
  return computePipelineHashes(info, impl->target.name);
}

} // namespace llpc
