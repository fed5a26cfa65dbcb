//===- Output.h - where results go ----------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Job.h"

namespace amdllpc {

/// Decides once where every result goes, so that nothing is compiled for a wrong -o.
class OutputPlan {
public:
  /// Errors (usage): several results for one file or standard output, an ELF for a terminal.
  static llvm::Expected<OutputPlan>
  create(const Options &options, llvm::ArrayRef<PipelineInput> inputs, size_t targetCount);
  /// Writes result.bytes where it belongs. Errors: cannot write.
  llvm::Error write(const JobResult &result) const;
  bool usesStdout() const { return toStdout; }

private:
  std::string fileFor(const std::string &inputName, const std::string &entry,
                      const std::string &target) const;

  std::string path;
  std::string extension;
  bool enabled = false;
  bool toStdout = false;
  bool toFolder = false;
  bool nameTarget = false; ///< several targets: the file name carries the target
};

/// Errors: cannot write.
llvm::Error writeFile(const std::string &path, llvm::StringRef bytes);

} // namespace amdllpc
