//===- JobRunner.h - all pipelines of a command line, in threads ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Job.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace amdllpc {

/// How many threads compile \p count inputs.
unsigned threadsFor(const Options &options, size_t count);

/// Compiles all inputs in threads, shows how far it has come, and hands the results of each on, in
/// the order of the inputs, as soon as all before are there; by the calling thread. False: the user
/// interrupted it, and the last ones are missing.
bool runJobs(const Options &options, llvm::ArrayRef<PipelineInput> inputs,
             const Compilers &compilers, llvm::function_ref<void(std::vector<JobResult> &)> take);

/// One for each target. Errors: a target that is not known.
llvm::Expected<Compilers> createCompilers(const Options &options);

} // namespace amdllpc
