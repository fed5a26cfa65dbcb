//===- GlueInput.h - what of a build info glue is made of -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Part.h"
#include "llpc/Compiler.h"
#include "llpc/context/Hash.h"

namespace pal::abi {
struct GpuTarget;
} // namespace pal::abi

namespace llpc {

/// The state that glue for \p part is compiled from: of \p info what the part's signature has a
/// use for, the rest is the default. \p kind is VertexFetch or ColorExport, and \p part must have
/// the signature of that. See GlueInput.cpp for the rules.
lgc::GraphicsState glueInput(const lgc::PartInfo &part, const GraphicsPipelineBuildInfo &info,
                             lgc::PartKind kind, llvm::StringRef target);

/// The key of glue made of \p input for \p part.
Hash128 glueHash(const lgc::PartInfo &part, const lgc::GraphicsState &input, lgc::PartKind kind,
                 llvm::StringRef target);

/// What stands for \p target and all others that are exported alike, when the shader can write the
/// components \p written, with one source: without blending. What cannot be exported stays as it
/// is.
/// \p forCoverage: coverage takes the alpha.
ColorTargetState exportClass(const ColorTargetState &target, uint32_t written, bool forCoverage,
                             const pal::abi::GpuTarget &gpu);

} // namespace llpc
