//===- UndefLanesTest.cpp - registers of which parts are undefined --------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/UndefLanes.h"
#include "lgc/target/MirForTest.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

bool marks(const std::string &sequence) {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void @f() { unreachable "
      "}\n...\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n"
      "    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    %1:vgpr_32 = IMPLICIT_DEF\n"
      "    %4:sreg_32 = IMPLICIT_DEF\n    %2:vreg_64 = IMPLICIT_DEF\n    %5:vgpr_32 = COPY "
      "%2.sub1\n    %6:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %0, %subreg.sub1\n    %7:vgpr_32 = "
      "COPY %6.sub1\n    %3:vreg_64 = " +
      sequence + "\n    $vgpr0 = COPY %3.sub1\n    S_ENDPGM 0\n";
  bool result = false;
  withMir("gfx1030", text, [&](MachineFunction &function) {
    result = markUndefLanes(function);
    const MachineInstr &made = *std::prev(function.front().end(), 3);
    EXPECT_TRUE(!made.isRegSequence() || made.getOperand(3).isUndef() == result);
  });
  return result;
}

TEST(UndefLanes, Sequences) {
  EXPECT_TRUE(marks("REG_SEQUENCE %0, %subreg.sub0, undef %1, %subreg.sub1"));
  EXPECT_TRUE(marks("REG_SEQUENCE %0, %subreg.sub0, %1, %subreg.sub1"));
  EXPECT_TRUE(marks("REG_SEQUENCE %0, %subreg.sub0, %4, %subreg.sub1"));
  EXPECT_TRUE(marks("REG_SEQUENCE %0, %subreg.sub0, %5, %subreg.sub1"));
  EXPECT_FALSE(marks("REG_SEQUENCE %0, %subreg.sub0, %7, %subreg.sub1"));
  EXPECT_TRUE(marks("INSERT_SUBREG %2, %0, %subreg.sub0"));
  EXPECT_FALSE(marks("REG_SEQUENCE %0, %subreg.sub0, %0, %subreg.sub1"));
  EXPECT_FALSE(marks("COPY %2"));
}

} // namespace
