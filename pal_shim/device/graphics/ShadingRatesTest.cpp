//===- ShadingRatesTest.cpp - combiners, and fragments of several pixels ---===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/ShadingRates.h"
#include "pal_shim/device/graphics/FragmentTestbedForTest.h"
#include "pal_shim/device/graphics/TileQuads.h"

using namespace pal::device;
using namespace pal::device::test;
using pal::formats::Format;

namespace {

constexpr FragmentSize size1x1 = {0, 0}, size1x2 = {0, 1}, size2x1 = {1, 0}, size2x2 = {1, 1},
                       size4x4 = {2, 2};

/// Positions, the ancillary register and front facing, as colour.
constexpr uint32_t ancillary = 1u << 13;
constexpr uint32_t positions = psinput::perspCenter | psinput::posX | psinput::posY;

/// Exports the fragment's position, i and the ancillary register.
struct RateBed : FragmentTestbed {
  explicit RateBed(const char *target, unsigned samples = 1)
      : FragmentTestbed(target,
                        llvm::StringRef(target).starts_with("gfx10")
                            ? "exp mrt0 v2, v3, v0, v4 done vm\n"
                            : "exp mrt0 v2, v3, v0, v4 done\n",
                        32, samples) {
    registers().inputEna = registers().inputAddr = positions | ancillary;
  }
  void shade(FragmentSize size) { draw.raster.shadingRate.pipeline = size; }
  /// log2 of the width and of the height of the fragment that wrote the pixel.
  FragmentSize sizeAt(uint32_t x, uint32_t y) {
    uint32_t bits = color(x, y)[3];
    return {uint8_t(bits >> 2 & 3), uint8_t(bits >> 4 & 3)};
  }
  void addTiles() {
    for (int y = 0; y < 4; y += 2)
      for (int x = 0; x < 8; x += 2)
        addFull(x, y);
  }
  /// A texel a tile; the target is 8 x 4 pixels, so one.
  void attach(uint8_t texel) {
    draw.targets.shadingRate = makeSurface(Format::X8_Uint);
    write(draw.targets.shadingRate, texel, {0, 0, 0});
  }
};

} // namespace

TEST(ShadingRates, ExportedBits) {
  // gfx10.3: the width in the low two bits; later: an enumeration with the height there.
  EXPECT_EQ(exportedRate(Generation::Gfx103, 0), size1x1);
  EXPECT_EQ(exportedRate(Generation::Gfx103, 1), size2x1);
  EXPECT_EQ(exportedRate(Generation::Gfx103, 4), size1x2);
  EXPECT_EQ(exportedRate(Generation::Gfx103, 5), size2x2);
  EXPECT_EQ(exportedRate(Generation::Gfx103, 2), std::nullopt);
  EXPECT_EQ(exportedRate(Generation::Gfx103, 8), std::nullopt);
  for (Generation later : {Generation::Gfx11, Generation::Gfx115, Generation::Gfx12}) {
    EXPECT_EQ(exportedRate(later, 1), size1x2);
    EXPECT_EQ(exportedRate(later, 4), size2x1);
    EXPECT_EQ(exportedRate(later, 5), size2x2);
    EXPECT_EQ(exportedRate(later, 10), size4x4);
    EXPECT_EQ(exportedRate(later, 6), (FragmentSize{1, 2}));
    for (unsigned none : {2u, 3u, 8u, 7u, 12u, 15u})
      EXPECT_EQ(exportedRate(later, none), std::nullopt) << none;
  }
}

TEST(ShadingRates, CombinersGoSideBySide) {
  EXPECT_EQ(combineRates(RateCombiner::Keep, size2x1, size1x2), size2x1);
  EXPECT_EQ(combineRates(RateCombiner::Replace, size2x1, size1x2), size1x2);
  EXPECT_EQ(combineRates(RateCombiner::Min, size2x1, size2x2), size2x1);
  EXPECT_EQ(combineRates(RateCombiner::Min, size2x1, size1x2), size1x1);
  EXPECT_EQ(combineRates(RateCombiner::Max, size2x1, size1x2), size2x2);
  EXPECT_EQ(combineRates(RateCombiner::Multiply, size2x1, size1x2), size2x2);
  EXPECT_EQ(combineRates(RateCombiner::Multiply, size2x2, size2x2), size4x4);
  EXPECT_EQ(combineRates(RateCombiner::Multiply, size1x1, size1x1), size1x1);
}

