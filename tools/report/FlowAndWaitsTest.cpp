//===- FlowAndWaitsTest.cpp - blocks, loops, waits, cycles ----------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/CodeForTest.h"
#include "tools/report/CycleModel.h"
#include "tools/report/Waits.h"

namespace report {
namespace {

using test::codeOf;

TEST(ControlFlow, NestedLoops) {
  const MachineCode code = codeOf(R"(
    s_mov_b32 s0, 0
  outer:
    s_mov_b32 s1, 0
  inner:
    s_add_u32 s1, s1, 1
    s_cmp_lg_u32 s1, 8
    s_cbranch_scc1 inner
    s_add_u32 s0, s0, 1
    s_cmp_lg_u32 s0, 8
    s_cbranch_scc1 outer)");
  const ControlFlow flow = findControlFlow(code);
  ASSERT_EQ(flow.blocks.size(), 5u);
  ASSERT_EQ(flow.loops.size(), 2u);
  EXPECT_EQ(flow.loops[0].blocks, (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(flow.loops[1].blocks, (std::vector<uint32_t>{2}));
  EXPECT_EQ(flow.loops[1].parent, 0u);
  EXPECT_EQ(flow.blocks[2].depth, 2u);
  EXPECT_EQ(flow.blocks[4].depth, 0u);
  EXPECT_EQ(flow.loopOfBackEdge(3, 1), 0u);
  EXPECT_EQ(flow.loopOfBackEdge(2, 2), 1u);
  EXPECT_EQ(flow.loopOfBackEdge(2, 3), nowhere);
  EXPECT_FALSE(flow.isIrreducible);
}

TEST(ControlFlow, TwoEntries) {
  const MachineCode code = codeOf(R"(
    s_cbranch_scc1 second
  first:
    s_nop 0
  second:
    s_nop 1
    s_cbranch_scc0 first)");
  EXPECT_TRUE(findControlFlow(code).isIrreducible);
}

TEST(MachineCode, StopsInFrontOfConstants) {
  const MachineCode code = codeOf(R"(
    s_cbranch_scc1 end
    s_endpgm
  end:
    s_nop 0
    s_endpgm
    .long 0xFFFFFFFF)");
  EXPECT_EQ(code.code.size(), 4u);
  EXPECT_EQ(code.code[0].target, 2u);
}

std::vector<uint32_t> waitedAt(const MachineCode &code, uint32_t instruction) {
  for (const Wait &wait : findWaits(code, findControlFlow(code)))
    if (wait.instruction == instruction)
      return wait.operations;
  return {nowhere};
}

TEST(Waits, OldestFirst) {
  const MachineCode code = codeOf(R"(
    global_load_b32 v1, v0, s[0:1]
    global_load_b32 v2, v0, s[2:3]
    s_load_b32 s8, s[0:1], 0
    s_waitcnt vmcnt(1)
    s_waitcnt vmcnt(0) lgkmcnt(0)
    s_waitcnt vmcnt(0))");
  EXPECT_EQ(waitedAt(code, 3), (std::vector<uint32_t>{0}));
  EXPECT_EQ(waitedAt(code, 4), (std::vector<uint32_t>{1, 2}));
  EXPECT_TRUE(waitedAt(code, 5).empty());
}

TEST(Waits, OfTheRoundBefore) {
  const MachineCode code = codeOf(R"(
    global_load_b32 v1, v0, s[0:1]
  loop:
    s_waitcnt vmcnt(0)
    v_add_f32 v2, v1, v1
    global_load_b32 v1, v2, s[0:1]
    s_cbranch_scc1 loop)");
  EXPECT_EQ(waitedAt(code, 1), (std::vector<uint32_t>{0, 3}));
}

TEST(Waits, CountersOfTheirOwn) {
  const MachineCode code = codeOf(R"(
    global_store_b32 v0, v1, s[0:1]
    ds_load_b32 v2, v0
    s_wait_storecnt 0x0
    s_wait_dscnt 0x0)",
                                  "gfx1201");
  EXPECT_EQ(waitedAt(code, 2), (std::vector<uint32_t>{0}));
  EXPECT_EQ(waitedAt(code, 3), (std::vector<uint32_t>{1}));
}

std::vector<unsigned> stallsOf(const MachineCode &code) {
  std::vector<unsigned> stalls;
  for (const InstructionCost &cost : estimateCycles(code, findControlFlow(code), {}))
    stalls.push_back(cost.stall);
  return stalls;
}

/// A result is there `latency` cycles after its instruction began, so that the reader right behind
/// waits one less.
TEST(CycleModel, LatenciesAndUnits) {
  const CycleParameters p;
  EXPECT_EQ(stallsOf(codeOf("v_add_f32 v1, v0, v0\nv_mul_f32 v2, v1, v1")),
            (std::vector<unsigned>{0, p.valu - 1, 0}));
  // Another instruction between them takes one of those cycles.
  EXPECT_EQ(stallsOf(codeOf("v_add_f32 v1, v0, v0\ns_nop 0\nv_mul_f32 v2, v1, v1")),
            (std::vector<unsigned>{0, 0, p.valu - 2, 0}));
  // 64 lanes keep the unit for two cycles.
  EXPECT_EQ(stallsOf(codeOf("v_add_f32 v1, v0, v0\nv_mul_f32 v2, v0, v0", "gfx1100", 64)),
            (std::vector<unsigned>{0, 1, 0}));
  // Loads are waited for where the code says so.
  EXPECT_EQ(stallsOf(codeOf("s_load_b32 s8, s[0:1], 0\ns_waitcnt lgkmcnt(0)\ns_nop 0")),
            (std::vector<unsigned>{0, p.scalarLoad - 1, 0, 0}));
}

/// What was loaded in front of a loop is there when its second round begins.
TEST(CycleModel, LaterRoundsOfALoop) {
  const CycleParameters p;
  const MachineCode code = codeOf(R"(
    global_load_b32 v1, v0, s[0:1]
  loop:
    s_waitcnt vmcnt(0)
    s_cbranch_scc1 loop)");
  const std::vector<InstructionCost> costs = estimateCycles(code, findControlFlow(code), p);
  EXPECT_EQ(costs[1].stall, 0u);
  // The load keeps its unit for 4 cycles, and the wave goes on after one.
  EXPECT_EQ(costs[1].stallOnce, 3 + p.vectorLoad - 1);
  // One that is loaded in the loop is waited for in every round.
  const MachineCode again = codeOf(R"(
  loop:
    global_load_b32 v1, v0, s[0:1]
    s_waitcnt vmcnt(0)
    s_cbranch_scc1 loop)");
  EXPECT_EQ(estimateCycles(again, findControlFlow(again), p)[1].stall, 3 + p.vectorLoad - 1);
}

} // namespace
} // namespace report
