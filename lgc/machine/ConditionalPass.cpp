//===- ConditionalPass.cpp - passes of LLVM that run when needed ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/ConditionalPass.h"
#include "lgc/CompileError.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LegacyPassManagers.h"

using namespace llvm;

namespace lgc {

char ConditionalPass::ID = 0;

void ConditionalPass::getAnalysisUsage(AnalysisUsage &usage) const {
  inner->getAnalysisUsage(usage);
}

bool ConditionalPass::runOnFunction(Function &function) {
  MachineModuleInfo &moduleInfo = getAnalysis<MachineModuleInfoWrapperPass>().getMMI();
  MachineFunction *machineFunction = moduleInfo.getMachineFunction(function);
  if (!machineFunction || !condition(*machineFunction, *this))
    return false;
  // What a pass manager does before it runs a pass. The resolver belongs to the inner pass.
  PMDataManager &manager = getResolver()->getPMDataManager();
  if (!inner->getResolver())
    inner->setResolver(new AnalysisResolver(manager));
  inner->getResolver()->clearAnalysisImpls();
  manager.initializeAnalysisImpl(inner.get());
  return inner->runOnFunction(function);
}

namespace {

/// The flag that the target sets for classes with scalar registers. Its headers are private.
unsigned scalarFlag(const TargetRegisterInfo &registers) {
  unsigned scalar = 0, vector = 0;
  for (const TargetRegisterClass *rc : registers.regclasses()) {
    StringRef name = registers.getRegClassName(rc);
    if (name == "SGPR_32")
      scalar = rc->TSFlags;
    else if (name == "VGPR_32")
      vector = rc->TSFlags;
  }
  KILN_CHECK((scalar & ~vector) && vector, "the target's register classes have other names");
  return scalar & ~vector;
}

} // namespace

bool needsScalarAllocation(const MachineFunction &function, const LiveIntervals &intervals) {
  // Functions that are called keep registers for their callers, and where they return to.
  if (function.getFrameInfo().hasStackObjects() ||
      function.getFunction().getCallingConv() == CallingConv::AMDGPU_Gfx)
    return true;
  const MachineRegisterInfo &info = function.getRegInfo();
  const TargetRegisterInfo &registers = *info.getTargetRegisterInfo();
  const unsigned flag = scalarFlag(registers);
  /// Where values begin (+) and end (-) to need registers.
  SmallVector<std::pair<SlotIndex, int>, 128> changes;
  unsigned sum = 0;
  for (unsigned i = 0, e = info.getNumVirtRegs(); i < e; ++i) {
    const Register reg = Register::index2VirtReg(i);
    if (info.reg_nodbg_empty(reg))
      continue;
    const TargetRegisterClass *rc = info.getRegClassOrNull(reg);
    if (!rc || !intervals.hasInterval(reg))
      return true;
    if (!(rc->TSFlags & flag))
      continue;
    const int dwords = divideCeil(unsigned(registers.getRegSizeInBits(*rc)), 32u);
    sum += dwords;
    for (const LiveRange::Segment &segment : intervals.getInterval(reg)) {
      changes.push_back({segment.start, dwords});
      changes.push_back({segment.end, -dwords});
    }
  }
  if (sum <= sgprBudget)
    return false;
  // Values that end come first: their registers are free for those that begin at the same place.
  sort(changes);
  int live = 0;
  for (const auto &[place, change] : changes) {
    live += change;
    if (live > int(sgprBudget))
      return true;
  }
  return false;
}

} // namespace lgc
