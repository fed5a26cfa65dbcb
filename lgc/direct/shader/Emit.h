//===- Emit.h - machine instructions as dwords ----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/Program.h"
#include <optional>

namespace lgc::direct {

/// Where a literal stands that linking fills in.
struct SymbolPlace {
  uint32_t dword = 0;  ///< of the code
  uint32_t symbol = 0; ///< of Program::symbols
};

/// Appends the code of a program whose registers are allocated, in the shortest forms. Returns the
/// number of instructions; nothing: a jump is too far.
std::optional<unsigned> emitProgram(const Program &program, llvm::SmallVectorImpl<uint32_t> &code,
                                    std::vector<SymbolPlace> &symbols);

} // namespace lgc::direct
