//===- FirstLanes.h - reads of one register's first lane ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A uniform value that vector instructions compute, such as the estimate in a division, goes to
/// scalar registers by v_readfirstlane, and LLVM makes one for each user: no pass merges them,
/// because they ask EXEC. One is enough where EXEC does not change in between.
///   before: %2:sreg_32 = V_READFIRSTLANE_B32 %1; %3:sreg_32 = V_READFIRSTLANE_B32 %1
///   after:  %2:sreg_32 = V_READFIRSTLANE_B32 %1; %2 in the place of %3
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// Merges reads of the same register in a block. Of code in SSA form. True when it changed
/// something.
bool mergeFirstLaneReads(llvm::MachineFunction &function);

} // namespace lgc
