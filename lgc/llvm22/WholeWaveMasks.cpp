//===- WholeWaveMasks.cpp - EXEC that whole waves put aside ---------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/WholeWaveMasks.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {

bool readWholeWaveMasks(MachineFunction &function) {
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  const MachineRegisterInfo &registers = function.getRegInfo();
  bool changed = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block) {
      // Names take time: few pseudo instructions have so many operands.
      if (!inst.isPseudo() || inst.getNumExplicitOperands() != 6)
        continue;
      MachineOperand &mask = inst.getOperand(5);
      // What stands in no code for whole waves has no mask.
      if (!mask.isReg() || !mask.isUndef() || registers.def_empty(mask.getReg()) ||
          !info.getName(inst.getOpcode()).starts_with("V_SET_INACTIVE"))
        continue;
      mask.setIsUndef(false);
      changed = true;
    }
  return changed;
}

} // namespace lgc
