//===- SpillChoice.h - which units leave their registers ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Where more registers are needed than there are, those units are spilled that are used least for
/// the time that they hold something; uses in loops count eight times for each. A spilled unit has
/// a slot in memory of its own instead of registers, for as long as it holds something.
#pragma once

#include "lgc/direct/shader/LiveIntervals.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace lgc::direct {

inline constexpr uint32_t noSlot = ~0u;

struct SpillChoice {
  std::vector<bool> isSpilled; ///< by unit
  /// By unit: its first dword in memory; noSlot: it is not spilled, or is made again.
  std::vector<uint32_t> slots;
  uint32_t slotCount = 0;
  /// By unit: what is made again where it is needed.
  std::vector<std::optional<Operand>> constants;
  llvm::DenseMap<uint32_t, MachineOp> loads; ///< the same: scalar loads, of what never changes
  /// By instruction: registers of the units that are not spilled.
  std::vector<uint32_t> pressure;

  /// Also of programs to which units have been added since.
  bool isOfSpilled(const Operand &operand) const {
    return operand.isUnit() && operand.value < isSpilled.size() && isSpilled[operand.value];
  }
  bool isMadeAgain(uint32_t unit) const { return constants[unit] || loads.contains(unit); }
};

/// So that the units of \p bank which are not spilled need at most \p target registers, if that can
/// be. Places of lanes that instructions read by their numbers are never spilled.
/// \p live: what is loaded again needs its address until then.
SpillChoice chooseSpills(const Program &program, LiveIntervals &live, Bank bank, unsigned target);

} // namespace lgc::direct
