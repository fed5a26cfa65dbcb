//===- DebugNames.h - what code tells debuggers ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Optimised code with debug information says for which variable of the source an instruction
/// computes a value: by the discriminator of its row in the line table, a multiple of
/// valueNameStep. How often it is that is the number of the variable's name in enumerations called
/// valueNames, which the compile units have.
///
/// Code for debuggers has s_ttracedata_imm where statements begin, with a number below
/// markSynchronization, and with others where work-items synchronise.
#pragma once

#include <cstdint>

namespace lgc {

inline constexpr char valueNames[] = "names of values";
/// LLVM gives the lowest bits of a discriminator a meaning.
inline constexpr uint32_t valueNameStep = 8;

inline constexpr uint16_t markSynchronization = 0x8000;
/// Or-ed to it, in front of a barrier of the workgroup, which orders accesses to this memory. In
/// front of barriers that the workgroup does not need, too: they are no instructions.
inline constexpr uint16_t markLocalBarrier = 1, markGlobalBarrier = 2;
/// Or-ed to it: the next load or store is atomic.
inline constexpr uint16_t markAtomic = 4;

} // namespace lgc
