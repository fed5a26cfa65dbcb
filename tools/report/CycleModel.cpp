//===- CycleModel.cpp - how long a wave takes, by a simple model ----------===//
// SPDX-License-Identifier: MIT
#include "tools/report/CycleModel.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using llvm::StringRef;

namespace report {

namespace {

using namespace pal::device::strict;

CostUnit unitOf(const Effects &effects) {
  switch (effects.unit) {
  case Unit::Valu:
    return effects.isTrans ? CostUnit::Trans : CostUnit::Valu;
  case Unit::Smem:
    return CostUnit::ScalarMemory;
  case Unit::Vmem:
  case Unit::Flat:
    return CostUnit::VectorMemory;
  case Unit::Lds:
  case Unit::LdsDirect:
    return CostUnit::Lds;
  case Unit::Export:
    return CostUnit::Export;
  default:
    return CostUnit::Salu;
  }
}

unsigned writtenVgprs(const Effects &effects) {
  unsigned count = 0;
  for (const RegRange &range : effects.writes)
    count += range.isVgpr() ? (range.count + 1) / 2 : 0;
  return count;
}

bool isWide(const Instruction &instr) {
  const StringRef name = instr.mnemonic;
  return name.contains("_f64") || name.contains("_u64") || name.contains("_i64");
}

unsigned busyCycles(const Instruction &instr, CostUnit unit, unsigned waveSize) {
  const unsigned halves = waveSize / 32;
  switch (unit) {
  case CostUnit::Valu:
    // A pair of 64 lanes takes the time of both halves as well.
    return halves * (isWide(instr) ? 4 : 1);
  case CostUnit::Trans:
    return 4 * halves;
  case CostUnit::VectorMemory:
    return 4 * halves;
  case CostUnit::Lds:
    return halves * std::max(1u, writtenVgprs(instr.effects));
  case CostUnit::Export:
    return 4;
  default:
    return 1;
  }
}

/// The wave as it goes through the code.
class Walk {
public:
  Walk(unsigned waveSize, const CycleParameters &parameters)
      : waveSize(waveSize), parameters(parameters), ready(registerCount) {}
  InstructionCost step(const Instruction &instr);
  /// Another path comes in, about which nothing is known: what is under way is back.
  void forget();
  void jump() { now += parameters.branch; }

private:
  uint64_t readyAt(const Instruction &instr) const;
  uint64_t waited(const Effects &effects);
  unsigned latencyOf(const Instruction &instr, CostUnit unit) const;

  unsigned waveSize;
  const CycleParameters &parameters;
  uint64_t now = 0; ///< when the next instruction may be issued
  std::vector<uint64_t> ready;
  std::array<uint64_t, size_t(CostUnit::Count)> unitFree = {};
  std::array<std::deque<uint64_t>, size_t(Counter::Count)> underWay; ///< when they are back
};

void Walk::forget() {
  std::fill(ready.begin(), ready.end(), 0);
  unitFree = {};
  for (auto &operations : underWay)
    operations.clear();
}

uint64_t Walk::readyAt(const Instruction &instr) const {
  uint64_t at = 0;
  for (const RegRange &range : instr.effects.reads)
    for (unsigned r = range.first; r < unsigned(range.first) + range.count; ++r)
      at = std::max(at, ready[r]);
  return at;
}

uint64_t Walk::waited(const Effects &effects) {
  uint64_t at = 0;
  for (size_t c = 0; c < underWay.size(); ++c) {
    if (effects.waits[c] == Effects::noWait)
      continue;
    while (underWay[c].size() > effects.waits[c]) {
      at = std::max(at, underWay[c].front());
      underWay[c].pop_front();
    }
  }
  return at;
}

unsigned Walk::latencyOf(const Instruction &instr, CostUnit unit) const {
  const bool isSample = instr.effects.events[0].kind == kind::sampler;
  switch (unit) {
  case CostUnit::Valu:
    return parameters.valu + (isWide(instr) ? busyCycles(instr, unit, waveSize) : 0);
  case CostUnit::Trans:
    return parameters.transcendental;
  case CostUnit::Salu:
    return parameters.salu;
  case CostUnit::ScalarMemory:
    return parameters.scalarLoad;
  case CostUnit::VectorMemory:
    if (instr.effects.events[0].counter == Counter::Store)
      return parameters.store;
    return isSample ? parameters.sample : parameters.vectorLoad;
  case CostUnit::Lds:
    return parameters.lds;
  default:
    return parameters.exported;
  }
}

InstructionCost Walk::step(const Instruction &instr) {
  const Effects &effects = instr.effects;
  InstructionCost cost;
  cost.unit = unitOf(effects);
  cost.busy = uint16_t(busyCycles(instr, cost.unit, waveSize));
  // Transcendental operations have a unit of their own beside the VALU.
  uint64_t &free = unitFree[size_t(cost.unit)];
  const uint64_t at = std::max({now, readyAt(instr), waited(effects), free});
  cost.stall = uint16_t(std::min<uint64_t>(at - now, 0xFFFF));
  free = at + cost.busy;
  now = at + 1;
  const uint64_t back = at + cost.busy - 1 + latencyOf(instr, cost.unit);
  bool isCounted = false;
  for (const Event &event : effects.events) {
    if (event.counter == Counter::Count)
      continue;
    // Operations come back one after the other.
    auto &operations = underWay[size_t(event.counter)];
    operations.push_back(operations.empty() ? back : std::max(back, operations.back() + 1));
    isCounted = true;
  }
  for (const RegRange &range : effects.writes)
    for (unsigned r = range.first; r < unsigned(range.first) + range.count; ++r)
      ready[r] = isCounted ? 0 : back;
  return cost;
}

/// Goes through blocks [begin, end) and through the loops in them, which lie in a row, inner ones
/// as often as they are met.
class LoopWalk {
public:
  LoopWalk(const MachineCode &code, const ControlFlow &flow, const CycleParameters &parameters)
      : costs(code.code.size()), code(code), flow(flow), walk(code.waveSize, parameters) {}
  void run(uint32_t begin, uint32_t end, uint32_t outer);
  std::vector<InstructionCost> costs;

private:
  uint32_t loopAt(uint32_t block, uint32_t end, uint32_t outer) const;
  void runBlock(uint32_t block);

