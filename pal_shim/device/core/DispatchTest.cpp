//===- DispatchTest.cpp - launch state, workgroups, barriers ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Hand-written programs report what they find in registers and memory at their start. Expected
/// values come from the PAL pipeline ABI and AMDGPUUsage.
#include "pal_shim/device/core/DeviceForTest.h"
#include "pal_shim/device/core/Scratch.h"
#include <set>

using namespace pal::device;
using namespace pal::device::test;
namespace userdata = pal::abi::userdata;

namespace {

constexpr const char *targets[] = {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};

bool isGfx12(llvm::StringRef target) { return target.starts_with("gfx12"); }

/// Stores \p sgpr at dword \p index, from every lane.
std::string storeScalar(const std::string &sgpr, unsigned index) {
  return "v_mov_b32 v20, " + std::to_string(index * 4) + "\nv_mov_b32 v21, " + sgpr +
         "\nglobal_store_dword v20, v21, s[0:1]\n";
}

/// Moves workgroup id x, y, z to s16, s17, s18, given the SGPR after the user data.
std::string groupIdText(llvm::StringRef target, unsigned first) {
  if (isGfx12(target))
    return "s_mov_b32 s16, ttmp9\ns_and_b32 s17, ttmp7, 0xffff\ns_lshr_b32 s18, ttmp7, 16\n";
  std::string text;
  for (unsigned i = 0; i < 3; ++i)
    text += "s_mov_b32 s" + std::to_string(16 + i) + ", s" + std::to_string(first + i) + "\n";
  return text;
}

} // namespace

TEST(Dispatch, LocalIdsOfEveryThread) {
  for (const char *target : targets)
    for (unsigned waveSize : {32u, 64u}) {
      DeviceForTest bed({.target = target});
      TestProgram program = programFor(target, localIdText(target, "v11", "v12", "v13") + R"(
        v_mul_u32_u24 v14, 3, v13
        v_add_nc_u32 v14, v14, v12
        v_mul_u32_u24 v14, 10, v14
        v_add_nc_u32 v14, v14, v11
        v_lshlrev_b32 v14, 4, v14
        global_store_dword v14, v11, s[0:1]
        global_store_dword v14, v12, s[0:1] offset:4
        global_store_dword v14, v13, s[0:1] offset:8
        v_mov_b32 v15, exec_lo
        global_store_dword v14, v15, s[0:1] offset:12
      )",
                                       waveSize);
      program.threads = {10, 3, 2};
      program.localIdComponents = 3;
      std::fill_n(bed.dwords(), 16384, ~0u);
      ASSERT_EQ(bed.run(program), "") << target;
      for (uint32_t i = 0; i < 60; ++i) {
        const uint32_t *record = bed.dwords() + i * 4;
        EXPECT_EQ(record[0], i % 10);
        EXPECT_EQ(record[1], i / 10 % 3);
        EXPECT_EQ(record[2], i / 30);
        // Only the last wave is partial: 60 threads.
        EXPECT_EQ(record[3], waveSize == 32 && i >= 32 ? 0x0FFFFFFFu : ~0u) << target;
      }
      EXPECT_EQ(bed.dwords()[240], ~0u) << "lanes beyond the last thread must not run";
    }
}

// LLVM masks x only where it asks for y, too.
TEST(Dispatch, LocalIdsThatAreNotAskedForAreZero) {
  for (const char *target : targets) {
    DeviceForTest bed({.target = target});
    TestProgram program = programFor(target, R"(
      v_lshlrev_b32 v1, 2, v0
      v_mov_b32 v2, 1
      global_atomic_add v1, v2, s[0:1]
    )");
    program.threads = {4, 3, 2};
    ASSERT_EQ(bed.run(program), "") << target;
    for (uint32_t i = 0; i < 4; ++i)
      EXPECT_EQ(bed.dwords()[i], 6u) << target;
  }
}

