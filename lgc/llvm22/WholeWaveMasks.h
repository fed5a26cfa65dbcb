//===- WholeWaveMasks.h - EXEC that whole waves put aside -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// V_SET_INACTIVE reads which lanes were active before code for whole waves began. Instruction
/// selection leaves that operand undefined; LLVM 22's si-wqm writes the register into it that EXEC
/// was put aside in, but leaves it marked as undefined: where that register is spilled, the
/// instruction reads whatever has taken its place.
///   before: %s = ENTER_STRICT_WWM -1;  %v = V_SET_INACTIVE_B32 0, %x, 0, 0, undef %s
///   after:  %s = ENTER_STRICT_WWM -1;  %v = V_SET_INACTIVE_B32 0, %x, 0, 0, %s
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// Between si-wqm and the allocation of registers. The live ranges reach there already: EXEC is
/// restored from the register, later.
bool readWholeWaveMasks(llvm::MachineFunction &function);

} // namespace lgc
