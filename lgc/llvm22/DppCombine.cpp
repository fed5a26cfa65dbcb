//===- DppCombine.cpp - where LLVM may fold DPP into operations -----------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/DppCombine.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {
namespace {

/// Subtractions too, which exchange their sources when the moved one is the second.
bool isReversed(StringRef name) {
  return name.starts_with("V_SUB_U") || name.starts_with("V_SUB_I") ||
         name.starts_with("V_SUB_CO_") || name.starts_with("V_SUBREV_U") ||
         name.starts_with("V_SUBREV_CO_") || name.starts_with("V_SUBB") ||
         name.starts_with("V_LSHLREV_") || name.starts_with("V_LSHRREV_") ||
         name.starts_with("V_ASHRREV_");
}

/// By its name, of which "_e64" is the encoding: V_LSHLREV_B64_e64, V_CVT_F64_I32_e32.
bool isVector64(StringRef name) {
  if (!name.consume_front("V_"))
    return false;
  name.consume_back("_e64");
  return name.contains("64");
}

} // namespace

bool mayCombineDpp(const MachineFunction &function) {
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  const MachineRegisterInfo &registers = function.getRegInfo();
  for (const MachineBasicBlock &block : function)
    for (const MachineInstr &inst : block) {
      if (!inst.isConvergent() || info.getName(inst.getOpcode()) != "V_MOV_B32_dpp")
        continue;
      for (const MachineInstr &user : registers.use_nodbg_instructions(inst.getOperand(0).getReg()))
        if (StringRef name = info.getName(user.getOpcode()); isVector64(name) || isReversed(name))
          return false;
    }
  return true;
}

} // namespace lgc
