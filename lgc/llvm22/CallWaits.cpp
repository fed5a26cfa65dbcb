//===- CallWaits.cpp - hazards across calls -------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/CallWaits.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace lgc {
namespace {

/// A field is 0 where it waits. gfx10.1: sa_sdst (scalar results), vm_vsrc (operands of vector
/// memory instructions). gfx11: sa_sdst, va_vdst (vector results). gfx12: sa_sdst, va_sdst and
/// va_vcc (scalar results of vector instructions).
StringRef waitsFor(const pal::abi::GpuTarget &target) {
  if (target.major >= 12)
    return "s_wait_alu 0xf1fc";
  if (target.major == 11)
    return "s_waitcnt_depctr 0xffe";
  return target.minor < 3 ? "s_waitcnt_vscnt null, 0\ns_waitcnt_depctr 0xffe2" : "";
}

} // namespace

bool waitAtCalls(MachineFunction &function) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(function.getSubtarget().getCPU());
  const StringRef waits = target ? waitsFor(*target) : "";
  if (waits.empty() || function.empty())
    return false;
  const MCInstrDesc &assembly =
      function.getSubtarget().getInstrInfo()->get(TargetOpcode::INLINEASM);
  auto insert = [&](MachineBasicBlock &block, MachineBasicBlock::iterator at) {
    BuildMI(block, at, DebugLoc(), assembly)
        .addExternalSymbol(waits.data())
        .addImm(InlineAsm::Extra_HasSideEffects);
  };
  bool changed = function.getFunction().getCallingConv() == CallingConv::AMDGPU_Gfx;
  if (changed)
    insert(function.front(), function.front().begin());
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block)
      if (inst.isCall() && !inst.isReturn()) {
        insert(block, std::next(inst.getIterator()));
        changed = true;
      }
  return changed;
}

} // namespace lgc
