//===- LineRows.cpp - which instructions line tables have rows of ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/LineRows.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace lgc {

bool separateLines(MachineFunction &function) {
  if (!function.getFunction().getSubprogram())
    return false;
  for (MachineBasicBlock &block : function) {
    DebugLoc before;
    for (MachineInstr &inst : make_early_inc_range(block.instrs())) {
      if (inst.isBundledWithPred())
        inst.unbundleFromPred();
      if (inst.isBundle()) {
        inst.unbundleFromSucc();
        inst.eraseFromParent();
        continue;
      }
      if (inst.getDebugLoc())
        before = inst.getDebugLoc();
      else if (before && before->getDiscriminator())
        inst.setDebugLoc(before->cloneWithDiscriminator(0));
    }
  }
  return true;
}

} // namespace lgc
