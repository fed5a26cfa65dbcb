//===- Report.h - the table, the JSON report and the progress bar ---------===//
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

/// A bar on standard error while several inputs are compiled; nothing when that is no terminal.
class ProgressBar {
public:
  explicit ProgressBar(size_t total);
  /// Draws that \p done inputs are finished. Not thread-safe.
  void update(size_t done);
  /// Removes the bar, so that other output can be written.
  void clear();

private:
  size_t total;
  bool enabled;
  bool drawn = false;
};

} // namespace amdllpc
