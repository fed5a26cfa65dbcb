//===- ProgramData.h - decoded code ------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A loaded program as the interpreter sees it: decoded instructions and launch state.
#pragma once

#include "pal_shim/device/Device.h"
#include "pal_shim/device/core/Instr.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pal::device {

struct ProgramData {
  std::string name;
  GpuAddress codeBase = 0;            ///< address of pc 0
  std::vector<Instr> code;            ///< by address; a branch target is an index
  std::vector<Instr> dualHalves;      ///< second halves of VOPD instructions
  std::vector<uint32_t> indexOfDword; ///< code index of the instruction at dword pc / 4; ~0u: none
  uint32_t entry = 0;                 ///< index of the first instruction
};

} // namespace pal::device
