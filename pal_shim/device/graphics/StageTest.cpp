//===- StageTest.cpp - loading and running graphics stages -----------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/AssembleForTest.h"
#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/core/GroupRunner.h"
#include "pal_shim/device/core/StagePort.h"
#include "pal_shim/device/core/UserData.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace pal::device;
using namespace pal::device::test;
using pal::abi::HardwareStage;
namespace key = pal::abi::key;
namespace userdata = pal::abi::userdata;

namespace {

struct RecordingPort : StagePort {
  struct Export {
    ExportData data;
    uint32_t wave;
    std::array<uint32_t, 4> lane1; ///< what lane 1 exports
  };
  std::vector<Export> exports;
  std::vector<std::array<uint32_t, 3>> messages; ///< wave, message, m0

  void exportData(Wave &wave, const ExportData &data) override {
    Export e{data, wave.index, {}};
    for (unsigned i = 0; i < 4; ++i)
      e.lane1[i] = data.data[i] ? data.data[i]->lane[1] : 0;
    exports.push_back(e);
  }
  void message(Wave &wave, unsigned message, uint32_t m0) override {
    messages.push_back({wave.index, message, m0});
  }
  void loadParameter(Wave &, unsigned, unsigned, ParameterRow *) override {}
};

struct StageForTest {
  explicit StageForTest(const TestGraphics &graphics)
      : dispatches(options),
        context(std::make_shared<LoadContext>(*pal::abi::findTarget(graphics.target))) {
    auto loaded = loadElf(context, graphics.elf(), "test");
    if (!loaded)
      error = llvm::toString(loaded.takeError());
    else
      program = *loaded;
  }
  const GraphicsStage &stage(HardwareStage which) { return *program->graphics->stage(which); }
  /// The fault's message, or nothing.
  std::string run(HardwareStage which, const StageLaunch &launch) {
    MemoryView view(context->memory.snapshot());
    GroupRunner runner;
    runner.prepareStage(stage(which).data, dispatches, view, 0);
    bool done = runner.runStage(launch);
    runner.account(context->counters);
    return done ? "" : runner.fault->getMessage();
  }

  DeviceOptions options;
  DispatchContext dispatches;
  std::shared_ptr<LoadContext> context;
  std::shared_ptr<const LoadedProgram> program;
  std::string error;
};

void fillNothing(Wave &, unsigned) {}

TestGraphics vertexProgram(const char *target, const char *text) {
  TestGraphics graphics;
  graphics.target = target;
  graphics.stages = {{.stage = HardwareStage::Vs, .text = text}};
  return graphics;
}

} // namespace

TEST(Stage, ExportsReachThePort) {
  struct {
    const char *target, *text;
    bool compressed, validMask;
  } cases[] = {
      {"gfx1010", "exp mrt1 v1, off, v3, off done\n", false, false},
      {"gfx1030", "exp mrt1 v1, off, v3, off done vm\n", false, true},
      {"gfx1030", "exp mrt1 v1, v1, v3, v3 done compr vm\n", true, true},
      {"gfx1100", "exp mrt1 v1, off, v3, off done\n", false, false},
      {"gfx1150", "exp mrt1 v1, off, v3, off done\n", false, false},
      {"gfx1201", "export mrt1 v1, off, v3, off done\n", false, false},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(std::string(c.target) + ": " + c.text);
    StageForTest bed(vertexProgram(c.target, c.text));
    ASSERT_EQ(bed.error, "");
    RecordingPort port;
    auto fill = [](Wave &wave, unsigned index) {
      wave.setS64(sreg::execLo, 0xE);
      wave.v[1].lane[1] = 0x11 + index;
      wave.v[3].lane[1] = 0x33;
    };
    EXPECT_EQ(bed.run(HardwareStage::Vs, {.waves = 2, .port = &port, .fill = fill}), "");
    ASSERT_EQ(port.exports.size(), 2u);
    for (unsigned i = 0; i < 2; ++i) {
      const RecordingPort::Export &e = port.exports[i];
      EXPECT_EQ(e.wave, i);
      EXPECT_EQ(e.data.target, 1u);
      EXPECT_TRUE(e.data.done);
      EXPECT_EQ(e.data.compressed, c.compressed);
      EXPECT_EQ(e.data.validMask, c.validMask);
      EXPECT_EQ(e.data.enable, c.compressed ? 0xFu : 5u);
      EXPECT_EQ(e.data.exec, 0xEu);
      std::array<uint32_t, 4> expected = {0x11 + i, 0, 0x33, 0};
      if (c.compressed)
        expected = {0x11 + i, 0x33, 0, 0};
      EXPECT_EQ(e.lane1, expected);
    }
  }
}

