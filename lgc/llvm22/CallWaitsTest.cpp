//===- CallWaitsTest.cpp - hazards across calls ---------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/CallWaits.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

/// Names of the instructions of a function that calls itself, and the text of the waits.
std::string codeOf(const std::string &target, const std::string &convention) {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define " + convention +
      " void @f() { unreachable }\n...\n---\nname: f\ntracksRegLiveness: false\n"
      "body: |\n  bb.0:\n    $vgpr0 = V_MOV_B32_e32 0, implicit $exec\n"
      "    $sgpr30_sgpr31 = S_SWAPPC_B64 $sgpr4_sgpr5\n    S_NOP 0\n    S_ENDPGM 0\n";
  std::string code;
  withMir(target, text, [&](MachineFunction &function) {
    waitAtCalls(function);
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    for (const MachineInstr &inst : function.front())
      code += (inst.isInlineAsm() ? StringRef(inst.getOperand(0).getSymbolName())
                                  : info.getName(inst.getOpcode()))
                  .str() +
              ";";
  });
  return code;
}

TEST(CallWaits, BehindCallsAndAtTheBegin) {
  EXPECT_EQ(codeOf("gfx1201", "amdgpu_gfx"),
            "s_wait_alu 0xf1fc;V_MOV_B32_e32;S_SWAPPC_B64;s_wait_alu 0xf1fc;S_NOP;S_ENDPGM;");
  EXPECT_EQ(codeOf("gfx1100", "amdgpu_gfx"),
            "s_waitcnt_depctr 0xffe;V_MOV_B32_e32;S_SWAPPC_B64;s_waitcnt_depctr 0xffe;S_NOP;"
            "S_ENDPGM;");
  const std::string waits = "s_waitcnt_vscnt null, 0\ns_waitcnt_depctr 0xffe2;";
  EXPECT_EQ(codeOf("gfx1010", "amdgpu_gfx"),
            waits + "V_MOV_B32_e32;S_SWAPPC_B64;" + waits + "S_NOP;S_ENDPGM;");
  EXPECT_EQ(codeOf("gfx1030", "amdgpu_gfx"), "V_MOV_B32_e32;S_SWAPPC_B64;S_NOP;S_ENDPGM;");
}

TEST(CallWaits, EntryPointsBeginWithNothing) {
  EXPECT_EQ(codeOf("gfx1201", "amdgpu_cs"),
            "V_MOV_B32_e32;S_SWAPPC_B64;s_wait_alu 0xf1fc;S_NOP;S_ENDPGM;");
}

} // namespace
