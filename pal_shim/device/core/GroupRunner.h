//===- GroupRunner.h - runs the waves of one group -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A group is what shares LDS and barriers: a workgroup of a compute shader, a subgroup of a
/// primitive shader, or single waves of other graphics stages.
#pragma once

#include "pal_shim/device/Debug.h"
#include "pal_shim/device/core/Dispatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace pal::device {

class StagePort;

/// A group of waves of a graphics stage.
struct StageLaunch {
  unsigned waves = 1;
  unsigned ldsBytes = 0;     ///< of the group
  StagePort *port = nullptr; ///< receives exports, messages and parameter loads
  uint32_t number = 0;       ///< in the draw, for messages and the order of waves
  uint64_t turn = 0;         ///< instructions until it is another wave's turn; 0: many
  bool newestFirst = false;  ///< order of turns, without a seed
  /// Sets the registers of wave \p index that the hardware fills, EXEC included. All others are
  /// undefined by then, EXEC has all lanes.
  llvm::function_ref<void(Wave &wave, unsigned index)> fill;
  /// For debuggers; null: nothing is known.
  llvm::function_ref<DrawInvocation(unsigned wave, unsigned lane)> describe = nullptr;
};

struct GroupRunner {
  /// Makes room for \p program and forgets what ran before.
  void prepare(const ProgramData &program, const LaunchState &state, DispatchContext &context,
               MemoryView &memory);
  /// Runs one workgroup to its end. False: a fault, described by `fault`.
  bool run(const std::array<uint32_t, 3> &id);

  /// As prepare, for a stage of a graphics program; runStage may follow any number of times.
  void prepareStage(const ProgramData &program, DispatchContext &context, MemoryView &memory,
                    GpuAddress borderColors);
  /// Runs one group to its end. False: a fault, described by `fault`. The host's floating-point
  /// mode is afterwards what it was before.
  bool runStage(const StageLaunch &launch);

  /// Adds `hits` to what the device counts, and forgets them.
  void account(OpcodeCounters &counters);

  /// How often each instruction of the program was executed.
  std::vector<uint64_t> hits;
  std::vector<InstructionProfile> profile; ///< by instruction; empty: nobody counts
  std::optional<DeviceFault> fault;

private:
  void prepareGroup(const ProgramData &program, DispatchContext &context, MemoryView &memory,
                    GpuAddress borderColors);
  void reserveWaves(unsigned count);
  /// Everything of the group but the waves' registers.
  void startGroup(const std::array<uint32_t, 3> &id, bool newestFirst = false);
  void giveScratch();
  /// Scratch bytes of a lane.
  uint32_t laneScratch() const {
    return state ? state->scratchBytes : program->launch.scratchBytes;
  }
  /// \p turn: as in StageLaunch.
  bool runTurns(uint64_t turn);
  /// Runs until the wave stops running or \p limit instructions are done.
  template <bool isObserved> void runWave(Wave &wave, uint64_t limit);
  bool isTraced(const Wave &wave) const;
  bool stop(Wave &wave, const Instr &instr);
  /// Tells the debugger of the accesses of the instruction that has run.
  void reportAccesses(const Wave &wave, const Instr &instr);
  bool isDebuggerWatching() const {
    return context->debugger && context->debugger->watchesMemory();
  }
  void count(const Instr &instr, InstructionProfile &sums, uint64_t exec);
  std::string placeOf(const Wave &wave) const;
  void reportFault(const Wave &wave, const FaultRecord &record);
  void reportDeadlock();
  void orderWaves(bool newestFirst);

  std::unique_ptr<Wave[]> waves;
  unsigned waveCapacity = 0;
  unsigned waveCount = 0;
  std::vector<unsigned> order;
  std::vector<std::unique_ptr<WaveWatch>> watches; ///< by wave; empty: nobody looks on
  AccessLog accesses; ///< of the instruction that runs, if somebody asks
  std::vector<uint8_t> scratch;
  Group group;
  const Instr *current = nullptr; ///< latest instruction executed
  const ProgramData *program = nullptr;
  const LaunchState *state = nullptr;
  decltype(StageLaunch::describe) describe; ///< of what runs
  DispatchContext *context = nullptr;
};

} // namespace pal::device
