//===- PartBoundaryWaits.h - hazards where glue and part meet -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM avoids hazards between instructions that it sees. At the boundary it sees one side only, so
/// what is in front of one ends, and what is behind one begins, with waits for what could meet
/// there; most boundaries need none. docs/parts.md lists every hazard, and why most need nothing.
/// Runs in front of the printer, since any pass may put copies between a wait and the boundary:
///
///   before:   V_MOV_B32_e32 ..; SI_RETURN_TO_EPILOG                (gfx11, in front of a part)
///   after:    V_MOV_B32_e32 ..; s_waitcnt_depctr 0xffe; SI_RETURN_TO_EPILOG
///
/// A merged stage turns on all lanes first. Behind glue, which has done so, that goes away again:
/// only here, because it keeps LLVM's scheduler from mixing what is in front of it with the rest.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace llvm {
class MachineFunction;
class MachineFunctionPass;
} // namespace llvm

namespace lgc {

/// Attribute of a function that is glue, and its values: which end of it is the boundary.
inline constexpr llvm::StringLiteral partBoundaryAttribute = "lgc-part-boundary";
inline constexpr llvm::StringLiteral boundaryInFrontOfPart = "in-front"; ///< its end
inline constexpr llvm::StringLiteral boundaryBehindPart = "behind";      ///< its begin
/// Operands of s_waitcnt_depctr. A field is 0 where it waits: bit 0 sa_sdst (scalar results), bits
/// 2 to 4 vm_vsrc (operands of vector memory instructions), bits 12 to 15 va_vdst (vector results).
inline constexpr uint32_t partBoundaryOperandWait = 0xFFE2; ///< gfx10.1
inline constexpr uint32_t partBoundaryResultWait = 0x0FFE;  ///< gfx11
/// Attribute of a part behind glue that has turned on all lanes.
inline constexpr llvm::StringLiteral allLanesAttribute = "lgc-all-lanes";

/// Adds the waits to `function`, which has its final registers. A function without attributes that
/// returns values is a fragment part; others are left alone. True: something has changed.
///
/// HW(gfx10.1): vector memory instructions must have read their registers before scalar ones write
/// those, LDS must not be used behind a branch without a wait for stores (of which there are none),
/// and a vector compare must not write EXEC while others read it.
/// HW(gfx11): a wave64 vector instruction that reads results from both sides of a change of EXEC
/// needs a wait when they are few vector instructions old and nothing has waited for them: memory
/// instructions and exports do. So does what reads an SGPR that a scalar instruction has written,
/// and before that a wave64 vector instruction has read as a mask. HW(gfx11.0): also what reads the
/// result of a transcendental instruction.
/// HW(gfx12): what reads an SGPR, but M0 and EXEC, that was written after a vector instruction had
/// read it needs a wait, until so many `ds_nop`s have passed.
bool addPartBoundaryWaits(llvm::MachineFunction &function);
llvm::MachineFunctionPass *createPartBoundaryWaitsPass();

} // namespace lgc
