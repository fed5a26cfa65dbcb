//===- LiveIntervals.cpp - from where to where units hold something -------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/LiveIntervals.h"

using namespace llvm;

namespace lgc::direct {

LiveIntervals::LiveIntervals(const Program &program)
    : program(program), intervals(program.units.size()) {
  uint32_t number = 0;
  for (const MachineBlock &block : program.blocks) {
    firstOps.push_back(number);
    number += static_cast<uint32_t>(block.ops.size());
  }
  firstOps.push_back(number);
  findDefinitions();
  findUses();
  widen();
}

/// Calls with unit, role, position and loop.
template <typename Visit> void LiveIntervals::visitUnits(Visit visit) const {
  for (uint32_t b = 0; b < program.blocks.size(); ++b) {
    const MachineBlock &block = program.blocks[b];
    uint32_t number = firstOps[b];
    for (const MachineOp &op : block.ops) {
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

bool LiveIntervals::isInside(uint32_t loop, uint32_t outer) const {
  while (loop != noLoop && loop != outer)
    loop = program.loops[loop].parent;
  return loop == outer;
}

uint32_t LiveIntervals::commonLoop(uint32_t a, uint32_t b) const {
  while (a != noLoop && !isInside(b, a))
    a = program.loops[a].parent;
  return a;
}

uint32_t LiveIntervals::outermost(uint32_t loop) const {
  while (loop != noLoop && program.loops[loop].parent != noLoop)
    loop = program.loops[loop].parent;
  return loop;
}

unsigned LiveIntervals::depthOf(uint32_t loop) const {
  unsigned depth = 0;
  for (; loop != noLoop; loop = program.loops[loop].parent)
    ++depth;
  return depth;
}

void LiveIntervals::extendOver(LiveInterval &interval, uint32_t loop) const {
  interval.include(2 * firstOps[program.loops[loop].first]);
  interval.include(2 * firstOps[program.loops[loop].last + 1]);
}

void LiveIntervals::findDefinitions() {
  visitUnits(
      [&](uint32_t unit, const OperandInfo &info, uint32_t position, bool isEarly, uint32_t loop) {
        if (!info.isWritten())
          return;
        LiveInterval &interval = intervals[unit];
        interval.include(isEarly ? position : position + 1);
        interval.loop = interval.isDefined ? commonLoop(interval.loop, loop) : loop;
        interval.isDefined = true;
      });
  for (uint32_t i = 0; i < program.units.size(); ++i)
    if (program.units[i].fixed >= 0 || program.units[i].fromStart)
      intervals[i].loop = noLoop;
}

void LiveIntervals::findUses() {
  visitUnits([&](uint32_t unit, const OperandInfo &info, uint32_t position, bool, uint32_t loop) {
    LiveInterval &interval = intervals[unit];
    if (info.isRead())
      interval.include(position);
    // What comes from outside of a loop is needed by its next iteration.
    if (info.isRead() || program.units[unit].fromStart)
      for (; loop != noLoop && !isInside(interval.loop, loop); loop = program.loops[loop].parent)
        interval.end = std::max(interval.end, 2 * firstOps[program.loops[loop].last + 1]);
  });
}

void LiveIntervals::widen() {
  for (uint32_t i = 0; i < program.units.size(); ++i) {
    LiveInterval &interval = intervals[i];
    if (!interval.isUsed())
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

} // namespace lgc::direct
