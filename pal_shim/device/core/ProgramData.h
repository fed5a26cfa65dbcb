//===- ProgramData.h - decoded code and launch state -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A loaded program as the interpreter sees it: decoded instructions and launch state.
#pragma once

#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/Device.h"
#include "pal_shim/device/core/Instr.h"
#include "pal_shim/device/core/Profile.h"
#include "pal_shim/device/core/ProgramWatch.h"
#include "pal_shim/device/core/RawInstr.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pal::device {

/// Values that start the waves of a hardware stage; from PAL metadata.
struct WaveLaunch {
  std::vector<uint32_t> userDataRegMap; ///< what each user SGPR holds: pal::abi::userdata
  unsigned waveSize = 64;
  uint32_t modeBits = 0;             ///< MODE at the start
  uint32_t ldsBytes = 0;             ///< per workgroup
  uint32_t scratchBytes = 0;         ///< per lane
  bool scratchOffsetEnabled = false; ///< gfx10: an SGPR with the wave's scratch offset
  unsigned vgprs = 0;                ///< VGPRs that the code or its metadata names
  uint32_t spillThreshold = 0;       ///< first spilled user-data entry; userdata::noSpill: none
  // Compute
  std::array<uint32_t, 3> threads = {1, 1, 1}; ///< of a workgroup
  std::array<bool, 3> groupIdEnabled = {};
  bool groupSizeEnabled = false;  ///< one SGPR describes the workgroup and the wave in it
  unsigned localIdComponents = 1; ///< of local ids in VGPRs, 1 to 3
};

struct ProgramData {
  std::string name;
  abi::HardwareStage stage = abi::HardwareStage::Cs;
  Generation generation = Generation::Gfx11;
  GpuAddress codeBase = 0;            ///< address of pc 0
  std::vector<Instr> code;            ///< by address; a branch target is an index
  std::vector<Instr> dualHalves;      ///< second halves of VOPD instructions
  std::vector<uint32_t> indexOfDword; ///< code index of the instruction at dword pc / 4; ~0u: none
  uint32_t entry = 0;                 ///< index of the first instruction
  WaveLaunch launch;
  /// Assembler text of the instruction at a pc, for messages and traces.
  std::function<std::string(uint32_t pc)> textOf;
  std::shared_ptr<const ProgramWatch> watch; ///< null: nobody looks on
  std::shared_ptr<ProgramProfile> profile;   ///< null: nobody counts
};

} // namespace pal::device
