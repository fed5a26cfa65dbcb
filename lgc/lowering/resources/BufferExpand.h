//===- BufferExpand.h - buffer operations that hardware does not have -----===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/IR/Function.h"

namespace llvm {
class TargetTransformInfo;
class AtomicRMWInst;
} // namespace llvm

namespace lgc {

/// Does one buffer instruction of the generation do this atomicrmw?
bool hasBufferAtomic(unsigned gfxMajor, const llvm::AtomicRMWInst &rmw);

/// Turns what has no buffer instruction into what has: atomicrmw without one into compare-exchange
/// loops (8 and 16 bits on the dword around), memcpy, memmove and memset into loops. Only
/// operations on ptr addrspace(7) are touched, and stay on it. Returns whether anything changed.
bool expandBufferOperations(llvm::Function &function, unsigned gfxMajor,
                            const llvm::TargetTransformInfo &tti);

} // namespace lgc
