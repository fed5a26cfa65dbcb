//===- ExecRange.h - where the execution mask changes ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM 22's si-wqm switches between whole quads and exact lanes in the middle of blocks, but
/// leaves the live range of EXEC as it was. si-optimize-exec-masking-pre-ra asks that range whether
/// EXEC changes at the head of an `else`, and takes the instruction away that accounts for the
/// change: helper invocations of the `then` side run the `else` side, stores included.
#pragma once

namespace llvm {
class LiveIntervals;
class MachineFunction;
} // namespace llvm

namespace lgc {

/// Makes LLVM compute the live range of EXEC anew where a block of `function` begins an `else`.
void refreshExecRange(const llvm::MachineFunction &function, llvm::LiveIntervals &intervals);

} // namespace lgc
