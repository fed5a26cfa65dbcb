//===- Callable.h - functions that need not be inlined --------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"

namespace lgc {

/// A front end gives it to functions that lgc may leave as functions where inlining all of them
/// would make too much code (OpenCL kernels). All others are inlined.
inline constexpr llvm::StringLiteral callableAttribute = "lgc-callable";

} // namespace lgc
