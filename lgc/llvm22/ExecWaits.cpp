//===- ExecWaits.cpp - memory instructions read EXEC before it changes ----===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/ExecWaits.h"
#include "lgc/machine/MachineStep.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {
namespace {

constexpr StringLiteral memoryPrefixes[] = {"BUFFER_", "TBUFFER_", "IMAGE_", "GLOBAL_",
                                            "FLAT_",   "SCRATCH_", "DS_"};
/// vm_vsrc: memory instructions have read their sources.
constexpr int64_t waitForSources = 0xFFE3;

class ExecWaits {
public:
  explicit ExecWaits(MachineFunction &function)
      : function(function), info(*function.getSubtarget().getInstrInfo()),
        registers(*function.getSubtarget().getRegisterInfo()) {}
  bool run();

private:
  bool isMemory(StringRef name) const {
    return any_of(memoryPrefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
  }
  bool hidesExecWrite(const MachineInstr &inst, StringRef name) const {
    return name.starts_with("S_") &&
           any_of(inst.implicit_operands(), [&](const MachineOperand &op) {
             return op.isReg() && op.isDef() &&
                    StringRef(registers.getName(op.getReg())).starts_with("EXEC");
           });
  }
  bool visit(MachineBasicBlock &block, bool reads, SmallVectorImpl<MachineInstr *> *needWaits);

  MachineFunction &function;
  const TargetInstrInfo &info;
  const TargetRegisterInfo &registers;
};

/// \p reads: a memory instruction may still read EXEC. Returns whether one may at the end.
bool ExecWaits::visit(MachineBasicBlock &block, bool reads,
                      SmallVectorImpl<MachineInstr *> *needWaits) {
  for (MachineInstr &inst : block.instrs()) {
    const StringRef name = info.getName(inst.getOpcode());
    if (name.starts_with("V_")) {
      reads = false;
    } else if (isMemory(name)) {
      reads = true;
    } else if (reads && hidesExecWrite(inst, name)) {
      if (needWaits)
        needWaits->push_back(&inst);
      reads = false;
    }
  }
  return reads;
}

bool ExecWaits::run() {
  std::vector<bool> in(function.getNumBlockIDs());
  for (bool changed = true; changed;) {
    changed = false;
    for (MachineBasicBlock &block : function) {
      if (!visit(block, in[block.getNumber()], nullptr))
        continue;
      for (const MachineBasicBlock *next : block.successors())
        if (!in[next->getNumber()])
          in[next->getNumber()] = changed = true;
    }
  }
  SmallVector<MachineInstr *, 8> needWaits;
  for (MachineBasicBlock &block : function)
    visit(block, in[block.getNumber()], &needWaits);
  if (needWaits.empty())
    return false;
  const MCInstrDesc &wait = info.get(findOpcode(info, "S_WAITCNT_DEPCTR"));
  for (MachineInstr *inst : needWaits)
    BuildMI(*inst->getParent(), inst->getIterator(), inst->getDebugLoc(), wait)
        .addImm(waitForSources);
  return true;
}

} // namespace

bool waitBeforeExecWrites(MachineFunction &function) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(function.getSubtarget().getCPU());
  if (!target || target->major != 10 || target->minor >= 3)
    return false;
  return ExecWaits(function).run();
}

} // namespace lgc
