//===- FragmentExportsTest.cpp - exports of fragment shaders ---------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/FragmentExports.h"
#include "pal_shim/device/graphics/FragmentTestbedForTest.h"
#include <limits>

using namespace pal::device;
using namespace pal::device::test;
using pal::formats::Format;

namespace {

using Words = std::array<uint32_t, 4>;
Words floats(float r, float g, float b, float a) { return bitsOf(Rgba{r, g, b, a}); }
bool isGfx10(llvm::StringRef target) { return target.starts_with("gfx10"); }

/// v0 .. v3 = \p words, then \p exports.
std::string constantText(const Words &words, const std::string &exports) {
  std::string text;
  for (unsigned i = 0; i < 4; ++i)
    text += "v_mov_b32 v" + std::to_string(i) + ", " + std::to_string(words[i]) + "\n";
  return text + exports;
}

/// "exp mrt0 v0, v1, ...", packed as the target does it, done.
std::string packedExport(const char *target) {
  return isGfx10(target) ? "exp mrt0 v0, v0, v1, v1 done compr vm\n"
                         : "exp mrt0 v0, v1, off, off done\n";
}

} // namespace

TEST(FragmentExports, FormatsOfColours) {
  const Words words = {1, 2, 3, 4};
  EXPECT_EQ(decodeExport(ExportFormat::Zero, words), (Words{0, 0, 0, 0}));
  EXPECT_EQ(decodeExport(ExportFormat::R32, words), (Words{1, 0, 0, 0}));
  EXPECT_EQ(decodeExport(ExportFormat::GR32, words), (Words{1, 2, 0, 0}));
  EXPECT_EQ(decodeExport(ExportFormat::AR32, words), (Words{1, 0, 0, 2}));
  EXPECT_EQ(decodeExport(ExportFormat::Abgr32, words), words);
  const Words halves = {0x38003C00, 0xFC008001, 0, 0}; // 1, 0.5, -denormal, -infinity
  EXPECT_EQ(decodeExport(ExportFormat::Fp16, halves),
            floats(1, 0.5f, -0x1p-24f, -std::numeric_limits<float>::infinity()));
  const Words packed = {0x8000FFFF, 0x7FFF8001, 0, 0};
  EXPECT_EQ(decodeExport(ExportFormat::Unorm16, packed),
            floats(1, 32768 / 65535.0f, 32769 / 65535.0f, 32767 / 65535.0f));
  EXPECT_EQ(decodeExport(ExportFormat::Snorm16, packed), floats(-1 / 32767.0f, -1, -1, 1));
  EXPECT_EQ(decodeExport(ExportFormat::Uint16, packed), (Words{0xFFFF, 0x8000, 0x8001, 0x7FFF}));
  EXPECT_EQ(decodeExport(ExportFormat::Sint16, packed),
            (Words{0xFFFFFFFF, 0xFFFF8000, 0xFFFF8001, 0x7FFF}));
}

TEST(FragmentExports, WideAndPackedReachTheTarget) {
  for (const char *target : allTargets) {
    SCOPED_TRACE(target);
    FragmentTestbed wide(
        target, constantText({5, 6, 7, 8}, "exp mrt0 v0, v1, v2, v3 done" +
                                               std::string(isGfx10(target) ? " vm\n" : "\n"))
                    .c_str());
    wide.addFull(0, 0);
    ASSERT_EQ(wide.run(), "");
    EXPECT_EQ(wide.color(1, 1), (Words{5, 6, 7, 8}));
    EXPECT_EQ(wide.color(2, 0), (Words{}));

    FragmentTestbed packed(
        target, constantText({0x00020001, 0x00040003, 0, 0}, packedExport(target)).c_str());
    packed.registers().colorFormats[0] = ExportFormat::Uint16;
    packed.addFull(0, 0);
    ASSERT_EQ(packed.run(), "");
    EXPECT_EQ(packed.color(0, 0), (Words{1, 2, 3, 4}));
  }
}