TEST(Dispatch, GroupIdsAndBase) {
  for (const char *target : targets) {
    DeviceForTest bed({.target = target});
    TestProgram program = programFor(target, groupIdText(target, 2) + R"(
      s_lshl_b32 s19, s18, 2
      s_add_u32 s19, s19, s17
      s_lshl_b32 s19, s19, 2
      s_add_u32 s19, s19, s16
      s_lshl_b32 s19, s19, 2
      v_mov_b32 v20, s19
      v_mov_b32 v21, 1
      global_atomic_add v20, v21, s[0:1]
    )");
    program.groupIdX = program.groupIdY = program.groupIdZ = true;
    ASSERT_EQ(bed.run(program, {.base = {1, 2, 3}, .groups = {2, 1, 2}}), "") << target;
    // Index x + 4 * (y + 4 * z) of x 1..2, y 2, z 3..4, each once.
    std::set<uint32_t> expected = {57, 58, 73, 74};
    for (uint32_t i = 0; i < 128; ++i)
      EXPECT_EQ(bed.dwords()[i], expected.count(i)) << target << " " << i;
  }
}

TEST(Dispatch, UserDataSpillTableAndGroupCounts) {
  for (const char *target : targets) {
    DeviceForTest bed({.target = target});
    std::string text = R"(
      s_getpc_b64 s[20:21]
      s_mov_b32 s22, s2
      s_mov_b32 s23, s21
      s_load_dword s24, s[22:23], 0x1c
      s_load_dword s25, s[22:23], 0x27c
      s_load_dwordx2 s[26:27], s[6:7], 0x0
      s_load_dword s28, s[6:7], 0x8
      s_waitcnt 0
    )";
    unsigned index = 0;
    for (const char *sgpr : {"s3", "s4", "s5", "s24", "s25", "s26", "s27", "s28"})
      text += storeScalar(sgpr, index++);
    TestProgram program = programFor(target, text);
    program.userDataRegMap = {0,
                              1,
                              userdata::spillTable,
                              4,
                              2,
                              userdata::notMapped,
                              userdata::workgroup,
                              userdata::notMapped};
    program.spillThreshold = 7;
    bed.userData.resize(158);
    for (uint32_t i = 0; i < 158; ++i)
      bed.userData[i] = 1000 + i + 2;
    ASSERT_EQ(bed.run(program, {.groups = {3, 2, 5}}), "") << target;
    const uint32_t expected[] = {1004, 1002, 0, 1007, 1159, 3, 2, 5};
    for (unsigned i = 0; i < std::size(expected); ++i)
      EXPECT_EQ(bed.dwords()[i], expected[i]) << target << " " << i;
  }
}

TEST(Dispatch, MissingUserDataIsZero) {
  DeviceForTest bed({});
  TestProgram program = programFor("gfx1100", storeScalar("s2", 0));
  program.userDataRegMap = {0, 1, 100};
  bed.dwords()[0] = 7;
  ASSERT_EQ(bed.run(program), "");
  EXPECT_EQ(bed.dwords()[0], 0u);
}

TEST(Dispatch, GlobalTableHoldsTheScratchDescriptor) {
  for (const char *target : {"gfx1010", "gfx1030"}) {
    DeviceForTest bed({.target = target});
    std::string text = "s_getpc_b64 s[20:21]\ns_mov_b32 s22, s2\ns_mov_b32 s23, s21\n"
                       "s_load_dwordx4 s[24:27], s[22:23], 0x10\ns_waitcnt 0\n";
    for (unsigned i = 0; i < 4; ++i)
      text += storeScalar("s" + std::to_string(24 + i), i);
    text += storeScalar("s3", 4); // the wave's scratch offset
    TestProgram program = programFor(target, text);
    program.userDataRegMap = {0, 1, userdata::globalTable};
    program.scratchBytes = 64;
    bed.dwords()[4] = 7;
    ASSERT_EQ(bed.run(program), "");
    std::array<uint32_t, 4> expected = {uint32_t(scratchBufferBase),
                                        uint32_t(scratchBufferBase >> 32) | 0x80000000, 0xFFFFFFFF,
                                        0x21E16FAC};
    for (unsigned i = 0; i < 4; ++i)
      EXPECT_EQ(bed.dwords()[i], expected[i]);
    EXPECT_EQ(bed.dwords()[4], 0u);
  }
}

TEST(Dispatch, WaveNumbers) {
  for (const char *target : targets) {
    DeviceForTest bed({.target = target});
    std::string wave = isGfx12(target)                        ? "s_bfe_u32 s8, ttmp8, 0x50019\n"
                       : llvm::StringRef(target) == "gfx1010" ? "s_bfe_u32 s8, s2, 0x60006\n"
                                                              : "s_bfe_u32 s8, s2, 0x50014\n";
    std::string count = isGfx12(target) ? "s_mov_b32 s9, 4\n" : "s_and_b32 s9, s2, 0x3f\n";
    TestProgram program = programFor(target, wave + count + R"(
      s_lshl_b32 s10, s8, 2
      v_mov_b32 v20, s10
      v_mov_b32 v21, s9
      global_store_dword v20, v21, s[0:1]
    )");
    program.groupSize = true;
    program.threads = {100, 1, 1};
    ASSERT_EQ(bed.run(program), "");
    for (unsigned i = 0; i < 5; ++i)
      EXPECT_EQ(bed.dwords()[i], i < 4 ? 4u : 0u) << target;
  }
}

