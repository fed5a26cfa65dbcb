//===- LiveRegistersTest.cpp - which registers hold what is needed --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Programs whose live registers follow from their text by hand.
#include "tools/report/LiveRegisters.h"
#include "tools/report/CodeForTest.h"

namespace report {
namespace {

using test::codeOf;
using test::find;

struct Result {
  MachineCode code;
  LiveRegisters live;
  unsigned vgprs(llvm::StringRef mnemonic, unsigned skip = 0) const {
    return live.use[find(code, mnemonic, skip)].vgprs;
  }
  unsigned sgprs(llvm::StringRef mnemonic, unsigned skip = 0) const {
    return live.use[find(code, mnemonic, skip)].sgprs;
  }
};

Result liveOf(llvm::StringRef text, unsigned vgprsAtStart = 1, llvm::StringRef target = "gfx1100",
              unsigned waveSize = 32) {
  Result result{codeOf(text, target, waveSize), {}};
  const ControlFlow flow = findControlFlow(result.code);
  ExecMasks masks(result.code, flow);
  result.live = findLiveRegisters(result.code, flow, masks, vgprsAtStart);
  EXPECT_FALSE(result.live.isUpperBound);
  return result;
}

/// Scalar instructions that leave some of their result as it was read it.
TEST(LiveRegisters, ResultsThatAreChanged) {
  for (const char *change : {"s_bitset0_b32 s2, 27", "s_bitset1_b32 s2, 1", "s_addk_i32 s2, 5",
                             "s_mulk_i32 s2, 5", "s_cmov_b32 s2, s3"}) {
    const Result r = liveOf(std::string("s_mov_b32 s2, 1\ns_nop 0\n") + change +
                            "\nv_mov_b32 v0, s2\nglobal_store_b32 v0, v0, s[4:5]");
    EXPECT_EQ(r.sgprs("s_nop"), llvm::StringRef(change).contains("s3") ? 4u : 3u) << change;
  }
}

TEST(LiveRegisters, StraightLine) {
  const Result r = liveOf(R"(
    v_add_f32 v1, v0, v0        ; v0, v1
    v_mul_f32 v2, v1, v1        ; v0 is needed below
    v_sub_f32 v1, v2, v0        ; v0, v1, v2
    v_max_f32 v3, v1, v1        ; v1, v3
    global_store_b32 v3, v3, s[4:5])");
  EXPECT_EQ(r.vgprs("v_add_f32"), 2u);
  EXPECT_EQ(r.vgprs("v_mul_f32"), 3u);
  EXPECT_EQ(r.vgprs("v_sub_f32"), 3u);
  EXPECT_EQ(r.vgprs("v_max_f32"), 2u);
  EXPECT_EQ(r.live.vgprPeak, find(r.code, "v_mul_f32"));
  EXPECT_EQ(r.live.vgprsAtPeak, (std::vector<unsigned>{0, 1, 2}));
  // s4 and s5 are there from the start.
  EXPECT_EQ(r.sgprs("v_add_f32"), 2u);
}

/// What the other lanes hold lives through a write that they take no part in.
TEST(LiveRegisters, PartialWriteKeepsOthers) {
  const Result r = liveOf(R"(
    v_mov_b32 v1, 1.0
    v_cmp_gt_u32 vcc_lo, v0, 7
    s_and_saveexec_b32 s0, vcc_lo
    v_sub_f32 v2, v0, v0        ; v0, v1, v2
    v_mul_f32 v1, v2, v2        ; v1 of lanes that are off is needed below
    s_mov_b32 exec_lo, s0
    global_store_b32 v0, v1, s[4:5])");
  EXPECT_EQ(r.vgprs("v_sub_f32"), 3u);
  // Without lanes that are off, v1 is dead until it is written.
  const Result whole = liveOf(R"(
    v_mov_b32 v1, 1.0
    v_sub_f32 v2, v0, v0
    v_mul_f32 v1, v2, v2
    global_store_b32 v0, v1, s[4:5])");
  EXPECT_EQ(whole.vgprs("v_sub_f32"), 2u);
}

/// Both sides of a branch write v1 and v2 holds nothing before it: nothing is needed in front.
TEST(LiveRegisters, BothSidesTogetherWriteAll) {
  for (const char *otherSide :
       {"s_and_not1_saveexec_b32 s0, s0", "s_or_saveexec_b32 s0, s0\n"
                                          "s_xor_b32 exec_lo, exec_lo, s0"}) {
    const Result r = liveOf((R"(
    v_mov_b32 v1, 1.0
    v_add_f32 v2, v1, v1
    v_max_f32 v3, v2, v2        ; v0, v2, v3
    v_cmp_gt_u32 vcc_lo, v0, 7
    s_and_saveexec_b32 s0, vcc_lo
    s_xor_b32 s0, exec_lo, s0
    v_mul_f32 v1, v3, v3
    )" + std::string(otherSide) +
                             R"(
    v_sub_f32 v1, v3, v0
    s_or_b32 exec_lo, exec_lo, s0
    global_store_b32 v0, v1, s[4:5])"));
    EXPECT_EQ(r.vgprs("v_max_f32"), 3u) << otherSide;
    EXPECT_EQ(r.vgprs("v_cmp_gt_u32"), 2u) << otherSide; // v0, v3: v1 will be written by all
    EXPECT_EQ(r.vgprs("v_sub_f32"), 3u) << otherSide;    // v1 of the first side
  }
}

/// A value of one round that the next one reads is alive all around the loop.
TEST(LiveRegisters, AroundALoop) {
  const Result r = liveOf(R"(
    v_mov_b32 v1, 0
    s_mov_b32 s0, 8
  loop:
    v_add_f32 v2, v1, v0
    v_mul_f32 v3, v2, v2        ; v0, v2, v3
    v_sub_f32 v1, v3, v0        ; v0, v1, v3
    s_sub_u32 s0, s0, 1
    s_cmp_lg_u32 s0, 0          ; v0, v1
    s_cbranch_scc1 loop
    global_store_b32 v0, v1, s[4:5])");
  EXPECT_EQ(r.vgprs("v_add_f32"), 3u);
  EXPECT_EQ(r.vgprs("v_mul_f32"), 3u);
  EXPECT_EQ(r.vgprs("s_cmp_lg_u32"), 2u);
  EXPECT_EQ(r.sgprs("v_mul_f32"), 3u); // s0, s4, s5
}

/// Lanes leave the loop one after the other: what a lane wrote in its last round is read behind the
/// loop, so that v2 lives on although later rounds write it.
TEST(LiveRegisters, LanesThatHaveLeftKeepTheirs) {
  const char *text = R"(
    v_mov_b32 v1, 0
    s_mov_b32 s1, 0
    s_mov_b32 s2, exec_lo
  loop:
    v_add_nc_u32 v1, v1, 1
    v_mul_f32 v2, v1, v1
    v_max_f32 v4, v1, v1        ; v0, v1, v2, v4
    v_cmp_le_u32 vcc_lo, v0, v1
    s_or_b32 s1, vcc_lo, s1
    s_and_not1_b32 exec_lo, exec_lo, s1
    s_cbranch_execnz loop
    s_mov_b32 exec_lo, s2
    global_store_b32 v0, READ, s[4:5])";
  std::string reads = text;
  reads.replace(reads.find("READ"), 4, "v2");
  const Result r = liveOf(reads);
  // In front of the write of v2: v0, v1, and v2 of lanes that have left.
  EXPECT_EQ(r.vgprs("v_add_nc_u32"), 3u);
  EXPECT_EQ(r.vgprs("v_max_f32"), 4u);
  // When only v1 is read behind the loop, v2 is dead at once.
  std::string other = text;
  other.replace(other.find("READ"), 4, "v1");
  const Result dead = liveOf(other);
  EXPECT_EQ(dead.vgprs("v_add_nc_u32"), 2u);
  EXPECT_EQ(dead.vgprs("v_max_f32"), 3u);
}

/// What is computed and used within a branch in a loop is dead in the next round until then.
TEST(LiveRegisters, TemporaryOfABranchInALoop) {
  const Result r = liveOf(R"(
    v_mov_b32 v1, 0
    s_mov_b32 s1, 8
  loop:
    v_add_f32 v1, v1, v0        ; v0, v1
    v_cmp_gt_f32 vcc_lo, v1, v0
    s_and_saveexec_b32 s2, vcc_lo
    s_cbranch_execz join
    v_mul_f32 v2, v1, v1
    v_max_f32 v1, v2, v2
  join:
    s_mov_b32 exec_lo, s2
    s_sub_u32 s1, s1, 1         ; v0, v1
    s_cmp_lg_u32 s1, 0
    s_cbranch_scc1 loop
    global_store_b32 v0, v1, s[4:5])");
  EXPECT_EQ(r.vgprs("v_add_f32"), 2u);
  EXPECT_EQ(r.vgprs("v_mul_f32"), 3u);
  EXPECT_EQ(r.vgprs("s_sub_u32"), 2u);
}

/// A lane's read of another one needs what that one holds, on or off.
TEST(LiveRegisters, ReadsOfOtherLanes) {
  const Result r = liveOf(R"(
    v_mov_b32 v1, 1.0
    v_cmp_gt_u32 vcc_lo, v0, 7
    s_and_saveexec_b32 s0, vcc_lo
    v_max_f32 v3, v0, v0        ; v0, v1, v3
    v_mov_b32 v1, 2.0
    v_readlane_b32 s3, v1, 9
    v_mov_b32 v3, s3
    global_store_b32 v0, v3, s[4:5])");
  EXPECT_EQ(r.vgprs("v_max_f32"), 3u);
}

TEST(LiveRegisters, SixtyFourLanesAndOlderNames) {
  const Result r = liveOf(R"(
    v_mov_b32 v1, 1.0
    v_cmp_gt_u32 vcc, v0, v1
    s_and_saveexec_b64 s[0:1], vcc
    v_max_f32 v2, v0, v0
    v_mul_f32 v1, v2, v2
    s_andn2_saveexec_b64 s[0:1], s[0:1]
    v_sub_f32 v1, v0, v0
    s_or_b64 exec, exec, s[0:1]
    global_store_dword v0, v1, s[4:5])",
                          3, "gfx1030", 64);
  // The second side has all lanes that the first one does not have.
  EXPECT_EQ(r.vgprs("v_max_f32"), 2u);
  EXPECT_EQ(r.vgprs("v_mul_f32"), 3u);
  EXPECT_EQ(r.vgprs("v_sub_f32"), 2u);
}

TEST(LiveRegisters, HalvesAreTheirRegister) {
  const Result r = liveOf(R"(
    v_mov_b16 v1.l, v0.l
    v_mov_b16 v1.h, v0.h
    global_store_b32 v1, v1, s[4:5])");
  EXPECT_EQ(r.vgprs("v_mov_b16", 0), 2u);
  EXPECT_EQ(r.vgprs("v_mov_b16", 1), 2u);
  EXPECT_EQ(r.vgprs("global_store_b32"), 1u);
}

TEST(LiveRegisters, Writers) {
  const MachineCode code = codeOf(R"(
    v_mov_b32 v1, 0
    s_cmp_lg_u32 s0, 0
    s_cbranch_scc1 other
    v_mov_b32 v1, 1.0
  other:
    v_add_f32 v2, v1, v1)");
  const ControlFlow flow = findControlFlow(code);
  EXPECT_EQ(writersBefore(code, flow, 4, vgprRange(1), 8), (std::vector<uint32_t>{0, 3}));
  EXPECT_TRUE(writersBefore(code, flow, 4, vgprRange(0), 8).empty());
}

} // namespace
} // namespace report
