//===- VccWaitsTest.cpp - a VCC that comes from two units -----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/VccWaits.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

constexpr char scalar[] = "$vcc_lo = S_MOV_B32 0\n";
constexpr char vector[] = "$vcc_lo = V_CMP_EQ_U32_e64 $vgpr0, $vgpr1, implicit $exec\n";
constexpr char scalarRead[] = "    $sgpr0 = S_OR_B32 $vcc_lo, $sgpr0, implicit-def $scc\n";
constexpr char vectorRead[] = "    $vgpr0 = V_CNDMASK_B32_e64 0, $vgpr0, 0, $vgpr1, $vcc_lo, "
                              "implicit $exec\n";
constexpr char branch[] = "    S_CBRANCH_VCCNZ %bb.3, implicit $vcc\n";

/// Names of the instructions of the block behind two ways and of those behind it; the block may be
/// a loop.
std::string namesOf(const std::string &target, const std::string &one, const std::string &other,
                    const std::string &behind) {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void "
      "@f() { unreachable }\n...\n---\nname: f\ntracksRegLiveness: false\n"
      "body: |\n  bb.0:\n    successors: %bb.1, %bb.2\n    " +
      one + "    S_CBRANCH_SCC1 %bb.2, implicit $scc\n  bb.1:\n    successors: %bb.2\n    " +
      other + "  bb.2:\n    successors: %bb.2, %bb.3\n" + behind +
      "    S_CBRANCH_SCC1 %bb.2, implicit $scc\n  bb.3:\n    S_ENDPGM 0\n";
  std::string names;
  withMir(target, text, [&](MachineFunction &function) {
    waitForScalarVcc(function);
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    for (const MachineBasicBlock &block : function)
      if (block.getNumber() > 1)
        for (const MachineInstr &inst : block)
          names += info.getName(inst.getOpcode()).take_front(6).str() + " ";
  });
  return names;
}

TEST(VccWaits, WhereBothUnitsMayHaveWritten) {
  EXPECT_EQ(namesOf("gfx1201", scalar, vector, scalarRead), "S_WAIT S_OR_B S_CBRA S_ENDP ");
  EXPECT_EQ(namesOf("gfx1201", vector, scalar, scalarRead), "S_WAIT S_OR_B S_CBRA S_ENDP ");
  EXPECT_EQ(namesOf("gfx1201", vector, scalar, branch), "S_WAIT S_CBRA S_CBRA S_ENDP ");
  EXPECT_EQ(namesOf("gfx1100", scalar, vector, scalarRead), "S_OR_B S_CBRA S_ENDP ");
}

TEST(VccWaits, NotForOneUnit) {
  EXPECT_EQ(namesOf("gfx1201", scalar, scalar, scalarRead), "S_OR_B S_CBRA S_ENDP ");
  EXPECT_EQ(namesOf("gfx1201", vector, vector, scalarRead), "S_OR_B S_CBRA S_ENDP ");
}

TEST(VccWaits, VectorReadsWaitForBoth) {
  EXPECT_EQ(namesOf("gfx1201", scalar, vector, std::string(vectorRead) + scalarRead),
            "V_CNDM S_OR_B S_CBRA S_ENDP ");
}

TEST(VccWaits, AroundLoops) {
  EXPECT_EQ(namesOf("gfx1201", vector, vector, std::string(scalarRead) + "    " + scalar),
            "S_WAIT S_OR_B S_MOV_ S_CBRA S_ENDP ");
}

/// Operands that are there for liveness only.
TEST(VccWaits, NamedOperandsOnly) {
  const std::string move = "    $sgpr1 = S_MOV_B32 0, implicit $vcc\n";
  EXPECT_EQ(namesOf("gfx1201", scalar, vector, move + scalarRead),
            "S_MOV_ S_WAIT S_OR_B S_CBRA S_ENDP ");
}

} // namespace
