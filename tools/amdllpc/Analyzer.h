//===- Analyzer.h - Radeon GPU Analyzer's command line and files ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// amdllpc takes what scripts give `rga`: modes (-s vk-offline), targets (-c gfx1030), a shader for
/// each stage (--frag FILE), and files about the code (--isa FILE), which are named as the analyzer
/// names them: TARGET_FILE_STAGE.EXTENSION beside FILE.
#pragma once

#include "Job.h"

namespace amdllpc {

/// Where such a file goes and what it is called, "gfx1100_code_frag.txt" for "code.txt"; \p path
/// may be a folder. \p stage is empty for a file about all stages.
std::string analyzerFile(AnalyzerFile kind, const std::string &path, llvm::StringRef target,
                         llvm::StringRef stage);

/// Errors (usage): files of several pipelines would have the same names.
llvm::Error checkAnalyzerFiles(const Options &options, llvm::ArrayRef<PipelineInput> inputs);
/// Writes those that are wanted. Errors: code that cannot be read; a file cannot be written.
llvm::Error writeAnalyzerFiles(const Options &options, const JobResult &result);

/// Of -list-asics: a line for each target.
std::string targetList();
/// "Building for gfx1100... succeeded."
std::string analyzerMessages(const Options &options, llvm::ArrayRef<JobResult> results);

} // namespace amdllpc
