//===- PartBoundaryWaitsTest.cpp - hazards where glue and part meet -------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/PartBoundaryWaits.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

struct Case {
  std::string target = "gfx1100";
  StringRef attribute = "", type = "float";
  unsigned waveSize = 64;
};

constexpr StringLiteral inFront = "\"lgc-part-boundary\"=\"in-front\"",
                        behind = "\"lgc-part-boundary\"=\"behind\"", allLanes = "\"lgc-all-lanes\"";

/// First letters of the instructions, of waits their text.
std::string finish(StringRef body, const Case &c) {
  const std::string text =
      ("--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_ps " + c.type +
       " @f() \"target-features\"=\"+wavefrontsize" + Twine(c.waveSize) + "\" " + c.attribute +
       " { unreachable }\n...\n---\nname: f\ntracksRegLiveness: false\n"
       "body: |\n" +
       body)
          .str();
  std::string names;
  withMir(c.target, text, [&](MachineFunction &function) {
    addPartBoundaryWaits(function);
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &inst : block) {
        StringRef name = function.getSubtarget().getInstrInfo()->getName(inst.getOpcode());
        if (inst.isInlineAsm())
          names += StringRef(inst.getOperand(0).getSymbolName()).str() + ";";
        else if (name == "S_WAITCNT_DEPCTR")
          names += "wait;";
        else
          names += (name.split('_').first + ";").str();
      }
  });
  return names;
}

constexpr StringLiteral add0 = "    $vgpr0 = V_ADD_U32_e32 $vgpr2, $vgpr3, implicit $exec\n";
constexpr StringLiteral add1 = "    $vgpr1 = V_ADD_U32_e32 $vgpr2, $vgpr3, implicit $exec\n";
constexpr StringLiteral exec = "    $exec = S_MOV_B64 $sgpr0_sgpr1\n";
constexpr StringLiteral leave = "    SI_RETURN_TO_EPILOG $vgpr0, $vgpr1\n";
constexpr StringLiteral entry = "  bb.0:\n";

std::string join(std::initializer_list<StringRef> parts) {
  std::string text;
  for (StringRef part : parts)
    text += part;
  return text;
}

TEST(PartBoundaryWaits, ResultsAroundExec) {
  const std::string around = join({entry, add0, exec, add1, leave});
  EXPECT_EQ(finish(around, {}), "V;S;V;s_waitcnt_depctr 0xffe;SI;");
  EXPECT_EQ(finish(around, {.target = "gfx1150"}), "V;S;V;s_waitcnt_depctr 0xffe;SI;");
  // One side only, 32 lanes, other generations.
  EXPECT_EQ(finish(join({entry, exec, add0, add1, leave}), {}), "S;V;V;SI;");
  EXPECT_EQ(finish(join({entry, add0, add1, exec, leave}), {}), "V;V;S;SI;");
  EXPECT_EQ(finish(around, {.waveSize = 32}), "V;S;V;SI;");
  EXPECT_EQ(finish(around, {.target = "gfx1030"}), "V;S;V;SI;");
  EXPECT_EQ(finish(around, {.target = "gfx1201"}), "V;S;V;SI;");
  // The result in front of the change is not the last one of its register.
  EXPECT_EQ(finish(join({entry, add0, exec, add0, add1, leave}), {}), "V;S;V;V;SI;");
}

TEST(PartBoundaryWaits, WhatEndsTheSearch) {
  EXPECT_EQ(finish(join({entry, add0, exec, "    S_WAITCNT_DEPCTR 4095\n", add1, leave}), {}),
            "V;S;wait;V;SI;");
  EXPECT_EQ(
      finish(join({entry, add0, exec,
                   "    EXP_gfx11 1, $vgpr4, $vgpr4, $vgpr4, $vgpr4, 0, 0, 15, implicit $exec\n",
                   add1, leave}),
             {})
          .find("depctr"),
      std::string::npos);
  // In another block.
  EXPECT_EQ(finish(join({entry, "    successors: %bb.1\n", add0, exec, "    S_BRANCH %bb.1\n",
                         "  bb.1:\n", add1, leave}),
                   {}),
            "V;S;S;V;s_waitcnt_depctr 0xffe;SI;");
}

TEST(PartBoundaryWaits, Transcendental) {
  const std::string slow =
      join({entry, "    $vgpr0 = V_RCP_F32_e32 $vgpr2, implicit $exec, implicit $mode\n", leave});
  EXPECT_EQ(finish(slow, {}), "V;s_waitcnt_depctr 0xffe;SI;");
  EXPECT_EQ(finish(slow, {.waveSize = 32}), "V;s_waitcnt_depctr 0xffe;SI;");
  EXPECT_EQ(finish(slow, {.target = "gfx1150"}), "V;SI;");
}

