//===- CacheFolder.h - where the cache on disk lies -----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Environment.h"
#include "llvm/Support/Error.h"
#include <string>

namespace icd {

/// Path of the file for \p settings, whose folder is made (only for the user to read) unless it is
/// there. Empty: no cache, and nobody needs to be told: it is switched off, there is no home, the
/// process has more rights than its user, or the usual folder is of no use. Errors: why the folder
/// that the user chose is of no use, or that others may write to the usual one (FileTrust.h).
llvm::Expected<std::string> cacheFileOf(const DiskSettings &settings);
/// The file of recipes (RecipeFile.h) beside \p cacheFile.
std::string recipeFileBeside(llvm::StringRef cacheFile);

} // namespace icd
