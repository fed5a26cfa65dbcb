//===- LiveIntervals.h - from where to where units hold something ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// A unit has one interval of positions, from its first to its last use, extended over loops that
/// it is used in and comes from outside of. Intervals suffice for lanes that wait, too: vector
/// instructions write the registers of active lanes only, and what a wave has once is never read
/// behind an iteration in which it was not written (Locations.h).
#pragma once

#include "lgc/direct/shader/Program.h"

namespace lgc::direct {

/// The instruction with number i reads at position 2 i and writes at 2 i + 1.
struct LiveInterval {
  uint32_t start = ~0u, end = 0;
  uint32_t loop = noLoop; ///< the innermost one that has all definitions
  bool isDefined = false;

  bool isUsed() const { return start != ~0u; }
  void include(uint32_t position) {
    start = std::min(start, position);
    end = std::max(end, position);
  }
};

class LiveIntervals {
public:
  explicit LiveIntervals(const Program &program);

  const LiveInterval &of(uint32_t unit) const { return intervals[unit]; }
  size_t size() const { return intervals.size(); }
  /// The number of a block's first instruction; of the block behind the last one: how many there
  /// are.
  uint32_t firstOp(uint32_t block) const { return firstOps[block]; }
  uint32_t opCount() const { return firstOps.back(); }
  unsigned depthOf(uint32_t loop) const;
  /// It is needed up to there, too. Returns whether that is new.
  bool extend(uint32_t unit, uint32_t end) {
    const bool isNew = end > intervals[unit].end;
    intervals[unit].end = std::max(intervals[unit].end, end);
    return isNew;
  }

private:
  template <typename Visit> void visitUnits(Visit visit) const;
  uint32_t commonLoop(uint32_t a, uint32_t b) const;
  uint32_t outermost(uint32_t loop) const;
  bool isInside(uint32_t loop, uint32_t outer) const;
  void extendOver(LiveInterval &interval, uint32_t loop) const;
  void findDefinitions();
  void findUses();
  void widen();

  const Program &program;
  std::vector<LiveInterval> intervals;
  std::vector<uint32_t> firstOps; ///< by block, and one more
};

} // namespace lgc::direct
