//===- FragmentStageTest.cpp - order and tests of fragments ----------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/FragmentTestbedForTest.h"

using namespace pal::device;
using namespace pal::device::test;
using pal::formats::Format;

namespace {

using Words = std::array<uint32_t, 4>;

/// Exports the flat attribute 0 in all components.
std::string flatText(const char *target) {
  if (llvm::StringRef(target).starts_with("gfx10"))
    return "v_interp_mov_f32 v2, p0, attr0.x\nexp mrt0 v2, v2, v2, v2 done vm\n";
  std::string load = llvm::StringRef(target).starts_with("gfx12") ? "ds" : "lds";
  return "s_mov_b64 s[2:3], exec\ns_mov_b64 exec, -1\n" + load +
         "_param_load v3, attr0.x\n"
         "v_mov_b32_dpp v2, v3 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf\n"
         "s_mov_b64 exec, s[2:3]\nexp mrt0 v2, v2, v2, v2 done\n";
}

/// Primitive p has value p + 1.
struct StageBed : FragmentTestbed {
  StageBed(const char *target, unsigned waveSize = 32, unsigned threads = 1)
      : FragmentTestbed(target, flatText(target).c_str(), waveSize, 1, threads) {
    geometry.vertices.resize(60);
    geometry.primitives.resize(20);
    for (unsigned i = 0; i < 20; ++i)
      geometry.primitives[i].vertices = {3 * i, 3 * i + 1, 3 * i + 2};
    setAttributes(1, [](unsigned vertex, unsigned) { return vertex / 3 + 1; });
    registers().attributes[0].flat = true;
  }
  void use(unsigned number, double z = 0.5) {
    primitive.primitive = number;
    primitive.vertices = geometry.primitives[number].vertices;
    primitive.depth = {.c = z};
  }
  void makeDepth() {
    draw.targets.depth = makeSurface(Format::X32_Float);
    for (uint32_t y = 0; y < 4; ++y)
      for (uint32_t x = 0; x < 8; ++x)
        write(draw.targets.depth, 1.0f, {x, y, 0});
    draw.depthStencil.depthTest = draw.depthStencil.depthWrite = true;
    draw.depthStencil.depthCompare = CompareOp::Less;
  }
};

} // namespace

TEST(FragmentStage, WavesHoldQuadsOfSeveralPrimitives) {
  for (const char *target : allTargets)
    for (unsigned waveSize : {32u, 64u}) {
      SCOPED_TRACE(target);
      StageBed bed(target, waveSize);
      for (unsigned i = 0; i < 20; ++i) {
        bed.use(i);
        bed.add({.x = int(i % 4) * 2, .y = int(i / 4 % 2) * 2, .coverage = {1, 0, 0, 1}});
      }
      ASSERT_EQ(bed.run(), "");
      // The last of those that cover a quad.
      EXPECT_EQ(bed.color(0, 0)[0], 17u);
      EXPECT_EQ(bed.color(6, 0)[0], 20u);
      EXPECT_EQ(bed.color(7, 1)[3], 20u);
      EXPECT_EQ(bed.color(1, 0)[0], 0u);
      EXPECT_EQ(bed.color(0, 2)[0], 13u);
      EXPECT_EQ(bed.counts.fragmentInvocations, 40u);
      unsigned instructions = llvm::StringRef(target).starts_with("gfx10") ? 3 : 7;
      EXPECT_EQ(bed.waves(instructions), waveSize == 32 ? 3u : 2u);
    }
}

