//===- VccBranch.cpp - branches on VCC and what else reads their condition ===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/VccBranch.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {
namespace {

bool isNamed(Register reg, StringRef prefix, const TargetRegisterInfo &registers) {
  return reg.isPhysical() && StringRef(registers.getName(reg)).starts_with(prefix);
}

/// The register SCC when `inst` is an AND of a mask with EXEC into VCC, else none.
Register conditionOf(const MachineInstr &inst, const TargetInstrInfo &info,
                     const TargetRegisterInfo &registers) {
  if (inst.getNumExplicitOperands() != 3 || inst.getDesc().implicit_defs().size() != 1)
    return {};
  const StringRef name = info.getName(inst.getOpcode());
  if ((name != "S_AND_B64" && name != "S_AND_B32") ||
      !isNamed(inst.getOperand(0).getReg(), "VCC", registers))
    return {};
  for (const MachineOperand &operand : inst.all_defs())
    if (operand.isImplicit() && isNamed(operand.getReg(), "SCC", registers))
      return operand.getReg();
  return {};
}

/// Does anything read `reg` before it is set again?
bool isReadAfter(const MachineInstr &inst, Register reg, const TargetRegisterInfo &registers) {
  const MachineBasicBlock &block = *inst.getParent();
  for (auto at = std::next(inst.getIterator()); at != block.end(); ++at) {
    if (at->readsRegister(reg, &registers))
      return true;
    if (at->modifiesRegister(reg, &registers))
      return false;
  }
  for (const MachineBasicBlock *next : block.successors())
    if (next->isLiveIn(reg))
      return true;
  return false;
}

} // namespace

bool mayFoldVccBranches(const MachineFunction &function) {
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  const TargetRegisterInfo &registers = *function.getSubtarget().getRegisterInfo();
  for (const MachineBasicBlock &block : function)
    for (const MachineInstr &inst : block)
      if (Register scc = conditionOf(inst, info, registers);
          scc && isReadAfter(inst, scc, registers))
        return false;
  return true;
}

} // namespace lgc
