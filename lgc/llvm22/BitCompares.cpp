//===- BitCompares.cpp - comparisons of one bit, twice --------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/BitCompares.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc {
namespace {

/// May it leave one bit? A constant may stand in a register.
bool isBitOf(const MachineInstr &inst, const TargetInstrInfo &info) {
  if (!inst.isCommutable() || inst.getNumExplicitOperands() != 3)
    return false;
  const StringRef name = info.getName(inst.getOpcode());
  if (name != "S_AND_B32" && name != "S_AND_B64")
    return false;
  return all_of(inst.explicit_uses(), [](const MachineOperand &operand) {
    if (operand.isImm())
      return isPowerOf2_32(static_cast<uint32_t>(operand.getImm())) ||
             isPowerOf2_64(static_cast<uint64_t>(operand.getImm()));
    return operand.isReg() && operand.getReg().isVirtual();
  });
}

/// Of its own for `compare`.
void cloneBefore(MachineInstr &compare, MachineOperand &read, const MachineInstr &bit,
                 MachineRegisterInfo &registers) {
  MachineFunction &function = *compare.getMF();
  MachineInstr *clone = function.CloneMachineInstr(&bit);
  compare.getParent()->insert(compare.getIterator(), clone);
  const Register result = registers.cloneVirtualRegister(read.getReg());
  clone->getOperand(0).setReg(result);
  for (MachineOperand &operand : clone->operands())
    if (operand.isReg() && operand.isDef() && operand.isImplicit())
      operand.setIsDead(); // the comparison overwrites it
    else if (operand.isReg() && operand.isUse())
      registers.clearKillFlags(operand.getReg());
  read.setReg(result);
  read.setIsKill(false);
}

} // namespace

bool splitBitCompares(MachineFunction &function) {
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  MachineRegisterInfo &registers = function.getRegInfo();
  bool changed = false;
  SmallPtrSet<const MachineInstr *, 8> seen;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block) {
      if (!inst.isCompare())
        continue;
      MachineOperand &read = inst.getOperand(0);
      if (!read.isReg() || !read.isUse() || !read.getReg().isVirtual() || read.getSubReg() != 0)
        continue;
      const MachineInstr *bit = registers.getVRegDef(read.getReg());
      if (!bit || bit->getParent() != &block || !isBitOf(*bit, info) || seen.insert(bit).second)
        continue;
      cloneBefore(inst, read, *bit, registers);
      changed = true;
    }
  return changed;
}

} // namespace lgc