TEST(FragmentStage, MergesInOrderWhateverThreadsDo) {
  // Every quad covers the same pixels: blending shows the order. c = c * 0.5 + i.
  auto draw = [](unsigned threads) {
    StageBed bed("gfx1100", 32, threads);
    bed.makeColor(Format::X32Y32Z32W32_Float);
    for (unsigned i = 0; i < 60; ++i)
      bed.geometry.attributes[i][0] = bitsOf(float(i / 3 * 7 % 11));
    ColorTargetState &blend = bed.draw.blend.targets[0];
    blend.blendEnable = true;
    blend.dstColor = BlendFactor::ConstantColor;
    bed.draw.blend.constants = {0.5f, 0.5f, 0.5f, 0.5f};
    for (unsigned i = 0; i < 3000; ++i) {
      bed.use(i % 20);
      bed.addFull(0, 0);
    }
    EXPECT_EQ(bed.run(), "");
    return bed.colorFloat(0, 0);
  };
  float expected = 0;
  for (unsigned i = 0; i < 3000; ++i)
    expected = expected * 0.5f + float(i % 20 * 7 % 11);
  EXPECT_EQ(draw(1), expected);
  EXPECT_EQ(draw(4), expected);
}

TEST(FragmentStage, ManyQuadsAreShadedOnTheWay) {
  StageBed bed("gfx1030", 64);
  for (unsigned i = 0; i < 40000; ++i) {
    bed.use(i / 20 % 20);
    bed.addFull(int(i % 4) * 2, 0);
  }
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.counts.fragmentInvocations, 160000u);
  EXPECT_EQ(bed.color(0, 0)[0], 20u);
}

TEST(FragmentStage, EarlyTestsDropQuadsAndPixels) {
  for (const char *target : oneOfEachFamily) {
    StageBed bed(target);
    bed.makeDepth();
    bed.write(bed.draw.targets.depth, 0.25f, {1, 0, 0});
    bed.use(0);
    bed.addFull(0, 0); // fails at (1, 0)
    bed.use(1, 0.75);
    bed.addFull(0, 0); // passes nowhere: not shaded
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.color(0, 0)[0], 1u);
    EXPECT_EQ(bed.color(1, 0)[0], 0u);
    EXPECT_EQ(bed.counts.fragmentInvocations, 3u);
    EXPECT_EQ(bed.counts.samplesPassed, 3u);
    EXPECT_EQ(bed.read<float>(bed.draw.targets.depth, {0, 0, 0}), 0.5f);
  }
}

TEST(FragmentStage, LateTestsAreInOrderToo) {
  StageBed bed("gfx1100");
  bed.makeDepth();
  bed.registers().zOrder = 0;
  bed.use(0, 0.75);
  bed.addFull(0, 0);
  bed.use(1, 0.25);
  bed.addFull(0, 0);
  bed.use(2, 0.5);
  bed.addFull(0, 0);
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.color(0, 0)[0], 2u);
  EXPECT_EQ(bed.counts.fragmentInvocations, 12u); // all of them
  EXPECT_EQ(bed.counts.samplesPassed, 8u);
  EXPECT_EQ(bed.read<float>(bed.draw.targets.depth, {0, 0, 0}), 0.25f);
}

TEST(FragmentStage, DepthThatShadersReadIsTestedLate) {
  for (bool before : {false, true}) {
    StageBed bed("gfx1100");
    bed.makeDepth();
    bed.draw.targets.depthIsRead = true;
    bed.registers().zOrder = 1;
    bed.registers().depthBeforeShader = before;
    bed.use(0, 2.0);
    bed.addFull(0, 0); // fails
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.counts.fragmentInvocations, before ? 0u : 4u);
    EXPECT_EQ(bed.counts.samplesPassed, 0u);
  }
}

TEST(FragmentStage, WhoTestsLate) {
  // What the shader can change makes "early, then late" late, unless it asks for early tests.
  struct {
    bool FragmentRegisters::*flag;
    bool isLate;
  } cases[] = {{&FragmentRegisters::killEnable, true},
               {&FragmentRegisters::zExport, true},
               {&FragmentRegisters::stencilExport, true},
               {&FragmentRegisters::maskExport, true},
               {&FragmentRegisters::execOnNoop, false}};
  for (const auto &c : cases)
    for (bool before : {false, true})
      for (uint8_t zOrder : {0, 1, 2, 3}) {
        StageBed bed("gfx1030");
        bed.makeDepth();
        bed.registers().*c.flag = true;
        bed.registers().zOrder = zOrder;
        bed.registers().depthBeforeShader = before;
        bed.use(0, 2.0);
        bed.addFull(0, 0); // fails
        ASSERT_EQ(bed.run(), "");
        bool isLate = !before && (c.isLate || zOrder == 0 || zOrder == 2);
        EXPECT_EQ(bed.counts.fragmentInvocations, isLate ? 4u : 0u);
        EXPECT_EQ(bed.counts.samplesPassed, 0u);
      }
}

