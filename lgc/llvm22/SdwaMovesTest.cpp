//===- SdwaMovesTest.cpp - where LLVM may make SDWA instructions ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/SdwaMoves.h"
#include "lgc/target/MirForTest.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

bool mayMake(const std::string &move) {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void @f() { unreachable "
      "}\n...\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n"
      "    liveins: $vgpr0_vgpr1, $sgpr0\n    %0:vreg_64 = COPY $vgpr0_vgpr1\n"
      "    $m0 = COPY $sgpr0\n" +
      move +
      "    %2:vgpr_32 = V_LSHLREV_B32_e64 16, %1, implicit $exec\n    $vgpr0 = COPY %2\n"
      "    S_ENDPGM 0\n";
  bool may = false;
  withMir("gfx1010", text, [&](MachineFunction &function) { may = mayMakeSdwa(function); });
  return may;
}

TEST(SdwaMoves, Indexed) {
  EXPECT_FALSE(mayMake("    %1:vgpr_32 = V_MOVRELS_B32_e32 undef %0.sub0, implicit $m0, implicit "
                       "$exec, implicit %0\n"));
  EXPECT_TRUE(mayMake("    %1:vgpr_32 = V_MOV_B32_e32 %0.sub0, implicit $exec\n"));
}

} // namespace
