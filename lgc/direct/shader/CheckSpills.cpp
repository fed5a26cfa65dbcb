//===- CheckSpills.cpp - does every spilled unit come back? ---------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/CheckSpills.h"
#include "lgc/direct/shader/CheckedPaths.h"
#include "lgc/direct/shader/ForwardWalk.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// A word is one register of a spilled unit.
class SpillChecker {
public:
  SpillChecker(const Program &before, const Program &after, const SpillChoice &choice,
               const SpillTrace &trace);
  std::string run();

private:
  /// Written: a word's slot; lost: it does not hold the word any more.
  using State = WordsOnPaths;
  using Place = std::pair<uint32_t, unsigned>; ///< unit and register

  bool isSpilled(const Operand &operand) const {
    return operand.isUnit() && choice.isSpilled[operand.value];
  }
  uint32_t wordOf(const Operand &operand, unsigned index) const {
    return firstWord[operand.value] + operand.index + index;
  }
  void fail(const Twine &what) {
    if (finding.empty())
      finding = what.str();
  }
  void enter(uint32_t block, uint32_t from, const State &state);
  void runBlock(uint32_t block);
  void checkRemake(uint32_t unit, const MachineOp &op);
  void runAdded(const SpillStep &step, const MachineOp &op);
  void runOld(const MachineOp &old, const MachineOp &op);
  void read(const Operand &old, const Operand &now, unsigned registers);
  void write(const Operand &old, const Operand &now, unsigned registers);
  void storeWord(uint32_t word);
  void endCopies();

  const Program &before, &after;
  const SpillChoice &choice;
  const SpillTrace &trace;
  const IterationUnits iterations;
  std::vector<uint32_t> firstWord; ///< by unit
  uint32_t words = 0;
  std::vector<uint32_t> slotOf;               ///< by word
  std::vector<std::vector<uint32_t>> sharing; ///< by slot: words
  std::vector<bool> isTarget;                 ///< by block
  std::vector<std::optional<State>> states;   ///< at the beginning of blocks
  std::vector<uint32_t> open;
  // While a region is followed:
  State state;
  DenseMap<Place, uint32_t> copies; ///< words
  BitVector pending;                ///< words that are newer than their slots
  std::string finding;
};

SpillChecker::SpillChecker(const Program &before, const Program &after, const SpillChoice &choice,
                           const SpillTrace &trace)
    : before(before), after(after), choice(choice), trace(trace), iterations(before),
      sharing(choice.slotCount), isTarget(before.blocks.size() + 1), states(before.blocks.size()) {
  for (uint32_t unit = 0; unit < choice.isSpilled.size(); ++unit) {
    firstWord.push_back(words);
    if (!choice.isSpilled[unit])
      continue;
    for (unsigned i = 0; i < before.units[unit].count; ++i) {
      slotOf.push_back(choice.slots[unit] == noSlot ? noSlot : choice.slots[unit] + i);
      if (slotOf.back() != noSlot)
        sharing[slotOf.back()].push_back(words + i);
    }
    words += before.units[unit].count;
  }
  for (const MachineBlock &block : before.blocks)
    for (const MachineOp &op : block.ops)
      if (const uint32_t target = targetOf(op); target < isTarget.size())
        isTarget[target] = true;
}

/// Nothing of what is only in copies gets there.
void SpillChecker::enter(uint32_t block, uint32_t from, const State &now) {
  if (block >= states.size())
    return;
  State there = now;
  there.lost |= pending;
  if (block <= from)
    for (uint32_t unit = 0; unit < choice.isSpilled.size(); ++unit)
      if (choice.isSpilled[unit] && iterations.isOfIteration(unit, block, from))
        for (unsigned i = 0; i < before.units[unit].count; ++i) {
          there.written.reset(firstWord[unit] + i);
          there.lost.reset(firstWord[unit] + i);
        }
  if (!states[block])
    states[block] = there;
  else if (!states[block]->join(there))
    return;
  open.push_back(block);
}

void SpillChecker::storeWord(uint32_t word) {
  for (uint32_t other : sharing[slotOf[word]])
    if (other != word && state.written[other])
      state.lost.set(other);
  state.written.set(word);
  state.lost.reset(word);
  pending.reset(word);
}

/// A load, a store, or a constant.
void SpillChecker::runAdded(const SpillStep &step, const MachineOp &op) {
  for (unsigned i = 0; i < step.count; ++i) {
    const uint32_t word = firstWord[step.unit] + step.first + i;
    const Place place = {step.copy.value, step.copy.index + i};
    const auto copy = copies.find(place);
    switch (step.kind) {
    case SpillStep::Kind::Load:
      if (slotOf[word] == noSlot || state.lost[word] || pending[word])
        fail("loads unit " + Twine(step.unit) + ", which is not in memory");
      copies[place] = word;
      break;
    case SpillStep::Kind::Store:
      if (slotOf[word] == noSlot || copy == copies.end() || copy->second != word)
        return fail("stores something else than unit " + Twine(step.unit));
      storeWord(word);
      break;
    default:
      checkRemake(step.unit, op);
      copies[place] = word;
      break;
    }
  }
}

void SpillChecker::checkRemake(uint32_t unit, const MachineOp &op) {
  const auto load = choice.loads.find(unit);
  if (load == choice.loads.end()) {
    if (!choice.constants[unit] || op.operands[1] != *choice.constants[unit])
      fail("is another constant than unit " + Twine(unit));
    return;
  }
  const MachineOp &old = load->second;
  if (op.opcode != old.opcode)
    return fail("is another load than that of unit " + Twine(unit));
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 1; i < op.count; ++i)
    if (isSpilled(old.operands[i]))
      read(old.operands[i], op.operands[i], before.registersOf(old.operands[i], infos[i]));
    else if (old.operands[i] != op.operands[i])
      fail("has another address than unit " + Twine(unit));
}

