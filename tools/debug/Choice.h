//===- Choice.h - which invocation is to stop, in numbers ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the command line and editors can choose, by the same names.
#pragma once

#include "tools/debug/Session.h"

namespace debug {

struct Choice {
  const char *name; ///< of the option
  const char *form; ///< "X,Y"
  size_t least, most;
  size_t fractions; ///< numbers from here on need not be whole
  void (*set)(Selection &selection, llvm::ArrayRef<double> numbers);
};

llvm::ArrayRef<Choice> choices();

/// Errors: InvalidInput for too few or too many numbers, and such as no invocation has.
llvm::Error choose(Selection &selection, const Choice &choice, llvm::ArrayRef<double> numbers);
/// \p text: numbers with commas between them.
llvm::Error choose(Selection &selection, const Choice &choice, llvm::StringRef text);

} // namespace debug
