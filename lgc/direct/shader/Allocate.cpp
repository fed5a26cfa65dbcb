//===- Allocate.cpp - registers for units ---------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Allocate.h"
#include "lgc/CompileError.h"
#include "lgc/direct/shader/LiveIntervals.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
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
  static uint32_t copiesEnd(const MachineBlock &block, const MachineOp &first, uint32_t position);
  bool isCopy(uint32_t unit) const;
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
    /// Positions of a move out of it, and behind it and all that stand directly behind it.
    uint32_t copy = 0, copiesEnd = 0;
  };
  std::vector<Wish> wishes;
  std::bitset<sgprsMax> usedSgprs;
  std::bitset<vgprsMax> usedVgprs;
  std::array<uint32_t, vgprsMax> vgprOwners{}; ///< units, of those in use
  unsigned sgprs, vgprs;                       ///< in use
};

/// A move then goes, and a fused multiply-add is shorter where its result replaces what is added.
void Allocator::findWishes() {
  constexpr unsigned summand = 3;
  uint32_t position = 0;
  for (const MachineBlock &block : program.blocks)
    for (const MachineOp &op : block.ops) {
      position += 2;
      const bool isMove = op.opcode == Opcode::VMov || op.opcode == Opcode::SMov;
      if (!isMove && op.opcode != Opcode::VFma)
        continue;
      const Operand &to = op.operands[0], &from = op.operands[isMove ? 1 : summand];
      if (!to.isUnit() || !from.isUnit() || program.units[to.value].count != 1 ||
          program.units[to.value].bank != program.units[from.value].bank ||
          wishes[to.value].unit != noUnit)
        continue;
      wishes[to.value] = {from.value, from.index};
      if (op.opcode == Opcode::VMov) {
        wishes[to.value].copy = position - 1;
        wishes[to.value].copiesEnd = copiesEnd(block, op, position);
      }
    }
}

/// Where moves out of the unit end that stand directly behind each other, \p first among them,
/// which is in front of \p position.
uint32_t Allocator::copiesEnd(const MachineBlock &block, const MachineOp &first,
                              uint32_t position) {
  const uint32_t source = first.operands[1].value;
  for (const MachineOp *op = &first + 1; op != block.ops.data() + block.ops.size(); ++op) {
    if (op->opcode != Opcode::VMov || !op->operands[0].isUnit() || !op->operands[1].isUnit() ||
        op->operands[0].value == source || op->operands[1].value != source)
      break;
    position += 2;
  }
  return position;
}

/// Whether a unit begins where another one, which ends there, is copied register by register: as
/// long as both are there, they have the same in this one.
bool Allocator::isCopy(uint32_t unit) const {
  const Wish &wish = wishes[unit];
  return wish.copiesEnd && program.units[unit].fixed < 0 && live.of(unit).start == wish.copy &&
         live.of(wish.unit).start < wish.copy && live.of(wish.unit).end < wish.copiesEnd;
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
    if (isScalar
            ? !usedSgprs[wanted]
            : !usedVgprs[wanted] || (vgprOwners[wanted] == wishes[index].unit && isCopy(index)))
      found = wanted;
  if (found < 0)
    found = isScalar ? findFree(usedSgprs, program.sgprLimit, unit.count, unit.alignment)
                     : findFree(usedVgprs, program.vgprLimit, unit.count, unit.alignment);
  if (found < 0)
    return false;
  unit.place = static_cast<int16_t>(found);
  for (unsigned i = 0; i < unit.count; ++i) {
    if (isScalar) {
      usedSgprs.set(unit.place + i);
    } else {
      usedVgprs.set(unit.place + i);
      vgprOwners[unit.place + i] = index;
    }
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
    else if (vgprOwners[unit.place + i] == index) // or a copy of it goes on
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
