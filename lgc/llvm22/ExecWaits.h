//===- ExecWaits.h - memory instructions read EXEC before it changes ------===//
// SPDX-License-Identifier: MIT
/// \file
/// HW(gfx10.1): vector memory and LDS instructions read SGPRs and EXEC late; a scalar instruction
/// that writes one of them must not come before without a vector instruction or a wait between
/// (VMEMtoScalarWrite). LLVM 22 waits where the register is an operand of the scalar instruction,
/// and so misses EXEC of S_AND_SAVEEXEC and its like, which write it without naming it.
///   before: BUFFER_STORE_DWORD ...; $sgpr0 = S_AND_SAVEEXEC_B32 ...
///   after:  BUFFER_STORE_DWORD ...; S_WAITCNT_DEPCTR 0xffe3; $sgpr0 = S_AND_SAVEEXEC_B32 ...
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// In front of post-RA-hazard-rec.
bool waitBeforeExecWrites(llvm::MachineFunction &function);

} // namespace lgc