TEST(FragmentExports, NumbersSkipTargetsWithoutMask) {
  for (const char *target : oneOfEachFamily) {
    FragmentTestbed bed(target, constantText({1, 2, 3, 4}, "exp mrt0 v0, v1, v2, v3\n"
                                                           "exp mrt1 v3, off, off, off done\n")
                                    .c_str());
    for (unsigned i = 1; i < 4; ++i)
      bed.draw.targets.colors[i] = bed.makeSurface(Format::X32Y32Z32W32_Uint);
    bed.registers().colorMask = 0x10F0; // targets 1 and 3
    bed.registers().colorFormats[1] = ExportFormat::R32;
    bed.addFull(0, 0);
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.color(0, 0, 0, 0), (Words{}));
    EXPECT_EQ(bed.color(0, 0, 0, 1), (Words{1, 2, 3, 4}));
    EXPECT_EQ(bed.color(0, 0, 0, 2), (Words{}));
    EXPECT_EQ(bed.color(0, 0, 0, 3)[0], 4u);
  }
}

TEST(FragmentExports, OnlyLanesThatAreOnAtTheEndLive) {
  for (const char *target : allTargets) {
    FragmentTestbed bed(target, constantText({5, 6, 7, 8}, "s_and_b64 exec, exec, 0x21\n"
                                                           "exp mrt0 v0, v1, v2, v3 done\n")
                                    .c_str());
    bed.registers().killEnable = true;
    bed.add({.coverage = {1, 1, 0, 1}});
    bed.addFull(2, 0);
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.color(0, 0)[0], 5u);
    EXPECT_EQ(bed.color(1, 0)[0], 0u);
    EXPECT_EQ(bed.color(1, 1)[0], 0u);
    EXPECT_EQ(bed.color(2, 0)[0], 0u);
    EXPECT_EQ(bed.color(3, 0)[0], 5u);
    EXPECT_EQ(bed.counts.fragmentInvocations, 7u);
    EXPECT_EQ(bed.counts.samplesPassed, 2u);
  }
}

TEST(FragmentExports, ExportsOfSeveralBranchesAddUp) {
  FragmentTestbed bed("gfx1100", constantText({5, 6, 7, 8},
                                              "s_mov_b32 exec_lo, 5\nexp mrt0 v0, v1, v2, v3\n"
                                              "s_mov_b32 exec_lo, 10\nexp mrt0 v3, v2, v1, v0\n"
                                              "s_mov_b32 exec_lo, 7\nexp mrt0 off, off, off, off "
                                              "done\n")
                                     .c_str());
  bed.addFull(0, 0);
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.color(0, 0), (Words{5, 6, 7, 8}));
  EXPECT_EQ(bed.color(1, 0), (Words{8, 7, 6, 5}));
  EXPECT_EQ(bed.color(1, 1), (Words{}));
}

TEST(FragmentExports, ShadersThatExportNothing) {
  // A pixel lives; a dummy export writes no colour; a kill without an export is an error.
  FragmentTestbed bed("gfx1100", "");
  bed.addFull(0, 0);
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.counts.samplesPassed, 4u);
  EXPECT_EQ(bed.color(0, 0), (Words{}));
  bed.registers().killEnable = true;
  EXPECT_NE(bed.run().find("ended without an export"), std::string::npos);
  FragmentTestbed dummy("gfx1030", "v_mov_b32 v0, 5\nexp mrt0 v0, off, off, off done vm\n");
  dummy.registers().colorFormats[0] = ExportFormat::R32;
  dummy.registers().killEnable = dummy.registers().dummyExport = true;
  dummy.addFull(0, 0);
  ASSERT_EQ(dummy.run(), "");
  EXPECT_EQ(dummy.counts.samplesPassed, 4u);
  EXPECT_EQ(dummy.color(0, 0), (Words{}));
}

