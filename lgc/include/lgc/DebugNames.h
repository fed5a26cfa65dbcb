//===- DebugNames.h - variables that values were computed for --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Optimised code with debug information says for which variable of the source an instruction
/// computes a value: by the discriminator of its row in the line table, a multiple of
/// valueNameStep. How often it is that is the number of the variable's name in enumerations called
/// valueNames, which the compile units have.
#pragma once

#include <cstdint>

namespace lgc {

inline constexpr char valueNames[] = "names of values";
/// LLVM gives the lowest bits of a discriminator a meaning.
inline constexpr uint32_t valueNameStep = 8;

} // namespace lgc
