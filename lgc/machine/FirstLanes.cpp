//===- FirstLanes.cpp - reads of one register's first lane ----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/FirstLanes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {
namespace {

class Reads {
public:
  explicit Reads(MachineFunction &function)
      : function(function), info(*function.getSubtarget().getInstrInfo()),
        names(function.getSubtarget().getRegisterInfo()), registers(function.getRegInfo()) {}

  void collect(MachineBasicBlock &block) {
    SmallDenseMap<std::pair<Register, unsigned>, MachineInstr *, 8> first;
    Register exec;
    for (MachineInstr &inst : block) {
      if (exec.isValid() && inst.modifiesRegister(exec, names))
        first.clear();
      if (!inst.isConvergent() || info.getName(inst.getOpcode()) != "V_READFIRSTLANE_B32")
        continue;
      const MachineOperand &source = inst.getOperand(1);
      if (!source.isReg() || !source.getReg().isVirtual() ||
          !inst.getOperand(0).getReg().isVirtual())
        continue;
      exec = inst.implicit_operands().begin()->getReg();
      const auto [found, isNew] = first.try_emplace({source.getReg(), source.getSubReg()}, &inst);
      if (!isNew)
        pairs.push_back({&inst, found->second});
    }
  }

  bool merge() {
    // A read that is part of whole wave code reads another lane.
    if (pairs.empty() || hasWholeWaves())
      return false;
    bool changed = false;
    for (const auto &[inst, first] : pairs) {
      const Register result = inst->getOperand(0).getReg(), kept = first->getOperand(0).getReg();
      if (!registers.constrainRegClass(kept, registers.getRegClass(result)))
        continue;
      registers.replaceRegWith(result, kept);
      registers.clearKillFlags(kept);
      inst->eraseFromParent();
      changed = true;
    }
    return changed;
  }

private:
  MachineFunction &function;
  const TargetInstrInfo &info;
  const TargetRegisterInfo *names;
  MachineRegisterInfo &registers;
  SmallVector<std::pair<MachineInstr *, MachineInstr *>, 8> pairs; ///< a read and the first one

  bool hasWholeWaves() const {
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &inst : block) {
        const StringRef name = info.getName(inst.getOpcode());
        if (name.starts_with("STRICT_W") || name.starts_with("SET_INACTIVE") ||
            name.contains("WQM"))
          return true;
      }
    return false;
  }
};

} // namespace

bool mergeFirstLaneReads(MachineFunction &function) {
  Reads reads(function);
  for (MachineBasicBlock &block : function)
    reads.collect(block);
  return reads.merge();
}

} // namespace lgc
