//===- VccWaits.h - a VCC that comes from two units -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// HW(gfx12): who reads an SGPR behind a write of it must wait once a vector instruction has read
/// it before (VALUReadSGPR); a scalar instruction need not wait for what vector instructions wrote.
/// LLVM 22 knows of VCC that one or the other unit wrote it, or both on different ways, but where a
/// scalar instruction reads one of both it forgets both, and so the wait for the scalar one.
///   before: bb.1: $vcc_lo = S_AND_B32 ...   bb.2: $vcc_lo = V_CMP_EQ_U32_e64 ...
///           bb.3: $sgpr0 = S_OR_B32 $vcc_lo, ...
///   after:  bb.3: S_WAITCNT_DEPCTR 0xfffe; $sgpr0 = S_OR_B32 $vcc_lo, ...
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// In front of amdgpu-wait-sgpr-hazards.
bool waitForScalarVcc(llvm::MachineFunction &function);

} // namespace lgc
