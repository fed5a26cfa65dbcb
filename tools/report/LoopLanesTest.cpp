//===- LoopLanesTest.cpp - lanes that enter loops, and stay ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Counts that waves of such code have, by hand.
#include "tools/report/LoopLanes.h"
#include "tools/report/CodeForTest.h"
#include "tools/report/Warnings.h"

namespace report {
namespace {

using pal::device::InstructionProfile;
using test::codeOf;

struct Count {
  uint64_t runs, masked, lanes;
};

/// Three waves of 64; 16 lanes of one of them go on at the branch, and into the loop.
constexpr llvm::StringLiteral text = R"(
    s_and_saveexec_b64 s[0:1], vcc
    s_cbranch_execz end
    s_mov_b64 s[2:3], 0
  loop:
    v_add_f32 v1, v1, v0
    s_and_not1_b64 exec, exec, s[4:5]
    s_cbranch_execnz loop
  end:)";

std::vector<InstructionProfile> profileOf(llvm::ArrayRef<Count> counts) {
  std::vector<InstructionProfile> profile;
  for (const Count &count : counts) {
    profile.emplace_back();
    profile.back().runs = count.runs;
    profile.back().masked = count.masked;
    profile.back().lanes = count.lanes;
  }
  return profile;
}

std::string divergence(const MachineCode &code, llvm::ArrayRef<InstructionProfile> profile) {
  const ControlFlow flow = findControlFlow(code);
  const std::vector<std::string> names(flow.loops.size(), "the loop of line 7");
  for (const Warning &warning : findRunWarnings(code, flow, profile, names))
    if (warning.kind == "divergence")
      return warning.text;
  return "";
}

TEST(LoopLanes, OfThoseThatEnter) {
  const MachineCode code = codeOf(text, "gfx1100", 64);
  // 16 lanes, then 10, then 4 and again 4.
  const auto profile = profileOf(
      {{3, 0, 192}, {3, 2, 16}, {1, 0, 16}, {4, 0, 34}, {4, 0, 34}, {4, 1, 18}, {3, 2, 0}});
  const auto entering = lanesEntering(code, findControlFlow(code), profile);
  ASSERT_EQ(entering.size(), 1u);
  ASSERT_TRUE(entering[0]);
  EXPECT_EQ(entering[0]->lanes, 16);
  EXPECT_EQ(entering[0]->runs, 1);
  EXPECT_EQ(divergence(code, profile),
            "In the loop of line 7, 8.5 of the 16 lanes that enter it are active on average: the "
            "others have left it, or wait for a branch in it.");
}

TEST(LoopLanes, WhenAllStay) {
  const MachineCode code = codeOf(text, "gfx1100", 64);
  const auto profile = profileOf(
      {{3, 0, 192}, {3, 2, 16}, {1, 0, 16}, {4, 0, 64}, {4, 0, 64}, {4, 1, 48}, {3, 2, 0}});
  EXPECT_EQ(divergence(code, profile), "");
}

/// Without the branch, waves of which nobody enters make a round, too.
TEST(LoopLanes, WavesInWhichNobodyEnters) {
  const MachineCode code = codeOf(R"(
    s_and_saveexec_b64 s[0:1], vcc
    s_mov_b64 s[2:3], 0
  loop:
    v_add_f32 v1, v1, v0
    s_and_not1_b64 exec, exec, s[4:5]
    s_cbranch_execnz loop)",
                                  "gfx1100", 64);
  const auto profile =
      profileOf({{3, 0, 192}, {3, 2, 16}, {6, 2, 64}, {6, 2, 64}, {6, 3, 48}, {3, 3, 0}});
  const auto entering = lanesEntering(code, findControlFlow(code), profile);
  ASSERT_TRUE(entering[0]);
  EXPECT_EQ(entering[0]->average(), 16);
  EXPECT_EQ(divergence(code, profile), "");
}

/// Waves that ended in a fault make the sums wrong: nothing is said of who enters.
TEST(LoopLanes, SumsThatCannotBe) {
  const MachineCode code = codeOf(R"(
    s_and_saveexec_b64 s[0:1], vcc
  loop:
    v_add_f32 v1, v1, v0
    s_and_not1_b64 exec, exec, s[4:5]
    s_cbranch_execnz loop)",
                                  "gfx1100", 64);
  const auto profile = profileOf({{3, 0, 192}, {1, 0, 2}, {1, 0, 2}, {9, 0, 90}, {0, 0, 0}});
  EXPECT_FALSE(lanesEntering(code, findControlFlow(code), profile)[0]);
  EXPECT_NE(divergence(code, profile).find("2.0 of 64 lanes are"), std::string::npos);
}

} // namespace
} // namespace report
