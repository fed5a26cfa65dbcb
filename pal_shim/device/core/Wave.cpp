//===- Wave.cpp - faults of a wave -----------------------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/Wave.h"
#include "pal_shim/device/core/ProgramWatch.h"

namespace pal::device {

WaveWatch::~WaveWatch() = default;
ProgramWatch::~ProgramWatch() = default;

void Wave::fault(DeviceFault::Kind kind, const llvm::Twine &message, int lane) {
  state = WaveState::Faulted;
  // A handler may report several lanes: the first one counts.
  if (!group->fault)
    group->fault = FaultRecord{kind, message.str(), lane};
}

void Wave::memoryFault(GpuAddress address, uint64_t bytes, bool isWrite, int lane) {
  fault(DeviceFault::Kind::MemoryAccess,
        llvm::Twine(isWrite ? "write" : "read") + " of " + llvm::Twine(bytes) +
            " bytes: " + group->memory->describe(address),
        lane);
}

} // namespace pal::device
