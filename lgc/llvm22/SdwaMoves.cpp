//===- SdwaMoves.cpp - where LLVM may make SDWA instructions --------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/SdwaMoves.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {

bool mayMakeSdwa(const MachineFunction &function) {
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  for (const MachineBasicBlock &block : function)
    for (const MachineInstr &inst : block)
      if (info.getName(inst.getOpcode()).starts_with("V_MOVREL"))
        return false;
  return true;
}

} // namespace lgc
