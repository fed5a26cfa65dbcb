//===- Job.h - compiling one input for every target -----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Inputs.h"
#include <optional>

namespace amdllpc {

/// What came of one entry point for one target.
struct JobResult {
  std::string name; ///< as the report shows it
  std::string path;
  std::string entry;
  std::string target;
  std::optional<lgc::ErrorText> error;
  std::vector<std::string> warnings;
  llpc::PipelineHashes hashes;
  llpc::ShaderStatistics statistics;
  llpc::PhaseTimes times;
  double frontEndMs = 0; ///< GLSL or assembly to SPIR-V, and validation
  std::string log;       ///< -v
  std::string bytes;     ///< result, when one was asked for
};

/// Does the command line ask for results (and not only for the report)?
inline bool wantsOutput(const Options &options) {
  return options.outputKindGiven || !options.output.empty();
}

using Compilers = std::vector<std::unique_ptr<llpc::Compiler>>;
/// One result for each compiler. Safe to call from several threads.
std::vector<JobResult> runJob(const Input &input, const Options &options,
                              const Compilers &compilers);

/// `-spec` arguments as bytes of their constants' types. Errors: no such constant, not a value of
/// its type.
llvm::Expected<std::vector<llpc::SpecConstant>>
convertSpecialization(llvm::ArrayRef<SpecArgument> arguments, const llpc::spirv::Module &module);

/// The entry point to compile. Errors: InvalidInput when there is none or the choice is not clear,
/// Unsupported when it is of another stage.
llvm::Expected<std::string> chooseEntry(const llpc::ShaderModule &module,
                                        const std::string &wanted);

} // namespace amdllpc
