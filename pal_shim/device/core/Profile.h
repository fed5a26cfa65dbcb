//===- Profile.h - what instructions did while waves ran -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// DeviceOptions::profile: each instruction's executions, active lanes, cache lines and passes
/// through LDS. Accesses of the instruction that runs are logged where they find their memory; fast
/// ways that look at all lanes at once stand back meanwhile.
#pragma once

#include "pal_shim/device/Debug.h"
#include <mutex>
#include <vector>

namespace pal::device {

/// Accesses of one instruction of one wave.
struct AccessLog {
  struct Range {
    GpuAddress address;
    uint64_t bytes;
  };
  struct LdsRange {
    uint32_t address;
    uint8_t bytes, lane;
  };
  std::vector<Range> memory;
  std::vector<LdsRange> lds;
  bool takesLanes = false;         ///< somebody asks for `lanes`
  std::vector<MemoryAccess> lanes; ///< Debugger::accessed()
  void clear() {
    memory.clear();
    lds.clear();
    lanes.clear();
  }
};

/// Lines of the cache that the accesses touch, each once.
uint64_t linesTouched(llvm::ArrayRef<AccessLog::Range> accesses, uint64_t lineBytes);

/// How often LDS has to be read or written for one instruction. HW(gfx10-gfx12): hw-notes.md#lds:
/// 32 banks of a dword; lanes go in halves of 32, a dword of each at a time; a bank
/// gives all lanes the same dword at once, other dwords one after the other.
struct LdsPasses {
  uint64_t passes = 0, without = 0; ///< without: if no banks were in each other's way
};
LdsPasses ldsPasses(llvm::ArrayRef<AccessLog::LdsRange> accesses);

/// Sums of all waves that have ended, by index in ProgramData::code.
class ProgramProfile {
public:
  void add(llvm::ArrayRef<InstructionProfile> more);
  std::vector<InstructionProfile> snapshot() const;

private:
  mutable std::mutex mutex;
  std::vector<InstructionProfile> sums;
};

} // namespace pal::device
