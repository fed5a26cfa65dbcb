//===- GroupRunner.h - runs the waves of one workgroup ---------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/Dispatch.h"

namespace pal::device {

struct GroupRunner {
  /// Makes room for \p program and forgets the last dispatch.
  void prepare(const ProgramData &program, const LaunchState &state, DispatchContext &context,
               MemoryView &memory);
  /// Runs one workgroup to its end. False: a fault, described by `fault`.
  bool run(const std::array<uint32_t, 3> &id);

  /// How often each instruction of the program was executed.
  std::vector<uint64_t> hits;
  std::optional<DeviceFault> fault;

private:
  void start(const std::array<uint32_t, 3> &id);
  bool runTurns();
  /// Runs until the wave stops running or \p limit instructions are done.
  template <bool isTraced> void runWave(Wave &wave, uint64_t limit);
  bool isTraced(const Wave &wave) const;
  void reportFault(const Wave &wave, const FaultRecord &record);
  void reportDeadlock();
  void orderWaves();

  std::unique_ptr<Wave[]> waves;
  unsigned waveCapacity = 0;
  unsigned waveCount = 0;
  std::vector<unsigned> order;
  std::vector<uint8_t> scratch;
  Group group;
  const Instr *current = nullptr; ///< latest instruction executed
  const ProgramData *program = nullptr;
  const LaunchState *state = nullptr;
  DispatchContext *context = nullptr;
};

} // namespace pal::device