TEST(Dispatch, IndirectCounts) {
  DeviceForTest bed({});
  TestProgram program = programFor("gfx1100", "v_mov_b32 v20, 0\nv_mov_b32 v21, 1\n"
                                              "global_atomic_add v20, v21, s[0:1]\n");
  auto loaded = bed.device->loadProgram(program.elf(), "count");
  ASSERT_TRUE(bool(loaded));
  uint32_t entries[] = {uint32_t(bed.buffer->address()), uint32_t(bed.buffer->address() >> 32)};
  DispatchInfo info{.program = loaded->get(), .groups = {9, 9, 9}, .userData = entries};
  uint32_t *counts = bed.dwords() + 64;
  counts[0] = 2, counts[1] = 3, counts[2] = 4;
  ASSERT_FALSE(bool(bed.device->dispatchIndirect(info, bed.buffer->address() + 256)));
  EXPECT_EQ(bed.dwords()[0], 24u);
  counts[1] = 0;
  ASSERT_FALSE(bool(bed.device->dispatchIndirect(info, bed.buffer->address() + 256)));
  EXPECT_EQ(bed.dwords()[0], 24u);
  std::string message =
      llvm::toString(bed.device->dispatchIndirect(info, bed.buffer->address() + 65532));
  EXPECT_NE(message.find("12 bytes at"), std::string::npos) << message;
  EXPECT_NE(message.find("'buffer'"), std::string::npos) << message;
}

TEST(Dispatch, EveryGroupRunsOnceOnAnyNumberOfThreadsAndInAnyOrder) {
  TestProgram program = programFor("gfx1100", R"(
    s_lshl_b32 s3, s2, 2
    v_mov_b32 v20, s3
    v_mov_b32 v21, 1
    global_atomic_add v20, v21, s[0:1]
  )");
  program.groupIdX = true;
  for (unsigned threads : {1u, 2u, 5u})
    for (uint64_t seed : {0ull, 1ull, 12345ull}) {
      DeviceForTest bed({.threads = threads, .seed = seed});
      ASSERT_EQ(bed.run(program, {.groups = {10000, 1, 1}}), "");
      for (unsigned i = 0; i < 10000; ++i)
        ASSERT_EQ(bed.dwords()[i], 1u) << threads << " threads, seed " << seed << ", group " << i;
    }
}

TEST(Dispatch, OrderFollowsTheSeed) {
  // Each group stores the number of groups before it.
  TestProgram program = programFor("gfx1100", R"(
    s_lshl_b32 s3, s2, 2
    v_mov_b32 v20, s3
    v_mov_b32 v21, 1
    v_mov_b32 v22, 0
    global_atomic_add v23, v22, v21, s[0:1] offset:1024 glc
    global_store_dword v20, v23, s[0:1]
  )");
  program.groupIdX = true;
  auto order = [&](uint64_t seed) {
    DeviceForTest bed({.threads = 1, .seed = seed});
    EXPECT_EQ(bed.run(program, {.groups = {32, 1, 1}}), "");
    return std::vector<uint32_t>(bed.dwords(), bed.dwords() + 32);
  };
  std::vector<uint32_t> plain = order(0);
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(plain[i], i);
  EXPECT_EQ(order(777), order(777));
  EXPECT_NE(order(777), plain);
  EXPECT_NE(order(777), order(778));
}