void SpillChecker::read(const Operand &old, const Operand &now, unsigned registers) {
  for (unsigned i = 0; i < registers; ++i) {
    const auto copy = copies.find({now.value, now.index + i});
    if (!now.isUnit() || copy == copies.end() || copy->second != wordOf(old, i))
      fail("does not read unit " + Twine(old.value) + ", register " + Twine(old.index + i));
  }
}

void SpillChecker::write(const Operand &old, const Operand &now, unsigned registers) {
  for (unsigned i = 0; i < registers; ++i) {
    const uint32_t word = wordOf(old, i);
    SmallVector<Place, 2> stale;
    for (const auto &[place, held] : copies)
      if (held == word)
        stale.push_back(place);
    for (const Place &place : stale)
      copies.erase(place);
    copies[{now.value, now.index + i}] = word;
    pending.set(word);
  }
}

/// Lanes are others now. Arguments have all of them.
void SpillChecker::endCopies() {
  SmallVector<std::pair<Place, uint32_t>> arguments;
  for (const auto &[place, word] : copies)
    if (place.first < before.units.size())
      arguments.push_back({place, word});
  copies.clear();
  BitVector kept(words);
  for (const auto &[place, word] : arguments) {
    copies[place] = word;
    if (pending[word])
      kept.set(word);
  }
  state.lost |= pending;
  state.lost.reset(kept);
  pending &= kept;
}

void SpillChecker::runOld(const MachineOp &old, const MachineOp &op) {
  if (old.opcode != op.opcode || old.count != op.count)
    return fail("is another instruction");
  const ArrayRef<OperandInfo> infos = operandInfo(old.opcode);
  bool changesLanes = false, isVector = false;
  for (unsigned i = 0; i < old.count; ++i) {
    if (!isSpilled(old.operands[i])) {
      if (old.operands[i] != op.operands[i])
        return fail("has another operand");
      changesLanes |= infos[i].isWritten() && old.operands[i] == Operand::sgpr(regExec);
    } else if (infos[i].isRead()) {
      read(old.operands[i], op.operands[i], before.registersOf(old.operands[i], infos[i]));
    }
  }
  for (unsigned i = 0; i < old.count; ++i)
    if (isSpilled(old.operands[i]) && infos[i].isWritten())
      write(old.operands[i], op.operands[i], before.registersOf(old.operands[i], infos[i]));
  for (uint32_t unit = 0; unit < choice.isSpilled.size() && !isVector; ++unit)
    isVector = choice.isSpilled[unit] && before.units[unit].bank == Bank::Vector;
  if (changesLanes && isVector)
    endCopies();
}

void SpillChecker::runBlock(uint32_t block) {
  const std::vector<MachineOp> &olds = before.blocks[block].ops, &ops = after.blocks[block].ops;
  size_t old = 0, now = 0;
  for (const SpillStep &step : trace[block]) {
    if (step.kind == SpillStep::Kind::Gone) {
      const Operand &result = olds[old].operands[0];
      if (!isSpilled(result) || (choice.constants[result.value] != olds[old].operands[1] &&
                                 classOf(olds[old].opcode) != InstructionClass::ScalarLoad))
        fail("is not there");
      ++old;
      continue;
    }
    if (now >= ops.size() || (step.kind == SpillStep::Kind::Old && old >= olds.size()))
      return fail("has no counterpart");
    if (step.kind == SpillStep::Kind::Old) {
      const uint32_t target = targetOf(olds[old]);
      runOld(olds[old++], ops[now]);
      if (target != noBlock)
        enter(target, block, state);
    } else if (step.kind != SpillStep::Kind::Helping) {
      runAdded(step, ops[now]);
    }
    if (!finding.empty()) {
      finding = ("block " + Twine(block) + ", instruction " + Twine(now) + " " + finding).str();
      return;
    }
    ++now;
  }
  if (old != olds.size() || now != ops.size())
    fail("block " + Twine(block) + " has lost its end");
}

std::string SpillChecker::run() {
  pending.resize(words);
  for (uint32_t unit = 0; unit < choice.isSpilled.size(); ++unit)
    for (unsigned i = 0;
         choice.isSpilled[unit] && before.units[unit].fixed >= 0 && i < before.units[unit].count;
         ++i) {
      copies[{unit, i}] = firstWord[unit] + i;
      pending.set(firstWord[unit] + i);
    }
  states.front() = State{BitVector(words), BitVector(words)};
  open.push_back(0);
  while (!open.empty() && finding.empty()) {
    uint32_t block = open.back();
    open.pop_back();
    state = *states[block];
    if (block) {
      copies.clear();
      pending.reset();
    }
    while (true) {
      runBlock(block);
      const std::vector<MachineOp> &ops = before.blocks[block].ops;
      if (!finding.empty() || (!ops.empty() && endsFlow(ops.back())) ||
          block + 1 >= before.blocks.size())
        break;
      if (isTarget[block + 1]) {
        enter(block + 1, block, state);
        break;
      }
      ++block;
    }
  }
  return finding;
}

} // namespace

std::string checkSpills(const Program &before, const Program &after, const SpillChoice &choice,
                        const SpillTrace &trace) {
  return SpillChecker(before, after, choice, trace).run();
}

} // namespace lgc::direct
