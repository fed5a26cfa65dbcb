//===- GraphicsChecks.h - rules for what a graphics pipeline may be given -===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Part.h"
#include "llpc/Compiler.h"

namespace llpc {

/// "vertex attribute at location 3" and the like for a format that is unknown here.
llvm::Error unknownFormat(const llvm::Twine &user, uint32_t format);

/// Everything that can be said before a shader is translated. Errors: InvalidInput,
/// LimitExceeded; Unsupported for formats.
llvm::Error checkGraphicsInfo(const GraphicsPipelineBuildInfo &info);

/// The part of it that is about the state that glue is made of: VertexFetch the vertex input,
/// ColorExport the colour targets.
llvm::Error checkGlueState(const GraphicsPipelineBuildInfo &info, lgc::PartKind kind);

/// What the shaders declare against each other and against the pipeline's state, after translation.
/// `compiledStages` has a bit per stage whose shader was translated.
llvm::Error checkGraphicsModes(const lgc::GraphicsState &state, uint32_t compiledStages);

} // namespace llpc
