//===- SpillMemory.h - where spilled units are ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Spilled VGPRs are in scratch, behind the variables of the shader: a store writes what the active
/// lanes have, as the instruction did whose result it stores. Spilled SGPRs are in lanes of VGPRs
/// that are kept for them, whatever EXEC is:
///
///   scratch_store_b32 off, v5, off offset:48      v_writelane_b32 v9, s3, 17
///   scratch_load_b32 v7, off, off offset:48       v_readlane_b32 s8, v9, 17
#pragma once

#include "lgc/direct/shader/Program.h"

namespace lgc::direct {

/// Makes gfx10's descriptor of scratch in Program::scratchBase, which must be known, if there is
/// none yet, in front of everything that uses it. gfx11 and later need none.
void makeScratchDescriptor(Program &program, std::vector<MachineOp> &ops);

class SpillMemory {
public:
  /// For \p slots dwords.
  SpillMemory(Program &program, Bank bank, uint32_t slots);

  /// Of \p count registers in a row, from \p first on.
  void load(const Operand &first, unsigned count, uint32_t slot, std::vector<MachineOp> &ops);
  void store(const Operand &first, unsigned count, uint32_t slot, std::vector<MachineOp> &ops);

private:
  void access(bool isLoad, const Operand &first, unsigned count, uint32_t slot,
              std::vector<MachineOp> &ops);
  void accessScratch(bool isLoad, const Operand &first, unsigned count, uint32_t offset,
                     std::vector<MachineOp> &ops);

  Program &program;
  const Bank bank;
  uint32_t firstByte = 0;         ///< of scratch
  std::vector<uint32_t> carriers; ///< units whose lanes are slots
};

} // namespace lgc::direct
