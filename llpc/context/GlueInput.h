//===- GlueInput.h - what of a build info glue is made of -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Part.h"
#include "llpc/Compiler.h"
#include "llpc/context/Hash.h"

namespace llpc {

/// The state that glue for \p part is compiled from: of \p info what the part's signature has a
/// use for, the rest is the default. \p kind is VertexFetch or ColorExport, and \p part must have
/// the signature of that. See GlueInput.cpp for the rules.
lgc::GraphicsState glueInput(const lgc::PartInfo &part, const GraphicsPipelineBuildInfo &info,
                             lgc::PartKind kind, llvm::StringRef target);

/// The key of glue made of \p input for \p part.
Hash128 glueHash(const lgc::PartInfo &part, const lgc::GraphicsState &input, lgc::PartKind kind,
                 llvm::StringRef target);

} // namespace llpc
