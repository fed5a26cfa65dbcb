//===- VccBranchTest.cpp - branches on VCC --------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/VccBranch.h"
#include "lgc/target/MirForTest.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

bool mayFold(const std::string &between, const std::string &liveIn = "") {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void @f() { unreachable "
      "}\n...\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n"
      "    successors: %bb.1, %bb.2\n    liveins: $sgpr0, $sgpr1, $vcc\n"
      "    $vcc = S_AND_B64 $vcc, $exec, implicit-def $scc\n" +
      between + "    S_CBRANCH_VCCNZ %bb.2, implicit $vcc\n  bb.1:\n" + liveIn +
      "    S_ENDPGM 0\n  bb.2:\n    S_ENDPGM 0\n";
  bool may = false;
  withMir("gfx1030", text, [&](MachineFunction &function) { may = mayFoldVccBranches(function); });
  return may;
}

TEST(VccBranch, NotWhereTheConditionIsReadElsewhere) {
  EXPECT_TRUE(mayFold(""));
  EXPECT_FALSE(mayFold("    $sgpr2 = S_CSELECT_B32 $sgpr0, $sgpr1, implicit $scc\n"));
  // Set again before it is read.
  EXPECT_TRUE(mayFold("    S_CMP_EQ_U32 $sgpr0, 1, implicit-def $scc\n"
                      "    $sgpr2 = S_CSELECT_B32 $sgpr0, $sgpr1, implicit $scc\n"));
  EXPECT_FALSE(mayFold("", "    liveins: $scc\n"));
}

} // namespace
