//===- LiveRegisters.h - which registers hold what is still needed --------===//
// SPDX-License-Identifier: MIT
/// \file
/// A register is live where some path leads to a read of it, for lanes that no write in between
/// covers, and where some write may have come before. A vector write covers the lanes of EXEC
/// (ExecMasks.h): what the others hold stays alive if anybody reads it.
#pragma once

#include "tools/report/ExecMasks.h"
#include <bitset>

namespace report {

using RegisterSet = std::bitset<pal::device::strict::registerCount>;

/// Registers in use, as they are allocated: VGPRs whole, SGPRs without VCC, EXEC and M0.
struct RegisterUse {
  uint16_t vgprs = 0, sgprs = 0;
};

struct LiveRegisters {
  /// What an instruction finds, leaves and writes together, so that these numbers of registers are
  /// enough for it; by instruction.
  std::vector<RegisterUse> use;
  /// These registers, by instruction; none in code that is not reached.
  std::vector<RegisterSet> inUse;
  /// Instructions with the most; the first ones. Nowhere: there is no code.
  uint32_t vgprPeak = nowhere, sgprPeak = nowhere;
  /// Numbers of the registers in use at vgprPeak and sgprPeak.
  std::vector<unsigned> vgprsAtPeak, sgprsAtPeak;
  /// Masks are not known: a vector write ends nothing, so that more may be shown than is live.
  bool isUpperBound = false;
};

/// \p vgprsAtStart: VGPRs from v0 that the hardware fills.
LiveRegisters findLiveRegisters(const MachineCode &code, const ControlFlow &flow, ExecMasks &masks,
                                unsigned vgprsAtStart);

/// Some of the register.
bool writes(const Instruction &instr, RegRange wanted);

/// The last instructions in front of \p instruction that write the register, on all paths; at most
/// \p most.
std::vector<uint32_t> writersBefore(const MachineCode &code, const ControlFlow &flow,
                                    uint32_t instruction, RegRange wanted, size_t most);

/// Of VGPR \p number; of SGPR \p number.
RegRange vgprRange(unsigned number);
RegRange sgprRange(unsigned number);

} // namespace report
