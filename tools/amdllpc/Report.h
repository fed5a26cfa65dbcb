//===- Report.h - the table and the JSON report --------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Job.h"
#include "llvm/Support/raw_ostream.h"

namespace amdllpc {

/// Time and threads of the whole run.
struct RunSummary {
  double elapsedMs = 0;
  unsigned threads = 1;
};

void printTable(llvm::raw_ostream &os, llvm::ArrayRef<JobResult> results, const Options &options,
                const RunSummary &summary);
/// One JSON object; the keys are documented in docs/amdllpc.md.
void printJson(llvm::raw_ostream &os, llvm::ArrayRef<JobResult> results, const RunSummary &summary);

} // namespace amdllpc
