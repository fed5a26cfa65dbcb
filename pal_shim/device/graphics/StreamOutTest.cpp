//===- StreamOutTest.cpp - transform feedback of the device ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Vertex shaders in assembler that capture their ids: those of gfx10 where the hardware places
/// vertices, and those of later ones, which take places for points one group after another. What
/// lgc makes of real shaders: test/exec/scripts/draw/transform-feedback-*.draw.
#include "pal_shim/device/graphics/DrawRunner.h"
#include "pal_shim/device/graphics/GeometryBedForTest.h"
#include "pal_shim/device/graphics/StreamOutUnit.h"
#include "pal_shim/device/graphics/VertexShaderForTest.h"
#include "pal_shim/device/memory/TestbedForTest.h"
#include "gtest/gtest.h"

using namespace pal::device;
using namespace pal::device::test;
namespace key = pal::abi::key;
namespace userdata = pal::abi::userdata;

namespace {

/// Stores {vertex id, instance} at 4 in the vertices of buffer 1, whose stride is 16.
TestGraphics capturing(const char *target) {
  // User data s[0:3], info s4, index s5, offset of buffer 1 s6.
  std::string body = R"(
  s_getpc_b64 s[10:11]
  s_mov_b32 s10, s1
  s_load_dwordx4 s[12:15], s[10:11], 0x10
  s_waitcnt lgkmcnt(0)
  s_bfe_u32 s8, s4, 0x70010
  s_lshl_b32 s9, s6, 2
  v_mbcnt_lo_u32_b32 v20, -1, 0
  s_mov_b32 s16, exec_lo
  v_cmp_gt_u32 vcc_lo, s8, v20
  s_and_b32 exec_lo, exec_lo, vcc_lo
  v_add_nc_u32 v22, s5, v20
  buffer_store_dwordx2 v[10:11], v22, s[12:15], s9 idxen offset:4
  s_mov_b32 exec_lo, s16
  v_mov_b32 v24, 0
  v_mov_b32 v25, 0
  v_mov_b32 v26, 0
  v_mov_b32 v27, 1.0
)";
  TestGraphics graphics;
  VertexShaderForTest{.target = target, .isNgg = false, .body = body}.addTo(graphics);
  graphics.stages[0].userDataRegMap[1] = userdata::streamOutTable;
  auto set = [&](std::vector<std::string> path, uint64_t value) {
    graphics.registers.push_back({std::move(path), value});
  };
  set({key::vsStreamoutEn.str()}, 1);
  set({key::vsSoBase1En.str()}, 1);
  set({key::vgtStrmoutConfig.str(), key::streamout0En.str()}, 1);
  set({key::vgtStrmoutBufferConfig.str(), key::stream0BufferEn.str()}, 2);
  return graphics;
}

/// Primitives of the group to s16, its ordered id to s24, the buffer to s[12:15], where it starts
/// to s19; one lane is on.
constexpr const char *pointsBegin = R"(
  s_bfe_u32 s16, s2, 0x90016
  s_and_b32 s24, s2, 0xfff
  s_mov_b32 s17, exec_lo
  s_mov_b32 exec_lo, 1
  s_getpc_b64 s[20:21]
  s_mov_b32 s20, s9
  s_load_b128 s[12:15], s[20:21], 0x0
  s_mov_b32 s20, s10
  s_load_b32 s19, s[20:21], 0x0
)";
/// What was taken before to s18.
constexpr const char *waitForTurnGfx11 = R"(
  s_waitcnt lgkmcnt(0)
  s_mov_b32 m0, s24
  v_mov_b32 v1, 0
  ds_ordered_count v2, v1 gds
  v_readfirstlane_b32 s18, v2
)";
constexpr const char *waitForTurnGfx12 = R"(
  s_wait_kmcnt 0
  v_mov_b32 v4, s20
  v_mov_b32 v5, s21
  v_mov_b32 v6, s24
  s_lshl_b32 s23, s16, 1
  v_mov_b32 v7, s23
