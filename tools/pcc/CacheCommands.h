//===- CacheCommands.h - kiln-pcc info|verify|merge|strip|extract ---------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace pcc {

/// Is it the name of a command?
bool isCacheCommand(llvm::StringRef name);
/// What it finds goes to \p out. Errors: all that is wrong.
llvm::Error doCacheCommand(llvm::StringRef name, llvm::ArrayRef<const char *> arguments,
                           llvm::raw_ostream &out);
/// With standard output; returns the exit code. \p arguments: behind the command's name.
int runCacheCommand(llvm::StringRef name, llvm::ArrayRef<const char *> arguments);

} // namespace pcc
