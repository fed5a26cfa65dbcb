//===- StateKey.h - state of pipelines in keys ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Canonical encodings of what code depends on besides shaders: one list of fields for the
/// compiler's keys and for those of a driver.
#pragma once

#include "llpc/Hasher.h"

namespace llpc {

void encode(Hasher &h, const ResourceMappingData &mapping);
void encode(Hasher &h, const PipelineOptions &options);
void encode(Hasher &h, const PipelineShaderOptions &options);
/// In whatever order the constants are listed.
void encode(Hasher &h, llvm::ArrayRef<SpecConstant> specialization);

/// State by the half of the pipeline that it belongs to; some belongs to both.
void encodePreRasterizationState(Hasher &h, const GraphicsPipelineBuildInfo &info);
void encodeFragmentState(Hasher &h, const GraphicsPipelineBuildInfo &info);
/// Both: a graphics pipeline without shaders, options and mapping.
void encodeGraphicsState(Hasher &h, const GraphicsPipelineBuildInfo &info);

} // namespace llpc
