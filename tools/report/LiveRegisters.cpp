//===- LiveRegisters.cpp - which registers hold what is still needed ------===//
// SPDX-License-Identifier: MIT
#include "tools/report/LiveRegisters.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using llvm::StringRef;
using pal::device::Encoding;
using pal::device::strict::firstSgpr;
using pal::device::strict::registerCount;

namespace report {

namespace {

using Set = LaneSets::Set;
/// SGPRs that are counted: s0 to s105.
constexpr unsigned countedSgprs = pal::device::sreg::vccLo;

/// Lanes that \p instr reads vector registers of: not only its own where lanes are exchanged.
bool readsOtherLanes(const Instruction &instr) {
  const StringRef name = instr.mnemonic;
  switch (instr.encoding) {
  case Encoding::Dpp16:
  case Encoding::Dpp8:
  case Encoding::Vop3Dpp16:
  case Encoding::Vop3Dpp8:
    return true;
  default:
    return name.starts_with("v_readlane") || name.starts_with("v_permlane") ||
           name.starts_with("ds_swizzle") || name.starts_with("ds_permute") ||
           name.starts_with("ds_bpermute");
  }
}

/// What it does not write stays as it was: one lane, or on a condition.
bool writesInPart(const Instruction &instr) {
  const StringRef name = instr.mnemonic;
  return name.starts_with("v_writelane") || name.starts_with("s_cmov") || instr.usesM0;
}

class Finder {
public:
  Finder(const MachineCode &code, const ControlFlow &flow, ExecMasks &masks)
      : code(code), flow(flow), masks(masks), needs(flow.blocks.size()),
        written(flow.blocks.size()) {}
  LiveRegisters run(unsigned vgprsAtStart);

private:
  /// Lanes that need what each register holds, by register.
  using Needs = std::vector<Set>;

  void stepBack(uint32_t index, Needs &needs);
  Needs needsAtEnd(uint32_t block);
  void findNeeds();
  void findWritten(unsigned vgprsAtStart);
  void addWrites(const Instruction &instr, RegisterSet &set) const;
  void measure(uint32_t block, LiveRegisters &result);

