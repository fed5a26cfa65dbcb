//===- DrawDirectives.h - the part of the test language about drawing ------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Directives.h"

namespace exec {

/// What directives about drawing see of a test.
struct DrawScope {
  Job &job;
  const std::map<std::string, uint32_t> &buffers, &images; ///< by name
};

/// Applies one directive to scope.job.graphics. False: it is not about drawing. README.md lists
/// them. Errors: words that are not understood.
llvm::Expected<bool> applyDrawDirective(DrawScope &scope, llvm::StringRef keyword,
                                        const Words &words);

/// Fills in what a drawing test need not say: one draw of three vertices.
void finishDraw(Job &job);

} // namespace exec
