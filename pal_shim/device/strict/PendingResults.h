//===- PendingResults.h - registers whose loads have not come back --------===//
// SPDX-License-Identifier: MIT
/// \file
/// What hardware has under way for a wave: loads that will write registers, exports that will still
/// read them. Of each the age is known, the number of later operations of the same counter; waiting
/// until n are left ends those of age n and more, where the counter goes down in order.
#pragma once

#include "pal_shim/device/strict/Effects.h"
#include <bitset>
#include <string>
#include <vector>

namespace pal::device::strict {

/// Do operations of these kinds (kind::), all that may be under way of a counter, come back in the
/// order of their issue? Scalar loads come back in any order, as do operations of several kinds;
/// vector loads of several kinds are counted down in the order of their issue, unless one may have
/// gone to LDS.
bool comeBackInOrder(Counter counter, uint8_t kinds);
/// Operations that a counter can count. The next one is issued when one of them is back.
uint8_t mostUnderWay(Counter counter);
/// What a wait for the counter is called, of any generation.
const char *counterName(Counter counter);

class PendingResults {
public:
  /// Executes one instruction. Returns what it does too early, "" if nothing.
  std::string step(const Effects &effects);
  /// Both may have been; true: this has changed.
  bool join(const PendingResults &other);

private:
  /// One register of one operation.
  struct Entry {
    uint16_t reg = 0;
    Counter counter = Counter::Count;
    uint8_t kind = 0, age = 0;
    bool locksSource = false;
    uint32_t pc = 0; ///< of the operation
    bool isSame(const Entry &other) const {
      return reg == other.reg && counter == other.counter && kind == other.kind &&
             locksSource == other.locksSource;
    }
  };

  void wait(const Effects &effects);
  bool isInOrder(Counter counter) const;
  std::string check(const Effects &effects) const;
  bool comesBehind(const Entry &entry, const Effects &effects) const;
  void issue(const Effects &effects, const Event &event);
  void add(const Entry &entry);
  void renewRegisters();

  std::vector<Entry> entries;
  std::bitset<registerCount> registers; ///< of `entries`
  /// By Counter: kinds of operations that may be under way, those without registers too.
  std::array<uint8_t, size_t(Counter::Count)> kinds = {};
};

} // namespace pal::device::strict
