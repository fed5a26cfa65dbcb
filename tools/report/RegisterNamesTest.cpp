//===- RegisterNamesTest.cpp - variables of the source in registers --------===//
// SPDX-License-Identifier: MIT
#include "tools/report/RegisterNames.h"
#include "tools/report/CodeForTest.h"

namespace report {
namespace {

using Names = std::vector<std::string>;

TEST(RegisterNames, OfWritersAndCopies) {
  const MachineCode code = test::codeOf(R"(
    v_mul_f32 v1, v0, v0
    v_add_f32 v2, v0, v0
    s_cmp_lg_u32 s0, 0
    s_cbranch_scc1 other
    v_mov_b32 v3, v1
    s_branch both
  other:
    v_mov_b32 v3, v2
  both:
    v_mov_b32 v4, 1.0
    v_mov_b32 v5, v3
    v_sub_f32 v6, v5, v4)");
  const ControlFlow flow = findControlFlow(code);
  std::vector<std::string> variables(code.code.size());
  variables[0] = "product";
  variables[1] = "sum";
  variables[4] = variables[8] = "a line that a copy was given";
  variables[7] = "one";
  variables[9] = "difference";
  auto at = [&](uint32_t instruction, unsigned vgpr) {
    return variablesIn(code, flow, variables, instruction, vgprRange(vgpr));
  };
  EXPECT_EQ(at(9, 5), (Names{"product", "sum"}));
  EXPECT_EQ(at(9, 4), (Names{"one"}));
  EXPECT_EQ(at(9, 6), (Names{"difference"}));
  EXPECT_EQ(at(9, 0), Names());
  EXPECT_EQ(at(6, 2), (Names{"sum"}));
}

TEST(RegisterNames, CopiesInCircles) {
  const MachineCode code = test::codeOf(R"(
  again:
    v_mov_b32 v1, v2
    v_mov_b32 v2, v1
    s_cbranch_scc1 again
    v_add_f32 v3, v1, v2)");
  const ControlFlow flow = findControlFlow(code);
  EXPECT_EQ(variablesIn(code, flow, Names(code.code.size()), 3, vgprRange(1)), Names());
}

} // namespace
} // namespace report
