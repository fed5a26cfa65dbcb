//===- ReflectBench.h - what modules use, without compiling ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace bench {

struct ReflectOptions {
  std::string corpus, work;
  unsigned rounds = 7;
  bool perModule = false;
  bool quiet = false; ///< no progress
};

/// Describes every module of the corpus (llpc/ShaderModuleData.h), all stages, and prints the time
/// of each step for 10 KB of SPIR-V. Returns the exit code.
int runReflectBench(const ReflectOptions &options);

} // namespace bench
