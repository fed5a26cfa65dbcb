//===- DualPairsTest.cpp - operations that are issued together ------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/DualPairs.h"
#include "lgc/target/MirForTest.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace lgc;
using namespace lgc::test;
using namespace llvm;

namespace {

/// Results of the instructions in their new order, "v0", and "!" where one kills a register.
std::string orderOf(StringRef body, StringRef attributes = "",
                    const std::string &target = "gfx1100") {
  std::string order;
  const std::string text = ("--- |\n  define void @f() " + attributes +
                            " { ret void }\n...\n---\nname: f\nbody: |\n  bb.0:\n" + body)
                               .str();
  withMir(target, text, [&](MachineFunction &function) {
    DualTable table;
    gatherDuals(function, table);
    for (const MachineInstr &inst : function.front()) {
      StringRef name =
          function.getSubtarget().getRegisterInfo()->getName(inst.getOperand(0).getReg());
      const bool isVector = name.consume_front("VGPR");
      order += (order.empty() ? "" : " ") + ((isVector ? "v" : "") + name).str();
      if (any_of(inst.operands(), [](const MachineOperand &o) { return o.isReg() && o.isKill(); }))
        order += "!";
    }
  });
  return order;
}

TEST(DualPairs, PartnersComeTogether) {
  // Three instructions in between, and the partner overwrites what none of them reads.
  EXPECT_EQ(orderOf(R"(
    $vgpr0 = V_MUL_F32_e32 $vgpr2, $vgpr5, implicit $mode, implicit $exec
    $vgpr6 = V_EXP_F32_e32 $vgpr3, implicit $mode, implicit $exec
    $sgpr0 = S_MOV_B32 7
    $vgpr8 = V_EXP_F32_e32 $vgpr4, implicit $mode, implicit $exec
    $vgpr1 = V_ADD_F32_e32 $vgpr3, $vgpr4, implicit $mode, implicit $exec
)"),
            "v0 v1 v6 SGPR0 v8");
  // Neighbours stay, and each has one partner.
  EXPECT_EQ(orderOf(R"(
    $vgpr0 = V_MOV_B32_e32 $vgpr2, implicit $exec
    $vgpr1 = V_MOV_B32_e32 $vgpr3, implicit $exec
    $vgpr6 = V_MOV_B32_e32 $vgpr4, implicit $exec
    $vgpr8 = V_EXP_F32_e32 $vgpr9, implicit $mode, implicit $exec
    $vgpr7 = V_MOV_B32_e32 $vgpr5, implicit $exec
)"),
            "v0 v1 v6 v7 v8");
}

TEST(DualPairs, RegistersLieInDifferentBanks) {
  // Results, first and second sources of equal parity.
  for (const char *partner :
       {"$vgpr2 = V_MUL_F32_e32 $vgpr3, $vgpr4", "$vgpr1 = V_MUL_F32_e32 $vgpr8, $vgpr4",
        "$vgpr1 = V_MUL_F32_e32 $vgpr3, $vgpr7"})
    EXPECT_EQ(orderOf(("    $vgpr0 = V_MUL_F32_e32 $vgpr2, $vgpr5, implicit $mode, implicit $exec\n"
                       "    $sgpr0 = S_MOV_B32 7\n    " +
                       Twine(partner) + ", implicit $mode, implicit $exec\n")
                          .str())
                  .substr(0, 8),
              "v0 SGPR0")
        << partner;
}

TEST(DualPairs, DependenciesKeepTheirOrder) {
  const std::string first = "    $vgpr0 = V_MOV_B32_e32 $vgpr2, implicit $exec\n";
  // The partner reads the first one's result; what stands between writes what it reads, writes
  // what it writes, reads what it writes, changes EXEC.
  EXPECT_EQ(orderOf(first +
                    "    $sgpr0 = S_MOV_B32 7\n"
                    "    $vgpr1 = V_ADD_F32_e32 $vgpr3, $vgpr0, implicit $mode, implicit $exec\n"),
            "v0 SGPR0 v1");
  for (const char *between : {"$vgpr3 = V_EXP_F32_e32 $vgpr9, implicit $mode, implicit $exec",
                              "$vgpr1 = V_EXP_F32_e32 $vgpr9, implicit $mode, implicit $exec",
                              "$vgpr9 = V_EXP_F32_e32 $vgpr1, implicit $mode, implicit $exec",
                              "$exec_lo = S_MOV_B32 7"}) {
    const std::string order =
        orderOf(first + "    " + between + "\n    $vgpr1 = V_MOV_B32_e32 $vgpr3, implicit $exec\n");
    EXPECT_TRUE(StringRef(order).ends_with(" v1")) << between << ": " << order;
  }
}

TEST(DualPairs, LastUsesAreForgotten) {
  // v3 is read once more behind the place where its last use was.
  EXPECT_EQ(orderOf(R"(
    $vgpr0 = V_MOV_B32_e32 $vgpr2, implicit $exec
    $vgpr6 = V_EXP_F32_e32 $vgpr3, implicit $mode, implicit $exec
    $vgpr1 = V_MOV_B32_e32 killed $vgpr3, implicit $exec
)"),
            "v0 v1 v6");
}

TEST(DualPairs, LoadsAreNotWaitedForEarlier) {
  const std::string load = "    $vgpr3 = BUFFER_LOAD_DWORD_OFFSET $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, "
                           "0, 0, implicit $exec\n";
  const std::string first = "    $vgpr0 = V_MOV_B32_e32 $vgpr2, implicit $exec\n";
  const std::string other = "    $vgpr8 = V_EXP_F32_e32 $vgpr9, implicit $mode, implicit $exec\n";
  const std::string partner = "    $vgpr1 = V_MOV_B32_e32 $vgpr3, implicit $exec\n";
  EXPECT_EQ(orderOf(load + first + other + partner), "v3 v0 v8 v1");
  // Something has waited already.
  EXPECT_EQ(orderOf(load + "    $vgpr7 = V_EXP_F32_e32 $vgpr3, implicit $mode, implicit $exec\n" +
                    first + other + partner),
            "v3 v7 v0 v1 v8");
}

TEST(DualPairs, LiteralsAreShared) {
  auto between = [](const char *literal) {
    return orderOf(
        ("    $vgpr0 = V_MUL_F32_e32 1123477881, $vgpr5, implicit $mode, implicit $exec\n"
         "    $sgpr0 = S_MOV_B32 7\n    $vgpr1 = V_MUL_F32_e32 " +
         Twine(literal) + ", $vgpr4, implicit $mode, implicit $exec\n")
            .str());
  };
  EXPECT_EQ(between("1123477881"), "v0 v1 SGPR0");
  EXPECT_EQ(between("1123477882"), "v0 SGPR0 v1");
}

TEST(DualPairs, WavesOf64LanesHaveNone) {
  const char *body = R"(
    $vgpr0 = V_MOV_B32_e32 $vgpr2, implicit $exec
    $sgpr0 = S_MOV_B32 7
    $vgpr1 = V_MOV_B32_e32 $vgpr3, implicit $exec
)";
  EXPECT_EQ(orderOf(body), "v0 v1 SGPR0");
  EXPECT_EQ(orderOf(body, "\"target-features\"=\"+wavefrontsize64\""), "v0 SGPR0 v1");
}

} // namespace
