//===- CodeObject.h - hardware stages of an ELF ---------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <vector>

namespace report {

/// What a PAL code object says of one hardware stage.
struct StageCode {
  pal::abi::HardwareStage stage = pal::abi::HardwareStage::Cs;
  uint64_t address = 0;          ///< of the code
  uint64_t offset = 0;           ///< of the code in its section
  llvm::ArrayRef<uint8_t> bytes; ///< in the ELF
  unsigned waveSize = 32;
  unsigned vgprs = 0, sgprs = 0; ///< as allocated
  unsigned ldsBytes = 0;         ///< per workgroup
  unsigned scratchBytes = 0;     ///< per lane
  unsigned workgroupThreads = 0; ///< 0: the pipeline decides
  std::array<uint32_t, 3> workgroupSize = {};
  bool isWgpMode = true;
  unsigned vgprsAtStart = 0; ///< filled by the hardware; rather too many than too few
};

struct CodeObject {
  const pal::abi::GpuTarget *target = nullptr;
  std::vector<StageCode> stages; ///< in the order of execution
};

/// Errors: AbiError for what is no PAL code object of a known target.
llvm::Expected<CodeObject> readCodeObject(llvm::ArrayRef<uint8_t> elf);

/// Waves of such code that a SIMD holds when each lane has \p vgprs registers.
unsigned wavesWith(const pal::abi::GpuTarget &target, const StageCode &stage, unsigned vgprs);
/// Registers are allocated in multiples of this.
unsigned vgprGranule(const pal::abi::GpuTarget &target, unsigned waveSize);
/// Another number of waves, and the most registers of a lane with which a SIMD holds that many.
struct WaveStep {
  unsigned vgprs = 0, waves = 0;
};
/// From fewer registers to more: up to \p most numbers of waves above that of the stage, and one
/// below it.
std::vector<WaveStep> waveSteps(const pal::abi::GpuTarget &target, const StageCode &stage,
                                size_t most);
/// Registers of a lane that have to go until the next wave fits; 0: none would.
unsigned registersToNextWave(const pal::abi::GpuTarget &target, const StageCode &stage,
                             unsigned vgprs);

} // namespace report
