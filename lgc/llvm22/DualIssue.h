//===- DualIssue.h - pairs of operations that gfx11 loses operands of -----===//
// SPDX-License-Identifier: MIT
/// \file
/// On gfx11, a dual issued pair (VOPD) whose first sources, or second sources, are registers of
/// different banks but of equal parity may read one of them before the operation that writes it
/// is through. LLVM 22 avoids equal banks only (later versions: equal parity). Source: llvm-project
/// pull request 220348.
///   before: v_dual_mul_f32 v3, v3, v7 :: v_dual_add_f32 v4, v4, v5     ; v7 and v5 are both odd
///   after:  v_mul_f32 v3, v3, v7;  v_add_f32 v4, v4, v5
#pragma once

#include "llvm/ADT/StringMap.h"

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// Opcodes by name, which are looked for once.
using SingleOpcodes = llvm::StringMap<unsigned>;

/// Takes such pairs apart. Behind gcn-create-vopd; for gfx11 (and gfx11.5).
bool splitDuals(llvm::MachineFunction &function, SingleOpcodes &opcodes);

} // namespace lgc
