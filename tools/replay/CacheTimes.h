//===- CacheTimes.h - what pipelines cost that are not compiled -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Times everything that spares a compile, of captured pipelines on any driver: caches in memory
/// and from data, pipeline binaries, keys, identifiers, libraries. The figures depend on what the
/// driver keeps by itself, so the process's environment has to switch its cache on disk off.
#pragma once

#include "CacheFigures.h"
#include "Run.h"

namespace replay {

struct CacheTimesOptions {
  size_t device = 0;
  unsigned rounds = 7; ///< devices that load the cache's data, and repetitions of single calls
  /// Waits for what a driver does in the background; before anything is timed.
  std::function<void(const Device &)> settle;
  /// One more step of a capture is done. Of caches each has three steps, of libraries one.
  std::function<void()> step = [] {};
  /// False: nothing further is to be timed.
  std::function<bool()> goesOn = [] { return true; };
};

struct CacheFigure {
  const char *what = ""; ///< a name of namespace figure
  PipelineKind kind = PipelineKind::Graphics;
  const Capture *capture = nullptr; ///< null: of all together
  double value = 0;                 ///< microseconds of one call, median; bytes; ratio
};
using ReportFigure = llvm::function_ref<void(const CacheFigure &)>;

/// All but libraries. The driver should build nothing in the background (KILN_PARTS=off).
/// Errors: captures that cannot be prepared, wrong results. Functions that the device lacks are
/// left out.
llvm::Error measureCaches(const Driver &driver, const Captures &captures,
                          const CacheTimesOptions &options, ReportFigure report);

/// Graphics pipelines that have a vertex and a fragment shader, as four libraries each that are
/// linked without optimisation.
llvm::Error measureLibraries(const Driver &driver, const Captures &captures,
                             const CacheTimesOptions &options, ReportFigure report);

} // namespace replay
