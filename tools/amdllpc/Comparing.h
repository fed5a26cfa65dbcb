//===- Comparing.h - two sides of -compare --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// BEFORE is what -compare names: a report (.json), a shader, a .pipe file, a folder,
/// "git:REVISION" (the same inputs as they were then), "git:REVISION:PATH", or "radv". All but
/// reports and RADV are compiled, with -compare-options on top of the other options. AFTER is what
/// the command line compiles, or one report.
#pragma once

#include "GitTrees.h"
#include "Job.h"

namespace amdllpc {

inline bool comparesWithRadv(const Options &options) { return options.compare == "radv"; }
/// The report that is AFTER; empty: inputs are compiled.
std::string reportOfInput(const Options &options);

/// The text of BEFORE as a report. What does not compile is said on standard error and left out.
/// Errors: nothing of it can be had.
llvm::Expected<std::string> reportBefore(const Options &options, GitTrees &trees);

/// Prints what changed, in the format of \p options. False: something is worse than -limit allows.
/// Errors: a text is no report.
llvm::Expected<bool> printComparison(llvm::raw_ostream &os, const Options &options,
                                     llvm::StringRef before, llvm::StringRef after);

} // namespace amdllpc
