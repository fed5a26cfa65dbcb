//===- GraphicsBuild.h - graphics pipeline state for the compiler ---------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/state/GraphicsState.h"
#include "icd_glue/state/PipelineLayout.h"
#include "llpc/Compiler.h"

namespace icd {

/// Fills in the state of \p build that changes code. What is dynamic is compiled for every value
/// that it can have.
void setCompilerState(llpc::GraphicsPipelineBuildInfo &build, const GraphicsState &state);

/// Whether draws must tell a task shader the view, each view by itself.
bool hasTaskViews(const GraphicsState &state);
/// The mapping of \p layout for a pipeline with this state.
lgc::ResourceMapping mappingFor(const PipelineLayoutData &layout, const GraphicsState &state);
/// Whether the table of vertex buffers has a V# for each attribute, by location, and not for each
/// binding: where attributes reach beyond the stride. What they have in the buffer then differs by
/// whole elements, and a V# knows only one number of them. Not with dynamic strides, of which
/// nothing is known.
bool hasAttributeDescriptors(const GraphicsState &state);

/// "vertex main, fragment main".
std::string programNameOf(const llpc::GraphicsPipelineBuildInfo &build);

/// Whether the blend equation takes a second colour of the fragment shader.
bool isDualSource(const pal::device::ColorTargetState &target);

/// What code reads of a draw's dynamic state as user data (docs/hw-notes.md, "ps-inputs",
/// "tessellation"). \p byLocation: blending in the order of locations.
uint32_t compositeDataOf(const DrawState &state, const pal::device::BlendState &byLocation);

} // namespace icd
