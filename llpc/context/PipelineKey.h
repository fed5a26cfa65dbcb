//===- PipelineKey.h - which inputs a pipeline's code depends on ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Part.h"
#include "llpc/Compiler.h"

namespace llpc {

/// Keys of a compute pipeline for \p target ("gfx1100"). See PipelineKey.cpp for what they contain.
PipelineHashes computePipelineHashes(const ComputePipelineBuildInfo &info, llvm::StringRef target);

/// Keys of a graphics pipeline, or of a part that is compiled alone.
PipelineHashes graphicsPipelineHashes(const GraphicsPipelineBuildInfo &info,
                                      llvm::StringRef target);

PipelineHashes rayTracingPipelineHashes(const RayTracingPipelineBuildInfo &info,
                                        llvm::StringRef target);

/// Keys of parts. \p input comes from partInput(), and is encoded as cacheHash encodes build infos;
/// \p state from partStateOf().
Hash128 partHash(const ComputePipelineBuildInfo &input, const lgc::PartState &state,
                 llvm::StringRef target);
Hash128 partHash(const GraphicsPipelineBuildInfo &input, lgc::PartKind kind,
                 const lgc::PartState &state, llvm::StringRef target);

} // namespace llpc
