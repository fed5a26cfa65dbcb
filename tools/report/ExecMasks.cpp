//===- ExecMasks.cpp - for which lanes each instruction is executed -------===//
// SPDX-License-Identifier: MIT
#include "tools/report/ExecMasks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;
using pal::device::RawOperand;
namespace sreg = pal::device::sreg;

namespace report {

namespace {

/// Atoms of one code; more are a reason to give up, as recursion in LaneSets is that deep.
constexpr size_t maxAtoms = 8192;
/// Rounds over all blocks after which masks count as unknown. Loops need a few each.
constexpr unsigned maxRounds = 64;
/// Keys of atoms: an instruction with a number of its own, or a block with a slot.
constexpr uint64_t joinKey = 1ull << 63;
constexpr unsigned execSlot = sreg::execLo;

enum class Logic : uint8_t { None, Copy, Not, And, Or, Xor, AndNot, OrNot, Nand, Nor, Xnor };

Logic logicOf(StringRef name) {
  return llvm::StringSwitch<Logic>(name)
      .Case("s_mov", Logic::Copy)
      .Case("s_not", Logic::Not)
      .Case("s_and", Logic::And)
      .Case("s_or", Logic::Or)
      .Case("s_xor", Logic::Xor)
      .Cases({"s_andn2", "s_and_not1"}, Logic::AndNot)
      .Cases({"s_orn2", "s_or_not1"}, Logic::OrNot)
      .Case("s_nand", Logic::Nand)
      .Case("s_nor", Logic::Nor)
      .Case("s_xnor", Logic::Xnor)
      .Default(Logic::None);
}

LaneSets::Set apply(LaneSets &sets, Logic logic, LaneSets::Set a, LaneSets::Set b) {
  switch (logic) {
  case Logic::None:
  case Logic::Copy:
    return a;
  case Logic::Not:
    return sets.complement(a);
  case Logic::And:
    return sets.both(a, b);
  case Logic::Or:
    return sets.either(a, b);
  case Logic::Xor:
    return sets.exclusive(a, b);
  case Logic::AndNot:
    return sets.without(a, b);
  case Logic::OrNot:
    return sets.either(a, sets.complement(b));
  case Logic::Nand:
    return sets.complement(sets.both(a, b));
  case Logic::Nor:
    return sets.complement(sets.either(a, b));
  case Logic::Xnor:
    return sets.complement(sets.exclusive(a, b));
  }
  return a;
}

} // namespace

ExecMasks::ExecMasks(const MachineCode &code, const ControlFlow &flow)
    : code(code), flow(flow), exec(code.code.size(), LaneSets::all),
      blockEnd(flow.blocks.size(), LaneSets::all), in(flow.blocks.size()), out(flow.blocks.size()),
      isKnown(flow.blocks.size()), isMerged(flow.blocks.size()) {
  follow();
}

void ExecMasks::follow() {
  bool changed = true;
  for (unsigned round = 0; changed && round < maxRounds && !lanes.isFull(); ++round) {
    changed = false;
    for (const uint32_t b : flow.order) {
      State state = b ? join(b) : State();
      if (isKnown[b] && state == in[b])
        continue;
      changed = true;
      in[b] = state;
      for (uint32_t i = flow.blocks[b].begin; i < flow.blocks[b].end; ++i) {
        exec[i] = state.exec;
        step(code.code[i], state);
      }
      blockEnd[b] = state.exec;
      out[b] = std::move(state);
      isKnown[b] = true;
    }
  }
  if (changed || lanes.isFull() || flow.isIrreducible || atoms.size() > maxAtoms)
    lanes.giveUp();
  if (!lanes.isFull())
    return;
  exec.assign(exec.size(), LaneSets::all);
  blockEnd.assign(blockEnd.size(), LaneSets::all);
}

/// A set at the end of \p from, as it is seen from \p to: atoms of a loop get new values in its
/// next round. Atoms that stand for the paths into \p to are about the last time, too.
ExecMasks::Set ExecMasks::leaving(Set set, uint32_t from, uint32_t to) {
  const uint32_t loop = flow.loopOfBackEdge(from, to);
  if (loop == nowhere)
    return set;
  return lanes.forget(set, [&](uint32_t a) { return flow.isInLoop(blockOfAtom[a], loop); });
}

/// EXEC at the start of a block: what it is at the end of one of \p from. A set that changes from
/// one round of a loop to the next is another one, even if all that is known of it is the same.
ExecMasks::Set ExecMasks::enteredWith(uint32_t block, llvm::ArrayRef<uint32_t> from) {
  bool isSame = !isMerged[block];
  Set any = LaneSets::none;
  for (const uint32_t p : from) {
    const Set seen = leaving(out[p].exec, p, block);
    isSame &= seen == out[p].exec && seen == out[from.front()].exec;
    any = lanes.either(any, seen);
  }
  if (isSame)
    return any;
  isMerged[block] = true;
  const Set which = atom(joinKey | block, block);
  isJoinAtom[atoms.at(joinKey | block)] = true;
  return lanes.both(any, which);
}

ExecMasks::State ExecMasks::join(uint32_t block) {
  std::vector<uint32_t> from;
  for (const uint32_t p : flow.blocks[block].predecessors)
    if (isKnown[p])
      from.push_back(p);
  State state;
  state.exec = enteredWith(block, from);
  for (const auto &[slot, first] : out[from.front()].masks) {
    const bool isSame = llvm::all_of(from, [&](uint32_t p) {
      const auto mask = out[p].masks.find(slot);
      return mask != out[p].masks.end() && mask->second == first &&
             leaving(first, p, block) == first;
    });
    // What is lost stays so, that this ends.
    if (isSame && !lost.contains({block, slot}))
      state.masks[slot] = first;
    else
      lost.insert({block, slot});
  }
  return state;
}

ExecMasks::Set ExecMasks::atom(uint64_t key, uint32_t block) {
  auto [place, isNew] = atoms.try_emplace(key, uint32_t(atoms.size()));
  if (isNew) {
    blockOfAtom.push_back(block);
    isJoinAtom.push_back(false);
    if (atoms.size() > maxAtoms)
      lanes.giveUp();
  }
  return lanes.atom(place->second);
}

ExecMasks::Set ExecMasks::fresh(const Instruction &instr, unsigned number) {
  const auto index = uint32_t(&instr - code.code.data());
  return atom(uint64_t(index) << 8 | number, flow.blockOf[index]);
}

/// A scalar register, or a pair of them, for a bit of every lane.
bool ExecMasks::isMask(const RawOperand &operand) const {
  return operand.kind == RawOperand::Kind::Sgpr && operand.dwords == code.waveSize / 32;
}

ExecMasks::Set ExecMasks::operand(const RawOperand &operand, const State &state) {
  if (operand.kind == RawOperand::Kind::Imm) {
    const uint64_t ones = code.waveSize == 64 ? ~0ull : 0xFFFFFFFFull;
    if ((operand.imm & ones) == ones || operand.imm == 0)
      return operand.imm ? LaneSets::all : LaneSets::none;
  }
  if (isMask(operand)) {
    if (operand.reg == execSlot)
      return state.exec;
    if (const auto mask = state.masks.find(operand.reg); mask != state.masks.end())
      return mask->second;
  }
  return nowhere;
}

void ExecMasks::write(unsigned slot, Set value, State &state) {
  if (slot == execSlot)
    state.exec = value;
  else
    state.masks[slot] = value;
}

/// Masks whose registers are written otherwise are unknown.
void ExecMasks::forgetWritten(const Instruction &instr, State &state) {
  const unsigned dwords = code.waveSize / 32;
  for (const RegRange &range : instr.effects.writes) {
    if (range.isVgpr())
      continue;
    const unsigned first = range.first - pal::device::strict::firstSgpr;
    for (unsigned slot = first >= dwords - 1 ? first - (dwords - 1) : 0; slot < first + range.count;
         ++slot) {
      state.masks.erase(slot);
      if (slot == execSlot)
        state.exec = fresh(instr, 0xFF);
    }
  }
}

/// s_and_saveexec and its like: EXEC becomes what the name says of the source and EXEC, the
/// destination what EXEC was. _wrexec: the destination becomes what EXEC becomes.
bool ExecMasks::stepSave(const Instruction &instr, State &state) {
  StringRef rest = instr.mnemonic;
  if (!rest.consume_back(code.waveSize == 64 ? "_b64" : "_b32"))
    return false;
  const bool saves = rest.consume_back("_saveexec"), writes = rest.consume_back("_wrexec");
  if ((!saves && !writes) || instr.operands.size() < 2)
    return false;
  const bool negatesSource =
      rest == "s_andn1" || rest == "s_and_not0" || rest == "s_orn1" || rest == "s_or_not0";
  Set source = operand(instr.operands[1], state);
  if (source == nowhere)
    source = fresh(instr, 1);
  Logic logic = logicOf(rest);
  if (negatesSource) {
    source = lanes.complement(source);
    logic = rest.starts_with("s_and") ? Logic::And : Logic::Or;
  }
  if (logic == Logic::None)
    return false;
  const Set before = state.exec, after = apply(lanes, logic, source, before);
  forgetWritten(instr, state);
  state.exec = after;
  if (isMask(instr.operands[0]))
    write(instr.operands[0].reg, saves ? before : after, state);
  return true;
}

bool ExecMasks::stepScalar(const Instruction &instr, State &state) {
  StringRef name = instr.mnemonic;
  if (!name.consume_back(code.waveSize == 64 ? "_b64" : "_b32"))
    return false;
  const bool isWhole = name == "s_wqm";
  const Logic logic = logicOf(name);
  if ((logic == Logic::None && !isWhole) || instr.operands.size() < 2 || !isMask(instr.operands[0]))
    return false;
  Set a = operand(instr.operands[1], state);
  Set b = instr.operands.size() > 2 ? operand(instr.operands[2], state) : LaneSets::none;
  // What nobody knows is no mask, unless it is put together with one.
  if (a == nowhere && b == nowhere)
    return false;
  if (logic == Logic::Copy && a == nowhere)
    return false;
  if (a == nowhere)
    a = fresh(instr, 1);
  if (b == nowhere)
    b = fresh(instr, 2);
  // Whole quads: those lanes and others.
  const Set value = isWhole ? lanes.either(a, fresh(instr, 3)) : apply(lanes, logic, a, b);
  forgetWritten(instr, state);
  write(instr.operands[0].reg, value, state);
  return true;
}

/// Lanes that are off have 0.
bool ExecMasks::stepCompare(const Instruction &instr, State &state) {
  const StringRef name = instr.mnemonic;
  if (!name.starts_with("v_cmp"))
    return false;
  const Set value = lanes.both(state.exec, fresh(instr, 0));
  forgetWritten(instr, state);
  if (name.starts_with("v_cmpx")) {
    state.exec = value;
    return true;
  }
  for (const RawOperand &operand : instr.operands)
    if (operand.isDef && isMask(operand)) {
      write(operand.reg, value, state);
      break;
    }
  return true;
}

void ExecMasks::step(const Instruction &instr, State &state) {
  if (stepCompare(instr, state) || stepSave(instr, state) || stepScalar(instr, state))
    return;
  forgetWritten(instr, state);
}

ExecMasks::Set ExecMasks::acrossEdge(Set needed, uint32_t from, uint32_t to) {
  if (needed <= LaneSets::all || lanes.isFull())
    return needed ? LaneSets::all : LaneSets::none;
  const uint32_t loop = flow.loopOfBackEdge(from, to);
  auto isOther = [&](uint32_t a) {
    return (isJoinAtom[a] && blockOfAtom[a] == to) ||
           (loop != nowhere && flow.isInLoop(blockOfAtom[a], loop));
  };
  const Set entering = in[to].exec;
  const Set inside = lanes.forget(lanes.both(needed, entering), isOther);
  const Set outside = lanes.forget(lanes.without(needed, entering), isOther);
  return lanes.either(lanes.both(inside, blockEnd[from]), outside);
}

} // namespace report
