//===- BitComparesTest.cpp - comparisons of one bit, twice ----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/BitCompares.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

/// Names of what is between the constants and the end, without the selections.
std::string split(const std::string &bit, const std::string &type = "32") {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void @f() { unreachable "
      "}\n...\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n"
      "    liveins: $sgpr0_sgpr1\n    %0:sreg_64 = COPY $sgpr0_sgpr1\n    %1:sreg_32 = COPY "
      "%0.sub0\n    %2:sreg_32 = S_MOV_B32 1\n    %3:sreg_" +
      type + " = " + bit + ", implicit-def dead $scc\n    S_CMP_LG_U" + type +
      " %3, 0, implicit-def $scc\n    %4:sreg_32 = S_CSELECT_B32 -1, 0, implicit $scc\n"
      "    S_CMP_EQ_U" +
      type +
      " %3, 0, implicit-def $scc\n    %5:sreg_32 = S_CSELECT_B32 -1, 0, implicit $scc\n"
      "    S_ENDPGM 0, implicit %4, implicit %5\n";
  std::string result;
  withMir("gfx1100", text, [&](MachineFunction &function) {
    const bool changed = splitBitCompares(function);
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    Register tested;
    for (const MachineInstr &inst : function.front()) {
      const StringRef name = info.getName(inst.getOpcode());
      if (name.starts_with("S_AND") || name.starts_with("S_CMP"))
        result += name.str() + " ";
      if (inst.isCompare()) {
        EXPECT_EQ(tested == inst.getOperand(0).getReg(), !changed && tested);
        tested = inst.getOperand(0).getReg();
      }
    }
  });
  return result;
}

TEST(BitCompares, EachGetsItsOwn) {
  EXPECT_EQ(split("S_AND_B32 %1, 1"), "S_AND_B32 S_CMP_LG_U32 S_AND_B32 S_CMP_EQ_U32 ");
  EXPECT_EQ(split("S_AND_B32 %1, %2"), "S_AND_B32 S_CMP_LG_U32 S_AND_B32 S_CMP_EQ_U32 ");
  EXPECT_EQ(split("S_AND_B64 %0, 4", "64"), "S_AND_B64 S_CMP_LG_U64 S_AND_B64 S_CMP_EQ_U64 ");
}

TEST(BitCompares, SeveralBits) {
  EXPECT_EQ(split("S_AND_B32 %1, 3"), "S_AND_B32 S_CMP_LG_U32 S_CMP_EQ_U32 ");
  EXPECT_EQ(split("S_OR_B32 %1, 1"), "S_CMP_LG_U32 S_CMP_EQ_U32 ");
}

} // namespace
