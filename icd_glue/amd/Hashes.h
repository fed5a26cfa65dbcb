//===- Hashes.h - names of pipelines that a driver asks for ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// AMD's drivers ask for hashes without a compiler object, before they look into their caches: they
/// depend on no GPU, and are made of AMD's structures as they stand, at the cost of some
/// microseconds. The keys of compiled code are others (llpc::PipelineHashes).
#pragma once

#include "icd_glue/amd/Interface.h"

namespace icd::amd {

/// Everything that can change the pipeline's code or its name: shaders, specialization, resource
/// mapping, state, options. info.pipelineApiHash, if it is not 0, stands for all of it.
uint64_t pipelineHashOf(const Vkgc::ComputePipelineBuildInfo &info);
uint64_t pipelineHashOf(const Vkgc::GraphicsPipelineBuildInfo &info);

/// Of one half of a graphics pipeline, for a driver's cache of compiled halves: what does not reach
/// the stages on the side of \p stage is left out.
uint64_t halfHashOf(const Vkgc::GraphicsPipelineBuildInfo &info, Vkgc::ShaderStage stage);

/// Of the SPIR-V.
uint64_t moduleHashOf(const Vkgc::ShaderModuleData &data);

/// "PipelineVsFs_0x0123456789ABCDEF": names as AMD's own tools know them.
std::string pipelineNameOf(const Vkgc::ComputePipelineBuildInfo &info, uint64_t hash);
std::string pipelineNameOf(const Vkgc::GraphicsPipelineBuildInfo &info, uint64_t hash);

} // namespace icd::amd
