//===- FallThrough.h - functions that fall through to glue ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A function with a result returns it in registers and falls through to what is placed behind it
/// (lgc/Part.h). LLVM arranges that, with a branch where another block is last; this looks whether
/// it is so when no pass comes any more, because falling into anything else would be wrong code.
#pragma once

#include "llvm/Support/Error.h"

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// Of code that is about to be printed. Errors: Internal when control falls out of a block that is
/// not the last one. Functions without a result are always right.
llvm::Error checkFallThrough(const llvm::MachineFunction &function);

} // namespace lgc