TEST(ShadingRates, FragmentsOfSeveralPixels) {
  for (const char *target : {"gfx1030", "gfx1100", "gfx1150", "gfx1201"})
    for (FragmentSize size : {size1x2, size2x1, size2x2}) {
      SCOPED_TRACE(target);
      RateBed bed(target);
      bed.shade(size);
      bed.addTiles();
      ASSERT_EQ(bed.run(), "");
      const uint32_t width = 1u << size.log2Width, height = 1u << size.log2Height;
      EXPECT_EQ(bed.counts.fragmentInvocations, 32 / (width * height));
      for (uint32_t y = 0; y < 4; ++y)
        for (uint32_t x = 0; x < 8; ++x) {
          SCOPED_TRACE(testing::Message() << x << ", " << y);
          const float centerX = float(x / width * width) + float(width) / 2;
          EXPECT_EQ(bed.colorFloat(x, y, 0), centerX);
          EXPECT_EQ(bed.colorFloat(x, y, 1), float(y / height * height) + float(height) / 2);
          EXPECT_EQ(bed.colorFloat(x, y, 2), centerX / 8);
          EXPECT_EQ(bed.sizeAt(x, y), size);
        }
    }
}

TEST(ShadingRates, OnlyCoveredPixelsAreWritten) {
  RateBed bed("gfx1100");
  bed.shade(size2x2);
  // Pixels (1, 1) and (6, 2); the other lanes of the two quads of fragments are helpers.
  bed.add({.x = 0, .y = 0, .coverage = {0, 0, 0, 1}});
  bed.add({.x = 6, .y = 2, .coverage = {1, 0, 0, 0}});
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.counts.fragmentInvocations, 2u);
  EXPECT_EQ(bed.counts.samplesPassed, 2u);
  for (uint32_t y = 0; y < 4; ++y)
    for (uint32_t x = 0; x < 8; ++x) {
      const bool written = (x == 1 && y == 1) || (x == 6 && y == 2);
      EXPECT_EQ(bed.sizeAt(x, y), written ? size2x2 : size1x1) << x << ", " << y;
    }
  EXPECT_EQ(bed.colorFloat(1, 1, 0), 1.0f);
  EXPECT_EQ(bed.colorFloat(6, 2, 1), 3.0f);
}

TEST(ShadingRates, SamplesArePerPixel) {
  RateBed bed("gfx1100", 4);
  bed.makeColor(Format::X32Y32Z32W32_Uint, {.samples = 4});
  bed.shade(size2x1);
  bed.add({.x = 0, .y = 0, .coverage = {0b0001, 0b1010, 0, 0b1111}});
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.counts.fragmentInvocations, 2u);
  EXPECT_EQ(bed.counts.samplesPassed, 7u);
  const uint32_t expected[4] = {0b0001, 0b1010, 0, 0b1111};
  for (uint32_t pixel = 0; pixel < 4; ++pixel)
    for (uint32_t sample = 0; sample < 4; ++sample)
      EXPECT_EQ(bed.color(pixel & 1, pixel >> 1, sample)[3],
                expected[pixel] >> sample & 1 ? 1u << 2 : 0u)
          << pixel << ", " << sample;
}

TEST(ShadingRates, DepthIsTestedPerPixel) {
  for (bool isEarly : {true, false}) {
    RateBed bed("gfx1100");
    bed.registers().zOrder = isEarly;
    bed.shade(size2x2);
    bed.draw.targets.depth = bed.makeSurface(Format::X32_Float);
    for (uint32_t y = 0; y < 2; ++y)
      for (uint32_t x = 0; x < 4; ++x)
        bed.write(bed.draw.targets.depth, float(0.25 + (x == 2) * 0.5), {x, y, 0});
    bed.draw.depthStencil.depthTest = bed.draw.depthStencil.depthWrite = true;
    bed.draw.depthStencil.depthCompare = CompareOp::Less;
    // 1/8 at pixel 0, 1/8 more with each: at the sample, not in the middle of the fragment.
    bed.primitive.depth = {.c = 0.0625, .dx = 0.125};
    bed.addFull(0, 0);
    bed.addFull(2, 0);
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.counts.samplesPassed, 4u); // columns 0 and 2
    for (uint32_t x = 0; x < 4; ++x) {
      const bool passes = x == 0 || x == 2;
      EXPECT_EQ(bed.sizeAt(x, 1), passes ? size2x2 : size1x1) << x;
    }
    EXPECT_EQ(bed.read<float>(bed.draw.targets.depth, {2, 1, 0}), 0.375f);
    // The fragment of columns 0 and 1 lives, and so does that of columns 2 and 3.
    EXPECT_EQ(bed.counts.fragmentInvocations, 2u);
  }
}

TEST(ShadingRates, DerivativesReachOverFragments) {
  FragmentTestbed bed("gfx1100",
                      "s_mov_b64 s[2:3], exec\ns_mov_b64 exec, -1\n"
                      "v_mov_b32_dpp v2, v0 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf\n"
                      "v_mov_b32_dpp v3, v0 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf\n"
                      "v_sub_f32 v2, v3, v2\ns_mov_b64 exec, s[2:3]\n"
                      "exp mrt0 v2, v2, v2, v2 done\n");
  bed.draw.raster.shadingRate.pipeline = size2x1;
  bed.add({.coverage = {0, 0, 0, 1}}); // lane 2; lanes 0, 1, 3 are helpers
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.colorFloat(1, 1), 0.25f);
}

