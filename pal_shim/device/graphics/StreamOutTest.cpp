//===- StreamOutTest.cpp - transform feedback of the device ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Vertex shaders in assembler that capture their ids: those of gfx10 where the hardware places
/// vertices, and what later shaders do it with, one instruction at a time. What lgc makes of real
/// shaders: test/exec/scripts/draw/transform-feedback-*.draw.
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
  unit.count(2, 4); // a stream without buffers
  bed.program->graphics->streamOut.countsAll = true;
  unit.count(2, 7);
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
