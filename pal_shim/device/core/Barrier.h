//===- Barrier.h - the workgroup barrier -----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A barrier completes when every wave that has not ended has signalled; the waves that wait for it
/// then go on. s_barrier is signal and wait in one (RDNA ISA manuals, "Work-group barriers").
#pragma once

#include "pal_shim/device/core/Wave.h"

namespace pal::device {

/// Completes the barrier if all live waves have signalled.
inline void completeBarrier(Group &group) {
  if (group.barrierArrived == 0 || group.barrierArrived < group.liveWaves)
    return;
  group.barrierArrived = 0;
  ++group.barrierPhase;
}

inline void signalBarrier(Wave &wave) {
  wave.barrierPhase = wave.group->barrierPhase;
  ++wave.group->barrierArrived;
  completeBarrier(*wave.group);
}

/// True if the barrier that \p wave signalled has completed.
inline bool barrierIsOpen(const Wave &wave) { return wave.group->barrierPhase > wave.barrierPhase; }

inline void waitAtBarrier(Wave &wave) {
  if (!barrierIsOpen(wave))
    wave.state = WaveState::AtBarrier;
}

inline void endWave(Wave &wave) {
  wave.state = WaveState::Ended;
  --wave.group->liveWaves;
  completeBarrier(*wave.group);
}

} // namespace pal::device
