//===- SpillChoice.cpp - which units leave their registers ----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/SpillChoice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <queue>

using namespace llvm;

namespace lgc::direct {

namespace {

/// Whether a scalar load has more registers than its address, which may have to come from memory.
/// Clocks have none, and are no loads.
bool isWorthIt(const Program &program, const MachineOp &op) {
  if (classOf(op.opcode) != InstructionClass::ScalarLoad || op.count < 2)
    return false;
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  unsigned address = 0;
  for (unsigned i = 1; i < op.count; ++i)
    if (op.operands[i].isUnit())
      address += program.registersOf(op.operands[i], infos[i]);
  return address && program.registersOf(op.operands[0], infos[0]) > address;
}

class SpillChooser {
public:
  SpillChooser(const Program &program, LiveIntervals &live, Bank bank, unsigned target)
      : program(program), live(live), bank(bank), target(target), costs(live.size()),
        isKept(live.size()), isAddress(live.size()) {}
  SpillChoice run();

private:
  bool isOfBank(uint32_t unit) const { return program.units[unit].bank == bank; }
  bool canBeSpilled(uint32_t unit) const;
  uint64_t rank(uint32_t unit) const;
  void countUses();
  void findRemakes();
  bool addLoads();
  void sortByEnd();
  void choose();
  void placeSlots();
  void addPressure();

  const Program &program;
  LiveIntervals &live;
  const Bank bank;
  const unsigned target;
  std::vector<uint64_t> costs;              ///< by unit
  std::vector<bool> isKept;                 ///< by unit: lanes are read that may not be active
  std::vector<bool> isStable;               ///< by unit: no register is written twice
  std::vector<bool> isAddress;              ///< by unit: of something that is loaded again
  DenseMap<uint32_t, MachineOp> candidates; ///< for SpillChoice::loads
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

/// What can be made again: units whose only definition is a move of a constant or a scalar load.
void SpillChooser::findRemakes() {
  std::vector<uint64_t> written(live.size());
  choice.constants.resize(live.size());
  isStable.assign(live.size(), true);
  for (const MachineBlock &block : program.blocks)
    for (const MachineOp &op : block.ops) {
      const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
      for (unsigned i = 0; i < op.count; ++i) {
        const Operand &operand = op.operands[i];
        if (!operand.isUnit() || !infos[i].isWritten() || !isOfBank(operand.value))
          continue;
        const uint32_t unit = operand.value;
        const unsigned count = program.registersOf(operand, infos[i]);
        const uint64_t bits = maskTrailingOnes<uint64_t>(count) << operand.index;
        if (written[unit] & bits)
          isStable[unit] = false;
        const bool isWhole = !written[unit] && count == program.units[unit].count;
        written[unit] |= bits;
        choice.constants[unit].reset();
        candidates.erase(unit);
        if (!isWhole || !isStable[unit])
          continue;
        if ((op.opcode == Opcode::VMov || op.opcode == Opcode::SMov) && op.operands[1].isConstant())
          choice.constants[unit] = op.operands[1];
        if (isWorthIt(program, op))
          candidates.insert({unit, op});
      }
    }
}

/// Of what is spilled, what is loaded again: each load's address is in a register or in memory, and
/// needed as long as what it loads.
bool SpillChooser::addLoads() {
  bool isChanged = false;
  for (uint32_t unit : byStart) {
    const auto load = candidates.find(unit);
    if (!choice.isSpilled[unit] || load == candidates.end() || isAddress[unit] ||
        choice.loads.contains(unit))
      continue;
    const auto sources = load->second.all().drop_front();
    if (!all_of(sources, [&](const Operand &operand) {
          return !operand.isUnit() ||
                 (isStable[operand.value] && !choice.isMadeAgain(operand.value));
        }))
      continue;
    choice.loads.insert({unit, load->second});
    for (const Operand &operand : sources)
      if (operand.isUnit()) {
        isAddress[operand.value] = true;
        isChanged |= live.extend(operand.value, live.of(unit).end);
      }
  }
  return isChanged;
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
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> open;
  unsigned pressure = 0;
  auto expired = byEnd.begin();
  for (uint32_t unit : byStart) {
    const uint32_t start = live.of(unit).start;
    for (; expired != byEnd.end() && live.of(*expired).end < start; ++expired)
      if (!choice.isSpilled[*expired])
        pressure -= program.units[*expired].count;
    if (choice.isSpilled[unit])
      continue;
    pressure += program.units[unit].count;
    if (canBeSpilled(unit))
      open.push({rank(unit), unit});
    while (pressure > target && !open.empty()) {
      const uint32_t victim = open.top().second;
      open.pop();
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
    if (!choice.isSpilled[unit] || choice.isMadeAgain(unit))
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

void SpillChooser::sortByEnd() {
  llvm::sort(byEnd, [&](uint32_t a, uint32_t b) {
    return std::pair(live.of(a).end, a) < std::pair(live.of(b).end, b);
  });
}

SpillChoice SpillChooser::run() {
  constexpr unsigned rounds = 3;
  choice.isSpilled.resize(live.size());
  for (uint32_t unit = 0; unit < live.size(); ++unit)
    if (isOfBank(unit) && live.of(unit).isUsed())
      byStart.push_back(unit);
  byEnd = byStart;
  llvm::sort(byStart, [&](uint32_t a, uint32_t b) {
    return std::pair(live.of(a).start, a) < std::pair(live.of(b).start, b);
  });
  countUses();
  findRemakes();
  sortByEnd();
  choose();
  // Addresses that are needed for longer may not have registers either.
  for (unsigned round = 0; round < rounds && addLoads(); ++round) {
    sortByEnd();
    choose();
  }
  placeSlots();
  addPressure();
  return std::move(choice);
}

} // namespace

SpillChoice chooseSpills(const Program &program, LiveIntervals &live, Bank bank, unsigned target) {
  return SpillChooser(program, live, bank, target).run();
}

} // namespace lgc::direct
