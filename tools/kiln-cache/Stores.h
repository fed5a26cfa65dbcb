//===- Stores.h - the files of a cache ------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Commands.h"
#include "icd_glue/cache/RecipeFile.h"

namespace kilncache {

inline constexpr int64_t everything = int64_t(1) << 40;

/// Makes the file unless \p isReadOnly. Errors: there is no such file, or it cannot be used.
llvm::Expected<std::unique_ptr<icd::RecipeFile>> openRecipes(const Options &options,
                                                             bool isReadOnly);
/// \p program must be one of the file's. Errors: the message names those that there are.
llvm::Error checkProgram(icd::RecipeFile &file, llvm::StringRef program);

} // namespace kilncache
