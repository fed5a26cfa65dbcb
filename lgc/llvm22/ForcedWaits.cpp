//===- ForcedWaits.cpp - waits of fences in loops ---------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/ForcedWaits.h"
#include "lgc/machine/MachineStep.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include <map>

using namespace llvm;

namespace lgc {
namespace {

constexpr StringLiteral softSuffix = "_soft";

} // namespace

bool forceWaits(MachineFunction &function) {
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  SmallVector<MachineInstr *, 8> soft;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block)
      if (inst.hasUnmodeledSideEffects() && info.getName(inst.getOpcode()).ends_with(softSuffix))
        soft.push_back(&inst);
  if (soft.empty())
    return false;
  MachineDominatorTree dominators(function);
  MachineLoopInfo loops(dominators);
  std::map<unsigned, unsigned> hard;
  bool changed = false;
  for (MachineInstr *inst : soft) {
    if (!loops.getLoopFor(inst->getParent()))
      continue;
    auto [found, isNew] = hard.try_emplace(inst->getOpcode());
    if (isNew)
      found->second =
          findOpcode(info, info.getName(inst->getOpcode()).drop_back(softSuffix.size()));
    inst->setDesc(info.get(found->second));
    changed = true;
  }
  return changed;
}

} // namespace lgc
