//===- VccBranch.h - branches on VCC and what else reads their condition --===//
// SPDX-License-Identifier: MIT
/// \file
/// si-pre-emit-peephole of LLVM 22 removes `s_and vcc, vcc, exec` in front of a branch on VCC whose
/// inactive lanes are zero, also where something reads SCC that the removed instruction sets:
///   vcc = s_and vcc, exec;  s0 = s_cselect s1, s2;  s_cbranch_vccnz
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// May that pass run? After register allocation.
bool mayFoldVccBranches(const llvm::MachineFunction &function);

} // namespace lgc
