//===- StateKey.h - state of pipelines in keys ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Canonical encodings of what code depends on besides shaders: one list of fields for the
/// compiler's keys and for those of a driver.
#pragma once

#include "llpc/Hasher.h"

namespace pal::abi {
struct GpuTarget;
}

namespace llpc {

void encode(Hasher &h, const ResourceMappingData &mapping);
void encode(Hasher &h, const PipelineOptions &options);
void encode(Hasher &h, const PipelineShaderOptions &options);
/// In whatever order the constants are listed.
void encode(Hasher &h, llvm::ArrayRef<SpecConstant> specialization);

/// Values of state that are the same to code become one, for the stages that \p info has, with a
/// module or by its stageMask.
void normalizeState(GraphicsPipelineBuildInfo &info, const pal::abi::GpuTarget &target);

/// State by the half of the pipeline that it belongs to; some belongs to both.
void encodePreRasterizationState(Hasher &h, const GraphicsPipelineBuildInfo &info);
void encodeFragmentState(Hasher &h, const GraphicsPipelineBuildInfo &info);
/// Both: a graphics pipeline without shaders, options and mapping.
void encodeGraphicsState(Hasher &h, const GraphicsPipelineBuildInfo &info);

} // namespace llpc
