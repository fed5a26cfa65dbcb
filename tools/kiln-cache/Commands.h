//===- Commands.h - what kiln-cache does ----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace kilncache {

struct Options {
  std::string folder; ///< of the cache
  unsigned olderThanDays = 0;
  unsigned workers = 2;
  std::string devices = "gfx1100"; ///< as KILN_DEVICES takes them
  bool isQuiet = false;
  std::vector<std::string> arguments; ///< of the command
};

// Errors: InvalidInput or LimitExceeded, for the user.

/// Stores.cpp: prints builds of the driver whose code there is, and programs.
llvm::Error list(const Options &options);
/// Reads everything. An error names how much of it is damaged.
llvm::Error verify(const Options &options);
/// Removes what was used last before some days.
llvm::Error prune(const Options &options);
/// Recipes.cpp: PROGRAM FOLDER; recipes as files that amdllpc compiles, and back.
llvm::Error exportRecipes(const Options &options);
llvm::Error importRecipes(const Options &options);
/// Warm.cpp: has the driver compile the recipes of PROGRAM..., or of all programs.
llvm::Error warm(const Options &options);

} // namespace kilncache
