//===- Commands.h - the commands of kiln-farm -----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Child.h"
#include "icd_glue/server/Signature.h"
#include "llvm/ADT/ArrayRef.h"

namespace farm {

/// Exit codes, also those that engines are told: what may be tried again is 75 (EX_TEMPFAIL).
enum ExitCode : int {
  exitGood = 0,
  exitFault = 1,
  exitUsage = 2,
  exitDiffers = 3, ///< an alarm: a bucket was there with other bytes
  exitLater = 75,
};

/// main(), with something around the compiler of each child.
int mainOf(llvm::ArrayRef<const char *> arguments,
           const std::function<StartCompiler(StartCompiler)> &around = nullptr);

int mergeCommand(llvm::ArrayRef<const char *> arguments);

/// Errors: InvalidInput without a key to sign with.
llvm::Expected<std::unique_ptr<icd::Signer>> signerOf(const icd::Secrets &keys);

/// Prints an error.
int fail(llvm::Error error, int code = exitFault);

} // namespace farm
