//===- CommonBlocks.h - blocks that all living invocations pass ------------==//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace lgc {

using CommonBlocks = llvm::SmallPtrSet<llvm::BasicBlock *, 8>; ///< looked up only

/// The blocks outside of loops through which every invocation comes that has not been killed. All
/// that live are active there, and only there a kill may have a condition: LLVM takes the lanes of
/// the condition away without asking whether they are active, bits of a mask that was made before a
/// branch, or all of them for a uniform condition. And code that goes on with no lane, while others
/// wait, may never end: a loop that counts in vector registers.
CommonBlocks commonBlocks(llvm::Function &function);

} // namespace lgc