turn:
  global_atomic_ordered_add_b64 v[12:13], v[4:5], v[6:7], off offset:80 th:TH_ATOMIC_RETURN
  s_wait_loadcnt 0
  v_readfirstlane_b32 s25, v12
  s_cmp_lg_u32 s25, s24
  s_cbranch_scc1 turn
  v_readfirstlane_b32 s18, v13
)";
/// Where the group begins to s19, the vertices that fit to s22.
constexpr const char *fitPoints = R"(
  s_add_u32 s19, s19, s18
  s_lshr_b32 s22, s14, 2
  s_sub_u32 s22, s22, s19
  s_max_i32 s22, s22, 0
  s_lshr_b32 s22, s22, 1
  s_min_u32 s22, s22, s16
)";
constexpr const char *endTurnGfx11 = R"(
  s_lshl_b32 s23, s22, 1
  v_mov_b32 v1, s23
  ds_ordered_count v2, v1 offset:768 gds
  v_mov_b32 v1, s16
  ds_add_gs_reg_rtn v[2:3], v1 offset:32 gds
  v_mov_b32 v1, s22
  ds_add_gs_reg_rtn v[2:3], v1 offset:36 gds
)";
constexpr const char *endTurnGfx12 = R"(
  s_sub_u32 s23, s16, s22
  s_lshl_b32 s23, s23, 1
  v_mov_b32 v12, s23
  global_atomic_sub_u32 v[4:5], v12, off offset:84
  v_mov_b32 v12, s16
  v_mov_b32 v13, 0
  global_atomic_add_u64 v[4:5], v[12:13], off offset:16
  v_mov_b32 v12, s22
  global_atomic_add_u64 v[4:5], v[12:13], off offset:48
)";
constexpr const char *storePoints = R"(
  s_mov_b32 exec_lo, s17
  v_cmp_gt_u32 vcc_lo, s22, v20
  s_and_b32 exec_lo, s17, vcc_lo
  s_lshl_b32 s23, s19, 2
  v_lshlrev_b32 v1, 3, v20
  buffer_store_b64 v[10:11], v1, s[12:15], s23 offen
  s_mov_b32 exec_lo, s17
  v_mov_b32 v24, 0
  v_mov_b32 v25, 0
  v_mov_b32 v26, 0
  v_mov_b32 v27, 1.0
)";

/// A primitive shader of points with groups of one wave that stores {vertex id, instance} in
/// buffer 0, whose stride is 8.
TestGraphics capturingPoints(const char *target) {
  TestGraphics graphics;
  VertexShaderForTest shader{.target = target, .body = ""};
  const bool isGfx12 = shader.isMajor(12);
  shader.body = std::string(pointsBegin) + (isGfx12 ? waitForTurnGfx12 : waitForTurnGfx11) +
                fitPoints + (isGfx12 ? endTurnGfx12 : endTurnGfx11) + storePoints;
  shader.addTo(graphics);
  graphics.stages[0].userDataRegMap[1] = userdata::streamOutTable;
  graphics.stages[0].userDataRegMap[2] = userdata::streamOutControlBuf;
  for (auto &[path, value] : graphics.registers)
    if (path[0] == key::vgtGsOnchipCntl)
      value = 32; // vertices and primitives of a group
  graphics.registers.push_back({{key::vgtShaderStagesEn.str(), key::nggWaveIdEn.str()}, 1});
  return graphics;
}

} // namespace

TEST(StreamOut, CounterInstructions) {
  struct Port : StagePort {
    void exportData(Wave &, const ExportData &) override {}
    void message(Wave &, unsigned, uint32_t) override {}
    void loadParameter(Wave &, unsigned, unsigned, ParameterRow *) override {}
    uint32_t addToCounter(Wave &, const CounterAccess &access) override {
      accesses.push_back(access);
      return 40;
    }
    std::vector<CounterAccess> accesses;
  } port;
  Testbed bed("gfx1100");
  const char *text =
      "ds_ordered_count v0, v1 offset:264 gds\nds_ordered_count v2, v1 offset:772 gds\n"
      "ds_add_gs_reg_rtn v[4:5], v1 offset:36 gds\n"
      "ds_sub_gs_reg_rtn v[6:7], v1 offset:4 gds\n";
  EXPECT_NE(bed.run(text).find("counter access in a stage without hardware"), std::string::npos);
  bed.group.port = &port;
  bed.group.fault.reset();
  bed.wave->state = WaveState::Running;
  bed.wave->s[sreg::m0] = 5;
  bed.setExec(2);
  bed.v(1, 1) = 7;
  ASSERT_EQ(bed.run(text), "");
  ASSERT_EQ(port.accesses.size(), 4u);
  for (unsigned reg : {0u, 2u, 4u, 6u})
    EXPECT_EQ(bed.v(reg, 1), 40u);
  auto check = [&](unsigned i, unsigned counter, uint32_t amount, bool isOrdered, bool endsTurn) {
    const CounterAccess &access = port.accesses[i];
    EXPECT_EQ(access.counter, counter);
    EXPECT_EQ(access.amount, amount);
    EXPECT_EQ(access.isOrdered, isOrdered);
    EXPECT_EQ(access.endsTurn, endsTurn);
    EXPECT_EQ(access.orderedId, isOrdered ? 5u : 0u);
  };
  check(0, 2, 7, true, false);
  check(1, 1, 7, true, true);
  check(2, 9, 7, false, false);
  check(3, 1, 0u - 7, false, false);
}

