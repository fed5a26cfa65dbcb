//===- EntryLayout.h - registers at the entry of a compute shader ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Which user-data register holds what, and which system values the hardware must supply.
/// lgc-lower-entry-point decides it, the PAL metadata tells it to the driver.
#pragma once

#include "lgc/Pipeline.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Module;
}

namespace lgc {

struct EntryLayout {
  /// Value of `.user_data_reg_map` per user SGPR, from s0 on.
  llvm::SmallVector<uint32_t, pal::abi::userdata::computeRegisters> registers;
  uint32_t userDataLimit = 0; ///< 1 + highest API dword used
  uint32_t spillThreshold = pal::abi::userdata::noSpill;
  std::array<bool, 3> workgroupId = {false, false, false};
  unsigned localIdComponents = 1; ///< VGPRs (gfx10) or packed fields (gfx11+) to fill
};

/// Writes !amdgpu.pal.metadata.msgpack with every key that LLVM does not fill in itself.
void writePalMetadata(llvm::Module &module, const PipelineState &state, uint32_t waveSize,
                      const EntryLayout &layout);

} // namespace lgc
