//===- CallWaits.h - hazards across calls ---------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM 22 avoids hazards between instructions of one function. Functions that are called begin,
/// and calls end, with waits for what instructions on the other side may have left behind.
///
/// HW(gfx10.1): LDS must not be used behind a branch behind vector memory, or the reverse, without
/// a wait for stores; vector memory instructions must have read their registers before scalar ones
/// write those. HW(gfx11): results of vector and scalar instructions from both sides of a change of
/// EXEC, masks, results of transcendental instructions. HW(gfx12): an SGPR that a vector
/// instruction has read and then another has written, as saving and restoring it does.
///   before: S_SWAPPC_B64 ...                       (gfx12)
///   after:  S_SWAPPC_B64 ...; s_wait_alu 0xf1fc
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// Behind calls, and at the begin of functions that are called.
bool waitAtCalls(llvm::MachineFunction &function);

} // namespace lgc