TEST(ShadingRates, CentroidOfPartlyCoveredFragments) {
  FragmentTestbed bed("gfx1100", "exp mrt0 v0, v1, v0, v1 done\n");
  bed.registers().inputEna = bed.registers().inputAddr = 4; // PERSP_CENTROID
  bed.draw.raster.shadingRate.pipeline = size2x2;
  bed.add({.coverage = {1, 0, 0, 0}});
  ASSERT_EQ(bed.run(), "");
  // The one covered sample, at (0.5, 0.5).
  EXPECT_EQ(bed.colorFloat(0, 0, 0), 0.5f / 8);
  EXPECT_EQ(bed.colorFloat(0, 0, 1), 0.5f / 8);
}

TEST(ShadingRates, PrimitivesAndTilesTakePart) {
  struct Case {
    RateCombiner primitive, attachment;
    FragmentSize pipeline, vertex;
    uint8_t texel;
    FragmentSize expected;
  };
  using enum RateCombiner;
  constexpr uint8_t texel2x1 = 4, texel1x2 = 1, texel4x4 = 10;
  const Case cases[] = {
      {Keep, Keep, size2x1, size1x2, texel1x2, size2x1},
      {Replace, Keep, size2x1, size1x2, texel2x1, size1x2},
      {Replace, Replace, size2x2, size2x2, texel1x2, size1x2},
      {Keep, Replace, size1x1, size2x2, texel4x4, size2x2},
      {Max, Keep, size2x1, size1x2, 0, size2x2},
      {Min, Keep, size2x2, size1x2, texel4x4, size1x2},
      {Keep, Max, size1x2, size1x1, texel2x1, size2x2},
      {Multiply, Min, size2x1, size2x2, texel1x2, size1x2},
      {Multiply, Multiply, size1x1, size1x1, 0, size1x1},
      {Multiply, Multiply, size2x2, size2x2, texel4x4, size2x2},
      {Replace, Max, size1x2, size2x1, texel1x2, size2x2},
  };
  for (const char *target : {"gfx1030", "gfx1100", "gfx1201"})
    for (const Case &test : cases) {
      SCOPED_TRACE(testing::Message() << target << ", " << &test - cases);
      const bool is103 = llvm::StringRef(target) == "gfx1030";
      RateBed bed(target);
      bed.shade(test.pipeline);
      bed.draw.raster.shadingRate.primitive = test.primitive;
      bed.draw.raster.shadingRate.attachment = test.attachment;
      bed.program->graphics->vertex.bypassPrimitiveRate = true;
      bed.primitive.vertexRate = is103
                                     ? uint8_t(test.vertex.log2Width | test.vertex.log2Height << 2)
                                     : uint8_t(test.vertex.log2Height | test.vertex.log2Width << 2);
      bed.attach(test.texel);
      bed.addTiles();
      ASSERT_EQ(bed.run(), "");
      EXPECT_EQ(bed.sizeAt(5, 3), test.expected);
    }
}

TEST(ShadingRates, PrimitiveRatesOfMeshShaders) {
  RateBed bed("gfx1100");
  bed.shade(size2x1);
  bed.draw.raster.shadingRate.primitive = RateCombiner::Replace;
  bed.program->graphics->vertex.bypassVertexRate = true;
  bed.primitive.primitiveRate = 1;
  bed.addTiles();
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.sizeAt(0, 0), size1x2);
}

TEST(ShadingRates, LayersOfTiles) {
  // One slice is for all layers; of several, each layer has its own, and none beyond them.
  for (uint32_t slices : {1u, 2u})
    for (uint32_t layer : {0u, 1u, 2u}) {
      SCOPED_TRACE(testing::Message() << slices << ", " << layer);
      RateBed bed("gfx1100");
      bed.makeColor(Format::X32Y32Z32W32_Uint, {.slices = 3});
      bed.draw.raster.shadingRate.attachment = RateCombiner::Replace;
      bed.draw.targets.shadingRate = bed.makeSurface(Format::X8_Uint, {.slices = slices});
      bed.write(bed.draw.targets.shadingRate, uint8_t(5), {0, 0, 0});
      if (slices > 1)
        bed.write(bed.draw.targets.shadingRate, uint8_t(1), {0, 0, 1});
      bed.primitive.layer = layer;
      bed.addFull(0, 0);
      ASSERT_EQ(bed.run(), "");
      const FragmentSize expected = slices == 1 || layer == 0 ? size2x2
                                    : layer == 1              ? size1x2
                                                              : size1x1;
      const auto words =
          bed.read<std::array<uint32_t, 4>>(bed.draw.targets.colors[0], {0, 0, layer});
      EXPECT_EQ(words[3] >> 2 & 0xF, uint32_t(expected.log2Width | expected.log2Height << 2));
    }
}

