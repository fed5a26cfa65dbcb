//===- Warnings.h - what is worth a look, in words ------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/Device.h"
#include "tools/report/CodeObject.h"
#include "tools/report/LiveRegisters.h"
#include "tools/report/Waits.h"

namespace report {

struct Warning {
  std::string kind; ///< "spill", "occupancy", "scalar-loads", "waterfall", "wait", "indirect"
  std::string text;
  std::vector<uint32_t> instructions; ///< where to look; may be empty
};

/// Of what was executed: loops that few lanes take part in, accesses to many cache lines, LDS banks
/// in each other's way. \p profile: by instruction.
std::vector<Warning> findRunWarnings(const MachineCode &code, const ControlFlow &flow,
                                     llvm::ArrayRef<pal::device::InstructionProfile> profile);

/// In the order of their weight.
std::vector<Warning> findWarnings(const pal::abi::GpuTarget &target, const StageCode &stage,
                                  const MachineCode &code, const ControlFlow &flow,
                                  const LiveRegisters &live, llvm::ArrayRef<Wait> waits);

} // namespace report
