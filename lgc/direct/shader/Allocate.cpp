//===- Allocate.cpp - registers for units ---------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Allocate.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/STLExtras.h"
#include <bitset>

using namespace llvm;

namespace lgc::direct {

namespace {

/// The instruction with number i reads at position 2 i and writes at 2 i + 1.
struct Interval {
  uint32_t start = ~0u, end = 0;
  uint32_t loop = noLoop; ///< the innermost one that has all definitions
  bool isDefined = false;
  uint32_t movedFrom = noUnit; ///< what a move into it comes from

  void include(uint32_t position) {
    start = std::min(start, position);
    end = std::max(end, position);
  }
};

class Allocator {
public:
  explicit Allocator(Program &program) : program(program), intervals(program.units.size()) {}
  bool run();

private:
  template <typename Visit> void visitUnits(Visit visit);
  void findMoves();
  int wantedPlace(uint32_t unit) const;
  void numberBlocks();
  uint32_t commonLoop(uint32_t a, uint32_t b) const;
  uint32_t outermost(uint32_t loop) const;
  bool isInside(uint32_t loop, uint32_t outer) const;
  void extendOver(Interval &interval, uint32_t loop) const;
  void findDefinitions();
  void findUses();
  void widen();
  bool place(uint32_t unit);
  bool placeAll();
  void release(uint32_t unit);
  void rewrite();

