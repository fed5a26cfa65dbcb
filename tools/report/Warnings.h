//===- Warnings.h - what is worth a look, in words ------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "tools/report/CodeObject.h"
#include "tools/report/LiveRegisters.h"
#include "tools/report/Waits.h"

namespace report {

struct Warning {
  std::string kind; ///< "spill", "occupancy", "scalar-loads", "waterfall", "wait", "indirect"
  std::string text;
  std::vector<uint32_t> instructions; ///< where to look; may be empty
};

/// In the order of their weight.
std::vector<Warning> findWarnings(const pal::abi::GpuTarget &target, const StageCode &stage,
                                  const MachineCode &code, const ControlFlow &flow,
                                  const LiveRegisters &live, llvm::ArrayRef<Wait> waits);

} // namespace report
