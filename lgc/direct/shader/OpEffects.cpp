//===- OpEffects.cpp - registers that an instruction reads and writes -----===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/OpEffects.h"

using namespace llvm;

namespace lgc::direct {

namespace {

template <typename Set> void setRange(Set &set, uint32_t first, unsigned count) {
  for (uint32_t reg = first; reg < first + count && reg < set.size(); ++reg)
    set.set(reg);
}

/// Registers that the texts of Instructions.def name without an operand.
void addNamed(const Program &program, Opcode opcode, OpEffects &effects) {
  switch (opcode) {
  case Opcode::SMovExec32:
    return setRange(effects.writes, regExec, 1);
  case Opcode::SMovExec64:
    return setRange(effects.writes, regExec, 2);
  case Opcode::SAndSaveExec32:
  case Opcode::SAndSaveExec64:
  case Opcode::SAndNotSaveExec32:
  case Opcode::SAndNotSaveExec64:
    setRange(effects.reads, regExec, program.maskRegisters());
    return setRange(effects.writes, regExec, program.maskRegisters());
  case Opcode::SMovM0:
    return setRange(effects.writes, program.m0(), 1);
  case Opcode::ExportRow:
  case Opcode::ExportRowDone:
  case Opcode::SSendMessage:
  case Opcode::VMovM0:
  case Opcode::VAddM0:
    return setRange(effects.reads, program.m0(), 1);
  default:
    return;
  }
}

/// Registers that every instruction of the class reads.
void addImplicit(const Program &program, OpEffects &effects) {
  switch (effects.kind) {
  case InstructionClass::Sample:
  case InstructionClass::VectorLoad:
  case InstructionClass::VectorAtomic:
  case InstructionClass::VectorStore:
  case InstructionClass::Lds:
  case InstructionClass::Cache:
    return setRange(effects.reads, regExec, program.maskRegisters());
  case InstructionClass::ValuReadsM0:
  case InstructionClass::ParameterLoad:
    return setRange(effects.reads, program.m0(), 1);
  case InstructionClass::ValuReadsVcc:
    setRange(effects.reads, regVcc, program.maskRegisters());
    return setRange(effects.masks, regVcc, program.maskRegisters());
  default:
    return;
  }
}

} // namespace

OpEffects effectsOf(const Program &program, const MachineOp &op) {
  OpEffects effects;
  effects.kind = classOf(op.opcode);
  effects.opcode = op.opcode;
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i) {
    const Operand &operand = op.operands[i];
    const OperandInfo &info = infos[i];
    const bool isMask = info.kind == 'M';
    const unsigned count = program.registersOf(operand, info);
    if (operand.kind == Operand::Kind::Vgpr) {
      if (info.isRead())
        setRange(effects.vectorReads, operand.value, count);
      if (info.isWritten())
        setRange(effects.vectorWrites, operand.value, count);
    } else if (operand.kind == Operand::Kind::Sgpr && operand.value != program.null()) {
      if (info.isRead())
        setRange(effects.reads, operand.value, count);
      if (info.isWritten())
        setRange(effects.writes, operand.value, count);
      if (isMask && info.isRead() && effects.isValu())
        setRange(effects.masks, operand.value, count);
    }
  }
  if (op.opcode == Opcode::WaitDepctr || op.opcode == Opcode::WaitAlu12)
    effects.aluWait = static_cast<uint16_t>(op.operands[0].value);
  addNamed(program, op.opcode, effects);
  addImplicit(program, effects);
  return effects;
}

} // namespace lgc::direct
