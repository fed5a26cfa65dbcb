//===- EmptyEntries.h - entry points without any code ---------------------===//
// SPDX-License-Identifier: MIT
#pragma once

namespace llvm {
class Module;
}

namespace lgc {

/// A shader whose behaviour is undefined from its first instruction on must still be a function:
/// LLVM emits nothing for `unreachable`, and a driver cannot place an entry point of size 0.
///   before: entry: br label %0     0: unreachable        after: entry: ret void
void endEmptyEntries(llvm::Module &module);

} // namespace lgc
