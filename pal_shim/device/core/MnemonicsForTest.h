//===- MnemonicsForTest.h - all mnemonics that LLVM knows ------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/RawInstr.h"
#include <set>
#include <string>

namespace pal::device::test {

/// The mnemonics of every machine opcode that LLVM has for gfx10, 11 or 12 (\p generation is
/// Gfx103, Gfx11 or Gfx12), without encoding suffixes.
std::set<std::string> mnemonicsOf(Generation generation);

} // namespace pal::device::test
