//===- WholeWaveMasksTest.cpp - EXEC that whole waves put aside -----------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/WholeWaveMasks.h"
#include "lgc/target/MirForTest.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

/// Is the mask of a V_SET_INACTIVE undefined, when the register has \p definition?
bool isUndefined(const std::string &definition) {
  const std::string text =
      "--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_cs void @f() "
      "\"target-features\"=\"+wavefrontsize64\" { unreachable }\n...\n---\nname: "
      "f\ntracksRegLiveness: true\nregisters:\n"
      "  - { id: 1, class: sreg_64_xexec }\nbody: |\n  bb.0:\n    liveins: $vgpr0\n"
      "    %0:vgpr_32 = COPY $vgpr0\n    " +
      definition +
      "\n    %2:vgpr_32 = V_SET_INACTIVE_B32 0, %0, 0, 0, undef %1, implicit $exec\n"
      "    S_ENDPGM 0, implicit %2\n";
  bool undefined = false;
  withMir("gfx1010", text, [&](MachineFunction &function) {
    readWholeWaveMasks(function);
    for (const MachineInstr &inst : function.front())
      if (inst.getNumExplicitOperands() == 6)
        undefined = inst.getOperand(5).isUndef();
  });
  return undefined;
}

TEST(WholeWaveMasks, AreRead) {
  EXPECT_FALSE(isUndefined("%1 = ENTER_STRICT_WWM -1, implicit-def $exec, implicit-def $scc, "
                           "implicit $exec"));
  EXPECT_TRUE(isUndefined(""));
}

} // namespace
