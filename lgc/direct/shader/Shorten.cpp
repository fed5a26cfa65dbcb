//===- Shorten.cpp - what instructions need not say ------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Shorten.h"
#include "lgc/direct/shader/ForwardWalk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// Instructions that are executed without lanes rather than jumped over.
constexpr size_t littleMax = 6;
/// How far behind a mask EXEC is narrowed.
constexpr size_t narrowDistance = 4;

class Shortener {
public:
  explicit Shortener(Program &program) : program(program) {}
  void run();

private:
  bool writesVgprsOnly(const MachineOp &op) const;
  bool jumpsOverLittle(uint32_t block) const;
  bool touches(const MachineOp &op, const Operand &mask) const;
  void narrowAndSave(std::vector<MachineOp> &ops) const;
  void removeRepeatedWaits(std::vector<MachineOp> &ops) const;

  Program &program;
};

bool Shortener::writesVgprsOnly(const MachineOp &op) const {
  const InstructionClass kind = classOf(op.opcode);
  if (kind != InstructionClass::Valu && kind != InstructionClass::Trans)
    return false;
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i)
    if (infos[i].isWritten() && op.operands[i].kind != Operand::Kind::Vgpr)
      return false;
  return true;
}

/// Is the block's last instruction a jump of waves without lanes that is not worth it?
bool Shortener::jumpsOverLittle(uint32_t block) const {
  const std::vector<MachineOp> &ops = program.blocks[block].ops;
  if (ops.empty() || ops.back().opcode != Opcode::SBranchExecZero)
    return false;
  const uint32_t target = targetOf(ops.back());
  size_t count = 0;
  for (uint32_t next = block + 1; next < target; ++next) {
    const std::vector<MachineOp> &skipped = program.blocks[next].ops;
    count += skipped.size();
    if (count > littleMax ||
        !all_of(skipped, [&](const MachineOp &op) { return writesVgprsOnly(op); }))
      return false;
  }
  return target > block && target < program.blocks.size();
}

/// Any register of it.
bool Shortener::touches(const MachineOp &op, const Operand &mask) const {
  const ArrayRef<OperandInfo> infos = operandInfo(op.opcode);
  for (unsigned i = 0; i < op.count; ++i) {
    const Operand &operand = op.operands[i];
    if (operand.kind == Operand::Kind::Sgpr &&
        operand.value < mask.value + program.maskRegisters() &&
        mask.value < operand.value + program.registersOf(operand, infos[i]))
      return true;
  }
  return false;
}

/// `mov mask, exec; ...; and exec, exec, lanes`  ->  `...; and_saveexec mask, lanes`
void Shortener::narrowAndSave(std::vector<MachineOp> &ops) const {
  const bool isWide = program.isWave64();
  const Operand exec = Operand::sgpr(regExec);
  const Opcode move = isWide ? Opcode::SMov64 : Opcode::SMov;
  const Opcode with = isWide ? Opcode::SAnd64 : Opcode::SAnd32;
  const Opcode without = isWide ? Opcode::SAndNot64 : Opcode::SAndNot32;
  for (size_t i = 1; i < ops.size(); ++i) {
    const bool isWith = ops[i].opcode == with;
    if ((!isWith && ops[i].opcode != without) || ops[i].operands[0] != exec ||
        ops[i].operands[1] != exec || ops[i].operands[2].kind != Operand::Kind::Sgpr)
      continue;
    const Operand lanes = ops[i].operands[2];
    const size_t first = i - std::min(i, narrowDistance);
    for (size_t at = i; at-- > first;) {
      const MachineOp &op = ops[at];
      if (classOf(op.opcode) != InstructionClass::Salu || op.operands[0] == exec)
        break;
      if (op.opcode != move || op.operands[1] != exec || op.operands[0].kind != Operand::Kind::Sgpr)
        continue;
      const Operand mask = op.operands[0];
      const auto between = make_range(ops.begin() + at + 1, ops.begin() + i + 1);
      if (any_of(between, [&](const MachineOp &other) { return touches(other, mask); }))
        break;
      const uint32_t place = ops[i].place;
      ops[i] = MachineOp(isWith   ? isWide ? Opcode::SAndSaveExec64 : Opcode::SAndSaveExec32
                         : isWide ? Opcode::SAndNotSaveExec64
                                  : Opcode::SAndNotSaveExec32,
                         {mask, lanes});
      ops[i].place = place;
      ops.erase(ops.begin() + at);
      --i;
      break;
    }
  }
}

/// Nothing is loaded between: fences stand on both sides of barriers.
void Shortener::removeRepeatedWaits(std::vector<MachineOp> &ops) const {
  SmallVector<MachineOp, 4> waits; ///< since something else than barriers was executed
  llvm::erase_if(ops, [&](const MachineOp &op) {
    const InstructionClass kind = classOf(op.opcode);
    if (kind == InstructionClass::Barrier)
      return false;
    if (kind != InstructionClass::Wait) {
      waits.clear();
      return false;
    }
    const bool isRepeated = any_of(waits, [&](const MachineOp &wait) {
      return wait.opcode == op.opcode && wait.all() == op.all();
    });
    if (!isRepeated)
      waits.push_back(op);
    return isRepeated;
  });
}

void Shortener::run() {
  for (uint32_t block = 0; block < program.blocks.size(); ++block) {
    std::vector<MachineOp> &ops = program.blocks[block].ops;
    if (jumpsOverLittle(block))
      ops.pop_back();
    narrowAndSave(ops);
    removeRepeatedWaits(ops);
  }
}

} // namespace

void shortenCode(Program &program) { Shortener(program).run(); }

} // namespace lgc::direct