/// A function whose last block is not the one that returns: LLVM branches to an empty one.
TEST(PartBoundaryWaits, ResultsThatNobodyNames) {
  const std::string slow = join({entry,
                                 "    successors: %bb.1\n    $vgpr0 = V_RCP_F32_e32 $vgpr2, "
                                 "implicit $exec, implicit $mode\n    S_BRANCH %bb.1\n",
                                 "  bb.1:\n"});
  EXPECT_EQ(finish(slow, {}), "V;S;s_waitcnt_depctr 0xffe;");
  EXPECT_EQ(finish(slow, {.target = "gfx1150"}), "V;S;");
  EXPECT_EQ(finish(join({entry, "    successors: %bb.1\n", add0, exec, add1, "    S_BRANCH %bb.1\n",
                         "  bb.1:\n"}),
                   {}),
            "V;S;V;S;s_waitcnt_depctr 0xffe;");
}

TEST(PartBoundaryWaits, GlueInFront) {
  // The part changes EXEC sooner or later.
  const Case glue{.attribute = inFront};
  EXPECT_EQ(finish(join({entry, add0, leave}), glue), "V;s_waitcnt_depctr 0xffe;SI;");
  EXPECT_EQ(finish(join({entry, exec, leave}), glue), "S;SI;");
  const std::string mask = join({entry,
                                 "    $vgpr4 = V_CNDMASK_B32_e64 0, $vgpr2, 0, $vgpr3, "
                                 "$sgpr2_sgpr3, implicit $exec\n",
                                 leave});
  EXPECT_EQ(finish(mask, glue), "V;s_waitcnt_depctr 0xffe;SI;");
  EXPECT_EQ(finish(join({entry, add0, leave}), {.target = "gfx1010", .attribute = inFront}),
            "V;s_waitcnt_vscnt null, 0;s_waitcnt_depctr 0xffe2;SI;");
  EXPECT_EQ(finish(join({entry, add0, leave}), {.target = "gfx1030", .attribute = inFront}),
            "V;SI;");
  // HW(gfx12): whatever reads an SGPR.
  const Case gfx12{.target = "gfx1201", .attribute = inFront};
  EXPECT_EQ(finish(mask, gfx12), "V;ds_nop;ds_nop;ds_nop;ds_nop;ds_nop;ds_nop;ds_nop;ds_nop;SI;");
  EXPECT_EQ(finish(join({entry, add0, leave}), gfx12), "V;SI;");
  const std::string scalar =
      join({entry, "    $vgpr0 = V_ADD_U32_e32 $sgpr2, $vgpr3, implicit $exec\n", leave});
  EXPECT_EQ(finish(scalar, {.target = "gfx1201", .attribute = inFront, .waveSize = 32}),
            "V;ds_nop;ds_nop;ds_nop;ds_nop;SI;");
}

TEST(PartBoundaryWaits, GlueBehind) {
  Case glue{.attribute = behind, .type = "void"};
  const std::string end = "    S_ENDPGM 0\n";
  const std::string scalar = join({entry, "    $sgpr2 = S_MOV_B32 5\n", end});
  EXPECT_EQ(finish(join({entry, add0, end}), glue), "V;S;");
  EXPECT_EQ(finish(scalar, glue), "s_waitcnt_depctr 0xfffe;S;S;");
  EXPECT_EQ(finish(join({entry, exec, end}), glue), "s_waitcnt_depctr 0xffe;S;S;");
  glue.target = "gfx1201";
  EXPECT_EQ(finish(join({entry, exec, end}), glue), "S;S;");
  EXPECT_EQ(finish(scalar, glue), "ds_nop;ds_nop;ds_nop;ds_nop;ds_nop;ds_nop;ds_nop;ds_nop;S;S;");
  glue.target = "gfx1030";
  EXPECT_EQ(finish(scalar, glue), "S;S;");
  glue.target = "gfx1010";
  EXPECT_EQ(finish(scalar, glue), "s_waitcnt_depctr 0xffe2;S;S;");
  EXPECT_EQ(finish(join({entry, add0, end}), glue), "V;S;");
}

TEST(PartBoundaryWaits, AllLanesOnce) {
  const std::string all = join({entry, "    $exec = S_MOV_B64 -1\n", exec, "    S_ENDPGM 0\n"});
  const Case part{.target = "gfx1030", .attribute = allLanes, .type = "void"};
  EXPECT_EQ(finish(all, part), "S;S;");
  EXPECT_EQ(finish(all, {.target = "gfx1030", .type = "void"}), "S;S;S;");
  // Not the first thing that happens to EXEC.
  EXPECT_EQ(finish(join({entry, exec, "    $exec = S_MOV_B64 -1\n", "    S_ENDPGM 0\n"}), part),
            "S;S;S;");
}

} // namespace
