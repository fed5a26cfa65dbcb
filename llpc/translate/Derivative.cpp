//===- Derivative.cpp - derivative instructions --------------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/Translator.h"

namespace llpc {

/// Empty so far: every derivative instruction is Unsupported.
llvm::ArrayRef<OpEntry> derivativeOps() { return {}; }

} // namespace llpc