  Program &program;
  std::vector<Interval> intervals;
  std::vector<uint32_t> firstOp; ///< by block, and one more
  std::bitset<sgprsMax> usedSgprs;
  std::bitset<vgprsMax> usedVgprs;
};

/// Calls with unit, role, position and loop.
template <typename Visit> void Allocator::visitUnits(Visit visit) {
  for (uint32_t b = 0; b < program.blocks.size(); ++b) {
    MachineBlock &block = program.blocks[b];
    uint32_t number = firstOp[b];
    for (MachineOp &op : block.ops) {
      const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
      // HW: a scalar load that is repeated (XNACK) must find its address again.
      const bool isEarly = classOf(op.opcode) == InstructionClass::ScalarLoad;
      for (unsigned i = 0; i < op.count; ++i)
        if (op.operands[i].isUnit())
          visit(op.operands[i].value, infos[i], 2 * number, isEarly, block.loop);
      ++number;
    }
  }
}

void Allocator::numberBlocks() {
  uint32_t number = 0;
  for (const MachineBlock &block : program.blocks) {
    firstOp.push_back(number);
    number += static_cast<uint32_t>(block.ops.size());
  }
  firstOp.push_back(number);
}

bool Allocator::isInside(uint32_t loop, uint32_t outer) const {
  while (loop != noLoop && loop != outer)
    loop = program.loops[loop].parent;
  return loop == outer;
}

uint32_t Allocator::commonLoop(uint32_t a, uint32_t b) const {
  while (a != noLoop && !isInside(b, a))
    a = program.loops[a].parent;
  return a;
}

uint32_t Allocator::outermost(uint32_t loop) const {
  while (loop != noLoop && program.loops[loop].parent != noLoop)
    loop = program.loops[loop].parent;
  return loop;
}

void Allocator::extendOver(Interval &interval, uint32_t loop) const {
  interval.include(2 * firstOp[program.loops[loop].first]);
  interval.include(2 * firstOp[program.loops[loop].last + 1]);
}

void Allocator::findDefinitions() {
  visitUnits(
      [&](uint32_t unit, const OperandInfo &info, uint32_t position, bool isEarly, uint32_t loop) {
        if (!info.isWritten())
          return;
        Interval &interval = intervals[unit];
        interval.include(isEarly ? position : position + 1);
        interval.loop = interval.isDefined ? commonLoop(interval.loop, loop) : loop;
        interval.isDefined = true;
      });
  for (uint32_t i = 0; i < program.units.size(); ++i)
    if (program.units[i].fixed >= 0 || program.units[i].fromStart)
      intervals[i].loop = noLoop;
}

void Allocator::findMoves() {
  for (const MachineBlock &block : program.blocks)
    for (const MachineOp &op : block.ops) {
      if (op.opcode != Opcode::VMov && op.opcode != Opcode::SMov)
        continue;
      const Operand &to = op.operands[0], &from = op.operands[1];
      if (to.isUnit() && from.isUnit() && program.units[to.value].count == 1 &&
          program.units[from.value].count == 1 &&
          program.units[to.value].bank == program.units[from.value].bank &&
          intervals[to.value].movedFrom == noUnit)
        intervals[to.value].movedFrom = from.value;
    }
}

/// Where a unit is that is moved into this one and not needed any more; -1: nowhere.
int Allocator::wantedPlace(uint32_t unit) const {
  const uint32_t from = intervals[unit].movedFrom;
  return from == noUnit ? -1 : program.units[from].place;
}

void Allocator::findUses() {
  visitUnits([&](uint32_t unit, const OperandInfo &info, uint32_t position, bool, uint32_t loop) {
    Interval &interval = intervals[unit];
    if (info.isRead())
      interval.include(position);
    // What comes from outside of a loop is needed by its next iteration.
    if (info.isRead() || program.units[unit].fromStart)
      for (; loop != noLoop && !isInside(interval.loop, loop); loop = program.loops[loop].parent)
        interval.end = std::max(interval.end, 2 * firstOp[program.loops[loop].last + 1]);
  });
}

void Allocator::widen() {
  for (uint32_t i = 0; i < program.units.size(); ++i) {
    Interval &interval = intervals[i];
    if (interval.start == ~0u)
      continue;
    if (program.units[i].fixed >= 0 || program.units[i].fromStart)
      interval.start = 0;
    if (program.units[i].fromLastIteration && interval.loop != noLoop)
      extendOver(interval, interval.loop);
    const uint32_t loop = outermost(interval.loop);
    if (program.units[i].acrossIterations && loop != noLoop)
      extendOver(interval, loop);
  }
}

template <size_t N> int findFree(const std::bitset<N> &used, unsigned count, unsigned alignment) {
  for (unsigned first = 0; first + count <= N; first += alignment) {
    unsigned length = 0;
    while (length < count && !used[first + length])
      ++length;
    if (length == count)
      return static_cast<int>(first);
  }
  return -1;
}

bool Allocator::place(uint32_t index) {
  Unit &unit = program.units[index];
  const bool isScalar = unit.bank == Bank::Scalar;
  int found = unit.fixed;
  if (const int wanted = wantedPlace(index); found < 0 && wanted >= 0)
    if (isScalar ? !usedSgprs[wanted] : !usedVgprs[wanted])
      found = wanted;
  if (found < 0)
    found = isScalar ? findFree(usedSgprs, unit.count, unit.alignment)
                     : findFree(usedVgprs, unit.count, unit.alignment);
  if (found < 0)
    return false;
  unit.place = static_cast<int16_t>(found);
  for (unsigned i = 0; i < unit.count; ++i) {
    if (isScalar)
      usedSgprs.set(unit.place + i);
    else
      usedVgprs.set(unit.place + i);
  }
  unsigned &inUse = isScalar ? program.sgprs : program.vgprs;
  inUse = std::max<unsigned>(inUse, unit.place + unit.count);
  return true;
}

void Allocator::release(uint32_t index) {
  const Unit &unit = program.units[index];
  for (unsigned i = 0; i < unit.count; ++i) {
    if (unit.bank == Bank::Scalar)
      usedSgprs.reset(unit.place + i);
    else
      usedVgprs.reset(unit.place + i);
  }
}

bool Allocator::placeAll() {
  std::vector<uint32_t> byStart;
  for (uint32_t i = 0; i < intervals.size(); ++i)
    if (intervals[i].start != ~0u)
      byStart.push_back(i);
  std::vector<uint32_t> byEnd = byStart;
  // Arguments first: their registers are taken when the function begins.
  auto key = [&](uint32_t i) {
    return std::tuple(intervals[i].start, program.units[i].fixed < 0, i);
  };
  llvm::sort(byStart, [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  llvm::sort(byEnd, [&](uint32_t a, uint32_t b) {
    return std::pair(intervals[a].end, a) < std::pair(intervals[b].end, b);
  });
  auto expired = byEnd.begin();
  for (uint32_t unit : byStart) {
    for (; expired != byEnd.end() && intervals[*expired].end < intervals[unit].start; ++expired)
      release(*expired);
    if (!place(unit))
      return false;
  }
  return true;
}

/// Moves within a register go.
void Allocator::rewrite() {
  for (MachineBlock &block : program.blocks) {
    for (MachineOp &op : block.ops)
      for (Operand &operand : op.all()) {
        if (!operand.isUnit())
          continue;
        const Unit &unit = program.units[operand.value];
        KILN_CHECK(unit.place >= 0, "direct: a unit without registers");
        const auto number = static_cast<uint32_t>(unit.place + operand.index);
        operand = unit.bank == Bank::Scalar ? Operand::sgpr(number) : Operand::vgpr(number);
      }
    llvm::erase_if(block.ops, [](const MachineOp &op) {
      return (op.opcode == Opcode::VMov || op.opcode == Opcode::SMov) &&
             op.operands[0] == op.operands[1];
    });
  }
}

bool Allocator::run() {
  numberBlocks();
  findDefinitions();
  findUses();
  findMoves();
  widen();
  if (!placeAll())
    return false;
  rewrite();
  return true;
}

} // namespace

bool allocateRegisters(Program &program) { return Allocator(program).run(); }

} // namespace lgc::direct
