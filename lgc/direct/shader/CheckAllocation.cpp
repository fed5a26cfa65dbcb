//===- CheckAllocation.cpp - does every unit keep its registers? ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/CheckAllocation.h"
#include "lgc/direct/shader/CheckedPaths.h"
#include "lgc/direct/shader/ForwardWalk.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// A word is one register of a unit.
class AllocationChecker {
public:
  AllocationChecker(const Program &program, ArrayRef<Unit> units);
  std::string run();

private:
  /// Written: the word; lost: overwritten since.
  using State = WordsOnPaths;

  void enter(uint32_t block, const State &state);
  void goRound(uint32_t first, uint32_t last, State &state) const;
  void step(const MachineOp &op, State &state);
  void read(const Operand &operand, unsigned registers, const State &state);
  void write(const MachineOp &op, const Operand &operand, unsigned registers, State &state);
  uint32_t wordOf(const Operand &operand, unsigned index) const {
    return firstWord[operand.value] + operand.index + index;
  }
  std::vector<uint32_t> &wordsAt(Bank bank, unsigned place) {
    return bank == Bank::Scalar ? sgprs[place] : vgprs[place];
  }

  const Program &program;
  const ArrayRef<Unit> units;
  const IterationUnits iterations;
  std::vector<uint32_t> firstWord; ///< by unit
  uint32_t words = 0;
  std::array<std::vector<uint32_t>, sgprsMax + 2> sgprs; ///< words that are placed there
  std::array<std::vector<uint32_t>, vgprsMax> vgprs;
  std::vector<std::optional<State>> states; ///< at the beginning of blocks
  std::vector<uint32_t> open;
  std::string finding;
};

AllocationChecker::AllocationChecker(const Program &program, ArrayRef<Unit> units)
    : program(program), units(units), iterations(program), states(program.blocks.size()) {
  for (const Unit &unit : units) {
    firstWord.push_back(words);
    for (unsigned i = 0; unit.place >= 0 && i < unit.count; ++i)
      wordsAt(unit.bank, unit.place + i).push_back(words + i);
    words += unit.count;
  }
}

void AllocationChecker::goRound(uint32_t first, uint32_t last, State &state) const {
  for (uint32_t unit = 0; unit < units.size(); ++unit) {
    if (!iterations.isOfIteration(unit, first, last))
      continue;
    for (unsigned i = 0; i < units[unit].count; ++i) {
      state.written.reset(firstWord[unit] + i);
      state.lost.reset(firstWord[unit] + i);
    }
  }
}

void AllocationChecker::read(const Operand &operand, unsigned registers, const State &state) {
  for (unsigned i = 0; i < registers; ++i)
    if (state.lost[wordOf(operand, i)] && finding.empty())
      finding = ("unit " + Twine(operand.value) + ", register " + Twine(operand.index + i) +
                 ", which something has overwritten")
                    .str();
}

void AllocationChecker::write(const MachineOp &op, const Operand &operand, unsigned registers,
                              State &state) {
  const Unit &unit = units[operand.value];
  // A move within a register leaves what it copies.
  const Operand &source = op.operands[op.count - 1];
  const bool isMove = (op.opcode == Opcode::VMov || op.opcode == Opcode::SMov) && source.isUnit();
  for (unsigned i = 0; i < registers; ++i) {
    const uint32_t own = wordOf(operand, i);
    for (uint32_t word : wordsAt(unit.bank, unit.place + operand.index + i))
      if (word != own && state.written[word] && !(isMove && word == wordOf(source, 0)))
        state.lost.set(word);
    state.written.set(own);
    state.lost.reset(own);
  }
}

void AllocationChecker::step(const MachineOp &op, State &state) {
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i)
    if (op.operands[i].isUnit() && infos[i].isRead())
      read(op.operands[i], program.registersOf(op.operands[i], infos[i]), state);
  for (unsigned i = 0; i < op.count; ++i)
    if (op.operands[i].isUnit() && infos[i].isWritten())
      write(op, op.operands[i], program.registersOf(op.operands[i], infos[i]), state);
}

void AllocationChecker::enter(uint32_t block, const State &state) {
  if (block >= states.size())
    return;
  if (!states[block])
    states[block] = state;
  else if (!states[block]->join(state))
    return;
  open.push_back(block);
}

std::string AllocationChecker::run() {
  State start{BitVector(words), BitVector(words)};
  for (const auto &[number, unit] : enumerate(units))
    for (unsigned i = 0; unit.fixed >= 0 && i < unit.count; ++i)
      start.written.set(firstWord[number] + i);
  enter(0, start);
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    State state = *states[block];
    const std::vector<MachineOp> &ops = program.blocks[block].ops;
    for (const auto &[index, op] : enumerate(ops)) {
      step(op, state);
      if (!finding.empty())
        return ("block " + Twine(block) + ", instruction " + Twine(index) + " reads " + finding)
            .str();
      const uint32_t target = targetOf(op);
      if (target == noBlock)
        continue;
      State there = state;
      if (target <= block)
        goRound(target, block, there);
      enter(target, there);
    }
    if (ops.empty() || !endsFlow(ops.back()))
      enter(block + 1, state);
  }
  return "";
}

} // namespace

std::string checkAllocation(const Program &program, ArrayRef<Unit> units) {
  return AllocationChecker(program, units).run();
}

} // namespace lgc::direct
