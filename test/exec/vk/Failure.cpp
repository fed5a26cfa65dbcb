//===- Failure.cpp - errors as text ---------------------------------------===//
// SPDX-License-Identifier: MIT
#include "Instance.h"

using llvm::Error;
using llvm::Twine;

namespace exec {

Error failure(const Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

} // namespace exec
