//===- ExecMasks.h - for which lanes each instruction is executed ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Follows EXEC, and the masks that it is saved in and made of, through the code on all paths. What
/// a compare or anything unknown gives is an atom; where paths with different masks meet, so is
/// which of them was taken. A vector write ends the life of what a register held for the lanes of
/// EXEC only, so that live registers (LiveRegisters.h) need this.
#pragma once

#include "tools/report/ControlFlow.h"
#include "tools/report/LaneSets.h"
#include <map>
#include <set>

namespace report {

class ExecMasks {
public:
  using Set = LaneSets::Set;

  ExecMasks(const MachineCode &code, const ControlFlow &flow);

  /// EXEC in front of each instruction; `all` where that is not known, and everywhere if
  /// isUnknown().
  Set before(uint32_t instruction) const { return exec[instruction]; }
  Set atEnd(uint32_t block) const { return blockEnd[block]; }
  /// Formulas became too large: nothing is known of masks.
  bool isUnknown() const { return lanes.isFull(); }
  LaneSets &sets() { return lanes; }

  /// What \p needed at the start of \p to means at the end of \p from: atoms that stand for
  /// something else there are forgotten. At least as many lanes.
  Set acrossEdge(Set needed, uint32_t from, uint32_t to);

private:
  /// Masks that scalar registers hold, by their slot; of 64 lanes the lower one of two.
  using Masks = std::map<unsigned, Set>;
  struct State {
    Set exec = LaneSets::all;
    Masks masks;
    bool operator==(const State &) const = default;
  };

  void follow();
  State join(uint32_t block);
  Set enteredWith(uint32_t block, llvm::ArrayRef<uint32_t> from);
  Set leaving(Set set, uint32_t from, uint32_t to);
  void step(const Instruction &instr, State &state);
  Set operand(const pal::device::RawOperand &operand, const State &state);
  bool isMask(const pal::device::RawOperand &operand) const;
  void write(unsigned slot, Set value, State &state);
  void forgetWritten(const Instruction &instr, State &state);
  bool stepScalar(const Instruction &instr, State &state);
  bool stepSave(const Instruction &instr, State &state);
  bool stepCompare(const Instruction &instr, State &state);
  Set fresh(const Instruction &instr, unsigned number);
  Set atom(uint64_t key, uint32_t block);

  const MachineCode &code;
  const ControlFlow &flow;
  LaneSets lanes;
  std::vector<Set> exec, blockEnd;
  std::vector<State> in, out;
  std::vector<bool> isKnown;                    ///< `out`, by block
  std::map<uint64_t, uint32_t> atoms;           ///< by place
  std::vector<uint32_t> blockOfAtom;            ///< where it gets its value
  std::vector<bool> isJoinAtom;                 ///< made where paths meet
  std::vector<bool> isMerged;                   ///< EXEC has an atom at the start, by block
  std::set<std::pair<uint32_t, unsigned>> lost; ///< masks by block and slot
};

} // namespace report
