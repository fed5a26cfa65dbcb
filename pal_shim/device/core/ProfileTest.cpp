//===- ProfileTest.cpp - what instructions did ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Programs whose executions, lanes, lines and conflicts follow from their text.
#include "pal_shim/device/core/Profile.h"
#include "pal_shim/device/core/DeviceForTest.h"

namespace pal::device::test {
namespace {

TEST(Profile, Lines) {
  EXPECT_EQ(linesTouched({{0x100, 4}, {0x104, 4}, {0x17C, 4}}, 128), 1u);
  EXPECT_EQ(linesTouched({{0x17E, 4}}, 128), 2u);
  EXPECT_EQ(linesTouched({{0x100, 4}, {0x300, 4}, {0x500, 0}}, 128), 2u);
}

LdsPasses strided(unsigned lanes, unsigned stride, unsigned bytes) {
  std::vector<AccessLog::LdsRange> accesses;
  for (unsigned lane = 0; lane < lanes; ++lane)
    accesses.push_back({lane * stride, uint8_t(bytes), uint8_t(lane)});
  return ldsPasses(accesses);
}

TEST(Profile, LdsConflicts) {
  EXPECT_EQ(strided(32, 4, 4).passes, 1u);
  EXPECT_EQ(strided(64, 4, 4).passes, 2u);
  EXPECT_EQ(strided(32, 0, 4).passes, 1u);    // all the same dword
  EXPECT_EQ(strided(32, 8, 4).passes, 2u);    // every second bank
  EXPECT_EQ(strided(32, 128, 4).passes, 32u); // one bank
  EXPECT_EQ(strided(32, 132, 4).passes, 1u);  // padded
  EXPECT_EQ(strided(32, 128, 4).without, 1u);
  EXPECT_EQ(strided(32, 8, 8).without, 2u); // two dwords a lane
  EXPECT_EQ(strided(8, 1, 1).passes, 1u);   // bytes of two dwords
}

struct Profiled {
  DeviceForTest bed;
  std::vector<InstructionProfile> counts;
  uint64_t counted = 0; ///< by opcode
  explicit Profiled(const TestProgram &program) : bed({.target = program.target, .profile = true}) {
    auto loaded = llvm::cantFail(bed.device->loadProgram(program.elf(), "test"));
    const uint64_t address = bed.buffer->address();
    const uint32_t entries[] = {uint32_t(address), uint32_t(address >> 32)};
    llvm::cantFail(bed.device->dispatch({.program = loaded.get(), .userData = entries}));
    counts = loaded->profile(abi::HardwareStage::Cs);
    for (const auto &[key, count] : bed.device->opcodeCounts())
      counted += count;
  }
};

/// Two waves; the first four lanes of each go on, three times; nobody goes into the last branch.
TEST(Profile, RunsAndLanes) {
  TestProgram program = programFor("gfx1100", R"(
    v_and_b32 v1, 31, v0
    s_mov_b32 s4, 3
    v_cmpx_gt_u32 4, v1
  loop:
    v_add_nc_u32 v2, v1, v1
    s_sub_u32 s4, s4, 1
    s_cmp_lg_u32 s4, 0
    s_cbranch_scc1 loop
    s_mov_b32 exec_lo, 0
    v_mov_b32 v3, 0
    s_endpgm)",
                                   32);
  program.threads = {64, 1, 1};
  Profiled run(program);
  ASSERT_GE(run.counts.size(), 10u);
  EXPECT_EQ(run.counts[0].runs, 2u);
  EXPECT_EQ(run.counts[0].lanes, 64u);
  EXPECT_EQ(run.counts[3].runs, 6u);
  EXPECT_EQ(run.counts[3].lanes, 24u);
  EXPECT_EQ(run.counts[8].runs, 2u);
  EXPECT_EQ(run.counts[8].masked, 2u);
  uint64_t sum = 0;
  for (const InstructionProfile &count : run.counts)
    sum += count.runs - count.masked;
  EXPECT_EQ(sum, run.counted); // VOPD aside, what the device counts by opcode
}

/// 32 dwords in a row are a line if they begin at one, a stride of 128 bytes gives each lane its
/// own; the fast ways of the device give the same results and are counted all the same.
TEST(Profile, LinesAndConflictsOfInstructions) {
  TestProgram program = programFor("gfx1100", R"(
    v_and_b32 v0, 0x3ff, v0
    v_lshlrev_b32 v1, 2, v0
    v_lshlrev_b32 v2, 7, v0
    global_store_b32 v1, v0, s[0:1]
    global_store_b32 v2, v0, s[0:1]
    ds_store_b32 v1, v0
    ds_store_b32 v2, v0
    s_load_b64 s[4:5], s[0:1], 0x3c
    s_endpgm)",
                                   32);
  program.threads = {32, 1, 1};
  program.ldsBytes = 8192;
  Profiled run(program);
  EXPECT_EQ(run.counts[3].lines, 1u);
  EXPECT_EQ(run.counts[4].lines, 32u);
  EXPECT_EQ(run.counts[5].ldsPasses, 1u);
  EXPECT_EQ(run.counts[6].ldsPasses, 32u);
  EXPECT_EQ(run.counts[6].ldsPassesWithoutConflicts, 1u);
  EXPECT_EQ(run.counts[7].lines, 2u); // 8 bytes over the end of 64
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(run.bed.dwords()[lane * 32], lane);
}

} // namespace
} // namespace pal::device::test
