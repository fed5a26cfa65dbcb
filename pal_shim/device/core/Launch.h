//===- Launch.h - registers of a compute wave at its start -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/abi/TargetInfo.h"
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
  std::vector<Row> localIds;            ///< v0 .. of each wave: components times waves
  unsigned localIdRows = 1;             ///< components in registers of their own
  GpuAddress borderColors = 0;          ///< DispatchInfo::borderColors
  uint32_t scratchBytes = 0;            ///< of a lane
};

/// Makes the tables of a dispatch, whose addresses go to user SGPRs, and all that is the same for
/// every workgroup. Errors: DeviceFault BadLaunch.
llvm::Expected<LaunchState> prepareLaunch(const abi::GpuTarget &target, const ProgramData &program,
                                          const DispatchInfo &info);

/// The same of user SGPRs and tables that are there already.
LaunchState makeLaunchState(const ProgramData &program, std::vector<uint32_t> userSgprs,
                            std::shared_ptr<const Region> tables, GpuAddress borderColors);

/// Threads of a workgroup.
unsigned threadCount(const WaveLaunch &launch);

/// The state in which a wave of any stage starts: registers undefined, all lanes live, at the entry
/// point.
void resetWave(Wave &wave, Group &group, unsigned index, const ProgramData &program);

/// Sets all registers of wave \p index of a workgroup. Source: PAL pipeline ABI (compute),
/// AMDGPUUsage "Initial Kernel Execution State", and the RDNA manuals for what lies in TTMPs on
/// gfx12.
void initWave(Wave &wave, Group &group, unsigned index, const ProgramData &program,
              const LaunchState &state);

} // namespace pal::device
