//===- BitCompares.h - comparisons of one bit, twice ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// peephole-opt of LLVM 22 takes the SCC of an `s_and` for that of a first comparison of its result
/// with 0, and then makes `s_bitcmp0` of the `s_and` for a second, reversed one, which inverts SCC
/// under what reads the first. So every further comparison gets an `s_and` of its own; each becomes
/// one bit test.
///   before: %b = S_AND_B32 %x, 1;  S_CMP_LG_U32 %b, 0;  ...;  S_CMP_EQ_U32 %b, 0
///   after:  ...;  %c = S_AND_B32 %x, 1, implicit-def dead $scc;  S_CMP_EQ_U32 %c, 0
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// In front of peephole-opt, while each register has one definition.
bool splitBitCompares(llvm::MachineFunction &function);

} // namespace lgc
