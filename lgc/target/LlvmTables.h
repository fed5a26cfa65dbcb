//===- LlvmTables.h - LLVM's lazily made tables, made at a fixed place ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Two kinds of them matter. LLVM 22 keeps the default encoding of s_waitcnt_depctr's operand in a
/// function-local static that the first subtarget of the process fills in
/// (AMDGPU::DepCtr::getDefaultDepCtrEncoding). Which fields it has differs between generations, so
/// without care the code of one target would depend on which target the process compiled for first,
/// and two threads would write the static at once. Others have destructors. A process that ends
/// while threads compile destroys them under these, unless a handler made after them (std::atexit)
/// ends the threads before.
#pragma once

namespace llvm {
class Target;
}

namespace lgc {

/// Makes the first table from gfx1201, by assembling one instruction, and all that have
/// destructors. Call once, before any code is generated.
void primeLlvmTables(const llvm::Target &target);

} // namespace lgc