TEST(FragmentStage, KilledPixelsAfterEarlyTestsHavePassed) {
  // Vulkan: with early tests, depth is written and samples are counted whatever the shader does.
  FragmentTestbed bed("gfx1100", "s_mov_b64 exec, 0\nexp mrt0 off, off, off, off done\n");
  bed.registers().killEnable = bed.registers().depthBeforeShader = true;
  bed.draw.targets.depth = bed.makeSurface(Format::X32_Float);
  bed.draw.depthStencil.depthTest = bed.draw.depthStencil.depthWrite = true;
  bed.addFull(0, 0);
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.counts.samplesPassed, 4u);
  EXPECT_EQ(bed.read<float>(bed.draw.targets.depth), 0.5f);
  bed.registers().depthBeforeShader = false;
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.counts.samplesPassed, 0u);
}

TEST(FragmentStage, CoverageBeforeAndAfterTheTests) {
  // v2: coverage. Sample 1 fails.
  for (bool post : {false, true}) {
    FragmentTestbed bed("gfx1100", "exp mrt0 v2, v2, v2, v2 done\n", 32, 4);
    bed.registers().inputEna = bed.registers().inputAddr = 2 | 1u << 14;
    bed.registers().preShaderDepthCoverage = post;
    bed.draw.targets.depth = bed.makeSurface(Format::X32_Float, {.samples = 4});
    bed.draw.depthStencil.depthTest = true;
    bed.draw.depthStencil.depthCompare = CompareOp::Greater;
    bed.write(bed.draw.targets.depth, 1.0f, {}, 1);
    bed.addFull(0, 0);
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.color(0, 0, 0)[0], post ? 0xDu : 0xFu);
    EXPECT_EQ(bed.color(0, 0, 1)[0], 0u);
    EXPECT_EQ(bed.color(1, 0, 1)[0], 0xFu);
  }
}

TEST(FragmentStage, WithoutAShaderThereAreOnlyTests) {
  FragmentTestbed bed("gfx1100", nullptr);
  bed.draw.targets.depth = bed.makeSurface(Format::X32_Float);
  bed.draw.depthStencil.depthTest = bed.draw.depthStencil.depthWrite = true;
  bed.add({.coverage = {1, 0, 1, 1}});
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.counts.samplesPassed, 3u);
  EXPECT_EQ(bed.counts.fragmentInvocations, 0u);
  EXPECT_EQ(bed.read<float>(bed.draw.targets.depth, {0, 1, 0}), 0.5f);
  EXPECT_EQ(bed.read<float>(bed.draw.targets.depth, {1, 0, 0}), 0.0f);
}

TEST(FragmentStage, OverlappingFragmentsOfOrderedShadersRunInOrder) {
  // Quads 0, 1, 0, 1, 0: three waves, with the interlock's message on gfx10.
  for (const char *target : allTargets) {
    bool isGfx10 = llvm::StringRef(target).starts_with("gfx10");
    std::string text = isGfx10 ? "s_mov_b32 m0, s0\ns_sendmsg sendmsg(MSG_ORDERED_PS_DONE)\n"
                               : "s_nop 0\ns_nop 0\n";
    text += "exp mrt0 v0, v0, v0, v0 done\n";
    FragmentTestbed bed(target, text.c_str(), 64, 1, 4);
    bed.registers().primitiveOrdered = true;
    for (int i = 0; i < 5; ++i)
      bed.addFull(i % 2 * 2, 0);
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.waves(4), 3u) << target;
  }
}

