//===- LoopLanes.h - lanes that enter loops, and that stay in them --------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/Device.h"
#include "tools/report/ControlFlow.h"
#include <optional>

namespace report {

/// Runs of code by waves, and of them those with active lanes.
struct LaneCounts {
  int64_t runs = 0;
  int64_t masked = 0; ///< of the runs: without an active lane
  int64_t lanes = 0;  ///< active ones, of all runs

  /// Active lanes of the runs that have any.
  double average() const { return runs > masked ? double(lanes) / double(runs - masked) : 0; }
};

/// With what lanes each loop is entered: executions of the edges that lead into it, which follow
/// from those of the blocks. Nothing: they do not, or nobody enters. \p profile: by instruction.
std::vector<std::optional<LaneCounts>>
lanesEntering(const MachineCode &code, const ControlFlow &flow,
              llvm::ArrayRef<pal::device::InstructionProfile> profile);

/// The instruction changes which lanes are active.
bool writesExec(const Instruction &instr);

} // namespace report
