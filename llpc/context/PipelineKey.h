//===- PipelineKey.h - which inputs a pipeline's code depends on ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/context/Hash.h"

namespace llpc {

/// Keys of a compute pipeline for \p target ("gfx1100"). See PipelineKey.cpp for what they contain.
PipelineHashes computePipelineHashes(const ComputePipelineBuildInfo &info, llvm::StringRef target);

/// Parts of keys, for the keys of other pipelines and for tests.
void encode(Hasher &h, const ResourceMappingData &mapping);
void encode(Hasher &h, const PipelineOptions &options);
void encode(Hasher &h, const PipelineShaderOptions &options);
void encode(Hasher &h, llvm::ArrayRef<SpecConstant> specialization);

} // namespace llpc
