//===- SpillChoice.cpp - which units leave their registers ----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/SpillChoice.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>

using namespace llvm;

namespace lgc::direct {

namespace {

class SpillChooser {
public:
  SpillChooser(const Program &program, const LiveIntervals &live, Bank bank, unsigned target)
      : program(program), live(live), bank(bank), target(target), costs(live.size()),
        isKept(live.size()) {}
  SpillChoice run();

private:
  bool isOfBank(uint32_t unit) const { return program.units[unit].bank == bank; }
  bool canBeSpilled(uint32_t unit) const;
  uint64_t rank(uint32_t unit) const;
  void countUses();
  void findConstants();
  void choose();
  void placeSlots();
  void addPressure();

  const Program &program;
  const LiveIntervals &live;
  const Bank bank;
  const unsigned target;
  std::vector<uint64_t> costs; ///< by unit
  std::vector<bool> isKept;    ///< by unit: lanes are read that may not be active
  std::vector<uint32_t> byStart, byEnd;
  SpillChoice choice;
};

/// What is used several times in a block is loaded there once, mostly.
void SpillChooser::countUses() {
  constexpr unsigned depthMax = 5, bitsOfDepth = 3;
  std::vector<uint32_t> lastBlock(live.size(), noBlock);
  for (uint32_t b = 0; b < program.blocks.size(); ++b) {
    const MachineBlock &block = program.blocks[b];
    const unsigned depth = std::min(live.depthOf(block.loop), depthMax);
    for (const MachineOp &op : block.ops)
      for (const Operand &operand : op.all()) {
        if (!operand.isUnit())
          continue;
        uint32_t &last = lastBlock[operand.value];
        if (last != b)
          costs[operand.value] += uint64_t(1) << bitsOfDepth * depth;
        last = b;
        if (op.opcode == Opcode::VReadLane)
          isKept[operand.value] = true;
      }
  }
}

/// Units whose only definition is a move of a constant.
void SpillChooser::findConstants() {
  std::vector<uint8_t> definitions(live.size());
  choice.constants.resize(live.size());
  for (const MachineBlock &block : program.blocks)
    for (const MachineOp &op : block.ops) {
      const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
      for (unsigned i = 0; i < op.count; ++i) {
        if (!op.operands[i].isUnit() || !infos[i].isWritten())
          continue;
        const uint32_t unit = op.operands[i].value;
        const bool isFirst = !definitions[unit];
        definitions[unit] = 1;
        choice.constants[unit].reset();
        if (isFirst && (op.opcode == Opcode::VMov || op.opcode == Opcode::SMov) &&
            op.operands[1].isConstant() && program.units[unit].count == 1)
          choice.constants[unit] = op.operands[1];
      }
    }
}

/// Not what is needed at once: it would only be moved.
bool SpillChooser::canBeSpilled(uint32_t unit) const {
  constexpr unsigned countMax = 64;
  constexpr uint32_t lengthMin = 6;
  return !program.units[unit].isPinned && !isKept[unit] && program.units[unit].count <= countMax &&
         live.of(unit).end - live.of(unit).start >= lengthMin;
}

/// The least is spilled first.
uint64_t SpillChooser::rank(uint32_t unit) const {
  constexpr unsigned precision = 20;
  return (costs[unit] << precision) / (live.of(unit).end - live.of(unit).start);
}

void SpillChooser::choose() {
  using Candidate = std::pair<uint64_t, uint32_t>;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
  unsigned pressure = 0;
  auto expired = byEnd.begin();
  for (uint32_t unit : byStart) {
    const uint32_t start = live.of(unit).start;
    for (; expired != byEnd.end() && live.of(*expired).end < start; ++expired)
      if (!choice.isSpilled[*expired])
        pressure -= program.units[*expired].count;
    pressure += program.units[unit].count;
    if (canBeSpilled(unit))
      candidates.push({rank(unit), unit});
    while (pressure > target && !candidates.empty()) {
      const uint32_t victim = candidates.top().second;
      candidates.pop();
      if (live.of(victim).end < start)
        continue;
      choice.isSpilled[victim] = true;
      pressure -= program.units[victim].count;
    }
  }
}

/// As registers are allocated, but that there are as many slots as are needed: those of units of
/// the same size are used again.
void SpillChooser::placeSlots() {
  DenseMap<unsigned, std::vector<uint32_t>> freeSlots; ///< by size
  choice.slots.assign(live.size(), noSlot);
  auto expired = byEnd.begin();
  for (uint32_t unit : byStart) {
    for (; expired != byEnd.end() && live.of(*expired).end < live.of(unit).start; ++expired)
      if (choice.slots[*expired] != noSlot)
        freeSlots[program.units[*expired].count].push_back(choice.slots[*expired]);
    if (!choice.isSpilled[unit] || choice.constants[unit])
      continue;
    const unsigned count = program.units[unit].count;
    std::vector<uint32_t> &sameSize = freeSlots[count];
    if (sameSize.empty()) {
      choice.slots[unit] = choice.slotCount;
      choice.slotCount += count;
      continue;
    }
    choice.slots[unit] = sameSize.back();
    sameSize.pop_back();
  }
}

void SpillChooser::addPressure() {
  const uint32_t ops = live.opCount();
  std::vector<int32_t> changes(2 * ops + 3);
  for (uint32_t unit : byStart) {
    if (choice.isSpilled[unit])
      continue;
    changes[live.of(unit).start] += program.units[unit].count;
    changes[live.of(unit).end + 1] -= program.units[unit].count;
  }
  int32_t now = 0;
  for (uint32_t op = 0; op < ops; ++op) {
    now += changes[2 * op];
    const int32_t reading = now;
    now += changes[2 * op + 1];
    choice.pressure.push_back(static_cast<uint32_t>(std::max(reading, now)));
  }
}

SpillChoice SpillChooser::run() {
  choice.isSpilled.resize(live.size());
  for (uint32_t unit = 0; unit < live.size(); ++unit)
    if (isOfBank(unit) && live.of(unit).isUsed())
      byStart.push_back(unit);
  byEnd = byStart;
  llvm::sort(byStart, [&](uint32_t a, uint32_t b) {
    return std::pair(live.of(a).start, a) < std::pair(live.of(b).start, b);
  });
  llvm::sort(byEnd, [&](uint32_t a, uint32_t b) {
    return std::pair(live.of(a).end, a) < std::pair(live.of(b).end, b);
  });
  countUses();
  findConstants();
  choose();
  placeSlots();
  addPressure();
  return std::move(choice);
}

} // namespace

SpillChoice chooseSpills(const Program &program, const LiveIntervals &live, Bank bank,
                         unsigned target) {
  return SpillChooser(program, live, bank, target).run();
}

} // namespace lgc::direct
