//===- SeamWaitsTest.cpp - hazards where glue and part meet ---------------===//
// SPDX-License-Identifier: MIT
#include "lgc/target/SeamWaits.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

using Lines = std::vector<std::string>;

/// Names of the instructions, of waits their text.
Lines withWaits(const std::string &target, StringRef seam, unsigned waveSize, StringRef body) {
  const std::string text =
      ("--- |\n  target triple = \"amdgcn-amd-amdpal\"\n  define amdgpu_ps float @f() #0 { "
       "unreachable }\n  attributes #0 = { \"target-features\"=\"+wavefrontsize" +
       Twine(waveSize) + "\"" + (seam.empty() ? "" : " \"lgc-seam\"=\"" + seam.str() + "\"") +
       " }\n...\n---\nname: f\ntracksRegLiveness: false\nbody: |\n" + body)
          .str();
  Lines lines;
  withMir(target, text, [&](MachineFunction &function) {
    const bool isChanged = addSeamWaits(function);
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &inst : block)
        lines.emplace_back(inst.isInlineAsm()
                               ? StringRef(inst.getOperand(0).getSymbolName())
                               : function.getSubtarget().getInstrInfo()->getName(inst.getOpcode()));
    EXPECT_EQ(isChanged,
              any_of(lines, [](StringRef line) { return line[0] == 's' || line[0] == 'd'; }));
  });
  return lines;
}

constexpr StringLiteral fetch = R"(  bb.0:
    $vgpr2 = V_MOV_B32_e32 0, implicit $exec
    SI_RETURN_TO_EPILOG $vgpr2
)";

TEST(SeamWaits, InFrontOfAPart) {
  const std::string move = "V_MOV_B32_e32", end = "SI_RETURN_TO_EPILOG";
  for (unsigned waveSize : {32, 64}) {
    EXPECT_EQ(withWaits("gfx1010", seamInFrontOfPart, waveSize, fetch),
              (Lines{move, "s_waitcnt_vscnt null, 0", "s_waitcnt_depctr 0xffe2", end}));
    EXPECT_EQ(withWaits("gfx1030", seamInFrontOfPart, waveSize, fetch), (Lines{move, end}));
    EXPECT_EQ(withWaits("gfx1100", seamInFrontOfPart, waveSize, fetch),
              (Lines{move, "s_waitcnt_depctr 0xffe", end}));
    EXPECT_EQ(withWaits("gfx1201", seamInFrontOfPart, waveSize, fetch), (Lines{move, end}));
  }
  EXPECT_EQ(withWaits("gfx1150", seamInFrontOfPart, 32, fetch), (Lines{move, end}));
  EXPECT_EQ(withWaits("gfx1150", seamInFrontOfPart, 64, fetch),
            (Lines{move, "s_waitcnt_depctr 0xffe", end}));
  EXPECT_EQ(withWaits("gfx1100", "", 64, fetch), (Lines{move, end})) << "no glue";
}

/// Constants that are exported need no results of the part.
constexpr StringLiteral constant = R"(  bb.0:
    $vgpr1 = V_MOV_B32_e32 0, implicit $exec
    S_ENDPGM 0
)";
constexpr StringLiteral vector = R"(  bb.0:
    $vgpr1 = V_MOV_B32_e32 $vgpr0, implicit $exec
    S_ENDPGM 0
)";
/// As LLVM writes whole quad mode, copies in front of everything.
constexpr StringLiteral scalar = R"(  bb.0:
    $sgpr0 = S_MOV_B32 $exec_lo
    $vgpr1 = V_MOV_B32_e32 $vgpr0, implicit $exec
    S_ENDPGM 0
)";

TEST(SeamWaits, BehindAPart) {
  for (const char *target : {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"})
    for (unsigned waveSize : {32, 64}) {
      EXPECT_EQ(withWaits(target, seamBehindPart, waveSize, constant),
                (Lines{"V_MOV_B32_e32", "S_ENDPGM"}));
      EXPECT_EQ(withWaits(target, "", waveSize, scalar).size(), 3u) << "no glue";
    }
  for (const char *target : {"gfx1010", "gfx1030", "gfx1201"})
    EXPECT_EQ(withWaits(target, seamBehindPart, 64, vector).size(), 2u) << target;
  const std::string wait = "s_waitcnt_depctr 0xffe";
  EXPECT_EQ(withWaits("gfx1100", seamBehindPart, 32, vector).front(), wait);
  EXPECT_EQ(withWaits("gfx1150", seamBehindPart, 32, vector).size(), 2u);
  EXPECT_EQ(withWaits("gfx1150", seamBehindPart, 64, vector).front(), wait);
  EXPECT_EQ(withWaits("gfx1150", seamBehindPart, 64, scalar).front(), wait);
  EXPECT_EQ(withWaits("gfx1030", seamBehindPart, 64, scalar).size(), 3u);
  EXPECT_EQ(withWaits("gfx1010", seamBehindPart, 32, scalar).front(), "s_waitcnt_depctr 0xffe2");
  EXPECT_EQ(
      withWaits("gfx1201", seamBehindPart, 32, scalar),
      (Lines{"ds_nop", "ds_nop", "ds_nop", "ds_nop", "S_MOV_B32", "V_MOV_B32_e32", "S_ENDPGM"}));
  EXPECT_EQ(withWaits("gfx1201", seamBehindPart, 64, scalar).size(), 8u + 3u);
}

} // namespace
