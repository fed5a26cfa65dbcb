//===- KillFlagsTest.cpp - last uses of virtual registers -----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/KillFlags.h"
#include "lgc/target/MirForTest.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

/// "%1.0" for each kill and "%1=dead" for each dead definition: register and block.
std::vector<std::string> flagsOf(StringRef body) {
  std::vector<std::string> flags;
  const std::string text = ("---\nname: f\ntracksRegLiveness: true\nbody: |\n" + body).str();
  withMir("gfx1100", text, [&](MachineFunction &function) {
    markKills(function);
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &inst : block)
        for (const MachineOperand &operand : inst.operands()) {
          if (!operand.isReg() || !operand.getReg().isVirtual())
            continue;
          const std::string name = "%" + std::to_string(operand.getReg().virtRegIndex());
          if (operand.isUse() && operand.isKill())
            flags.push_back(name + "." + std::to_string(block.getNumber()));
          if (operand.isDef() && operand.isDead())
            flags.push_back(name + "=dead");
        }
  });
  return flags;
}

using Flags = std::vector<std::string>;

TEST(KillFlags, StraightLine) {
  // One flag for a register that an instruction reads twice.
  EXPECT_EQ(flagsOf(R"(  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = COPY %0
    %2:vgpr_32 = COPY %0
    %3:vreg_64 = REG_SEQUENCE %2, %subreg.sub0, %2, %subreg.sub1
    %4:vgpr_32 = COPY %3.sub0
    %5:vgpr_32 = COPY %3.sub1
    %6:vgpr_32 = COPY undef %5
)"),
            (Flags{"%1=dead", "%0.0", "%2.0", "%4=dead", "%5=dead", "%3.0", "%6=dead"}));
}

TEST(KillFlags, Branches) {
  // %0 is read in one arm, %1 in both and %2 behind them.
  EXPECT_EQ(flagsOf(R"(  bb.0:
    successors: %bb.1, %bb.2
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = IMPLICIT_DEF
    %2:vgpr_32 = IMPLICIT_DEF
    S_CBRANCH_SCC0 %bb.2, implicit undef $scc
  bb.1:
    successors: %bb.3
    %3:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec
    %4:vgpr_32 = V_MOV_B32_e32 %1, implicit $exec
    S_BRANCH %bb.3
  bb.2:
    successors: %bb.3
    %5:vgpr_32 = V_MOV_B32_e32 %1, implicit $exec
    %6:vgpr_32 = V_MOV_B32_e32 %2, implicit $exec
  bb.3:
    %7:vgpr_32 = PHI %3, %bb.1, %5, %bb.2
    S_NOP 0, implicit %7, implicit %2
)"),
            (Flags{"%0.1", "%4=dead", "%1.1", "%1.2", "%6=dead", "%7.3", "%2.3"}));
}

TEST(KillFlags, Loops) {
  // %0 is read again in the next round; %1 is read by the PHI at the end of the loop; %4 is new in
  // every round.
  EXPECT_EQ(flagsOf(R"(  bb.0:
    successors: %bb.1
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = IMPLICIT_DEF
  bb.1:
    successors: %bb.1, %bb.2
    %2:vgpr_32 = PHI %1, %bb.0, %3, %bb.1
    %4:vgpr_32 = V_MOV_B32_e32 %2, implicit $exec
    S_NOP 0, implicit %4, implicit %0
    %3:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec
    S_CBRANCH_SCC0 %bb.1, implicit undef $scc
  bb.2:
    S_NOP 0, implicit %3
)"),
            (Flags{"%2.1", "%4.1", "%3.2"}));
}

TEST(KillFlags, SeveralDefinitions) {
  // No longer one definition each: no flags, and none that stays.
  EXPECT_EQ(flagsOf(R"(  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    S_NOP 0, implicit killed %0
    %0:vgpr_32 = IMPLICIT_DEF
    S_NOP 0, implicit killed %0
)"),
            Flags{});
}

} // namespace
