//===- Emit.h - machine instructions as dwords ----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/Program.h"
#include <optional>

namespace lgc::direct {

/// Appends the code of a program whose registers are allocated, in the shortest forms. Returns the
/// number of instructions; nothing: a jump is too far.
std::optional<unsigned> emitProgram(const Program &program, llvm::SmallVectorImpl<uint32_t> &code);

} // namespace lgc::direct
