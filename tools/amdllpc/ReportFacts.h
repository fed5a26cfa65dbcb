//===- ReportFacts.h - what -report shows of a job ------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Job.h"

namespace amdllpc {

/// Adds the texts that the lines of the module are of: the one that it was compiled from, as
/// \p name, and what it carries. A module without lines gets those of its assembly text.
void addSourcesForReport(LoadedInput &module, const std::string &name,
                         std::vector<report::Source> &sources);

/// Takes what the compilation says about itself; \p result.facts is there.
void fillFacts(JobResult &result, llvm::ArrayRef<uint8_t> elf);

/// Warns of outputs that the next stage does not read.
void warnOfInterfaces(const llpc::GraphicsPipelineBuildInfo &info, JobResult &result);
/// Executes \p elf, the result of \p info, with generated inputs. What cannot be executed is a
/// warning of the report.
void runForReport(const llpc::ComputePipelineBuildInfo &info, llvm::ArrayRef<uint8_t> elf,
                  JobResult &result);
void runForReport(const llpc::GraphicsPipelineBuildInfo &info, llvm::ArrayRef<uint8_t> elf,
                  JobResult &result);

/// Collects the facts of all jobs and writes them. Not thread-safe.
class ReportFile {
public:
  explicit ReportFile(const Options &options);
  ~ReportFile();
  /// Nothing without facts. Errors: what the report cannot read of a code object.
  llvm::Error add(JobResult &result);
  /// Errors: the file cannot be written.
  llvm::Error write();
  std::string json() const;

private:
  const Options &options;
  std::unique_ptr<report::ReportWriter> writer;
};

} // namespace amdllpc
