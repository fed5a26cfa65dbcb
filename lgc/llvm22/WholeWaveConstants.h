//===- WholeWaveConstants.h - constants of whole waves --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A constant that code for whole waves (strict_wwm) shares with other code is moved for whole
/// waves, too. The register that it is a part of then counts as one of whole waves, and LLVM 22
/// puts other values of whole waves into its parts where no active lane needs them, but others do.
/// So code for whole waves gets constants of its own.
///   before: %z = V_MOV_B32_e32 0;  %v = REG_SEQUENCE %a, %z;  %s = V_MOV_B32_dpp %z, %x;
///   STRICT_WWM %s after:  %c = V_MOV_B32_e32 0;  %s = V_MOV_B32_dpp %c, %x
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// Behind all that finds constants that are equal, while each register has one definition.
bool separateWholeWaveConstants(llvm::MachineFunction &function);

} // namespace lgc
