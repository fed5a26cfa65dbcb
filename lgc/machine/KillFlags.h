//===- KillFlags.h - last uses of virtual registers -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Marks where virtual registers are used last, in place of LLVM's LiveVariables: that clears and
/// walks two tables of all 10,000 physical registers of the target for every block. Two-address
/// conversion, the only one to ask, needs no more than the flags: it decides by them which operand
/// may be overwritten. Live intervals do not rely on them.
///
///   before: %3:vgpr_32 = V_FMA_F32 %0, %1, %2        (last use of %2)
///   after:  %3:vgpr_32 = V_FMA_F32 %0, %1, killed %2
#pragma once

namespace llvm {
class MachineFunction;
class MachineFunctionPass;
} // namespace llvm

namespace lgc {

/// Sets the kill flags of uses and the dead flags of definitions of all virtual registers. Before
/// PHI elimination: each register has one definition. A register with several gets no flag.
void markKills(llvm::MachineFunction &function);

/// A pass that does so.
llvm::MachineFunctionPass *createKillFlagsPass();

} // namespace lgc
