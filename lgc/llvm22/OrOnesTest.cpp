//===- OrOnesTest.cpp - OR with all ones ----------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/OrOnes.h"
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
      "    %8:sreg_64 = S_MOV_B64 -7\n    %9:sreg_32 = COPY %8.sub1\n"
      "    %10:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n    %11:vgpr_32 = V_AND_B32_e64 %10, %0, "
      "implicit $exec\n    %12:vgpr_32 = V_XOR_B32_e64 %11, -1, implicit $exec\n"
      "    %13:vgpr_32 = V_NOT_B32_e32 %10, implicit $exec\n    %14:vgpr_32 = V_ASHRREV_I32_e64 "
      "31, "
      "%13, implicit $exec\n"
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
  EXPECT_FALSE(isFolded("%8.sub0"));
  EXPECT_TRUE(isFolded("%8.sub1"));
  EXPECT_TRUE(isFolded("%9"));
  EXPECT_TRUE(isFolded("-1"));
  EXPECT_FALSE(isFolded("%2"));
  EXPECT_FALSE(isFolded("%5"));
  EXPECT_FALSE(isFolded("%0"));
  EXPECT_FALSE(isFolded("255"));
}

TEST(OrOnes, OfConstantOperations) {
  EXPECT_TRUE(isFolded("%12"));
  EXPECT_TRUE(isFolded("%13"));
  EXPECT_TRUE(isFolded("%14"));
  EXPECT_FALSE(isFolded("%10"));
  EXPECT_FALSE(isFolded("%11"));
}

} // namespace
