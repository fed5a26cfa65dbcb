//===- PartInput.h - what of a build info a part is made of ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Part.h"
#include "llpc/Parts.h"
#include "llpc/context/Hash.h"
#include "llpc/reflect/ResourceUsage.h"

namespace llpc {

/// The build info that a part of \p info is compiled from: what its code cannot depend on has the
/// default, so infos that differ there only give the same one. Callbacks, dump and verification
/// are left out. See PartInput.cpp for the rules.
/// Errors: InvalidInput for missing shaders, entry points and bindings, and constants of another
/// size; Unsupported for what cannot be a part.
llvm::Expected<ComputePipelineBuildInfo> partInput(const ComputePipelineBuildInfo &info,
                                                   SpecializedAt at);
llvm::Expected<GraphicsPipelineBuildInfo> partInput(const GraphicsPipelineBuildInfo &info,
                                                    lgc::PartKind kind, SpecializedAt at);

/// What of the pipeline is left to linking.
lgc::PartState partStateOf(const ComputePipelineBuildInfo &input, SpecializedAt at);
lgc::PartState partStateOf(const GraphicsPipelineBuildInfo &input, lgc::PartKind kind,
                           SpecializedAt at);

/// What \p shader uses, with its specialization. Its entry point must exist. \p storage is for what
/// the module does not keep.
llvm::Expected<const ResourceUsage *> shaderUsage(const PipelineShaderInfo &shader,
                                                  ResourceUsage &storage);

/// Does a vertex shader read attributes? Its entry point must exist.
bool readsInputs(const PipelineShaderInfo &shader);
/// Adds the memory that describes attributes (lgc/UberFetch.h) to what a vertex shader uses.
void addVertexDescription(ResourceUsage &usage);

/// Specialization constants that change what the shader computes: those that the module declares,
/// with other values than it has itself, in ascending order.
std::vector<SpecConstant> partSpecialization(const PipelineShaderInfo &shader);

} // namespace llpc
