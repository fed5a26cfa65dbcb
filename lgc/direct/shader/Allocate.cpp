//===- Allocate.cpp - registers for units ---------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Allocate.h"
#include "lgc/CompileError.h"
#include "lgc/direct/shader/LiveIntervals.h"
#include "llvm/ADT/STLExtras.h"
#include <bitset>

using namespace llvm;

namespace lgc::direct {

namespace {

class Allocator {
public:
  explicit Allocator(Program &program)
      : program(program), live(program), wishes(program.units.size()), sgprs(program.sgprs),
        vgprs(program.vgprs) {}
  bool run(Bank &lacking);

private:
  void findWishes();
  int wantedPlace(uint32_t unit) const;
  bool place(uint32_t unit);
  bool placeAll(Bank &lacking);
  void release(uint32_t unit);
  void rewrite();

  Program &program;
  const LiveIntervals live;
  /// By unit: a register of another one that it had best take over.
  struct Wish {
    uint32_t unit = noUnit;
    uint8_t index = 0;
  };
  std::vector<Wish> wishes;
  std::bitset<sgprsMax> usedSgprs;
  std::bitset<vgprsMax> usedVgprs;
  unsigned sgprs, vgprs; ///< in use
};

/// A move then goes, and a fused multiply-add is shorter where its result replaces what is added.
void Allocator::findWishes() {
  constexpr unsigned summand = 3;
  for (const MachineBlock &block : program.blocks)
    for (const MachineOp &op : block.ops) {
      const bool isMove = op.opcode == Opcode::VMov || op.opcode == Opcode::SMov;
      if (!isMove && op.opcode != Opcode::VFma)
        continue;
      const Operand &to = op.operands[0], &from = op.operands[isMove ? 1 : summand];
      if (to.isUnit() && from.isUnit() && program.units[to.value].count == 1 &&
          program.units[to.value].bank == program.units[from.value].bank &&
          wishes[to.value].unit == noUnit)
        wishes[to.value] = {from.value, from.index};
    }
}

/// Where a unit is whose register this one would take over; -1: nowhere.
int Allocator::wantedPlace(uint32_t unit) const {
  const Wish &wish = wishes[unit];
  const int place = wish.unit == noUnit ? -1 : program.units[wish.unit].place;
  return place < 0 ? -1 : place + wish.index;
}

template <size_t N>
int findFree(const std::bitset<N> &used, unsigned limit, unsigned count, unsigned alignment) {
  for (unsigned first = 0; first + count <= limit; first += alignment) {
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
    found = isScalar ? findFree(usedSgprs, program.sgprLimit, unit.count, unit.alignment)
                     : findFree(usedVgprs, program.vgprLimit, unit.count, unit.alignment);
  if (found < 0)
    return false;
  unit.place = static_cast<int16_t>(found);
  for (unsigned i = 0; i < unit.count; ++i) {
    if (isScalar)
      usedSgprs.set(unit.place + i);
    else
      usedVgprs.set(unit.place + i);
  }
  unsigned &inUse = isScalar ? sgprs : vgprs;
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

bool Allocator::placeAll(Bank &lacking) {
  std::vector<uint32_t> byStart;
  for (uint32_t i = 0; i < live.size(); ++i)
    if (live.of(i).isUsed())
      byStart.push_back(i);
  std::vector<uint32_t> byEnd = byStart;
  // Arguments first: their registers are taken when the function begins.
  auto key = [&](uint32_t i) {
    return std::tuple(live.of(i).start, program.units[i].fixed < 0, i);
  };
  llvm::sort(byStart, [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  llvm::sort(byEnd, [&](uint32_t a, uint32_t b) {
    return std::pair(live.of(a).end, a) < std::pair(live.of(b).end, b);
  });
  auto expired = byEnd.begin();
  for (uint32_t unit : byStart) {
    for (; expired != byEnd.end() && live.of(*expired).end < live.of(unit).start; ++expired)
      release(*expired);
    if (!place(unit)) {
      lacking = program.units[unit].bank;
      return false;
    }
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

bool Allocator::run(Bank &lacking) {
  findWishes();
  if (!placeAll(lacking)) {
    for (Unit &unit : program.units)
      unit.place = -1;
    return false;
  }
  rewrite();
  program.sgprs = sgprs;
  program.vgprs = vgprs;
  return true;
}

} // namespace

bool allocateRegisters(Program &program, Bank *lacking) {
  Bank bank;
  return Allocator(program).run(lacking ? *lacking : bank);
}

} // namespace lgc::direct
