//===- MakerProgress.h - is a thread worth waiting for? -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <ctime>
#include <optional>

namespace icd {

/// Processor time of a thread that gives way to others. When those are busy it may take many times
/// as long as the one that waits for it would, and a lowered priority cannot be raised again.
class MakerProgress {
public:
  /// Of the calling thread, which must live while isStarved() is called.
  MakerProgress();

  /// Has the calling thread a higher priority than this one? Those of the same priority are waited
  /// for in any case: they may wait for others themselves.
  bool givesWayToCaller() const;

  /// Had the thread less than half of a processor since the last call? Never at the first one.
  bool isStarved();

private:
  using Clock = std::chrono::steady_clock;

  int niceness; ///< higher: lower priority
  bool hasClock;
  clockid_t clock;
  std::optional<Clock::time_point> lastTime;
  std::chrono::nanoseconds lastWork = {};
};

} // namespace icd