TEST(Stage, MessagesReachThePortAndLdsIsShared) {
  for (const char *target : {"gfx1030", "gfx1100", "gfx1201"}) {
    SCOPED_TRACE(target);
    bool isGfx12 = llvm::StringRef(target) == "gfx1201";
    // Each wave adds 5 to the same dword of LDS; after the barrier all see the sum.
    std::string text = "v_mov_b32 v0, 0\nv_mov_b32 v1, 5\nds_add_u32 v0, v1\n";
    text += isGfx12 ? "s_wait_dscnt 0\ns_barrier_signal -1\ns_barrier_wait -1\n"
                    : "s_waitcnt lgkmcnt(0)\ns_barrier\n";
    text += isGfx12 ? "ds_load_b32 v2, v0\ns_wait_dscnt 0\n" : "ds_read_b32 v2, v0\ns_waitcnt 0\n";
    text += "v_readfirstlane_b32 s0, v2\ns_mov_b32 m0, s0\ns_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n";
    TestGraphics graphics;
    graphics.target = target;
    graphics.stages = {{.stage = HardwareStage::Gs, .text = text}};
    StageForTest bed(graphics);
    ASSERT_EQ(bed.error, "");
    RecordingPort port;
    auto fill = [](Wave &wave, unsigned) { wave.setS64(sreg::execLo, 1); };
    EXPECT_EQ(
        bed.run(HardwareStage::Gs, {.waves = 3, .ldsBytes = 512, .port = &port, .fill = fill}), "");
    ASSERT_EQ(port.messages.size(), 3u);
    llvm::sort(port.messages); // waves go on in another order than they came
    for (unsigned i = 0; i < 3; ++i)
      EXPECT_EQ(port.messages[i], (std::array<uint32_t, 3>{i, 9, 15}));
  }
}

TEST(Stage, FaultsNameTheStage) {
  StageForTest bed(vertexProgram("gfx1030", "exp pos0 v0, v0, v0, v0 done\n"));
  ASSERT_EQ(bed.error, "");
  EXPECT_EQ(bed.run(HardwareStage::Vs, {.waves = 1, .number = 7, .fill = fillNothing}),
            "kernel 'test', pc 0x0 'exp pos0 v0, v0, v0, v0 done', hardware stage .vs, group 7, "
            "wave 0: export in a stage without hardware that takes it");
  StageForTest message(vertexProgram("gfx1030", "s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n"));
  EXPECT_EQ(message.run(HardwareStage::Vs, {.fill = fillNothing}),
            "kernel 'test', pc 0x0 's_sendmsg sendmsg(MSG_GS_ALLOC_REQ)', hardware stage .vs, "
            "group 0, wave 0: message in a stage without hardware that takes it");
}

