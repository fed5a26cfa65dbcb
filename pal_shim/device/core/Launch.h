//===- Launch.h - registers of a compute wave at its start -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/ProgramData.h"
#include "pal_shim/device/core/Wave.h"

namespace pal::device {

/// What registers that the hardware leaves undefined hold under DeviceOptions::poison: a NaN of
/// every float format, far outside every buffer as an offset.
inline constexpr uint32_t poisonPattern = 0xFFBAFFBA;

/// What one dispatch's waves have in common.
struct LaunchState {
  std::vector<uint32_t> userSgprs;      ///< s0 ..
  std::shared_ptr<const Region> tables; ///< global table, group counts, spilled user data
};

/// \p tablesOfDispatch is made by this: addresses of its parts go to user SGPRs.
LaunchState prepareLaunch(const ComputeLaunch &launch, const std::array<uint32_t, 3> &groups,
                          llvm::ArrayRef<uint32_t> userData);

/// Sets all registers of wave \p index of \p group. Source: PAL pipeline ABI (compute), AMDGPUUsage
/// "Initial Kernel Execution State", and the RDNA manuals for what lies in TTMPs on gfx12.
void initWave(Wave &wave, Group &group, unsigned index, const ProgramData &program,
              const LaunchState &state);

} // namespace pal::device
