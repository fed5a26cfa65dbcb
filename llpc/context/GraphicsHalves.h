//===- GraphicsHalves.h - a graphics pipeline by two threads --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "llpc/Compiler.h"
#include <optional>

namespace llpc {

/// Can the stages before rasterization and the fragment shader be compiled at the same time? Not
/// when the result is text, or holds some, and not with mesh shaders.
bool hasHalves(const GraphicsPipelineBuildInfo &info);

/// Does so. Nothing when it takes a monolithic compile, if only to report what is wrong. Errors:
/// Internal.
std::optional<llvm::Expected<GraphicsPipelineResult>>
buildGraphicsHalves(const GraphicsPipelineBuildInfo &info, const PipelineHashes &hashes,
                    llvm::StringRef target, lgc::Backend &backend);

} // namespace llpc