TEST(FragmentStage, SamplesOfOrderedShadersFillWaves) {
  // Eight quads of four samples: each wave has one sample of all.
  for (const char *target : allTargets) {
    bool isGfx10 = llvm::StringRef(target).starts_with("gfx10");
    std::string text = isGfx10 ? "s_mov_b32 m0, s0\ns_sendmsg sendmsg(MSG_ORDERED_PS_DONE)\n"
                               : "s_nop 0\ns_nop 0\n";
    text += "exp mrt0 v0, v0, v0, v0 done\n";
    FragmentTestbed bed(target, text.c_str(), 32, 4);
    bed.registers().primitiveOrdered = bed.registers().perSample = true;
    for (int i = 0; i < 8; ++i)
      bed.add({.x = i % 4 * 2, .y = i / 4 * 2, .coverage = {15, 15, 15, 15}});
    ASSERT_EQ(bed.run(), "") << target;
    EXPECT_EQ(bed.counts.fragmentInvocations, 128u);
    EXPECT_EQ(bed.waves(4), 4u) << target;
  }
}

/// A shader that adds 1 to a dword of each lane at s[0:1], in a critical section, and exports what
/// it found. s2: primitive mask, s3: the word about overlapping waves (gfx10).
std::string countingShader(llvm::StringRef target, bool waits) {
  std::string text = "v_mbcnt_lo_u32_b32 v1, -1, 0\nv_lshlrev_b32 v1, 2, v1\n";
  if (waits && target.starts_with("gfx10"))
    text += "s_cmp_ge_i32 s3, 0\ns_cbranch_scc1 enter\n"
            "s_bfe_u32 s4, s3, 0x2001c\ns_lshl_b32 s4, s4, 1\ns_or_b32 s4, s4, 1\n"
            "s_setreg_b32 hwreg(HW_REG_POPS_PACKER, 0, 3), s4\n"
            "s_and_b32 s5, s3, 0x3ff\ns_not_b32 s5, s5\n"
            "s_bfe_u32 s6, s3, 0xa0010\ns_add_i32 s6, s6, s5\n"
            "wait:\ns_add_i32 s7, src_pops_exiting_wave_id, s5\ns_cmp_gt_u32 s7, s6\n"
            "s_cbranch_scc1 enter\ns_sleep 1\ns_branch wait\nenter:\n";
  else if (waits)
    text += target.starts_with("gfx12") ? "s_wait_event 2\n" : "s_wait_event 0\n";
  if (target.starts_with("gfx10"))
    return text + "global_load_dword v2, v1, s[0:1]\nv_add_nc_u32 v3, 1, v2\n"
                  "global_store_dword v1, v3, s[0:1]\ns_mov_b32 m0, s2\n"
                  "s_sendmsg sendmsg(MSG_ORDERED_PS_DONE)\n"
                  "exp mrt0 v2, v2, v2, v2 done vm\n";
  return text + "global_load_b32 v2, v1, s[0:1]\nv_add_nc_u32 v3, 1, v2\n"
                "global_store_b32 v1, v3, s[0:1]\nexp mrt0 v2, v2, v2, v2 done\n";
}

/// Runs it on \p layers times the same quad. The counter and the colour of its first pixel.
std::pair<uint32_t, uint32_t> countOverlaps(const char *target, bool waits, unsigned layers,
                                            uint64_t seed) {
  FragmentTestbed bed(target, countingShader(target, waits).c_str());
  bed.options.seed = seed;
  auto counters = bed.space.allocate({.size = 128, .name = "counters"});
  if (!counters) {
    ADD_FAILURE() << llvm::toString(counters.takeError());
    return {};
  }
  bed.registers().primitiveOrdered = true;
  bed.registers().loadCollisionWave = llvm::StringRef(target).starts_with("gfx10");
  bed.userSgprs = {uint32_t((*counters)->address), uint32_t((*counters)->address >> 32)};
  for (unsigned i = 0; i < layers; ++i)
    bed.addFull(0, 0);
  EXPECT_EQ(bed.run(), "") << target;
  MemoryView memory(bed.space.snapshot());
  uint32_t count = 0;
  std::memcpy(&count, memory.find((*counters)->address, 4), 4);
  return {count, bed.color(0, 0)[0]};
}

