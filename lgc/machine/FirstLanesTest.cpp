//===- FirstLanesTest.cpp - reads of one register's first lane ------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/FirstLanes.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

/// Reads that are left of two of %0, with \p between between them.
unsigned readsLeft(const std::string &between, const std::string &second = "%0") {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void @f() { unreachable "
      "}\n...\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $vgpr0, "
      "$vgpr1, $sgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    %1:vgpr_32 = COPY $vgpr1\n"
      "    %2:sreg_32_xm0 = V_READFIRSTLANE_B32 %0, implicit $exec\n    " +
      between + "\n    %3:sreg_32_xm0 = V_READFIRSTLANE_B32 " + second +
      ", implicit $exec\n    %4:sreg_32 = S_ADD_I32 %2, %3, implicit-def $scc\n"
      "    $sgpr0 = COPY %4\n    S_ENDPGM 0\n";
  unsigned reads = 0;
  withMir("gfx1100", text, [&](MachineFunction &function) {
    mergeFirstLaneReads(function);
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    for (const MachineInstr &inst : function.front())
      reads += info.getName(inst.getOpcode()) == "V_READFIRSTLANE_B32";
  });
  return reads;
}

TEST(FirstLanes, OneReadIsEnough) {
  EXPECT_EQ(readsLeft("S_NOP 0"), 1u);
  EXPECT_EQ(readsLeft("S_NOP 0", "%1"), 2u);
}

TEST(FirstLanes, OtherLanesAreActiveBehindAChange) {
  EXPECT_EQ(readsLeft("$exec_lo = S_MOV_B32 $sgpr0"), 2u);
}

TEST(FirstLanes, NotWithWholeWaves) {
  EXPECT_EQ(readsLeft("%5:vgpr_32 = STRICT_WWM %1, implicit $exec"), 2u);
}

} // namespace
