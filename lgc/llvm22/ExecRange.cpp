//===- ExecRange.cpp - where the execution mask changes -------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/ExecRange.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {

void refreshExecRange(const MachineFunction &function, LiveIntervals &intervals) {
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  const TargetRegisterInfo &registers = *function.getSubtarget().getRegisterInfo();
  for (const MachineBasicBlock &block : function)
    for (const MachineInstr &inst : block) {
      // EXEC and SCC.
      if (inst.getDesc().implicit_defs().size() != 2 ||
          !info.getName(inst.getOpcode()).starts_with("S_OR_SAVEEXEC"))
        continue;
      for (const MachineOperand &operand : inst.all_defs())
        if (operand.getReg().isPhysical() &&
            StringRef(registers.getName(operand.getReg())).starts_with("EXEC"))
          intervals.removeAllRegUnitsForPhysReg(operand.getReg());
      return;
    }
}

} // namespace lgc
