//===- CacheCommands.h - kiln-pcc info|verify|merge|strip|extract ---------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace pcc {

/// Is it the name of a command?
bool isCacheCommand(llvm::StringRef name);
/// Returns the exit code. \p arguments: behind the command's name.
int runCacheCommand(llvm::StringRef name, llvm::ArrayRef<const char *> arguments);

} // namespace pcc
