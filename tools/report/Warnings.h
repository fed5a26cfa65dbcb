//===- Warnings.h - what is worth a look, in words ------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/Device.h"
#include "tools/report/CodeObject.h"
#include "tools/report/LiveRegisters.h"
#include "tools/report/Waits.h"

namespace report {

struct Warning {
  std::string kind; ///< "spill", "occupancy", "scalar-loads", "waterfall", "wait", "indirect",
                    ///< "divergence", "early-end", "scatter", "lds-conflicts"
  std::string text;
  std::vector<uint32_t> instructions; ///< where to look; may be empty
  uint32_t loop = nowhere;            ///< that it is about
};

/// Of what was executed: loops that few lanes take part in, accesses to many cache lines, LDS banks
/// in each other's way. \p profile: by instruction; \p loopNames: "the loop of lines 3 to 5".
std::vector<Warning> findRunWarnings(const MachineCode &code, const ControlFlow &flow,
                                     llvm::ArrayRef<pal::device::InstructionProfile> profile,
                                     llvm::ArrayRef<std::string> loopNames);

/// In the order of their weight.
std::vector<Warning> findWarnings(const pal::abi::GpuTarget &target, const StageCode &stage,
                                  const MachineCode &code, const ControlFlow &flow,
                                  const LiveRegisters &live, llvm::ArrayRef<Wait> waits,
                                  llvm::ArrayRef<std::string> loopNames);

} // namespace report
