//===- RemoveDead.cpp - instructions whose results nobody reads -----------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/RemoveDead.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// Whether an instruction does nothing but write its results. Others of the scalar unit may write
/// SCC, and memory instructions with results may be atomics.
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
    return opcode == Opcode::SMov || opcode == Opcode::SMov64 || opcode == Opcode::SMovLiteral;
  default:
    return false;
  }
}

class DeadRemover {
public:
  explicit DeadRemover(Program &program) : program(program), reads(program.units.size()) {}
  void run();

private:
  void count(const MachineOp &op, int change);
  bool isDead(const MachineOp &op) const;

  Program &program;
  std::vector<int> reads; ///< by unit
};

void DeadRemover::count(const MachineOp &op, int change) {
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i)
    if (op.operands[i].isUnit() && infos[i].isRead())
      reads[op.operands[i].value] += change;
}

bool DeadRemover::isDead(const MachineOp &op) const {
  if (!onlyComputes(op.opcode))
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

/// From the end, so that what only fed removed instructions goes with them.
void DeadRemover::run() {
  for (const MachineBlock &block : program.blocks)
    for (const MachineOp &op : block.ops)
      count(op, 1);
  for (MachineBlock &block : reverse(program.blocks)) {
    std::vector<MachineOp> kept;
    kept.reserve(block.ops.size());
    for (const MachineOp &op : reverse(block.ops)) {
      if (isDead(op))
        count(op, -1);
      else
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
