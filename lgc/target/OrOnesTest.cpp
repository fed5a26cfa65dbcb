//===- OrOnesTest.cpp - OR with all ones ----------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/target/OrOnes.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

bool isFolded(const std::string &constant) {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void @f() { unreachable "
      "}\n...\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $vgpr0\n"
      "    %0:vgpr_32 = COPY $vgpr0\n    %1:sreg_32 = S_MOV_B32 -1\n    %2:sreg_32 = S_MOV_B32 "
      "255\n"
      "    %3:sreg_64 = REG_SEQUENCE %2, %subreg.sub0, %1, %subreg.sub1\n"
      "    %4:sreg_32 = COPY %3.sub1\n    %5:sreg_32 = COPY %3.sub0\n    %6:sreg_32 = COPY %1\n"
      "    %8:sreg_64 = S_MOV_B64 -1\n    %9:sreg_32 = COPY %8.sub1\n"
      "    %7:vgpr_32 = V_OR_B32_e64 %0, " +
      constant + ", implicit $exec\n    $vgpr0 = COPY %7\n    S_ENDPGM 0\n";
  bool folded = false;
  withMir("gfx1100", text, [&](MachineFunction &function) {
    folded = foldOrOnes(function);
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    for (const MachineInstr &inst : function.front())
      EXPECT_FALSE(folded && info.getName(inst.getOpcode()) == "V_OR_B32_e64");
  });
  return folded;
}

TEST(OrOnes, ThroughCopiesAndSequences) {
  EXPECT_TRUE(isFolded("%1"));
  EXPECT_TRUE(isFolded("%4"));
  EXPECT_TRUE(isFolded("%6"));
  EXPECT_TRUE(isFolded("%8.sub0"));
  EXPECT_TRUE(isFolded("%9"));
  EXPECT_FALSE(isFolded("%2"));
  EXPECT_FALSE(isFolded("%5"));
  EXPECT_FALSE(isFolded("%0"));
  EXPECT_FALSE(isFolded("255"));
}

} // namespace
