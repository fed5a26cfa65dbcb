//===- RayTracingPipeline.cpp - a ray tracing pipeline from SPIR-V to ELF --===//
// SPDX-License-Identifier: MIT
#include "llpc/RayTracing.h"
#include "llpc/context/CompilerImpl.h"
#include "llpc/context/PipelineKey.h"

namespace llpc {

llvm::Expected<RayTracingPipelineResult>
Compiler::buildRayTracingPipeline(const RayTracingPipelineBuildInfo &info) const {
  return lgc::unsupported("ray tracing pipeline of " + llvm::Twine(info.shaders.size()) +
                          " shaders");
}

PipelineHashes Compiler::hashRayTracingPipeline(const RayTracingPipelineBuildInfo &info) const {
  return rayTracingPipelineHashes(info, impl->target.name);
}

} // namespace llpc
