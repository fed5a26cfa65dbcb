//===- AccelDirectives.h - acceleration structures of tests ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Directives.h"

namespace exec {

/// What directives about structures see of a test.
struct AccelScope {
  Job &job;
  const std::map<std::string, uint32_t> &buffers;
  std::map<std::string, uint32_t> &structures; ///< by name
};

/// Applies one directive. False: it is not about structures. README.md lists them. Errors: words
/// that are not understood.
llvm::Expected<bool> applyAccelDirective(AccelScope &scope, llvm::StringRef keyword,
                                         const Words &words);

} // namespace exec
