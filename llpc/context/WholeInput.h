//===- WholeInput.h - what of a build info a whole pipeline is made of ----===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/GraphicsState.h"
#include "llpc/Compiler.h"
#include "llpc/EntryReflection.h"

namespace llpc {

/// The build info that a pipeline is compiled from and that its cacheHash is of: values that are
/// the same to code have one that stands for them. See WholeInput.cpp for the rules. What is wrong
/// with \p info stays, for whoever checks it.
ComputePipelineBuildInfo wholeInput(const ComputePipelineBuildInfo &info);
GraphicsPipelineBuildInfo wholeInput(const GraphicsPipelineBuildInfo &info, llvm::StringRef target);

//===--- Shared with parts ------------------------------------------------===//

/// One topology for all that are the same to shaders. \p adjacency: it counts, in front of geometry
/// shaders.
lgc::Topology topologyClass(lgc::Topology topology, bool adjacency);

/// Are attributes described in memory? Those that vertexInput has are not.
bool isUberFetch(const GraphicsPipelineBuildInfo &info);
/// Options that only fragment shaders have a use for.
void dropFragmentOptions(PipelineShaderInfo &shader);

/// What a fragment shader with \p traits can tell of samples; the rest of \p to stays.
void takeSamples(RasterizerState &to, const RasterizerState &from, EntryTraits traits);

} // namespace llpc