  const MachineCode &code;
  const ControlFlow &flow;
  Walk walk;
};

/// The outermost loop within \p outer that begins at \p block and ends before \p end.
uint32_t LoopWalk::loopAt(uint32_t block, uint32_t end, uint32_t outer) const {
  uint32_t found = nowhere;
  for (uint32_t l = flow.blocks[block].loop; l != nowhere && l != outer; l = flow.loops[l].parent)
    if (flow.loops[l].blocks.front() == block && flow.loops[l].blocks.back() < end)
      found = l;
  return found;
}

void LoopWalk::runBlock(uint32_t b) {
  const Block &block = flow.blocks[b];
  if (b && !llvm::is_contained(block.predecessors, b - 1)) {
    walk.forget();
    walk.jump();
  }
  for (uint32_t i = block.begin; i < block.end; ++i)
    costs[i] = walk.step(code.code[i]);
}

void LoopWalk::run(uint32_t begin, uint32_t end, uint32_t outer) {
  // Rounds of loops in loops multiply; deep ones get one.
  constexpr unsigned mostDepth = 6;
  for (uint32_t b = begin; b < end;) {
    const uint32_t l = loopAt(b, end, outer);
    if (l == nowhere) {
      runBlock(b++);
      continue;
    }
    const uint32_t last = flow.loops[l].blocks.back() + 1;
    run(b, last, l);
    if (flow.blocks[b].depth <= mostDepth) {
      const uint32_t from = flow.blocks[b].begin, to = flow.blocks[last - 1].end;
      const std::vector<InstructionCost> first(costs.begin() + from, costs.begin() + to);
      walk.jump();
      run(b, last, l);
      for (uint32_t i = from; i < to; ++i) {
        const uint32_t before = first[i - from].stall + first[i - from].stallOnce;
        const uint32_t now = costs[i].stall + costs[i].stallOnce;
        if (before > now)
          costs[i].stallOnce += uint16_t(before - now);
      }
    }
    b = last;
  }
}

} // namespace

llvm::StringRef costUnitName(CostUnit unit) {
  constexpr llvm::StringLiteral names[] = {
      "VALU", "transcendental", "SALU", "scalar memory", "vector memory", "LDS", "export"};
  return names[size_t(unit)];
}

std::vector<InstructionCost> estimateCycles(const MachineCode &code, const ControlFlow &flow,
                                            const CycleParameters &parameters) {
  LoopWalk walk(code, flow, parameters);
  walk.run(0, uint32_t(flow.blocks.size()), nowhere);
  return std::move(walk.costs);
}

} // namespace report