TEST(Stage, ProgramsHaveAllStages) {
  TestGraphics graphics;
  graphics.target = "gfx1100";
  graphics.stages = {
      {.stage = HardwareStage::Gs, .text = "s_nop 0", .userDataRegMap = {0, 1}, .ldsBytes = 1024},
      {.stage = HardwareStage::Ps, .waveSize = 64, .text = "exp mrt0 v0, v1, v2, v3 done"}};
  graphics.registers = {{{key::spiVsOutConfig.str(), key::vsExportCount.str()}, 2},
                        {{key::paClVsOutCntl.str(), key::clipDistEna1.str()}, 1},
                        {{key::paClVsOutCntl.str(), key::cullDistEna2.str()}, 1},
                        {{key::paClVsOutCntl.str(), key::useVtxPointSize.str()}, 1},
                        {{key::spiPsInputEna.str(), key::perspCenterEna.str()}, 1},
                        {{key::spiPsInputAddr.str(), key::perspCenterEna.str()}, 1},
                        {{key::spiPsInputAddr.str(), key::posXFloatEna.str()}, 1},
                        {{key::spiPsInControl.str(), key::numInterps.str()}, 3},
                        {{key::spiPsInputCntl.str(), "[1]", key::offset.str()}, 2},
                        {{key::spiPsInputCntl.str(), "[1]", key::flatShade.str()}, 1},
                        {{key::spiPsInputCntl.str(), "[0]", key::offset.str()}, 0x20},
                        {{key::spiShaderColFormat.str(), key::col1ExportFormat.str()}, 4},
                        {{key::cbShaderMask.str(), key::output2Enable.str()}, 7},
                        {{key::dbShaderControl.str(), key::killEnable.str()}, 1},
                        {{key::dbShaderControl.str(), key::zOrder.str()}, 1},
                        {{key::spiInterpControl.str(), key::pointSpriteEna.str()}, 1},
                        {{key::psLoadProvokingVtx.str()}, 1}};
  StageForTest bed(graphics);
  ASSERT_EQ(bed.error, "");
  const GraphicsProgram &program = *bed.program->graphics;
  EXPECT_EQ(program.stage(HardwareStage::Vs), nullptr);
  EXPECT_EQ(bed.stage(HardwareStage::Gs).data.launch.waveSize, 32u);
  EXPECT_EQ(bed.stage(HardwareStage::Gs).data.launch.ldsBytes, 1024u);
  EXPECT_EQ(bed.stage(HardwareStage::Ps).data.launch.waveSize, 64u);
  EXPECT_EQ(bed.program->name(), "test");
  EXPECT_EQ(bed.program->opcodes(),
            (std::map<OpcodeKey, uint64_t>{
                {{"exp", "exp"}, 1}, {{"s_nop", "sopp"}, 1}, {{"s_endpgm", "sopp"}, 2}}));
  EXPECT_EQ(program.vertex.attributeCount, 3u);
  EXPECT_EQ(program.vertex.clipMask, 2u);
  EXPECT_EQ(program.vertex.cullMask, 4u);
  EXPECT_TRUE(program.vertex.hasPointSize);
  EXPECT_FALSE(program.vertex.hasLayer);
  EXPECT_EQ(program.fragment.inputEna, 2u);
  EXPECT_EQ(program.fragment.inputAddr, 0x102u);
  EXPECT_EQ(program.fragment.attributeCount, 3u);
  EXPECT_EQ(program.fragment.attributes[1].offset, 2u);
  EXPECT_TRUE(program.fragment.attributes[1].flat);
  EXPECT_EQ(program.fragment.attributes[0].offset, 0x20u);
  EXPECT_EQ(program.fragment.colorFormats[1], ExportFormat::Fp16);
  EXPECT_EQ(program.fragment.colorMask, 0x700u);
  EXPECT_TRUE(program.fragment.killEnable);
  EXPECT_EQ(program.fragment.zOrder, 1u);
  EXPECT_TRUE(program.fragment.pointSpriteEnable);
  EXPECT_TRUE(program.fragment.loadProvokingVertex);
}