TEST(FragmentExports, TwoBlendSources) {
  // Blend: source 1 as it is. Source 0 of lane n is n, source 1 is n + 0.5.
  const char *lanes = "v_mbcnt_lo_u32_b32 v0, -1, 0\nv_cvt_f32_u32 v0, v0\nv_add_f32 v1, 0.5, v0\n";
  // lane           0          1             (FragmentExport.cpp of the compiler)
  //     first      a(0)       b(0)
  //     second     a(1)       b(1)
  const char *interleave = "s_mov_b32 s0, 0xaaaaaaaa\n"
                           "v_mov_b32_dpp v2, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n"
                           "v_mov_b32_dpp v3, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n"
                           "v_cndmask_b32_e64 v4, v0, v2, s0\n"
                           "v_cndmask_b32_e64 v5, v3, v1, s0\n";
  for (const char *target : allTargets) {
    SCOPED_TRACE(target);
    std::string text = lanes;
    if (isGfx10(target))
      text += "exp mrt0 v0, v0, v0, v0\nexp mrt1 v1, v1, v1, v1 done vm\n";
    else
      text += std::string(interleave) + "s_mov_b32 exec_lo, 13\n"
                                        "exp dual_src_blend0 v4, v4, v4, v4\n"
                                        "exp dual_src_blend1 v5, v5, v5, v5 done\n";
    FragmentTestbed bed(target, text.c_str());
    bed.makeColor(Format::X32Y32Z32W32_Float);
    bed.registers().colorMask = 0xFF;
    bed.registers().colorFormats[1] = ExportFormat::Abgr32;
    ColorTargetState &blend = bed.draw.blend.targets[0];
    blend.blendEnable = true;
    blend.srcColor = BlendFactor::Src1Color; // source 0 times source 1
    blend.srcAlpha = BlendFactor::One;
    bed.addFull(0, 0);
    ASSERT_EQ(bed.run(), "");
    for (unsigned lane : {0u, 2u, 3u}) {
      EXPECT_EQ(bed.colorFloat(lane & 1, lane >> 1), float(lane) * (float(lane) + 0.5f));
      EXPECT_EQ(bed.colorFloat(lane & 1, lane >> 1, 3), float(lane));
    }
    if (!isGfx10(target)) {
      EXPECT_EQ(bed.colorFloat(1, 0, 3), 0.0f); // off, though its neighbour's export carried it
    }
  }
}

//===--- Depth, stencil, mask, alpha ---------------------------------------===//

namespace {

/// Late tests that always write.
struct DepthBed : FragmentTestbed {
  DepthBed(const char *target, const Words &words, const char *exports, unsigned samples = 1)
      : FragmentTestbed(target, constantText(words, exports).c_str(), 32, samples) {
    draw.targets.depth = makeSurface(Format::X32_Float, {.samples = samples});
    draw.targets.stencil = makeSurface(Format::X8_Uint, {.samples = samples});
    draw.depthStencil.depthTest = draw.depthStencil.depthWrite = true;
    draw.depthStencil.stencilTest = true;
    draw.depthStencil.front.pass = StencilOp::Replace;
    draw.depthStencil.front.reference = 9;
    addFull(0, 0);
  }
  float depthAt(uint32_t x, uint32_t y, uint32_t sample = 0) {
    return read<float>(draw.targets.depth, {x, y, 0}, sample);
  }
  unsigned stencilAt(uint32_t x, uint32_t y, uint32_t sample = 0) {
    return read<uint8_t>(draw.targets.stencil, {x, y, 0}, sample);
  }
};

} // namespace

TEST(FragmentExports, DepthAndStencil) {
  for (const char *target : allTargets) {
    SCOPED_TRACE(target);
    DepthBed bed(target, {bitsOf(0.75f), 0x107, 0, 0}, "exp mrtz v0, v1, off, off done\n");
    bed.registers().depthFormat = ExportFormat::GR32;
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.depthAt(0, 0), 0.5f); // exported, but DB_SHADER_CONTROL does not ask for it
    EXPECT_EQ(bed.stencilAt(0, 0), 9u);
    bed.registers().zExport = bed.registers().stencilExport = true;
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.depthAt(1, 1), 0.75f);
    EXPECT_EQ(bed.stencilAt(1, 1), 7u);
    bed.draw.raster.depthClampEnable = true;
    bed.quads[0].first.minDepth = 0.125f;
    bed.quads[0].first.maxDepth = 0.625f;
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.depthAt(1, 1), 0.625f);
  }
}

