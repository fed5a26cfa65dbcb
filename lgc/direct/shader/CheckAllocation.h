//===- CheckAllocation.h - does every unit keep its registers? ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Follows a program along all paths of its machine code with what each register holds, and finds
/// reads of units that something else has overwritten. It knows nothing of intervals or loops, so
/// that it is a second opinion on Allocate.cpp. Runs with `-verify-ir`, and in tests:
///
///   v_mov_b32 unit 0, 1        ; v0
///   v_mov_b32 unit 1, 2        ; v0 as well
///   ds_store_b32 unit 0, ...   ; "block 0, instruction 2 reads unit 0, which unit 1 has
///   overwritten"
#pragma once

#include "lgc/direct/shader/Program.h"
#include <string>

namespace lgc::direct {

/// \p program: as it was in front of allocateRegisters(), which has given \p units their places.
/// Empty: nothing is wrong. Not seen: a unit that is overwritten, and then defined again for some
/// lanes only.
std::string checkAllocation(const Program &program, llvm::ArrayRef<Unit> units);

} // namespace lgc::direct