TEST(ShadingRates, WhatMakesFragmentsPixels) {
  auto invocations = [](const char *target, auto change) {
    RateBed bed(target);
    bed.shade(size2x2);
    bed.addFull(0, 0);
    change(bed);
    EXPECT_EQ(bed.run(), "");
    return bed.counts.fragmentInvocations;
  };
  auto readCoverage = [](RateBed &bed) {
    bed.registers().inputEna |= 1u << 14;
    bed.registers().inputAddr |= 1u << 14;
  };
  auto apiSaysSo = [](RateBed &bed) { bed.draw.raster.shadingRate.onePixel = true; };
  auto perSample = [](RateBed &bed) { bed.registers().perSample = true; };
  EXPECT_EQ(invocations("gfx1100", readCoverage), 4u);
  EXPECT_EQ(invocations("gfx1100", apiSaysSo), 4u);
  EXPECT_EQ(invocations("gfx1100", perSample), 4u);
  EXPECT_EQ(invocations("gfx1100", [](RateBed &) {}), 1u);
  auto fullyCovered = [&](RateBed &bed) {
    readCoverage(bed);
    bed.registers().coverageInput = CoverageInput::InnerCovered;
  };
  EXPECT_EQ(invocations("gfx1100", fullyCovered), 1u);
  // gfx10.3 alone has trouble with the order of primitives, and with depth that shaders export.
  auto ordered = [](RateBed &bed) { bed.registers().primitiveOrdered = true; };
  EXPECT_EQ(invocations("gfx1030", ordered), 4u);
  EXPECT_EQ(invocations("gfx1201", ordered), 1u);
  auto depth = [](RateBed &bed) {
    bed.registers().zExport = true;
    bed.registers().depthFormat = ExportFormat::R32;
  };
  EXPECT_EQ(invocations("gfx1030", depth), 4u);
  EXPECT_EQ(invocations("gfx1100", depth), 1u);
}

TEST(ShadingRates, RefusesByName) {
  auto messageOf = [](const char *target, auto change) {
    RateBed bed(target);
    bed.shade(size2x2);
    bed.addFull(0, 0);
    change(bed);
    return bed.run();
  };
  EXPECT_EQ(messageOf("gfx1010", [](RateBed &) {}), "fragment shading rates on gfx1010");
  EXPECT_EQ(messageOf("gfx1010", [](RateBed &bed) { bed.shade(size1x1); }), "");
  EXPECT_EQ(messageOf("gfx1100", [](RateBed &bed) { bed.quads[0].first.vertexRate = 3; }),
            "shading rate 3 of a primitive, which has no meaning");
  EXPECT_EQ(messageOf("gfx1100",
                      [](RateBed &bed) {
                        bed.draw.targets.shadingRate = bed.makeSurface(Format::X8_Unorm);
                      }),
            "shading rate target: format X8_Unorm, 1 samples");
}

TEST(TileQuads, QuadsOfATile) {
  TileQuads tile;
  EXPECT_TRUE(tile.isEmpty());
  RasterPrimitive one, other;
  other.primitive = 1;
  tile.add(one, {.x = 10, .y = 4, .coverage = {1, 2, 3, 4}, .fullyCovered = 0b1011});
  EXPECT_TRUE(tile.takes(one, {.x = 14, .y = 6}));
  EXPECT_FALSE(tile.takes(other, {.x = 14, .y = 6}));
  EXPECT_FALSE(tile.takes(one, {.x = 16, .y = 6}));
  EXPECT_FALSE(tile.takes(one, {.x = 8, .y = 8}));
  EXPECT_EQ(tile.x(), 8);
  EXPECT_EQ(tile.y(), 0);
  std::vector<FragmentQuad> quads;
  tile.take(size1x2, [&](const RasterPrimitive &primitive, const FragmentQuad &quad) {
    EXPECT_EQ(primitive, one);
    quads.push_back(quad);
  });
  EXPECT_TRUE(tile.isEmpty());
  ASSERT_EQ(quads.size(), 1u);
  EXPECT_EQ(quads[0].x, 10);
  EXPECT_EQ(quads[0].y, 4);
  // Fragments of two pixels, one above the other.
  EXPECT_EQ(quads[0].covered, (std::array<SampleBits, 4>{1 | 3 << 16, 2 | 4 << 16, 0, 0}));
  EXPECT_EQ(quads[0].fullyCovered, 0b10);
}
