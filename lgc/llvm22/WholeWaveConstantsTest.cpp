//===- WholeWaveConstantsTest.cpp - constants of whole waves --------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/WholeWaveConstants.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

/// Number of moves of constants when `other` stands behind code for whole waves that reads %1, 0.
unsigned countMoves(const std::string &other) {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void @f() { unreachable "
      "}\n...\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $vgpr0\n"
      "    %0:vgpr_32 = COPY $vgpr0\n    %1:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n"
      "    %2:sreg_32_xm0_xexec = S_MOV_B32 -1\n    %3:vgpr_32 = V_SET_INACTIVE_B32 0, %0, 0, 0, "
      "%2, "
      "implicit "
      "$exec\n    %4:vgpr_32 = V_MOV_B32_dpp %1, %3, 228, 10, 15, 0, implicit $exec\n"
      "    %5:vgpr_32 = V_ADD_U32_e32 %3, %4, implicit $exec\n    early-clobber %6:vgpr_32 = "
      "STRICT_WWM %5, implicit $exec\n    $vgpr0 = COPY %6\n    " +
      other + "\n    S_ENDPGM 0, implicit $vgpr0\n";
  unsigned moves = 0;
  withMir("gfx1030", text, [&](MachineFunction &function) {
    separateWholeWaveConstants(function);
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    for (const MachineInstr &inst : function.front())
      moves += info.getName(inst.getOpcode()) == "V_MOV_B32_e32";
  });
  return moves;
}

TEST(WholeWaveConstants, SharedOnes) {
  EXPECT_EQ(countMoves("$vgpr1 = COPY %1"), 2u);
  EXPECT_EQ(countMoves("$vgpr1 = COPY %0"), 1u);
}

} // namespace
