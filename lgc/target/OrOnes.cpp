//===- OrOnes.cpp - OR with all ones --------------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/target/OrOnes.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {
namespace {

/// Copies and sequences of registers between a constant and its use are few.
constexpr unsigned maxSteps = 8;

/// Moves -1, of 64 bits both halves.
bool isOnes(const MachineInstr &move, const TargetInstrInfo &info) {
  const StringRef name = info.getName(move.getOpcode());
  return (name == "S_MOV_B32" || name == "V_MOV_B32_e32" || name == "S_MOV_B64" ||
          name == "S_MOV_B64_IMM_PSEUDO" || name == "V_MOV_B64_PSEUDO") &&
         move.getOperand(1).isImm() && move.getOperand(1).getImm() == -1;
}

struct Source {
  Register reg;
  unsigned part = 0;
};

/// A register that `operand` has its value from and that is moved -1 to, if there is one.
Source findOnes(const MachineOperand &operand, const MachineRegisterInfo &registers,
                const TargetInstrInfo &info) {
  if (!operand.isReg() || !operand.getReg().isVirtual())
    return {};
  auto [reg, part] = Source{operand.getReg(), operand.getSubReg()};
  for (unsigned step = 0; step < maxSteps && reg.isVirtual(); ++step) {
    const MachineInstr *def = registers.getVRegDef(reg);
    if (!def || def->getOperand(0).getSubReg() != 0)
      return {};
    if (def->isRegSequence() && part != 0) {
      Register found;
      unsigned foundPart = 0;
      for (unsigned i = 1; i + 1 < def->getNumOperands(); i += 2)
        if (def->getOperand(i + 1).getImm() == part) {
          found = def->getOperand(i).getReg();
          foundPart = def->getOperand(i).getSubReg();
        }
      reg = found;
      part = foundPart;
      continue;
    }
    if (def->isCopy() && (part == 0 || def->getOperand(1).getSubReg() == 0)) {
      reg = def->getOperand(1).getReg();
      part = part ? part : def->getOperand(1).getSubReg();
      continue;
    }
    return isOnes(*def, info) ? Source{reg, part} : Source();
  }
  return {};
}

} // namespace

bool foldOrOnes(MachineFunction &function) {
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  MachineRegisterInfo &registers = function.getRegInfo();
  bool changed = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : make_early_inc_range(block)) {
      if (!inst.isCommutable() || inst.getNumExplicitOperands() != 3 ||
          info.getName(inst.getOpcode()) != "V_OR_B32_e64")
        continue;
      Source ones = findOnes(inst.getOperand(1), registers, info);
      if (!ones.reg)
        ones = findOnes(inst.getOperand(2), registers, info);
      if (!ones.reg)
        continue;
      // HW: a move to a vector register reads scalar ones; folding makes a constant of it.
      const Register result = inst.getOperand(0).getReg();
      registers.clearKillFlags(ones.reg);
      BuildMI(block, inst, inst.getDebugLoc(), info.get(TargetOpcode::COPY), result)
          .addReg(ones.reg, {}, ones.part);
      inst.eraseFromParent();
      changed = true;
    }
  return changed;
}

} // namespace lgc
