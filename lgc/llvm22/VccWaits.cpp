//===- VccWaits.cpp - a VCC that comes from two units ---------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/VccWaits.h"
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

/// sa_sdst: scalar instructions have written their results.
constexpr int64_t waitForScalars = 0xFFFE;

/// Who may have written VCC last, on all ways here.
enum Writers : uint8_t { None = 0, Scalar = 1, Vector = 2, Both = Scalar | Vector };

class VccWaits {
public:
  explicit VccWaits(MachineFunction &function)
      : function(function), info(*function.getSubtarget().getInstrInfo()),
        registers(*function.getSubtarget().getRegisterInfo()) {}
  bool run();

private:
  bool isVcc(MCRegister reg) const { return StringRef(registers.getName(reg)).starts_with("VCC"); }
  bool namesVcc(const MachineInstr &inst, bool defs) const;
  uint8_t visit(MachineBasicBlock &block, uint8_t writers, MachineInstr **needsWait) const;

  MachineFunction &function;
  const TargetInstrInfo &info;
  const TargetRegisterInfo &registers;
};

/// As operand or by its description: other implicit operands are there for liveness only.
bool VccWaits::namesVcc(const MachineInstr &inst, bool defs) const {
  auto isOne = [&](MCPhysReg reg) { return isVcc(reg); };
  const MCInstrDesc &desc = inst.getDesc();
  return any_of(inst.explicit_operands(),
                [&](const MachineOperand &op) {
                  return op.isReg() && op.isDef() == defs && op.getReg().isPhysical() &&
                         isVcc(op.getReg().asMCReg());
                }) ||
         any_of(defs ? desc.implicit_defs() : desc.implicit_uses(), isOne);
}

/// \p writers: at the beginning; returns those at the end. A read waits for them, whoever reads.
/// Only the first instruction of a block that names VCC can meet both.
uint8_t VccWaits::visit(MachineBasicBlock &block, uint8_t writers, MachineInstr **needsWait) const {
  for (MachineInstr &inst : block.instrs()) {
    const StringRef name = info.getName(inst.getOpcode());
    const bool isScalar = name.starts_with("S_");
    if (inst.isCall()) {
      writers = None;
    } else if (isScalar || name.starts_with("V_")) {
      if (namesVcc(inst, false)) {
        if (isScalar && writers == Both && needsWait)
          *needsWait = &inst;
        writers = None;
      }
      if (namesVcc(inst, true))
        writers = isScalar ? Scalar : Vector;
    }
  }
  return writers;
}

bool VccWaits::run() {
  std::vector<uint8_t> in(function.getNumBlockIDs());
  for (bool changed = true; changed;) {
    changed = false;
    for (MachineBasicBlock &block : function) {
      const uint8_t out = visit(block, in[block.getNumber()], nullptr);
      for (const MachineBasicBlock *next : block.successors()) {
        uint8_t &nextIn = in[next->getNumber()];
        changed |= (nextIn | out) != nextIn;
        nextIn |= out;
      }
    }
  }
  bool changed = false;
  for (MachineBasicBlock &block : function) {
    MachineInstr *inst = nullptr;
    visit(block, in[block.getNumber()], &inst);
    if (!inst)
      continue;
    const MCInstrDesc &wait = info.get(findOpcode(info, "S_WAITCNT_DEPCTR"));
    BuildMI(block, inst->getIterator(), inst->getDebugLoc(), wait).addImm(waitForScalars);
    changed = true;
  }
  return changed;
}

} // namespace

bool waitForScalarVcc(MachineFunction &function) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(function.getSubtarget().getCPU());
  if (!target || target->major < 12)
    return false;
  return VccWaits(function).run();
}

} // namespace lgc
