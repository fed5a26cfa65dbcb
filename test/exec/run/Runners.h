//===- Runners.h - the kinds of tests -------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "../script/Script.h"
#include "Session.h"

namespace exec {

/// The command line of kiln-exec.
struct RunOptions {
  std::string command;
  std::vector<std::string> inputs; ///< files and folders
  std::string filter;              ///< part of a test's name
  std::string device;              ///< part of a device's name; empty: all devices
  std::string referenceFolder;     ///< results of lavapipe, written there and read elsewhere
  std::string recorded;            ///< of scripts: file of another GPU's results
  std::string output;              ///< folder for results
  std::string captures;            ///< of scripts: folder for their ray tracing pipelines
  std::string modules;             ///< folder of modules that test files name
  std::string controlDefects;      ///< list of what lavapipe does wrong
  uint64_t seed = 1;
  unsigned part = 0, parts = 1; ///< of families: modules part, part + parts, and so on
  bool verbose = false;
  bool quiet = false; ///< no progress
  bool validation = false;
  bool record = false; ///< write references whatever the driver is
  bool near = false;   ///< of captures: the reference is another driver's
  bool exact = false;  ///< all bits count in comparisons with references
};

/// The files themselves, and those in folders that end in one of \p suffixes; sorted.
std::vector<std::string> findFiles(llvm::ArrayRef<std::string> paths,
                                   llvm::ArrayRef<llvm::StringRef> suffixes);

/// Test files (Script.h).
void runScripts(Session &session, Report &report, const RunOptions &options);
/// Value instructions over edge values against C++ arithmetic (families/).
void runFamilies(Session &session, Report &report, const RunOptions &options);
/// Folders with a case.json of the shader corpus.
void runCorpusCases(Session &session, Report &report, const RunOptions &options);
/// Shaders with generated inputs, compared with lavapipe's results.
void runSamples(Session &session, Report &report, const RunOptions &options);
/// Vertex and fragment shaders with generated scenes, compared with lavapipe's pictures.
void runPairs(Session &session, Report &report, const RunOptions &options);
/// Captured pipelines (tools/replay) with generated inputs, against what this driver recorded.
void runCaptures(Session &session, Report &report, const RunOptions &options);

/// Prints the SPIR-V instructions of which test files are made, a line for each, without a device.
/// 0, or 1 after an error.
int listInstructions(const RunOptions &options);

} // namespace exec
