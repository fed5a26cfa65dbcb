//===- WholeWaveConstants.cpp - constants of whole waves ------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/WholeWaveConstants.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {
namespace {

class Separation {
public:
  explicit Separation(MachineFunction &function)
      : function(function), info(*function.getSubtarget().getInstrInfo()),
        registers(function.getRegInfo()) {}

  bool run() {
    for (MachineBasicBlock &block : function)
      for (MachineInstr &inst : block)
        // Names take time: few pseudo instructions have one source.
        if (inst.isPseudo() && inst.getNumExplicitOperands() == 2 &&
            nameOf(inst).starts_with("STRICT_WWM"))
          wholeWave.insert(&inst);
    bool changed = false;
    // Grows.
    for (unsigned i = 0; i < wholeWave.size(); ++i)
      for (MachineOperand &operand : wholeWave[i]->explicit_uses())
        changed |= visit(*wholeWave[i], operand);
    return changed;
  }

private:
  MachineFunction &function;
  const TargetInstrInfo &info;
  MachineRegisterInfo &registers;
  SmallSetVector<MachineInstr *, 32> wholeWave; ///< what is executed for whole waves

  StringRef nameOf(const MachineInstr &inst) const { return info.getName(inst.getOpcode()); }

  bool visit(MachineInstr &inst, MachineOperand &operand) {
    MachineInstr *def = operand.isReg() && operand.getReg().isVirtual()
                            ? registers.getVRegDef(operand.getReg())
                            : nullptr;
    if (!def || def->isPHI())
      return false;
    const StringRef name = nameOf(*def);
    if (name == "V_MOV_B32_e32" || name == "V_MOV_B64_PSEUDO")
      if (def->getOperand(1).isImm())
        return separate(inst, operand, *def);
    // What other code has computed goes in by V_SET_INACTIVE.
    if (nameOf(inst).starts_with("V_SET_INACTIVE"))
      return false;
    if (name.starts_with("V_") || def->isRegSequence() || def->isCopy())
      wholeWave.insert(def);
    return false;
  }

  bool separate(MachineInstr &inst, MachineOperand &operand, const MachineInstr &move) {
    if (registers.hasOneNonDBGUse(operand.getReg()))
      return false;
    MachineInstr *clone = function.CloneMachineInstr(&move);
    inst.getParent()->insert(inst.getIterator(), clone);
    const Register own = registers.cloneVirtualRegister(operand.getReg());
    clone->getOperand(0).setReg(own);
    registers.clearKillFlags(operand.getReg());
    operand.setReg(own);
    return true;
  }
};

} // namespace

bool separateWholeWaveConstants(MachineFunction &function) { return Separation(function).run(); }

} // namespace lgc
