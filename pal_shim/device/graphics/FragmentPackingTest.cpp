//===- FragmentPackingTest.cpp - which quads share a wave ------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/FragmentPacking.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <random>

using namespace pal::device;

namespace {

/// All four fragments live; the number of the quad is in its primitive.
FragmentQuad quadAt(uint32_t number, int32_t x, int32_t y) {
  FragmentQuad quad;
  quad.primitive = number;
  quad.x = x, quad.y = y;
  quad.samples.fill(1);
  return quad;
}

struct Packed {
  Packed(std::vector<FragmentQuad> given, size_t perWave, bool isOrdered,
         std::vector<RasterPrimitive> primitives = {})
      : quads(std::move(given)) {
    primitives.resize(quads.size());
    packing.pack(quads, primitives, perWave, isOrdered);
  }
  std::vector<uint32_t> numbers(size_t wave) const {
    std::vector<uint32_t> result;
    for (const FragmentQuad &quad : packing.quadsOf(quads, wave))
      result.push_back(quad.primitive);
    return result;
  }

  std::vector<FragmentQuad> quads;
  FragmentPacking packing;
};

using Numbers = std::vector<uint32_t>;

} // namespace

TEST(FragmentPacking, WithoutOrderQuadsFollowEachOther) {
  Packed packed({quadAt(0, 0, 0), quadAt(1, 0, 0), quadAt(2, 64, 0)}, 2, false);
  ASSERT_EQ(packed.packing.waves(), 2u);
  EXPECT_EQ(packed.numbers(0), (Numbers{0, 1}));
  EXPECT_EQ(packed.numbers(1), (Numbers{2}));
  EXPECT_EQ(packed.packing.runs().size(), 1u);
}

// Invocations for samples of one pixel follow each other, but are in waves behind each other.
TEST(FragmentPacking, SamplesFillWaves) {
  std::vector<FragmentQuad> quads;
  for (uint32_t pixel = 0; pixel < 4; ++pixel)
    for (uint32_t sample = 0; sample < 4; ++sample)
      quads.push_back(quadAt(4 * pixel + sample, int32_t(pixel) * 2, 6));
  Packed packed(quads, 4, true);
  ASSERT_EQ(packed.packing.waves(), 4u);
  for (uint32_t wave = 0; wave < 4; ++wave)
    EXPECT_EQ(packed.numbers(wave), (Numbers{wave, 4 + wave, 8 + wave, 12 + wave}));
}

TEST(FragmentPacking, HelpersAreNotInTheWay) {
  FragmentQuad left = quadAt(0, 0, 0), right = quadAt(1, 0, 0);
  left.samples = {1, 0, 1, 0};
  right.samples = {0, 1, 0, 1};
  EXPECT_EQ(Packed({left, right}, 4, true).packing.waves(), 1u);
  right.samples = {0, 1, 1, 0};
  EXPECT_EQ(Packed({left, right}, 4, true).packing.waves(), 2u);
}

TEST(FragmentPacking, AreasAndLayersRunOnTheirOwn) {
  std::vector<RasterPrimitive> primitives(4);
  primitives[3].layer = 1;
  Packed packed({quadAt(0, 30, 0), quadAt(1, 32, 0), quadAt(2, 30, 0), quadAt(3, 30, 0)}, 4, true,
                primitives);
  const auto runs = packed.packing.runs();
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(packed.numbers(runs[0].first), (Numbers{0}));
  EXPECT_EQ(packed.numbers(runs[0].first + 1), (Numbers{2}));
  EXPECT_EQ(runs[0].count, 2u);
  EXPECT_EQ(packed.numbers(runs[1].first), (Numbers{1}));
  EXPECT_EQ(packed.numbers(runs[2].first), (Numbers{3}));
}

// Quads of several sizes at random places: overlapping ones keep their order, in different waves.
TEST(FragmentPacking, OverlappingQuadsKeepTheirOrder) {
  std::mt19937 random(7);
  std::vector<FragmentQuad> quads;
  for (uint32_t i = 0; i < 400; ++i) {
    FragmentQuad quad = quadAt(i, 0, 0);
    quad.size = {uint8_t(random() % 2), uint8_t(random() % 2)};
    quad.x = int32_t(random() % 16) * 4;
    quad.y = int32_t(random() % 4) * 4;
    for (SampleBits &samples : quad.samples)
      samples = random() % 2;
    quads.push_back(quad);
  }
  const std::vector<FragmentQuad> arrived = quads;
  Packed packed(quads, 8, true);
  std::vector<size_t> waveOf(quads.size(), ~size_t(0));
  for (size_t wave = 0; wave < packed.packing.waves(); ++wave) {
    EXPECT_LE(packed.numbers(wave).size(), 8u);
    for (uint32_t number : packed.numbers(wave))
      waveOf[number] = wave;
  }
  auto pixelsOf = [](const FragmentQuad &quad) {
    std::vector<std::pair<int32_t, int32_t>> result;
    for (unsigned lane = 0; lane < 4; ++lane)
      for (unsigned pixel = 0; quad.samples[lane] && pixel < quad.pixels(); ++pixel)
        result.push_back({quad.pixelX(lane, pixel), quad.pixelY(lane, pixel)});
    return result;
  };
  size_t overlaps = 0;
  for (size_t i = 0; i < arrived.size(); ++i)
    for (size_t k = i + 1; k < arrived.size(); ++k) {
      const auto first = pixelsOf(arrived[i]);
      if (!llvm::any_of(pixelsOf(arrived[k]),
                        [&](const auto &pixel) { return llvm::is_contained(first, pixel); }))
        continue;
      ++overlaps;
      EXPECT_LT(waveOf[i], waveOf[k]) << i << " " << k;
    }
  EXPECT_GT(overlaps, 400u);
}

TEST(FragmentPacking, OverlapsNameOlderWaves) {
  const std::vector<FragmentQuad> a = {quadAt(0, 0, 0)}, b = {quadAt(1, 4, 0)};
  FragmentQuad large = quadAt(2, 0, 0);
  large.size = {1, 0};
  const std::vector<FragmentQuad> c = {large}, d = {quadAt(3, 2, 2)};
  EXPECT_EQ(overlapsOf({a, b, c, a, d}), (Numbers{0, 0, 1, 1 | 4, 0}));
}