TEST(FragmentStage, CriticalSectionsBringOverlappingWavesIntoOrder) {
  // 27 waves: more than run together, and numbers that wrap. The last colour is the newest wave's.
  for (const char *target : allTargets)
    for (uint64_t seed : {0, 1, 2, 3, 8})
      EXPECT_EQ(countOverlaps(target, true, 27, seed), std::pair(27u, 26u)) << target << seed;
}

TEST(FragmentStage, WithoutWaitingOverlappingWavesDisturbEachOther) {
  for (const char *target : allTargets)
    EXPECT_LT(countOverlaps(target, false, 27, 0).first, 27u) << target;
}

TEST(FragmentStage, RefusesCriticalSectionsThatNobodyLeaves) {
  auto run = [](const char *target, const char *text) {
    FragmentTestbed bed(target, text);
    bed.registers().primitiveOrdered = true;
    bed.addFull(0, 0);
    return bed.run();
  };
  auto has = [](const std::string &message, const char *part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  has(run("gfx1030", "s_setreg_imm32_b32 hwreg(HW_REG_POPS_PACKER, 0, 3), 5\n"
                     "exp mrt0 v0, v0, v0, v0 done vm\n"),
      "the wave enabled POPS_PACKER and ends without MSG_ORDERED_PS_DONE");
  has(run("gfx1010", "s_setreg_imm32_b32 hwreg(HW_REG_POPS_PACKER, 0, 3), 1\n"),
      "POPS_PACKER 1, this wave's packer needs 5");
  has(run("gfx1030", "s_sendmsg sendmsg(MSG_ORDERED_PS_DONE)\n"
                     "s_sendmsg sendmsg(MSG_ORDERED_PS_DONE)\n"),
      "second MSG_ORDERED_PS_DONE of the wave");
  for (const char *target : {"gfx1100", "gfx1201"})
    has(run(target, "exp mrt0 v0, v0, v0, v0\n"), "ends without an export that is done");
}

TEST(FragmentStage, HelpersHaveInputsButNoExports) {
  // The x coordinate's derivative, with all lanes on: 1 / 8.
  FragmentTestbed bed("gfx1100",
                      "s_mov_b64 s[2:3], exec\ns_mov_b64 exec, -1\n"
                      "v_mov_b32_dpp v2, v0 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf\n"
                      "v_mov_b32_dpp v3, v0 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf\n"
                      "v_sub_f32 v2, v3, v2\ns_mov_b64 exec, s[2:3]\n"
                      "exp mrt0 v2, v2, v2, v2 done\n");
  bed.add({.coverage = {0, 0, 0, 1}});
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.colorFloat(1, 1), 0.125f);
  EXPECT_EQ(bed.colorFloat(0, 0), 0.0f);
}

TEST(FragmentStage, RefusesByName) {
  auto messageOf = [](auto change) {
    FragmentTestbed bed("gfx1100", "exp mrt0 v0, v0, v0, v0 done\n");
    bed.addFull(0, 0);
    change(bed);
    return bed.run();
  };
  auto input = [&](uint32_t ena, uint32_t addr) {
    return messageOf([&](FragmentTestbed &bed) {
      bed.registers().inputEna = ena;
      bed.registers().inputAddr = addr;
    });
  };
  EXPECT_EQ(input(0x82, 0x82), "SPI_PS_INPUT_ENA.LINE_STIPPLE_TEX is not modelled");
  EXPECT_EQ(input(0x102, 2), "SPI_PS_INPUT_ENA loads what SPI_PS_INPUT_ADDR has no place for");
  EXPECT_EQ(input(0x100, 0x100), "SPI_PS_INPUT_ENA has no barycentric coordinates, which hangs");
  EXPECT_EQ(input(0x820, 0x820),
            "SPI_PS_INPUT_ENA has POS_W_FLOAT without perspective barycentric coordinates");
  EXPECT_EQ(messageOf([](FragmentTestbed &bed) {
              bed.registers().perSample = true;
              bed.draw.raster.shaderSamples = 2;
            }),
            "2 invocations for 1 samples");
}
