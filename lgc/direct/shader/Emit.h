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

/// Where code begins that was made of a place in the source.
struct CodeRow {
  uint32_t dword = 0; ///< of the code
  uint32_t place = 0; ///< of Program::places
};

/// What is known of the code of a program.
struct EmittedCode {
  unsigned instructions = 0;
  std::vector<SymbolPlace> symbols;
  std::vector<CodeRow> rows; ///< ascending
};

/// Appends the code of a program whose registers are allocated, in the shortest forms. Nothing: a
/// jump is too far.
std::optional<EmittedCode> emitProgram(const Program &program,
                                       llvm::SmallVectorImpl<uint32_t> &code);

} // namespace lgc::direct