  const MachineCode &code;
  const ControlFlow &flow;
  ExecMasks &masks;
  std::vector<Needs> needs;         ///< at the start of each block
  std::vector<RegisterSet> written; ///< may have been, at the start of each block
};

void Finder::stepBack(uint32_t index, Needs &needs) {
  const Instruction &instr = code.code[index];
  LaneSets &sets = masks.sets();
  const Set active = masks.before(index);
  if (!writesInPart(instr))
    for (const RegRange &range : instr.effects.writes)
      for (unsigned r = range.first; r < unsigned(range.first) + range.count; ++r) {
        if (!range.isVgpr())
          needs[r] = LaneSets::none;
        else if (!masks.isUnknown())
          needs[r] = sets.without(needs[r], active);
      }
  const Set readers = readsOtherLanes(instr) ? LaneSets::all : active;
  for (const RegRange &range : instr.effects.reads) {
    // Registers behind the named one, which M0 chooses among.
    const unsigned end = instr.usesM0 && range.isVgpr() ? firstSgpr : range.first + range.count;
    for (unsigned r = range.first; r < end; ++r)
      needs[r] = range.isVgpr() ? sets.either(needs[r], readers) : LaneSets::all;
  }
}

Finder::Needs Finder::needsAtEnd(uint32_t block) {
  Needs result(registerCount, LaneSets::none);
  for (const uint32_t to : flow.blocks[block].successors) {
    if (needs[to].empty())
      continue;
    llvm::DenseMap<Set, Set> across;
    for (unsigned r = 0; r < registerCount; ++r) {
      const Set needed = needs[to][r];
      if (needed == LaneSets::none)
        continue;
      auto [place, isNew] = across.try_emplace(needed, LaneSets::all);
      if (isNew)
        place->second = masks.acrossEdge(needed, block, to);
      result[r] = masks.sets().either(result[r], across[needed]);
    }
  }
  return result;
}

void Finder::findNeeds() {
  std::set<uint32_t, std::greater<>> pending; // by rank: the last first
  for (const uint32_t b : flow.order)
    pending.insert(flow.rank[b]);
  while (!pending.empty()) {
    const uint32_t b = flow.order[*pending.begin()];
    pending.erase(pending.begin());
    Needs now = needsAtEnd(b);
    for (uint32_t i = flow.blocks[b].end; i-- > flow.blocks[b].begin;)
      stepBack(i, now);
    if (now == needs[b])
      continue;
    // Needs only grow, so that this ends whatever formulas forget.
    if (!needs[b].empty())
      for (unsigned r = 0; r < registerCount; ++r)
        now[r] = masks.sets().either(now[r], needs[b][r]);
    if (now == needs[b])
      continue;
    needs[b] = std::move(now);
    for (const uint32_t p : flow.blocks[b].predecessors)
      if (flow.blocks[p].isReached)
        pending.insert(flow.rank[p]);
  }
}

void Finder::addWrites(const Instruction &instr, RegisterSet &set) const {
  for (const RegRange &range : instr.effects.writes)
    for (unsigned r = range.first; r < unsigned(range.first) + range.count; ++r)
      set.set(r);
}

void Finder::findWritten(unsigned vgprsAtStart) {
  if (flow.order.empty())
    return;
  // Scalar writes are whole: what is needed at the start is there.
  for (unsigned r = firstSgpr; r < registerCount; ++r)
    written[0].set(r);
  for (unsigned r = 0; r < 2 * std::min(vgprsAtStart, 256u); ++r)
    written[0].set(r);
  std::vector<bool> seen(flow.blocks.size());
  std::set<uint32_t> pending = {0};
  while (!pending.empty()) {
    const uint32_t b = flow.order[*pending.begin()];
    pending.erase(pending.begin());
    seen[b] = true;
    RegisterSet now = written[b];
    for (uint32_t i = flow.blocks[b].begin; i < flow.blocks[b].end; ++i)
      addWrites(code.code[i], now);
    for (const uint32_t to : flow.blocks[b].successors) {
      const RegisterSet more = written[to] | now;
      if (seen[to] && more == written[to])
        continue;
      written[to] = more;
      pending.insert(flow.rank[to]);
    }
  }
}

RegisterUse useOf(const RegisterSet &set) {
  RegisterUse use;
  for (unsigned v = 0; v < firstSgpr; v += 2)
    use.vgprs += set[v] || set[v + 1];
  for (unsigned s = 0; s < countedSgprs; ++s)
    use.sgprs += set[firstSgpr + s];
  return use;
}

void Finder::measure(uint32_t block, LiveRegisters &result) {
  const Block &range = flow.blocks[block];
  // Behind each instruction, from the last to the first.
  std::vector<RegisterSet> live(range.end - range.begin + 1);
  Needs now = needsAtEnd(block);
  auto needed = [&] {
    RegisterSet set;
    for (unsigned r = 0; r < registerCount; ++r)
      set[r] = now[r] != LaneSets::none;
    return set;
  };
  live.back() = needed();
  for (uint32_t i = range.end; i-- > range.begin;) {
    stepBack(i, now);
    live[i - range.begin] = needed();
  }
  RegisterSet have = written[block];
  for (uint32_t i = range.begin; i < range.end; ++i) {
    RegisterSet set = live[i - range.begin] & have;
    RegisterSet writes;
    addWrites(code.code[i], writes);
    have |= writes;
    set |= (live[i - range.begin + 1] & have) | writes;
    const RegisterUse use = result.use[i] = useOf(set);
    result.inUse[i] = set;
    auto raise = [&](uint32_t &peak, uint16_t RegisterUse::*member) {
      // Of equal ones the first, whatever the order of blocks.
      if (peak != nowhere && (result.use[peak].*member > use.*member ||
                              (result.use[peak].*member == use.*member && peak < i)))
        return;
      peak = i;
    };
    raise(result.vgprPeak, &RegisterUse::vgprs);
    raise(result.sgprPeak, &RegisterUse::sgprs);
  }
}

void takePeaks(LiveRegisters &result) {
  if (result.vgprPeak == nowhere)
    return;
  const RegisterSet &vgprs = result.inUse[result.vgprPeak], &sgprs = result.inUse[result.sgprPeak];
  for (unsigned v = 0; v < firstSgpr / 2; ++v)
    if (vgprs[2 * v] || vgprs[2 * v + 1])
      result.vgprsAtPeak.push_back(v);
  for (unsigned s = 0; s < countedSgprs; ++s)
    if (sgprs[firstSgpr + s])
      result.sgprsAtPeak.push_back(s);
}

LiveRegisters Finder::run(unsigned vgprsAtStart) {
  LiveRegisters result;
  result.use.resize(code.code.size());
  result.inUse.resize(code.code.size());
  findNeeds();
  findWritten(vgprsAtStart);
  for (const uint32_t b : flow.order)
    measure(b, result);
  takePeaks(result);
  result.isUpperBound = masks.isUnknown();
  return result;
}

} // namespace

LiveRegisters findLiveRegisters(const MachineCode &code, const ControlFlow &flow, ExecMasks &masks,
                                unsigned vgprsAtStart) {
  LiveRegisters result = Finder(code, flow, masks).run(vgprsAtStart);
  // Formulas may have become too large on the way: then once more without them.
  if (masks.isUnknown() && !result.isUpperBound)
    result = Finder(code, flow, masks).run(vgprsAtStart);
  return result;
}

RegRange vgprRange(unsigned number) { return {uint16_t(2 * number), 2}; }
RegRange sgprRange(unsigned number) { return {uint16_t(firstSgpr + number), 1}; }

bool writes(const Instruction &instr, RegRange wanted) {
  return llvm::any_of(instr.effects.writes, [&](const RegRange &range) {
    return range.first < wanted.first + wanted.count && wanted.first < range.first + range.count;
  });
}

std::vector<uint32_t> writersBefore(const MachineCode &code, const ControlFlow &flow,
                                    uint32_t instruction, RegRange wanted, size_t most) {
  /// The last one of [begin, end).
  auto last = [&](uint32_t begin, uint32_t end) {
    while (end-- > begin)
      if (writes(code.code[end], wanted))
        return end;
    return nowhere;
  };
  const uint32_t first = flow.blockOf[instruction];
  if (const uint32_t found = last(flow.blocks[first].begin, instruction); found != nowhere)
    return {found};
  std::set<uint32_t> result, seen;
  std::vector<uint32_t> pending(flow.blocks[first].predecessors.begin(),
                                flow.blocks[first].predecessors.end());
  while (!pending.empty() && result.size() < most) {
    const uint32_t b = pending.back();
    pending.pop_back();
    if (!seen.insert(b).second)
      continue;
    if (const uint32_t found = last(flow.blocks[b].begin, flow.blocks[b].end); found != nowhere)
      result.insert(found);
    else
      pending.insert(pending.end(), flow.blocks[b].predecessors.begin(),
                     flow.blocks[b].predecessors.end());
  }
  return {result.begin(), result.end()};
}

} // namespace report