TEST(Dispatch, BarrierOrdersLds) {
  // Every thread writes its slot, then reads that of the thread 32 further on.
  for (const char *target : targets)
    for (uint64_t seed : {0ull, 3ull}) {
      DeviceForTest bed({.target = target, .seed = seed});
      TestProgram program = programFor(target, localIdText(target, "v11", "v12", "v13") + R"(
            v_lshlrev_b32 v14, 2, v11
            v_add_nc_u32 v15, 100, v11
            ds_write_b32 v14, v15
          )" + barrierText(target) + R"(
            v_add_nc_u32 v16, 128, v14
            v_and_b32 v16, 0x1ff, v16
            ds_read_b32 v17, v16
            s_waitcnt 0
            global_store_dword v14, v17, s[0:1]
          )" + barrierText(target) + "ds_write_b32 v14, v14\n" +
                                                   barrierText(target));
      program.threads = {128, 1, 1};
      program.ldsBytes = 512;
      ASSERT_EQ(bed.run(program), "") << target;
      for (unsigned i = 0; i < 128; ++i)
        EXPECT_EQ(bed.dwords()[i], 100 + (i + 32) % 128) << target;
    }
}

TEST(Dispatch, EndedWavesDoNotHoldUpABarrier) {
  for (const char *target : {"gfx1100", "gfx1200"}) {
    DeviceForTest bed({.target = target});
    TestProgram program = programFor(target, "v_cmp_gt_u32 vcc_lo, 32, v0\ns_cbranch_vccz end\n" +
                                                 barrierText(target) +
                                                 "v_mov_b32 v20, 0\nv_mov_b32 v21, 1\n"
                                                 "global_store_dword v20, v21, s[0:1]\nend:\n");
    program.threads = {96, 1, 1};
    ASSERT_EQ(bed.run(program), "") << target;
    EXPECT_EQ(bed.dwords()[0], 1u);
  }
}

TEST(Dispatch, WavesThatPollEachOtherMakeProgress) {
  // Wave 0 waits without a barrier for a value that the last wave stores.
  DeviceForTest bed({.threads = 1});
  TestProgram program = programFor("gfx1100", R"(
    v_mov_b32 v20, 0
    v_cmp_gt_u32 vcc_lo, 32, v0
    s_cbranch_vccz store
  poll:
    global_load_dword v21, v20, s[0:1]
    s_waitcnt 0
    v_readfirstlane_b32 s3, v21
    s_cmp_eq_u32 s3, 0
    s_cbranch_scc1 poll
    s_endpgm
  store:
    v_mov_b32 v21, 1
    global_store_dword v20, v21, s[0:1]
  )");
  program.threads = {64, 1, 1};
  EXPECT_EQ(bed.run(program), "");
}

TEST(Dispatch, PoisonMarksWhatTheHardwareLeavesUndefined) {
  for (bool poison : {false, true}) {
    DeviceForTest bed({.poison = poison});
    TestProgram program = programFor(
        "gfx1100", "s_cselect_b32 s40, 1, 0\n" + storeScalar("s30", 0) + storeScalar("vcc_lo", 1) +
                       R"(
      v_mov_b32 v20, 0
      global_store_dword v20, v10, s[0:1] offset:8
      ds_read_b32 v21, v20
      s_waitcnt 0
      global_store_dword v20, v21, s[0:1] offset:12
      scratch_load_dword v22, off, off offset:4
      s_waitcnt 0
      global_store_dword v20, v22, s[0:1] offset:16
    )" + storeScalar("s40", 5));
    program.ldsBytes = 512;
    program.scratchBytes = 16;
    ASSERT_EQ(bed.run(program), "");
    for (unsigned i = 0; i < 5; ++i)
      EXPECT_EQ(bed.dwords()[i], poison ? 0xFFBAFFBAu : 0u) << i;
    EXPECT_EQ(bed.dwords()[5], poison ? 1u : 0u) << "SCC";
  }
}

TEST(Dispatch, CountsOpcodes) {
  DeviceForTest bed({.threads = 2});
  TestProgram program = programFor("gfx1100", "s_nop 0\nv_mov_b32_e32 v1, v2\n"
                                              "v_mov_b32_e64 v1, v2\n"
                                              "v_dual_mov_b32 v2, v3 :: v_dual_add_f32 v5, v1, v6");
  program.threads = {64, 1, 1};
  ASSERT_EQ(bed.run(program, {.groups = {3, 1, 1}}), "");
  std::map<OpcodeKey, uint64_t> counts = bed.device->opcodeCounts();
  std::map<OpcodeKey, uint64_t> expected = {
      {{"s_nop", "sopp"}, 6},     {{"v_mov_b32", "vop1"}, 6}, {{"v_mov_b32", "vop3"}, 6},
      {{"v_mov_b32", "vopd"}, 6}, {{"v_add_f32", "vopd"}, 6}, {{"s_endpgm", "sopp"}, 6},
  };
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(bed.device->instructionsExecuted(), 30u);
}
