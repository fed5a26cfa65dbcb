//===- SdwaMoves.h - where LLVM may make SDWA instructions ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// si-peephole-sdwa of LLVM 22 selects bytes and halves in indexed moves, too (v_movrels_b32,
/// gfx10), and crashes at the operands of the result.
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// False when `function`, in front of si-peephole-sdwa, has indexed moves.
bool mayMakeSdwa(const llvm::MachineFunction &function);

} // namespace lgc
