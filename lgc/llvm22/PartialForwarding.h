//===- PartialForwarding.h - results from both sides of a change of EXEC ---===//
// SPDX-License-Identifier: MIT
/// \file
/// HW(gfx11, 64 lanes): a vector instruction that reads two results of vector instructions, one
/// written in front of a scalar write of EXEC and one behind it, must wait for them where they are
/// close (VALUPartialForwarding): up to 4 vector instructions behind the younger one, up to 2
/// between the two. LLVM 22 waits, but not always where one of the results comes from another
/// block, on one of several paths.
///   before: bb.1: $vgpr0 = ...; $exec = ...   bb.2, behind bb.1 and others:
///           $vgpr1 = ...; ... = V_ADD_U32_e32 $vgpr0, $vgpr1
///   after:  ... S_WAITCNT_DEPCTR 0xfff; ... = V_ADD_U32_e32 $vgpr0, $vgpr1
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// Behind post-RA-hazard-rec, which has its waits within blocks already. Only places whose results
/// may come from other blocks are looked at.
bool waitForForwardedResults(llvm::MachineFunction &function);

} // namespace lgc
