//===- DppCombine.h - where LLVM may fold DPP into operations -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM's gcn-dpp-combine folds a move between lanes (v_mov_b32_dpp) into the operation that reads
/// it. LLVM 22 also does so for operations on 64 bits that have a source of 32: from gfx11 on
/// v_lshlrev_b64, on gfx12 v_mad_co_u64_u32 and conversions to f64. The hardware has no DPP form of
/// these; the code printer aborts or writes bits that are no instruction.
///   not folded: %s = V_MOV_B32_dpp ...; %d = V_CVT_F64_U32_e32 %s
/// And the hardware moves the wrong source of integer operations whose sources are exchanged
/// (v_subrev; v_lshlrev and its like before gfx11). Source: llvm-project pull request 216835.
#pragma once

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace lgc {

/// May gcn-dpp-combine run? Not where an operation of these kinds reads a move between lanes. While
/// each register has one definition.
bool mayCombineDpp(const llvm::MachineFunction &function);

} // namespace lgc
