//===- OrOnes.h - OR with all ones ----------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// si-fold-operands of LLVM 22 takes `or x, -1` for x. Code generation folds most of them before,
/// but not components of vectors and halves of 64-bit numbers. So they are folded here, as far as
/// that pass finds out that an operand is -1.
///   before: %ones = S_MOV_B32 -1;  %r = V_OR_B32_e64 %x, %ones
///   after:  %r = V_MOV_B32_e32 -1
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// In front of si-fold-operands, while each register has one definition.
bool foldOrOnes(llvm::MachineFunction &function);

} // namespace lgc
