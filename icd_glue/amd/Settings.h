//===- Settings.h - option strings of ICompiler::Create() -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A driver hands over command line options of AMD's compiler. Those that mean something here are
/// rows of one table; others of AMD's that are known to change nothing are left out silently, and
/// the rest is warned of. Options that begin with "-kiln-" are our own: drivers have a setting for
/// further option strings (xgl: LlpcOptions).
///
///   -subgroup-size=N       what SubgroupSize is for shaders that may not choose: 32 or 64
///   -kiln-parts=on|off     compile parts of pipelines when modules are built; default on
///   -kiln-link-constants=on|off  pipelines that give specialization constants other values than
///                          their modules are linked of parts, too, in whose code nothing is
///                          folded; default off
///   -kiln-part-workers=N   threads for that, 1 to 64; default 2
///   -kiln-cache-mb=N       memory for code and parts that are kept, 0 to 65536; default 256
///   -kiln-log=FILE         messages are appended there; default standard error
///   -kiln-dump=FOLDER      every build info becomes a .pipe file there, as the compiler sees it,
///   and
///                          the code a .elf beside it
///   -kiln-stats=on|off     counters go to the log when the compiler is destroyed; default off
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace icd::amd {

struct Settings {
  uint32_t subgroupSize = 64;
  bool parts = true;
  bool linkConstants = false;
  bool stats = false;
  uint32_t partWorkers = 2;
  uint32_t cacheMegabytes = 256;
  std::string logFile;
  std::string dumpFolder;
  std::vector<std::string> unknown; ///< options that have no meaning here
};

/// Null pointers are skipped. Errors: InvalidInput for a value of ours that is none.
llvm::Expected<Settings> parseSettings(llvm::ArrayRef<const char *> options);

/// Splits what is one string with spaces, as a variable of the environment has it.
std::vector<std::string> splitOptions(llvm::StringRef text);

} // namespace icd::amd
