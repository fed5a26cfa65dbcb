//===- Dumper.h - .pipe files that a driver asks for ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What stands behind Vkgc::IPipelineDumper: a driver begins a dump, adds binaries and lines to it,
/// and ends it. The .pipe file is the one that this project's tools read (docs/pipe-files.md), with
/// the driver's lines at its end as comments, and the SPIR-V beside it; code objects become files
/// of their own, NAME.elf, NAME.1.elf ...
#pragma once

#include "icd_glue/amd/Interface.h"
#include "llpc/PipeFile.h"
#include <memory>
#include <mutex>

namespace icd::amd {

class DumpFile {
public:
  /// Null: the options filter the pipeline out, it is there already, it cannot be written, or the
  /// build info is one that cannot be built.
  static std::unique_ptr<DumpFile> begin(const Vkgc::PipelineDumpOptions &options,
                                         const Vkgc::PipelineBuildInfo &info, uint64_t hash);
  /// Writes the last lines.
  ~DumpFile();

  void addBinary(const Vkgc::BinaryData &binary);
  void addLines(llvm::StringRef lines);
  const std::string &path() const { return pipePath; }

private:
  DumpFile(std::string stem) : stem(std::move(stem)), pipePath(this->stem + ".pipe") {}

  const std::string stem; ///< of all its files
  const std::string pipePath;
  std::string lines; ///< that come behind the pipeline
  unsigned binaries = 0;
};

} // namespace icd::amd
