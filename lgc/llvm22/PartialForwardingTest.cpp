//===- PartialForwardingTest.cpp - results on both sides of changes of EXEC -===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/PartialForwarding.h"
#include "lgc/target/MirForTest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

const std::string v0 = "    $vgpr0 = V_MOV_B32_e32 0, implicit $exec\n";
const std::string v1 = "    $vgpr1 = V_MOV_B32_e32 0, implicit $exec\n";
const std::string v9 = "    $vgpr9 = V_MOV_B32_e32 0, implicit $exec\n";
const std::string exec = "    $exec = S_MOV_B64 $sgpr2_sgpr3\n";
const std::string reader = "    $vgpr8 = V_ADD_U32_e32 $vgpr0, $vgpr1, implicit $exec\n";
const std::string load = "    $vgpr7 = DS_READ_B32_gfx9 $vgpr6, 0, 0, implicit $exec\n";

struct Function {
  /// Of bb.0, then bb.1 or bb.2, then bb.3.
  std::string first = "", left = "", right = "", last = "";
  std::string target = "gfx1100", lanes = "64";
};

/// In which block waits are, in front of which instruction: "BLOCK.INDEX ".
std::string waitsOf(const Function &f) {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void @f() "
      "\"target-features\"=\"+wavefrontsize" +
      f.lanes +
      "\" { unreachable }\n...\n---\nname: f\ntracksRegLiveness: false\nbody: |\n"
      "  bb.0:\n    successors: %bb.1, %bb.2\n" +
      f.first + "    S_CBRANCH_SCC1 %bb.2, implicit $scc\n  bb.1:\n    successors: %bb.3\n" +
      f.left + "    S_BRANCH %bb.3\n  bb.2:\n    successors: %bb.3\n" + f.right +
      "  bb.3:\n    successors: %bb.3, %bb.4\n" + f.last +
      "    S_CBRANCH_SCC1 %bb.3, implicit $scc\n  bb.4:\n    S_ENDPGM 0\n";
  std::string waits;
  withMir(f.target, text, [&](MachineFunction &function) {
    const bool changed = waitForForwardedResults(function);
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    for (const MachineBasicBlock &block : function) {
      int index = 0;
      for (const MachineInstr &inst : block)
        if (info.getName(inst.getOpcode()) == "S_WAITCNT_DEPCTR" &&
            inst.getOperand(0).getImm() == 0xFFF)
          waits += utostr(block.getNumber()) + "." + itostr(index) + " ";
        else
          ++index;
    }
    EXPECT_EQ(changed, !waits.empty());
  });
  return waits;
}

TEST(PartialForwarding, FromOneOfSeveralWays) {
  EXPECT_EQ(waitsOf({.left = v0 + exec, .right = "", .last = v1 + reader}), "3.1 ");
  EXPECT_EQ(waitsOf({.left = "", .right = v0 + exec, .last = v1 + reader}), "3.1 ");
  EXPECT_EQ(waitsOf({.first = v0, .left = exec, .right = load, .last = v1 + reader}), "3.1 ");
  // Both sides in front of the join.
  EXPECT_EQ(waitsOf({.first = v0 + exec, .left = v1, .right = load, .last = reader}), "3.0 ");
  // Either result may be the younger one.
  EXPECT_EQ(waitsOf({.left = v1 + exec + v0, .right = load, .last = reader}), "3.0 ");
}

TEST(PartialForwarding, AroundLoops) {
  EXPECT_EQ(waitsOf({.first = load, .last = v1 + reader + v0 + exec}), "3.1 ");
}

TEST(PartialForwarding, OnlyWhereResultsAreClose) {
  const std::string two = v9 + v9, three = two + v9, four = two + two;
  EXPECT_EQ(waitsOf({.left = v0 + two + exec, .last = v1 + reader}), "3.1 ");
  EXPECT_EQ(waitsOf({.left = v0 + three + exec, .last = v1 + reader}), "");
  EXPECT_EQ(waitsOf({.left = v0 + v9 + exec, .last = v9 + v1 + four + reader}), "3.6 ");
  EXPECT_EQ(waitsOf({.left = v0 + exec, .last = v1 + four + v9 + reader}), "");
}

TEST(PartialForwarding, NotWhereSomethingWaits) {
  EXPECT_EQ(waitsOf({.left = v0 + exec, .last = v1 + load + reader}), "");
  EXPECT_EQ(waitsOf({.left = v0 + load + exec, .last = v1 + reader}), "");
  EXPECT_EQ(waitsOf({.left = v0 + "    S_WAITCNT_DEPCTR 4094\n" + exec, .last = v1 + reader}), "");
}

TEST(PartialForwarding, NotWithoutAChangeOfExecBetween) {
  EXPECT_EQ(waitsOf({.left = v0, .last = v1 + reader}), "");
  EXPECT_EQ(waitsOf({.left = v0 + v1 + exec, .last = reader}), "");
  EXPECT_EQ(waitsOf({.left = exec + v0, .last = v1 + reader}), "");
  // Overwritten behind it.
  EXPECT_EQ(waitsOf({.left = v0 + exec, .last = v1 + v0 + reader}), "");
}

TEST(PartialForwarding, OnlyGfx11With64Lanes) {
  const Function function = {.left = v0 + exec, .last = v1 + reader};
  for (const char *target : {"gfx1030", "gfx1201"}) {
    Function other = function;
    other.target = target;
    EXPECT_EQ(waitsOf(other), "");
  }
  Function narrow = function;
  narrow.lanes = "32";
  EXPECT_EQ(waitsOf(narrow), "");
}

} // namespace