TEST(StreamOut, OrderedAtomic) {
  Testbed bed("gfx1201");
  GpuAddress pair = bed.allocate(16);
  auto run = [&](uint32_t id, uint32_t amount) {
    bed.setExec(1);
    bed.setAddress(4, 0, pair);
    bed.v(2, 0) = id;
    bed.v(3, 0) = amount;
    EXPECT_EQ(
        bed.run("global_atomic_ordered_add_b64 v[0:1], v[4:5], v[2:3], off th:TH_ATOMIC_RETURN"),
        "");
  };
  bed.at<uint32_t>(pair) = 0xFFF;
  bed.at<uint32_t>(pair + 4) = 10;
  run(0xFFE, 5); // not its turn
  EXPECT_EQ(bed.v(0, 0), 0xFFFu);
  EXPECT_EQ(bed.at<uint32_t>(pair + 4), 10u);
  run(0xFFF, 5);
  EXPECT_EQ(bed.v(0, 0), 0xFFFu);
  EXPECT_EQ(bed.v(1, 0), 10u);
  EXPECT_EQ(bed.at<uint32_t>(pair), 0u); // ids have 12 bits
  EXPECT_EQ(bed.at<uint32_t>(pair + 4), 15u);
}

TEST(StreamOut, HardwarePlacesWholePrimitives) {
  for (const char *target : {"gfx1010", "gfx1030"}) {
    SCOPED_TRACE(target);
    TestGraphics graphics = capturing(target);
    GeometryBed bed(graphics);
    EXPECT_TRUE(bed.program->graphics->streamOut.isEnabled);
    EXPECT_EQ(bed.program->graphics->streamOut.offsetsEnabled, 2);
    bed.program->graphics->streamOut.strides = {0, 4, 0, 0}; // no register: a test cannot write it
    bed.draw.input.topology = PrimitiveTopology::TriangleStrip;
    bed.draw.range.vertexCount = 40;
    bed.draw.range.instanceCount = 2;
    // Inactive: everything runs, and triangles are counted, without reuse of vertices.
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.invocations, 76u * 3);
    EXPECT_EQ(bed.output.primitives.size(), 76u);
    EXPECT_EQ(bed.counts.primitivesGenerated[0], 76u);
    EXPECT_EQ(bed.counts.primitivesNeeded[0], 0u);
    EXPECT_EQ(bed.counts.primitivesWritten[0], 0u);

    constexpr unsigned room = 50; // triangles
    auto region = bed.context->memory.allocate({.size = 4096, .name = "captured"});
    ASSERT_TRUE(bool(region));
    auto *words = reinterpret_cast<uint32_t *>((*region)->host);
    std::fill_n(words, 1024, 0xDEADBEEF);
    StreamOut streamOut;
    streamOut.buffers[1] = {(*region)->address + 16, (room * 12 + 20) * 4, /*start=*/9};
    bed.draw.streamOut = &streamOut;
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.counts.primitivesGenerated[0], 2 * 76u);
    EXPECT_EQ(bed.counts.primitivesNeeded[0], 76u);
    EXPECT_EQ(bed.counts.primitivesWritten[0], room);
    EXPECT_EQ(streamOut.buffers[1].written, room * 12);
    std::vector<uint32_t> expected(1024, 0xDEADBEEF);
    for (unsigned i = 0; i < room; ++i) {
      // Vulkan, "Triangle Strips".
      uint32_t n = i % 38;
      const uint32_t vertices[] = {n, n + 1 + n % 2, n + 2 - n % 2};
      for (unsigned corner = 0; corner < 3; ++corner) {
        expected[4 + 9 + (i * 3 + corner) * 4 + 1] = vertices[corner];
        expected[4 + 9 + (i * 3 + corner) * 4 + 2] = i / 38;
      }
    }
    EXPECT_EQ(llvm::ArrayRef(words, 1024).vec(), expected);
  }
}

