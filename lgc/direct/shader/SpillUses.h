//===- SpillUses.h - uses of spilled units in a region --------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/SpillChoice.h"

namespace lgc::direct {

inline constexpr uint32_t noUse = ~0u;

/// An operand that is a spilled unit, or registers of one.
struct SpillUse {
  uint32_t unit;
  uint32_t op; ///< the number of the instruction
  uint8_t first, count;
  bool isRead;
  uint32_t next; ///< use of the same unit in the region
};

/// Blocks in a row, and where in them the walk is.
class SpillUses {
public:
  SpillUses(const Program &program, const LiveIntervals &live, const SpillChoice &choice)
      : program(program), live(live), choice(choice), nextUse(live.size(), noUse) {}

  /// By block, and one more: whether jumps go there.
  std::vector<bool> findTargets() const;
  /// Begins a region. Of an instruction what is read comes first.
  void collect(uint32_t firstBlock, uint32_t endBlock);
  const SpillUse &operator[](uint32_t use) const { return uses[use]; }
  /// Of a unit, behind those that have been taken.
  uint32_t next(uint32_t unit) const { return nextUse[unit]; }
  /// The instruction of that; noUse: there is none.
  uint32_t nextOp(uint32_t unit) const {
    return nextUse[unit] == noUse ? noUse : uses[nextUse[unit]].op;
  }
  SpillUse take() {
    const SpillUse use = uses[taken++];
    nextUse[use.unit] = use.next;
    return use;
  }
  /// Takes all uses of an instruction.
  void skip(uint32_t op) {
    while (taken < uses.size() && uses[taken].op == op)
      take();
  }

private:
  const Program &program;
  const LiveIntervals &live;
  const SpillChoice &choice;
  std::vector<SpillUse> uses;
  size_t taken = 0;
  std::vector<uint32_t> nextUse; ///< by unit
};

} // namespace lgc::direct
