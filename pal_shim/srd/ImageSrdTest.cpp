// SPDX-License-Identifier: MIT
// T# and S# against descriptors that PAL's null device printed, and against the field positions of
// PAL's register headers.
#include "pal_shim/srd/Srd.h"
#include <gtest/gtest.h>

namespace pal {
namespace {

using formats::Format;
using Words = std::array<uint32_t, 8>;
using SamplerWords = std::array<uint32_t, 4>;

Words build(const char *target, const srd::ImageSrdInfo &info) {
  Words words = {};
  srd::buildImageSrd(*abi::findTarget(target), info, words.data());
  return words;
}
SamplerWords build(const char *target, const srd::SamplerSrdInfo &info) {
  SamplerWords words = {};
  srd::buildSamplerSrd(*abi::findTarget(target), info, words.data());
  return words;
}

uint32_t field(const Words &words, unsigned dword, unsigned high, unsigned low) {
  return words[dword] >> low & ((uint64_t(2) << (high - low)) - 1);
}

srd::ImageSrdInfo sample() {
  srd::ImageSrdInfo info;
  info.format = Format::X8Y8Z8W8_Unorm;
  info.width = 64;
  info.height = 32;
  return info;
}

TEST(ImageSrd, MatchesPal) {
  srd::ImageSrdInfo info = sample();
  info.address = uint64_t(256) * 0x02000000;
  EXPECT_EQ(build("gfx1030", info),
            (Words{0x02000000, 0xc3800000, 0x8007c00f, 0x90000fac, 0, 0x00400000, 0x00000400, 0}));
  info.address = uint64_t(256) * 0x01000000;
  EXPECT_EQ(build("gfx1100", info),
            (Words{0x01000000, 0xc2a00000, 0x0007c00f, 0x90000fac, 0, 0x00400000, 0x00000400, 0}));
  EXPECT_EQ(build("gfx1201", info),
            (Words{0x01000000, 0xc0540000, 0x0007c00f, 0x90000fac, 0, 0x00400000, 0x00048000, 0}));
  info.rowPitchTexels = 256;
  for (const char *target : {"gfx1030", "gfx1100", "gfx1201"})
    EXPECT_EQ(build(target, info)[4], 0xffu);
}

TEST(ImageSrd, LevelsAndLayers) {
  srd::ImageSrdInfo info = sample();
  info.type = srd::ImageType::Dim2DArray;
  info.imageLevels = 6;
  info.baseLevel = 2;
  info.levels = 3;
  info.baseLayer = 5;
  info.layers = 7;
  info.minLod = 1.5f;
  const Words old = build("gfx1010", info), now = build("gfx1100", info),
              last = build("gfx1200", info);
  EXPECT_EQ(field(old, 3, 15, 12), 2u);
  EXPECT_EQ(field(old, 3, 19, 16), 4u);
  EXPECT_EQ(field(old, 5, 7, 4), 5u);
  EXPECT_EQ(field(old, 4, 15, 0), 11u);
  EXPECT_EQ(field(old, 4, 31, 16), 5u);
  EXPECT_EQ(field(old, 1, 19, 8), 0x180u);
  EXPECT_EQ(field(now, 3, 15, 12), 2u);
  EXPECT_EQ(field(now, 3, 19, 16), 4u);
  EXPECT_EQ(field(now, 1, 19, 16), 5u);
  EXPECT_EQ(field(now, 4, 12, 0), 11u);
  EXPECT_EQ(field(now, 4, 28, 16), 5u);
  EXPECT_EQ(field(now, 5, 31, 27) | field(now, 6, 6, 0) << 5, 0x180u);
  EXPECT_EQ(field(last, 1, 29, 25), 2u);
  EXPECT_EQ(field(last, 3, 19, 15), 4u);
  EXPECT_EQ(field(last, 1, 16, 12), 5u);
  EXPECT_EQ(field(last, 4, 13, 0), 11u);
  EXPECT_EQ(field(last, 4, 29, 16), 5u);
  EXPECT_EQ(field(last, 5, 31, 26) | field(last, 6, 6, 0) << 6, 0x180u);
  for (const Words &words : {old, now, last})
    EXPECT_EQ(field(words, 3, 31, 28), 13u);
}

TEST(ImageSrd, LargestSizes) {
  srd::ImageSrdInfo info = sample();
  info.width = info.height = 16384;
  const Words now = build("gfx1100", info);
  EXPECT_EQ(field(now, 1, 31, 30) | field(now, 2, 11, 0) << 2, 16383u);
  EXPECT_EQ(field(now, 2, 27, 14), 16383u);
  info.width = info.height = 65536;
  for (const char *target : {"gfx1010", "gfx1200"}) {
    const Words words = build(target, info);
    EXPECT_EQ(field(words, 1, 31, 30) | field(words, 2, 13, 0) << 2, 65535u);
    EXPECT_EQ(field(words, 2, 29, 14), 65535u);
  }
}

TEST(ImageSrd, DepthAndSlices) {
  srd::ImageSrdInfo info = sample();
  info.type = srd::ImageType::Dim3D;
  info.depth = 9;
  EXPECT_EQ(build("gfx1100", info)[4], 8u);
  info.slicedView3d = true;
  info.baseLayer = 2;
  info.layers = 3;
  EXPECT_EQ(build("gfx1100", info)[4], 0x00020004u);
  EXPECT_EQ(build("gfx1030", info)[5] & 0x11, 0x1u);
  EXPECT_EQ(build("gfx1100", info)[5] & 0x11, 0x1u);
  EXPECT_EQ(build("gfx1201", info)[5] & 0x11, 0x10u);
}

TEST(ImageSrd, SamplesAreALevel) {
  srd::ImageSrdInfo info = sample();
  info.type = srd::ImageType::Dim2DMs;
  info.samples = 8;
  EXPECT_EQ(field(build("gfx1030", info), 3, 19, 16), 3u);
  EXPECT_EQ(field(build("gfx1030", info), 5, 7, 4), 3u);
  EXPECT_EQ(field(build("gfx1100", info), 1, 19, 16), 3u);
  EXPECT_EQ(field(build("gfx1201", info), 3, 19, 15), 3u);
  EXPECT_EQ(field(build("gfx1201", info), 1, 16, 12), 3u);
}

TEST(ImageSrd, BorderColorFollowsTheSwizzle) {
  using enum srd::Select;
  srd::ImageSrdInfo info = sample();
  const std::pair<srd::Swizzle, uint32_t> cases[] = {{{X, Y, Z, W}, 0},
                                                     {{X, Z, W, Y}, 1},
                                                     {{W, Z, Y, X}, 2},
                                                     {{Y, Z, W, X}, 3},
                                                     {{Z, Y, X, W}, 4},
                                                     {{Y, X, W, Z}, 5},
                                                     {{Zero, Zero, Zero, Zero}, 0}};
  for (const auto &[swizzle, expected] : cases) {
    info.swizzle = info.formatSwizzle = swizzle;
    EXPECT_EQ(field(build("gfx1100", info), 3, 27, 25), expected);
  }
}

TEST(SamplerSrd, MatchesPal) {
  srd::SamplerSrdInfo info;
  info.seamlessCube = false;
  EXPECT_EQ(build("gfx1030", info), (SamplerWords{0x10000092, 0x06f00000, 0x20000000, 0}));
  EXPECT_EQ(build("gfx1100", info), (SamplerWords{0x10000092, 0x06f00000, 0x20000000, 0}));
  EXPECT_EQ(build("gfx1201", info), (SamplerWords{0x10000092, 0x01e00000, 0xa0000000, 1}));
}

TEST(SamplerSrd, Fields) {
  srd::SamplerSrdInfo info;
  info.magFilter = srd::Filter::Linear;
  info.mipFilter = srd::MipFilter::Linear;
  info.address = {srd::Address::Wrap, srd::Address::Mirror, srd::Address::ClampToBorder};
  info.compare = srd::Compare::GreaterEqual;
  info.minLod = 1.25f;
  info.maxLod = 1000;
  info.lodBias = -1.5f;
  info.maxAniso = 8;
  info.borderColor = srd::BorderColor::Table;
  info.borderColorIndex = 0xabc;
  info.reduction = srd::Reduction::Max;
  info.unnormalized = true;
  info.truncateCoords = true;
  const SamplerWords old = build("gfx1030", info), now = build("gfx1100", info),
                     last = build("gfx1201", info);
  const uint32_t word0 =
      0u | 1u << 3 | 6u << 6 | 3u << 9 | 6u << 12 | 1u << 15 | 1u << 27 | 2u << 29;
  const uint32_t word2 = 0x3e80u | 3u << 20 | 2u << 22 | 2u << 26 | 1u << 29;
  EXPECT_EQ(old, (SamplerWords{word0, 0x140u | 0xfffu << 12 | 9u << 24, word2, 0xabcu | 3u << 30}));
  EXPECT_EQ(
      now, (SamplerWords{word0, 0x140u | 0xfffu << 12 | 9u << 24, word2, 0xabcu << 18 | 3u << 30}));
  EXPECT_EQ(last, (SamplerWords{word0, 0x140u | 0x1fffu << 13, word2 | 1u << 30,
                                2u | 0xabcu << 18 | 3u << 30}));
}

} // namespace
} // namespace pal
