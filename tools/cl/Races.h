//===- Races.h - data races of kernels -------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Two work-items race for a byte when at least one of them writes it, not both accesses are
/// atomic, and nothing orders them: they are of one workgroup without a barrier in between that
/// orders this memory, or of two workgroups. Lanes of a wave are work-items like any others.
/// Writes of the same value are no race.
#pragma once

#include "pal_shim/device/Debug.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <set>

namespace kiln_cl {

/// One side of a race.
struct RaceAccess {
  pal::device::MemoryAccess::Kind kind = pal::device::MemoryAccess::Kind::Load;
  uint8_t value = 0; ///< that a store leaves
  uint32_t item = 0; ///< number in the workgroup
  uint32_t group = 0;
  uint32_t pc = 0;
};

struct Race {
  bool isLocal = false;
  uint64_t address = 0; ///< of the first byte that was found
  RaceAccess first, second;
};

/// Looks on while one dispatch runs on one thread. The code must be for debuggers
/// (lgc/DebugNames.h): barriers and atomic loads and stores are marked in it.
class RaceDetector : public pal::device::Debugger {
public:
  /// \p text: the code, whose marks have their numbers in the low halves of their dwords.
  RaceDetector(llvm::ArrayRef<uint8_t> text, const std::array<uint32_t, 3> &groupCount)
      : text(text), groupCount(groupCount) {}

  bool stopsAt(pal::abi::HardwareStage stage, uint32_t pc, llvm::StringRef mnemonic) override;
  bool stopped(const pal::device::StoppedWave &wave) override;
  bool watchesMemory() const override { return true; }
  void accessed(const pal::device::StoppedWave &wave,
                llvm::ArrayRef<pal::device::MemoryAccess> accesses) override;

  /// The first of each pair of instructions, in the order in which they were found.
  llvm::ArrayRef<Race> found() const { return races; }

private:
  using Accesses = llvm::SmallVector<RaceAccess, 2>;
  /// What is known of a byte, two accesses of each kind at most: with two of different work-items,
  /// one is of another one than whoever comes next.
  struct Byte {
    uint32_t group = 0, phase = 0; ///< of `current`
    Accesses current;              ///< since the latest barrier, of different work-items
    Accesses groups;               ///< of different workgroups
  };
  /// How many barriers a wave has passed, by the memory that they order.
  struct WaveState {
    uint32_t localPhase = 0, globalPhase = 0;
    bool isNextAtomic = false;
  };

  WaveState &stateOf(const pal::device::StoppedWave &wave);
  void add(Byte &byte, const RaceAccess &access, uint32_t phase, bool isLocal, uint64_t address);
  void compare(llvm::ArrayRef<RaceAccess> before, const RaceAccess &access, bool byGroup,
               bool isLocal, uint64_t address);

  llvm::ArrayRef<uint8_t> text;
  std::array<uint32_t, 3> groupCount;
  uint16_t mark = 0; ///< that waves stop at
  uint32_t group = ~0u;
  std::vector<WaveState> waves; ///< of the workgroup
  llvm::DenseMap<uint64_t, Byte> local, global;
  std::set<std::tuple<uint32_t, uint32_t, bool>> reported;
  std::vector<Race> races;
};

} // namespace kiln_cl
