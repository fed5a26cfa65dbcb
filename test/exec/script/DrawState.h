//===- DrawState.h - `state` and its relatives in tests --------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Directives.h"

namespace exec {

/// "1,2.5,-3"; false for anything else. Empty text: no numbers.
bool parseNumbers(llvm::StringRef text, std::vector<double> &numbers);

/// state KEY=VALUE...; blend TARGET ...; stencilstate front|back|both ...; viewport X Y W H [MIN
/// MAX]; scissor X Y W H. README.md lists the keys. Errors: unknown keys and values.
llvm::Error applyState(GraphicsSpec &spec, const Words &words);
llvm::Error applyBlend(GraphicsSpec &spec, const Words &words);
llvm::Error applyStencilState(GraphicsSpec &spec, const Words &words);
llvm::Error applyViewport(GraphicsSpec &spec, const Words &words);
llvm::Error applyScissor(GraphicsSpec &spec, const Words &words);

} // namespace exec
