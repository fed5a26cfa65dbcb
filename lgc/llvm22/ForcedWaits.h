//===- ForcedWaits.h - waits of fences in loops -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Fences and barriers ask for waits that si-insert-waitcnts may leave out where nothing is
/// outstanding. LLVM 22 decides that when it comes to a loop for the first time and does not think
/// again when it knows what the end of the loop leaves outstanding: the next round's barrier does
/// not wait for this round's stores. So waits in loops may not be left out.
///   before: bb.1: S_WAITCNT_soft ...; S_BARRIER; ...; DS_WRITE_B32; branch to bb.1
///   after:  bb.1: S_WAITCNT ...; S_BARRIER; ...
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// In front of si-insert-waitcnts, behind si-memory-legalizer.
bool forceWaits(llvm::MachineFunction &function);

} // namespace lgc
