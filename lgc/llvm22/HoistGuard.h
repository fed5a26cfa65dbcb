//===- HoistGuard.h - what structurizing may hoist ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// structurizecfg of LLVM 22 hoists free instructions (insertelement) out of an else block and then
/// takes their result on all ways to the phi, also on those that left the block out (llvm-project
/// pull request 183792). So other values than those of plain if-else blocks get a use in their
/// block, which stays there with them.
///   before: %y = insertelement %x, ...; br %join    join: %r = phi [%x, %then], [%y, %else]
///   after:  %y = insertelement %x, ...; %f = freeze %y; br %join     %r = phi ..., [%f, %else]
#pragma once

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace lgc {

/// In front of structurizecfg. Keeps the blocks.
llvm::FunctionPass *createHoistGuardPass();

} // namespace lgc
