//===- UndefLanes.cpp - registers of which parts are undefined ------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/UndefLanes.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace lgc {
namespace {

/// Copies between a part that nothing is put into and where it is used are few.
constexpr unsigned maxSteps = 8;

/// Does `operand` read what is defined nowhere?
bool readsUndefined(const MachineOperand &operand, const MachineRegisterInfo &registers) {
  Register reg = operand.getReg();
  unsigned part = operand.getSubReg();
  for (unsigned step = 0; step < maxSteps && reg.isVirtual(); ++step) {
    const MachineInstr *def = registers.getVRegDef(reg);
    if (!def || def->isImplicitDef())
      return def;
    const MachineOperand *source = nullptr;
    if (def->isCopy() && (part == 0 || def->getOperand(1).getSubReg() == 0)) {
      source = &def->getOperand(1);
      part = part ? part : source->getSubReg();
    } else if (def->isRegSequence() && part != 0) {
      for (unsigned i = 1; i + 1 < def->getNumOperands(); i += 2)
        if (def->getOperand(i + 1).getImm() == part)
          source = &def->getOperand(i);
      part = source ? source->getSubReg() : 0;
    }
    if (!source || source->isUndef())
      return source;
    reg = source->getReg();
  }
  return false;
}

} // namespace

bool markUndefLanes(MachineFunction &function) {
  const MachineRegisterInfo &registers = function.getRegInfo();
  bool found = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block) {
      if (!inst.isRegSequence() && !inst.isInsertSubreg())
        continue;
      for (MachineOperand &operand : inst.explicit_uses())
        if (operand.isReg()) {
          if (!operand.isUndef() && readsUndefined(operand, registers))
            operand.setIsUndef();
          found |= operand.isUndef();
        }
    }
  return found;
}

} // namespace lgc