TEST(FragmentExports, SampleMask) {
  for (const char *target : oneOfEachFamily) {
    DepthBed bed(target, {0, 0, 0x6, 0},
                 "exp mrtz off, off, v2, off\nexp mrt0 v2, v2, v2, v2 done\n", 4);
    bed.registers().depthFormat = ExportFormat::Abgr32;
    bed.registers().maskExport = true;
    bed.quads[0].second.coverage = {0xF, 0xC, 0x9, 0};
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.counts.samplesPassed, 2u + 1);
    EXPECT_EQ(bed.color(0, 0, 1)[0], 6u);
    EXPECT_EQ(bed.color(0, 0, 2)[0], 6u);
    EXPECT_EQ(bed.color(0, 0, 0)[0], 0u);
    EXPECT_EQ(bed.color(1, 0, 2)[0], 6u);
    EXPECT_EQ(bed.color(1, 0, 3)[0], 0u);
    EXPECT_EQ(bed.stencilAt(0, 0, 1), 9u);
    EXPECT_EQ(bed.stencilAt(0, 0, 0), 0u);
  }
}

TEST(FragmentExports, AlphaToCoverage) {
  // Half of the samples of mrt0's alpha; none of the alpha of mrtz, which gfx11 prefers.
  const char *both = "exp mrtz v3, v1, off, off\nexp mrt0 v0, v0, v0, v2 done\n";
  for (const char *target : oneOfEachFamily) {
    SCOPED_TRACE(target);
    for (bool hasDepth : {false, true}) {
      DepthBed bed(target, {1, bitsOf(0.0f), bitsOf(0.5f), 0},
                   hasDepth ? both : "exp mrt0 v0, v0, v0, v2 done\n", 4);
      bed.registers().depthFormat = ExportFormat::AR32;
      bed.draw.raster.alphaToCoverage = true;
      ASSERT_EQ(bed.run(), "");
      bool usesDepth = hasDepth && !isGfx10(target);
      EXPECT_EQ(bed.counts.samplesPassed, usesDepth ? 0u : 8u);
      bed.registers().alphaToMaskDisable = true;
      ASSERT_EQ(bed.run(), "");
      EXPECT_EQ(bed.counts.samplesPassed, 16u);
    }
  }
}

TEST(FragmentExports, AlphaToOne) {
  FragmentTestbed bed("gfx1100",
                      constantText({bitsOf(0.25f), 0, 0, bitsOf(0.5f)},
                                   "exp mrt0 v0, v0, v0, v3\nexp mrt1 v0, v0, v0, v3 done\n")
                          .c_str());
  bed.makeColor(Format::X32Y32Z32W32_Float);
  bed.draw.targets.colors[1] = bed.makeSurface(Format::X32Y32Z32W32_Uint);
  bed.registers().colorMask = 0xFF;
  bed.registers().colorFormats[1] = ExportFormat::Abgr32;
  bed.draw.raster.alphaToOne = true;
  bed.addFull(0, 0);
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.color(0, 0), floats(0.25f, 0.25f, 0.25f, 1));
  EXPECT_EQ(bed.color(0, 0, 0, 1)[3], bitsOf(0.5f)); // integers stay
}

TEST(FragmentExports, WhatDoesNotFitFaults) {
  struct {
    const char *target, *text;
    ExportFormat format;
    const char *message;
  } cases[] = {
      {"gfx1030", "exp mrt0 v0, v1, v2, v3 done vm\n", ExportFormat::Fp16,
       "export to colour 0: of a 16-bit format, but not compressed"},
      {"gfx1030", "exp mrt0 v0, v0, v1, v1 done compr vm\n", ExportFormat::Abgr32,
       "export to colour 0: compressed, but of a 32-bit format"},
      {"gfx1100", "exp mrt0 v0, v1, v2, v3 done\n", ExportFormat::Zero,
       "export to colour 0, which has no format"},
      {"gfx1100", "exp mrt1 v0, v1, v2, v3 done\n", ExportFormat::Abgr32,
       "export to colour 1, but CB_SHADER_MASK has 1"},
      {"gfx1100", "exp pos0 v0, v1, v2, v3 done\n", ExportFormat::Abgr32,
       "export target 12 in a fragment shader"},
      {"gfx1100", "exp mrtz v0, off, off, off done\n", ExportFormat::Abgr32,
       "depth export in format 0"},
  };
  for (const auto &c : cases) {
    FragmentTestbed bed(c.target, c.text);
    bed.registers().colorFormats[0] = bed.registers().colorFormats[1] = c.format;
    bed.addFull(0, 0);
    EXPECT_NE(bed.run().find(c.message), std::string::npos) << c.message << ": " << bed.run();
  }
}
