//===- KillFlags.cpp - last uses of virtual registers ---------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/KillFlags.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace lgc {
namespace {

class KillMarker {
public:
  explicit KillMarker(MachineFunction &function)
      : function(function), info(function.getRegInfo()), count(info.getNumVirtRegs()),
        liveOut(function.getNumBlockIDs()) {}

  void run() {
    for (unsigned i = 0; i < count; ++i)
      findLiveOut(Register::index2VirtReg(i));
    live.resize(count);
    for (MachineBasicBlock &block : function) {
      live.reset();
      for (unsigned index : liveOut[block.getNumber()])
        live.set(index);
      for (MachineInstr &inst : reverse(block))
        visit(inst);
    }
  }

private:
  MachineFunction &function;
  MachineRegisterInfo &info;
  unsigned count;
  std::vector<SmallVector<unsigned, 0>> liveOut; ///< virtual registers at the end of each block
  BitVector live;                                ///< at the place where `visit` is

  bool isTracked(Register reg) const { return reg.isVirtual() && info.hasOneDef(reg); }

  /// Walks from the uses in other blocks up to the definition.
  void findLiveOut(Register reg) {
    if (!info.hasOneDef(reg))
      return;
    const MachineBasicBlock *home = info.def_begin(reg)->getParent()->getParent();
    SmallPtrSet<const MachineBasicBlock *, 16> ends;   // in `liveOut` of these
    SmallVector<const MachineBasicBlock *, 16> begins; // live at the beginning of these
    auto endsIn = [&](const MachineBasicBlock *block) {
      if (!ends.insert(block).second)
        return;
      liveOut[block->getNumber()].push_back(reg.virtRegIndex());
      if (block != home)
        begins.push_back(block);
    };
    for (const MachineOperand &use : info.use_nodbg_operands(reg)) {
      const MachineInstr *inst = use.getParent();
      // A PHI reads its operand at the end of the block that it comes from.
      if (inst->isPHI())
        endsIn(inst->getOperand(use.getOperandNo() + 1).getMBB());
      else if (inst->getParent() != home)
        begins.push_back(inst->getParent());
    }
    while (!begins.empty())
      for (const MachineBasicBlock *from : begins.pop_back_val()->predecessors())
        endsIn(from);
  }

  void visit(MachineInstr &inst) {
    if (inst.isDebugInstr())
      return;
    for (MachineOperand &operand : inst.all_defs())
      if (isTracked(operand.getReg())) {
        operand.setIsDead(!live.test(operand.getReg().virtRegIndex()));
        live.reset(operand.getReg().virtRegIndex());
      }
    if (inst.isPHI())
      return;
    for (MachineOperand &operand : inst.all_uses()) {
      if (!operand.getReg().isVirtual())
        continue;
      operand.setIsKill(false);
      if (!isTracked(operand.getReg()) || !operand.readsReg() ||
          live.test(operand.getReg().virtRegIndex()))
        continue;
      live.set(operand.getReg().virtRegIndex());
      operand.setIsKill();
    }
  }
};

class KillFlagsPass : public MachineFunctionPass {
public:
  static char ID;
  KillFlagsPass() : MachineFunctionPass(ID) {}
  bool runOnMachineFunction(MachineFunction &function) override {
    markKills(function);
    return true;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  StringRef getPassName() const override { return "mark last uses of virtual registers"; }
};
char KillFlagsPass::ID = 0;

} // namespace

void markKills(MachineFunction &function) { KillMarker(function).run(); }

MachineFunctionPass *createKillFlagsPass() { return new KillFlagsPass(); }

} // namespace lgc
