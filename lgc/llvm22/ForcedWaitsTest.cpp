//===- ForcedWaitsTest.cpp - waits of fences in loops -----------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/ForcedWaits.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

/// Names of the waits of a function whose second block is a loop.
std::string waitsOf(const std::string &target, const std::string &wait) {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void "
      "@f() { unreachable }\n...\n---\nname: f\ntracksRegLiveness: false\n"
      "body: |\n  bb.0:\n    " +
      wait + "\n  bb.1:\n    successors: %bb.1, %bb.2\n    " + wait +
      "\n    S_BARRIER\n    S_CBRANCH_SCC1 %bb.1, implicit $scc\n  bb.2:\n    "
      "S_ENDPGM 0\n";
  std::string names;
  withMir(target, text, [&](MachineFunction &function) {
    forceWaits(function);
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &inst : block)
        if (info.getName(inst.getOpcode()).contains("WAIT"))
          names += info.getName(inst.getOpcode()).str() + " ";
  });
  return names;
}

TEST(ForcedWaits, InLoopsOnly) {
  EXPECT_EQ(waitsOf("gfx1030", "S_WAITCNT_soft 0"), "S_WAITCNT_soft S_WAITCNT ");
  EXPECT_EQ(waitsOf("gfx1100", "S_WAITCNT_VSCNT_soft undef $sgpr_null, 0"),
            "S_WAITCNT_VSCNT_soft S_WAITCNT_VSCNT ");
  EXPECT_EQ(waitsOf("gfx1201", "S_WAIT_DSCNT_soft 0"), "S_WAIT_DSCNT_soft S_WAIT_DSCNT ");
  EXPECT_EQ(waitsOf("gfx1201", "S_WAIT_STORECNT_soft 0"), "S_WAIT_STORECNT_soft S_WAIT_STORECNT ");
  EXPECT_EQ(waitsOf("gfx1100", "S_WAITCNT 0"), "S_WAITCNT S_WAITCNT ");
}

} // namespace