TEST(StreamOut, PrimitiveShadersTakeTurns) {
  for (const char *target : {"gfx1100", "gfx1150", "gfx1201"}) {
    SCOPED_TRACE(target);
    GeometryBed bed(capturingPoints(target));
    EXPECT_FALSE(bed.program->graphics->streamOut.isEnabled);
    bed.draw.input.topology = PrimitiveTopology::PointList;
    bed.draw.range.vertexCount = 70;
    bed.draw.range.instanceCount = 2;
    // Inactive: there is no room, but points are counted.
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.counts.primitivesGenerated[0], 140u);
    EXPECT_EQ(bed.counts.primitivesNeeded[0], 0u);
    EXPECT_EQ(bed.counts.primitivesWritten[0], 0u);

    constexpr unsigned room = 100; // points
    auto region = bed.context->memory.allocate({.size = 4096, .name = "captured"});
    ASSERT_TRUE(bool(region));
    auto *words = reinterpret_cast<uint32_t *>((*region)->host);
    std::fill_n(words, 1024, 0xDEADBEEF);
    StreamOut streamOut;
    streamOut.buffers[0] = {(*region)->address + 16, (9 + room * 2 + 1) * 4, /*start=*/9};
    bed.draw.streamOut = &streamOut;
    bed.draw.range.vertexCount = 30;
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(streamOut.buffers[0].written, 60u * 2);
    bed.draw.range.vertexCount = 35; // goes on behind, as far as there is room
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(streamOut.buffers[0].written, room * 2);
    EXPECT_EQ(bed.counts.primitivesGenerated[0], 140u + 60 + 70);
    EXPECT_EQ(bed.counts.primitivesNeeded[0], 60u + 70);
    EXPECT_EQ(bed.counts.primitivesWritten[0], room);
    std::vector<uint32_t> expected(1024, 0xDEADBEEF);
    for (unsigned i = 0; i < room; ++i) {
      unsigned inDraw = i < 60 ? i : i - 60, perInstance = i < 60 ? 30 : 35;
      expected[4 + 9 + i * 2] = inDraw % perInstance;
      expected[4 + 9 + i * 2 + 1] = inDraw / perInstance;
    }
    EXPECT_EQ(llvm::ArrayRef(words, 1024).vec(), expected);
  }
}

TEST(StreamOut, PlacesOfStreams) {
  GeometryBed bed(capturing("gfx1030"));
  StreamOut streamOut;
  streamOut.buffers[1] = {0x1000, 1000, /*start=*/10, /*written=*/8};
  bed.draw.streamOut = &streamOut;
  // Not part of the registers that a test can write.
  bed.program->graphics->streamOut.strides = {0, 4, 0, 0};
  auto tables = makeTables(bed.context->target, drawUserData(*bed.program, bed.draw, 0));
  StreamOutUnit unit(*bed.program, bed.draw, *tables);
  ASSERT_TRUE(unit.isHardware());
  // 250 dwords, 18 are used: room for 19 triangles of 12 dwords.
  EXPECT_EQ(unit.place(0, 10, 3), (llvm::SmallVector<uint32_t, 6>{30u << 16, 2, 10}));
  EXPECT_EQ(unit.place(0, 10, 3), (llvm::SmallVector<uint32_t, 6>{27u << 16, 32, 10}));
  EXPECT_EQ(unit.place(0, 10, 3), (llvm::SmallVector<uint32_t, 6>{0u, 59, 10}));
  EXPECT_EQ(unit.place(2, 4, 1), (llvm::SmallVector<uint32_t, 6>{2u << 24, 0, 10}));
  unit.count(0, 30);
  unit.count(2, 4); // a stream that is not enabled
  bed.program->graphics->streamOut.enabledStreams = 0xF;
  unit.count(2, 7); // nor does it need buffers
  DrawStatistics counts;
  unit.finish(counts);
  EXPECT_EQ(counts.primitivesNeeded, (std::array<uint64_t, 4>{30, 0, 7, 0}));
  EXPECT_EQ(counts.primitivesGenerated, counts.primitivesNeeded);
  EXPECT_EQ(counts.primitivesWritten, (std::array<uint64_t, 4>{19, 0, 0, 0}));
  EXPECT_EQ(streamOut.buffers[1].written, 8u + 57 * 4);
}

TEST(StreamOut, CountersOfGroupsComeInOrder) {
  GeometryBed bed(capturing("gfx1030"));
  auto tables = makeTables(bed.context->target, drawUserData(*bed.program, bed.draw, 0));
  StreamOut streamOut;
  streamOut.buffers[3].written = 100;
  bed.draw.streamOut = &streamOut;
  StreamOutUnit unit(*bed.program, bed.draw, *tables);
  Testbed waves("gfx1100");
  Wave &wave = *waves.wave;
  auto access = [&](unsigned counter, uint32_t amount) {
    return unit.addToCounter(wave, {.counter = counter, .amount = amount});
  };
  EXPECT_EQ(access(3, 5), 100u);
  EXPECT_EQ(access(3, 5), 105u);
  EXPECT_EQ(access(14, 9), 0u); // needed by stream 3
  EXPECT_EQ(access(15, 4), 0u); // written
  for (uint32_t id = 0; id < 5000; ++id)
    unit.addToCounter(wave, {.isOrdered = true, .orderedId = id & 0xFFF, .endsTurn = true});
  EXPECT_FALSE(waves.group.fault);
  unit.addToCounter(wave, {.isOrdered = true, .orderedId = 3});
  ASSERT_TRUE(waves.group.fault);
  EXPECT_EQ(waves.group.fault->message, "ordered access of 3 when it is the turn of 904");
  waves.group.fault.reset();
  access(4, 1);
  ASSERT_TRUE(waves.group.fault);
  EXPECT_EQ(waves.group.fault->message, "counter 4 of transform feedback");
}