TEST(Stage, UserDataOfDraws) {
  ProgramData program;
  program.stage = HardwareStage::Gs;
  WaveLaunch &launch = program.launch;
  launch.userDataRegMap = {userdata::globalTable,       3,
                           userdata::baseVertex,        userdata::baseInstance,
                           userdata::drawIndex,         userdata::viewId,
                           userdata::vertexBufferTable, userdata::compositeData,
                           userdata::sampleInfo,        userdata::notMapped,
                           userdata::nggCullingData,    userdata::notMapped,
                           userdata::spillTable,        9};
  uint32_t entries[] = {10, 11, 12, 13, 14};
  UserDataValues values;
  values.entries = entries;
  values.spillThreshold = 2;
  values.isDraw = true;
  values.baseVertex = 20;
  values.baseInstance = 21;
  values.drawIndex = 22;
  values.viewId = 23;
  values.vertexBufferTable = 0x1'1234'5678;
  values.compositeData = 24;
  values.sampleInfo = 25;
  values.cullingData[7] = 77;
  values.samples = 2;
  values.samplePositions = {{{0.75f, 0.25f}, {0.25f, 0.625f}}};
  values.attributeRingBytes = 1024;
  auto sgprs = resolveUserData(program, values);
  ASSERT_TRUE(bool(sgprs)) << llvm::toString(sgprs.takeError());
  MemoryView view(std::make_shared<RegionTable>(),
                  makeTables(*pal::abi::findTarget("gfx1100"), values));
  auto dword = [&](GpuAddress address) {
    const uint8_t *host = view.find(address, 4);
    uint32_t value = 0xDEADBEEF;
    if (host)
      std::memcpy(&value, host, 4);
    return value;
  };
  constexpr GpuAddress high = dispatchTablesAddress & 0xFFFFFFFF00000000;
  std::vector<uint32_t> expected = {(*sgprs)[0], 13, 20, 21,           22, 23,           0x12345678,
                                    24,          25, 0,  (*sgprs)[10], 1,  (*sgprs)[12], 0};
  EXPECT_EQ(*sgprs, expected);
  EXPECT_EQ(dword(high + (*sgprs)[12] + 4 * 4), 14u);
  EXPECT_EQ(dword(high + (*sgprs)[10] + 7 * 4), 77u);
  // The ring's V# at dword 44 of the global table; the sample positions' at 48.
  GpuAddress table = high + (*sgprs)[0];
  EXPECT_EQ(dword(table + 44 * 4), uint32_t(attributeRingAddress()));
  EXPECT_EQ(dword(table + 44 * 4 + 4), 0xC0100001u);
  EXPECT_EQ(dword(table + 44 * 4 + 8), 64u);
  EXPECT_EQ(dword(table + 44 * 4 + 12), 0x2043FFACu);
  EXPECT_NE(dword(attributeRingAddress() + 1020), 0xDEADBEEF);
  EXPECT_EQ(dword(attributeRingAddress() + 1024), 0xDEADBEEF);
  // Two samples: the second pattern of 16 entries of 16 bytes, relative to the centre.
  GpuAddress positions = high + dword(table + 48 * 4) + 16 * 16;
  auto asBits = [](float value) { return llvm::bit_cast<uint32_t>(value); };
  EXPECT_EQ(dword(positions), asBits(0.25f));
  EXPECT_EQ(dword(positions + 4), asBits(-0.25f));
  EXPECT_EQ(dword(positions + 20), asBits(0.125f));

  launch.userDataRegMap = {userdata::colorExportAddr};
  auto refused = resolveUserData(program, values);
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(llvm::toString(refused.takeError()),
            "user data register 0: ColorExportAddr is not executed");
}

TEST(Stage, UserDataOfTaskShaders) {
  // PAL writes the view to registers of graphics stages only.
  ProgramData program;
  program.launch.userDataRegMap = {userdata::meshTaskRingIndex, userdata::viewId};
  UserDataValues values;
  values.isDraw = true;
  program.stage = HardwareStage::Gs;
  EXPECT_TRUE(bool(resolveUserData(program, values)));
  program.stage = HardwareStage::Cs;
  auto refused = resolveUserData(program, values);
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(llvm::toString(refused.takeError()),
            "user data register 1: ViewId, which PAL does not fill in such a stage");
}
