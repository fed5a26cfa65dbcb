//===- ExecWaitsTest.cpp - memory instructions read EXEC before it changes ===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/ExecWaits.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

constexpr char store[] = "DS_WRITE_B32_gfx9 $vgpr0, $vgpr1, 0, 0, implicit $exec\n";
constexpr char save[] = "$sgpr0 = S_AND_SAVEEXEC_B32 $sgpr1, implicit-def $exec, implicit-def "
                        "$scc, implicit $exec\n";

/// Names of the instructions of a function whose second block may be a loop.
std::string namesOf(const std::string &target, const std::string &first,
                    const std::string &second) {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void "
      "@f() { unreachable }\n...\n---\nname: f\ntracksRegLiveness: false\n"
      "body: |\n  bb.0:\n    " +
      first + "  bb.1:\n    successors: %bb.1, %bb.2\n    " + second +
      "    S_CBRANCH_SCC1 %bb.1, implicit $scc\n  bb.2:\n    S_ENDPGM 0\n";
  std::string names;
  withMir(target, text, [&](MachineFunction &function) {
    waitBeforeExecWrites(function);
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &inst : block)
        names += info.getName(inst.getOpcode()).split('_').first.str() + "_" +
                 info.getName(inst.getOpcode()).split('_').second.take_front(3).str() + " ";
  });
  return names;
}

TEST(ExecWaits, BehindMemoryInstructionsOfGfx101) {
  EXPECT_EQ(namesOf("gfx1010", store, save), "DS_WRI S_WAI S_AND S_CBR S_END ");
  EXPECT_EQ(namesOf("gfx1030", store, save), "DS_WRI S_AND S_CBR S_END ");
  EXPECT_EQ(namesOf("gfx1010", std::string("$sgpr2 = S_MOV_B32 0\n"), save),
            "S_MOV S_AND S_CBR S_END ");
}

TEST(ExecWaits, AroundLoops) {
  EXPECT_EQ(namesOf("gfx1010", "$sgpr2 = S_MOV_B32 0\n", std::string(save) + "    " + store),
            "S_MOV S_WAI S_AND DS_WRI S_CBR S_END ");
}

TEST(ExecWaits, NotBehindVectorInstructions) {
  const std::string move = "    $vgpr2 = V_MOV_B32_e32 0, implicit $exec\n";
  EXPECT_EQ(namesOf("gfx1010", store + move, save), "DS_WRI V_MOV S_AND S_CBR S_END ");
}

} // namespace
