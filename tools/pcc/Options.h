//===- Options.h - command line of kiln-pcc -------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace pcc {

enum class Diagnostics : uint8_t { Text, Json };

struct Options {
  std::string path, out, log, prefix;
  std::vector<std::string> chips; ///< LLVM's names; empty: the default
  std::string device;             ///< PCI device id; instead of chips
  unsigned jobs = 0;              ///< threads; 0: as many as there are processors
  std::string depfile, report;
  Diagnostics diagnostics = Diagnostics::Text;
  bool debug = false;       ///< JSON and SPIR-V go into the cache
  bool incremental = false; ///< takes unchanged pipelines out of the old output
  bool quiet = false;       ///< no progress, no summary
  bool help = false, listArchitectures = false;
  std::string manifest; ///< path of this program, for a manifest to print
};

extern const char *const usage;

/// Errors: InvalidInput for each argument; those that are good are in \p options also then. Options
/// may come with one or two dashes, their value behind = or as the next argument; of repeated ones
/// the last counts.
llvm::Error parseOptions(llvm::ArrayRef<const char *> arguments, Options &options);

} // namespace pcc
