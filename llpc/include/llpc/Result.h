//===- Result.h - result codes for C-like callers --------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/CompileError.h"

namespace llpc {

/// Result codes for C-like callers. Negative ones are errors.
enum class Result : int {
  Success = 0,
  Delayed = 1,
  Unsupported = 2,
  NotReady = 3,
  NotFound = 4,
  RequireFullPipeline = 5,
  ErrorUnavailable = -1,
  ErrorOutOfMemory = -2,
  ErrorInvalidShader = -3,
  ErrorInvalidValue = -4,
  ErrorInvalidPointer = -5,
  ErrorUnknown = -6,
};

/// InvalidInput -> ErrorInvalidShader, Unsupported -> Unsupported, LimitExceeded ->
/// ErrorUnavailable, Internal -> ErrorUnknown.
Result resultOf(lgc::ErrorKind kind);

} // namespace llpc
