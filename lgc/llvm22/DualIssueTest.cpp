//===- DualIssueTest.cpp - pairs of operations that lose operands ---------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/DualIssue.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

/// Names of the instructions and what they read and write, without the end.
std::string split(const std::string &pair) {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void @f() { unreachable "
      "}\n...\n---\nname: f\ntracksRegLiveness: false\nbody: |\n  bb.0:\n    " +
      pair + "\n    S_ENDPGM 0\n";
  std::string result;
  withMir("gfx1100", text, [&](MachineFunction &function) {
    SingleOpcodes opcodes;
    splitDuals(function, opcodes);
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    const TargetRegisterInfo &registers = *function.getSubtarget().getRegisterInfo();
    for (const MachineInstr &inst : function.front()) {
      if (inst.isTerminator())
        break;
      result += info.getName(inst.getOpcode()).str();
      for (const MachineOperand &operand : inst.explicit_operands())
        result += operand.isReg() ? " " + StringRef(registers.getName(operand.getReg())).lower()
                                  : " " + std::to_string(operand.getImm());
      result += "; ";
    }
  });
  return result;
}

const std::string implicit = ", implicit $mode, implicit $exec";

TEST(DualIssue, SourcesOfEqualParity) {
  EXPECT_EQ(split("$vgpr3, $vgpr4 = V_DUAL_MUL_F32_e32_X_ADD_F32_e32_gfx11 killed $vgpr3, $vgpr7, "
                  "killed $vgpr4, $vgpr5" +
                  implicit),
            "V_MUL_F32_e32 vgpr3 vgpr3 vgpr7; V_ADD_F32_e32 vgpr4 vgpr4 vgpr5; ");
  // First sources.
  EXPECT_EQ(split("$vgpr3, $vgpr4 = V_DUAL_MUL_F32_e32_X_ADD_F32_e32_gfx11 $vgpr2, $vgpr7, $vgpr4, "
                  "$vgpr8" +
                  implicit),
            "V_MUL_F32_e32 vgpr3 vgpr2 vgpr7; V_ADD_F32_e32 vgpr4 vgpr4 vgpr8; ");
  EXPECT_EQ(split("$vgpr3, $vgpr4 = V_DUAL_FMAC_F32_e32_X_MOV_B32_e32_gfx11 $vgpr1, $vgpr7, "
                  "killed $vgpr3, $vgpr5" +
                  implicit),
            "V_FMAC_F32_e32 vgpr3 vgpr1 vgpr7 vgpr3; V_MOV_B32_e32 vgpr4 vgpr5; ");
}

TEST(DualIssue, WhoIsReadComesFirst) {
  // The second reads what the first overwrites.
  EXPECT_EQ(split("$vgpr3, $vgpr4 = V_DUAL_MUL_F32_e32_X_ADD_F32_e32_gfx11 $vgpr1, $vgpr7, $vgpr3, "
                  "$vgpr8" +
                  implicit),
            "V_ADD_F32_e32 vgpr4 vgpr3 vgpr8; V_MUL_F32_e32 vgpr3 vgpr1 vgpr7; ");
}

TEST(DualIssue, OthersStay) {
  const std::string name = "V_DUAL_MUL_F32_e32_X_ADD_F32_e32_gfx11";
  EXPECT_EQ(split("$vgpr3, $vgpr4 = " + name + " $vgpr3, $vgpr7, $vgpr4, $vgpr8" + implicit),
            name + " vgpr3 vgpr4 vgpr3 vgpr7 vgpr4 vgpr8; ");
  // A scalar register is in no bank.
  EXPECT_EQ(split("$vgpr3, $vgpr4 = " + name + " $sgpr2, $vgpr7, $vgpr4, $vgpr8" + implicit),
            name + " vgpr3 vgpr4 sgpr2 vgpr7 vgpr4 vgpr8; ");
}

} // namespace
