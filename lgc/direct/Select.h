//===- Select.h - machine instructions for a block of IR ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Chooses instructions for a function of one block whose arguments are start registers (`inreg`:
/// SGPRs, others: VGPRs), and whose results are returned in registers as LLVM does: integers in
/// SGPRs, floats in VGPRs. It knows what glue is made of (lgc/glue); everything else is left to
/// LLVM, as is what StraightLine cannot place.
#pragma once

#include "lgc/direct/StraightLine.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
}

namespace lgc::direct::glue {

// Inline assembly that is known, as the IR has it.
inline constexpr llvm::StringLiteral getPcText = "s_getpc_b64 $0";
inline constexpr llvm::StringLiteral moveText = "s_mov_b32 $0, $1";
inline constexpr llvm::StringLiteral addByM0Text = "s_mov_b32 m0, $1\n\tv_add_nc_u32 $0, m0, $2";

/// Appends the code of \p function to \p code; without an end. Nothing: not all of it is known, or
/// it does not fit; the IR is as it was.
std::optional<CodeFacts> select(const llvm::Function &function, unsigned gfxMajor,
                                unsigned waveSize, llvm::SmallVectorImpl<uint32_t> &code);

} // namespace lgc::direct::glue
