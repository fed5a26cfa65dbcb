//===- FrameOffsets.h - a scalar register for places on the stack ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// A place on the stack that is too far for an immediate offset needs a scalar register when
/// prologepilog replaces frame indices. Where all of them hold values, LLVM 22 takes a vector
/// register, and drops the offset that the instruction had: it reads or writes where the object
/// begins. So functions with much on their stacks are allocated one scalar register less.
///   before: SCRATCH_STORE_DWORDX2_SADDR %v, %stack.1, 2032      ; %stack.1 is at 4128
///   after:  S_MOV_B32 $sgpr105, 4128; SCRATCH_STORE_DWORDX2_SADDR $v, $sgpr105, 2032
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// In front of register allocation; nothing for functions with small stacks.
bool reserveForFrameOffsets(llvm::MachineFunction &function);

/// In front of prologepilog: the register may be used.
bool releaseForFrameOffsets(llvm::MachineFunction &function);

} // namespace lgc
