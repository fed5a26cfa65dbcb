//===- Coalesce.cpp - results where they are wanted -----------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Coalesce.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// How far back a definition is looked for: time stays linear.
constexpr size_t distanceMax = 64;

class Coalescer {
public:
  explicit Coalescer(Program &program)
      : program(program), writes(program.units.size()), reads(program.units.size()) {}
  void run();

private:
  bool moveDefinition(MachineBlock &block, const std::vector<bool> &isGone, size_t index);
  Operand *definitionIn(MachineOp &op, uint32_t unit) const;
  bool touches(const MachineOp &op, const Operand &target) const;
  bool mayDefine(const MachineOp &op, const Operand &target) const;
  bool isBarrier(const MachineOp &op) const;

  Program &program;
  std::vector<uint32_t> writes, reads; ///< by unit
};

/// The operand that writes the unit's one register.
Operand *Coalescer::definitionIn(MachineOp &op, uint32_t unit) const {
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i)
    if (op.operands[i].isUnit() && op.operands[i].value == unit && infos[i].isWritten())
      return &op.operands[i];
  return nullptr;
}

/// Whether an instruction reads or writes the register.
bool Coalescer::touches(const MachineOp &op, const Operand &target) const {
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i) {
    const Operand &operand = op.operands[i];
    if (operand.isUnit() && operand.value == target.value && operand.index <= target.index &&
        target.index < operand.index + program.registersOf(operand, infos[i]))
      return true;
  }
  return false;
}

/// What has been computed in front of it is for other lanes, or is needed elsewhere.
bool Coalescer::isBarrier(const MachineOp &op) const {
  if (classOf(op.opcode) == InstructionClass::Branch)
    return true;
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i)
    if (infos[i].isWritten() && op.operands[i] == Operand::sgpr(regExec))
      return true;
  return false;
}

/// An instruction of one dword may read what it overwrites. HW: a scalar load may be repeated.
bool Coalescer::mayDefine(const MachineOp &op, const Operand &target) const {
  if (!touches(op, target))
    return true;
  if (classOf(op.opcode) == InstructionClass::ScalarLoad)
    return false;
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i)
    if (op.operands[i].isUnit() && program.registersOf(op.operands[i], infos[i]) != 1)
      return false;
  return none_of(infos,
                 [](const OperandInfo &info) { return info.role == OperandInfo::Role::Both; });
}

/// Of the move at \p index, if its source is computed in the block for it alone. True: the move can
/// go.
bool Coalescer::moveDefinition(MachineBlock &block, const std::vector<bool> &isGone, size_t index) {
  const Operand target = block.ops[index].operands[0], source = block.ops[index].operands[1];
  if (!target.isUnit() || !source.isUnit())
    return false;
  const Unit &from = program.units[source.value], &to = program.units[target.value];
  if (from.count != 1 || from.bank != to.bank || from.fixed >= 0 || from.acrossIterations ||
      writes[source.value] != 1 || reads[source.value] != 1)
    return false;
  for (size_t i = index; i-- > 0 && index - i < distanceMax;) {
    MachineOp &op = block.ops[i];
    if (isGone[i])
      continue;
    if (Operand *definition = definitionIn(op, source.value)) {
      if (!mayDefine(op, target))
        return false;
      const uint8_t registers = definition->registers;
      *definition = target;
      definition->registers = registers;
      return true;
    }
    if (isBarrier(op) || touches(op, target))
      return false;
  }
  return false;
}

void Coalescer::run() {
  for (const MachineBlock &block : program.blocks)
    for (const MachineOp &op : block.ops) {
      const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
      for (unsigned i = 0; i < op.count; ++i) {
        if (!op.operands[i].isUnit())
          continue;
        writes[op.operands[i].value] += infos[i].isWritten();
        reads[op.operands[i].value] += infos[i].isRead();
      }
    }
  for (MachineBlock &block : program.blocks) {
    std::vector<bool> isGone(block.ops.size());
    bool isChanged = false;
    for (size_t i = 0; i < block.ops.size(); ++i) {
      const Opcode opcode = block.ops[i].opcode;
      if ((opcode == Opcode::VMov || opcode == Opcode::SMov) && moveDefinition(block, isGone, i))
        isGone[i] = isChanged = true;
    }
    if (!isChanged)
      continue;
    size_t place = 0;
    for (size_t i = 0; i < block.ops.size(); ++i)
      if (!isGone[i])
        block.ops[place++] = block.ops[i];
    block.ops.resize(place);
  }
}

} // namespace

void coalesceMoves(Program &program) { Coalescer(program).run(); }

} // namespace lgc::direct
