//===- RemoveDead.cpp - instructions whose results nobody reads -----------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/RemoveDead.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// Whether an instruction does nothing but write its results, and perhaps SCC. Memory instructions
/// with results may be atomics.
bool onlyComputes(Opcode opcode) {
  switch (classOf(opcode)) {
  case InstructionClass::Valu:
  case InstructionClass::ValuReadsM0:
  case InstructionClass::ValuReadsVcc:
  case InstructionClass::Trans:
  case InstructionClass::Sample:
  case InstructionClass::ScalarLoad:
    return true;
  case InstructionClass::Salu:
    return opcode != Opcode::SRealTime;
  default:
    return false;
  }
}

bool readsScc(Opcode opcode) {
  switch (opcode) {
  case Opcode::SAddCarry:
  case Opcode::SSubBorrow:
  case Opcode::SSelect32:
  case Opcode::SSelect64:
  case Opcode::SMaskOfScc32:
  case Opcode::SMaskOfScc64:
  case Opcode::SZeroIfScc:
  case Opcode::SBranchScc0:
  case Opcode::SBranchScc1:
    return true;
  default:
    return false;
  }
}

/// Whether an instruction is what a reader of SCC behind it gets it from: compares have no result.
bool makesScc(const MachineOp &op) {
  return op.opcode == Opcode::SAdd || op.opcode == Opcode::SSub ||
         (classOf(op.opcode) == InstructionClass::Salu && op.count && op.opcode != Opcode::SMovM0 &&
          !operandInfo(op.opcode)[0].isWritten());
}

class DeadRemover {
public:
  explicit DeadRemover(Program &program) : program(program), reads(program.units.size()) {}
  void run();

private:
  void count(const MachineOp &op, int change);
  bool isDead(const MachineOp &op) const;
  bool setsM0(const MachineOp &op) const {
    return op.opcode == Opcode::SMov && op.operands[0] == Operand::sgpr(program.m0());
  }
  void removeRepeated(MachineBlock &block) const;

  Program &program;
  std::vector<int> reads; ///< by unit
  bool needsScc = false;  ///< what comes behind reads it
};

void DeadRemover::count(const MachineOp &op, int change) {
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i)
    if (op.operands[i].isUnit() && infos[i].isRead())
      reads[op.operands[i].value] += change;
}

bool DeadRemover::isDead(const MachineOp &op) const {
  const bool isMove =
      op.opcode == Opcode::SMov || op.opcode == Opcode::SMov64 || op.opcode == Opcode::SMovLiteral;
  if (!onlyComputes(op.opcode) ||
      (needsScc && !isMove && classOf(op.opcode) == InstructionClass::Salu))
    return false;
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  bool hasResult = false;
  for (unsigned i = 0; i < op.count; ++i) {
    if (!infos[i].isWritten())
      continue;
    if (!op.operands[i].isUnit() || reads[op.operands[i].value])
      return false;
    hasResult = true;
  }
  return hasResult;
}

/// Each input of a fragment puts its mask of primitives into M0; most have the same one.
void DeadRemover::removeRepeated(MachineBlock &block) const {
  Operand held; // in M0
  size_t place = 0;
  for (const MachineOp &op : block.ops) {
    const bool isRepeated = setsM0(op) && op.operands[1].isUnit() && op.operands[1] == held;
    const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
    for (unsigned i = 0; i < op.count; ++i)
      if (infos[i].isWritten() && op.operands[i].isUnit() && op.operands[i].value == held.value)
        held = {};
    if (setsM0(op))
      held = op.operands[1];
    else if (op.opcode == Opcode::SMovM0)
      held = {};
    if (!isRepeated)
      block.ops[place++] = op;
  }
  block.ops.resize(place);
}

/// From the end, so that what only fed removed instructions goes with them.
void DeadRemover::run() {
  for (MachineBlock &block : program.blocks) {
    if (count_if(block.ops, [&](const MachineOp &op) { return setsM0(op); }) > 1)
      removeRepeated(block);
    for (const MachineOp &op : block.ops)
      count(op, 1);
  }
  for (MachineBlock &block : reverse(program.blocks)) {
    std::vector<MachineOp> kept;
    kept.reserve(block.ops.size());
    needsScc = false; // no block gets it from another
    for (const MachineOp &op : reverse(block.ops)) {
      if (isDead(op)) {
        count(op, -1);
        continue;
      }
      needsScc = (needsScc && !makesScc(op)) || readsScc(op.opcode);
      kept.push_back(op);
    }
    if (kept.size() == block.ops.size())
      continue;
    std::reverse(kept.begin(), kept.end());
    block.ops = std::move(kept);
  }
}

} // namespace

void removeDead(Program &program) { DeadRemover(program).run(); }

} // namespace lgc::direct
