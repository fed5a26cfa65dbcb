//===- RayDirectives.h - the part of the test language about rays ---------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Directives.h"

namespace exec {

/// What directives about ray tracing pipelines see of a test.
struct RayScope {
  Job &job;
  /// Numbers of shaders and groups by name.
  std::map<std::string, uint32_t> &shaders, &groups;
  const ExpressionScope &values;
};

/// Applies one directive to scope.job.rays. False: it is not about ray tracing pipelines. README.md
/// lists them. Errors: words that are not understood.
llvm::Expected<bool> applyRayDirective(RayScope &scope, llvm::StringRef keyword,
                                       llvm::StringRef rest);

/// Fills in what a test need not say: groups and records of shaders that no line mentions, one
/// launch.
void finishRays(RayScope &scope);

} // namespace exec
