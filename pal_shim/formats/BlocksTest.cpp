// SPDX-License-Identifier: MIT
// Block-compressed formats. BC6H and BC7 are defined bit by bit: blocks of random bits, one for
// each mode, with a hash of what lavapipe (Mesa 25.0.7) decodes them to. BC1 to BC5: worked out by
// hand from the Khronos Data Format Specification.
#include "pal_shim/formats/Formats.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

namespace pal::formats {
namespace {

float floatOf(uint32_t bits) { return llvm::bit_cast<float>(bits); }

struct Hash {
  uint64_t value = 0xcbf29ce484222325; // FNV-1a
  void add(uint8_t byte) { value = (value ^ byte) * 0x100000001b3; }
};

struct Golden {
  uint64_t low, high, hash;
};
// clang-format off
constexpr Golden bc6Unsigned[] = {
    {0x6797d343f619c4ac, 0x2a6e5948178eb95c, 0xd796295ef56f6be6},
    {0x877fb044e6a788d9, 0xbc1306fa374b00ac, 0x4499f54c723f2d0c},
    {0x70b5b7983845bf22, 0x26cec93822c0bdfb, 0x7c638bea1bab3951},
    {0x5348c3e35789ee06, 0xac5d9f7690c001b0, 0xf9a01928a5bbe168},
    {0xc023e90a1747fc4a, 0x6495e0f75c97873d, 0x30af34abdc6a60f1},
    {0x9b13e1db7b43e1ae, 0x49e5b91e7b211304, 0x869f4e893f99740f},
    {0x92b253829f7fd1d2, 0x0c102fbacb437715, 0xc9ffad6be09c79ea},
    {0x8e6e434c89e96b56, 0x30233b8ffc35147c, 0x93e6cd7d78a6fed7},
    {0xef2b36fadac82b1a, 0xcc8c9d8327b2cdd7, 0x6a30e044975fad3d},
    {0x95c675a636881d5e, 0x64c5efead187db2c, 0x53dc0a3af4fea390},
    {0xbefc401a1da9e9a3, 0x6abba2e8860ce2d6, 0x8034e792aeca5099},
    {0x0511eae65df17467, 0xb6dce8694cb6314f, 0xfe76e462b82d4abb},
    {0x4cdb049557c9a5ab, 0x9e55d5e178064be9, 0xf566b5e1a0cb8c36},
    {0x8c79b7f73338dc6f, 0xe629ba55c7a46d4c, 0xf7615116b9cd250d},
};
constexpr Golden bc6Signed[] = {
    {0x6797d343f619c4ac, 0x2a6e5948178eb95c, 0x7f067398ba65af0d},
    {0x877fb044e6a788d9, 0xbc1306fa374b00ac, 0xb696095d76984945},
    {0x70b5b7983845bf22, 0x26cec93822c0bdfb, 0x72d9d8759128aba4},
    {0x5348c3e35789ee06, 0xac5d9f7690c001b0, 0x778e8b7946b4d656},
    {0xc023e90a1747fc4a, 0x6495e0f75c97873d, 0xffc77a01af9642db},
    {0x9b13e1db7b43e1ae, 0x49e5b91e7b211304, 0xed9f4aec53a8404a},
    {0x92b253829f7fd1d2, 0x0c102fbacb437715, 0xf04d8d2cabc605ac},
    {0x8e6e434c89e96b56, 0x30233b8ffc35147c, 0x229ee3ac70024304},
    {0xef2b36fadac82b1a, 0xcc8c9d8327b2cdd7, 0xbc0ecc154bf611e1},
    {0x95c675a636881d5e, 0x64c5efead187db2c, 0xda1d66079189d3f4},
    {0xbefc401a1da9e9a3, 0x6abba2e8860ce2d6, 0x8bc0ff6cfaed3a26},
    {0x0511eae65df17467, 0xb6dce8694cb6314f, 0x80431e6ff8d73f0a},
    {0x4cdb049557c9a5ab, 0x9e55d5e178064be9, 0x415b67fa8b8ad6ff},
    {0x8c79b7f73338dc6f, 0xe629ba55c7a46d4c, 0xc70300bb6b8ca844},
};
constexpr Golden bc7[] = {
    {0x6797d343f619c4af, 0x2a6e5948178eb95c, 0xb05367aefb9445bd},
    {0x877fb044e6a788da, 0xbc1306fa374b00ac, 0x9f46983af46fbd37},
    {0x70b5b7983845bf2c, 0x26cec93822c0bdfb, 0x148a5e31f5bb4135},
    {0x5348c3e35789ee08, 0xac5d9f7690c001b0, 0xf987b6719732db00},
    {0xc023e90a1747fc50, 0x6495e0f75c97873d, 0x4a208429f9e1d6ce},
    {0x9b13e1db7b43e1a0, 0x49e5b91e7b211304, 0x37370d9f1f49d5f7},
    {0x92b253829f7fd1c0, 0x0c102fbacb437715, 0xed3511abdb54dbfe},
    {0x8e6e434c89e96b80, 0x30233b8ffc35147c, 0xafc3ea206c6c371b},
};
// clang-format on

std::array<Texel, 16> decode(Format format, uint64_t low, uint64_t high = 0) {
  const uint64_t words[2] = {low, high};
  std::array<Texel, 16> texels = {};
  EXPECT_TRUE(decodeBlock(format, reinterpret_cast<const uint8_t *>(words), texels.data()));
  return texels;
}

TEST(Blocks, Bc7EveryMode) {
  for (const Golden &golden : bc7) {
    Hash hash;
    for (const Texel &texel : decode(Format::Bc7_Unorm, golden.low, golden.high))
      for (uint32_t component : texel)
        hash.add(static_cast<uint8_t>(std::lround(floatOf(component) * 255)));
    EXPECT_EQ(hash.value, golden.hash) << std::hex << golden.low;
  }
}

void checkBc6(Format format, const Golden &golden) {
  Hash hash;
  for (const Texel &texel : decode(format, golden.low, golden.high)) {
    for (unsigned c = 0; c < 3; ++c) {
      const uint16_t half = floatToHalf(floatOf(texel[c]));
      hash.add(half & 255);
      hash.add(half >> 8);
    }
    EXPECT_EQ(texel[3], 0x3f800000u);
  }
  EXPECT_EQ(hash.value, golden.hash) << std::hex << golden.low;
}

TEST(Blocks, Bc6EveryMode) {
  for (const Golden &golden : bc6Unsigned)
    checkBc6(Format::Bc6U_Float, golden);
  for (const Golden &golden : bc6Signed)
    checkBc6(Format::Bc6S_Float, golden);
}

TEST(Blocks, ReservedModesAreZero) {
  EXPECT_EQ(decode(Format::Bc7_Unorm, 0xffffffffffffff00)[5], (Texel{0, 0, 0, 0}));
  EXPECT_EQ(decode(Format::Bc6U_Float, 0xfffffffffffffff3)[5], (Texel{0, 0, 0, 0x3f800000}));
}

void expectColor(const Texel &texel, float r, float g, float b, float a) {
  const float expected[4] = {r, g, b, a};
  for (unsigned c = 0; c < 4; ++c)
    EXPECT_NEAR(floatOf(texel[c]), expected[c], 1e-6) << c;
}

TEST(Blocks, Bc1) {
  // Red 0xf800 above blue 0x001f: four colours; indices 0 1 2 3 in the first row.
  auto texels = decode(Format::Bc1_Unorm, 0x000000e4001ff800);
  expectColor(texels[0], 1, 0, 0, 1);
  expectColor(texels[1], 0, 0, 1, 1);
  expectColor(texels[2], 2.0f / 3, 0, 1.0f / 3, 1);
  expectColor(texels[3], 1.0f / 3, 0, 2.0f / 3, 1);
  expectColor(texels[4], 1, 0, 0, 1);
  // The other order: three colours and transparent black.
  texels = decode(Format::Bc1_Unorm, 0xe4000000f800001f);
  expectColor(texels[12], 0, 0, 1, 1);
  expectColor(texels[13], 1, 0, 0, 1);
  expectColor(texels[14], 0.5f, 0, 0.5f, 1);
  expectColor(texels[15], 0, 0, 0, 0);
}

TEST(Blocks, Bc2AndBc3) {
  // Colours of equal order still make four; alpha comes first.
  auto texels = decode(Format::Bc2_Unorm, 0x00000000000000f8, 0x000000e4f800001f);
  expectColor(texels[0], 0, 0, 1, 8.0f / 15);
  expectColor(texels[1], 1, 0, 0, 1);
  expectColor(texels[2], 1.0f / 3, 0, 2.0f / 3, 0);
  // Alpha 255 and 0, indices 0 1 2 7.
  texels = decode(Format::Bc3_Unorm, uint64_t(0 | 1 << 3 | 2 << 6 | 7 << 9) << 16 | 0x00ff,
                  0x000000e4f800001f);
  expectColor(texels[0], 0, 0, 1, 1);
  expectColor(texels[1], 1, 0, 0, 0);
  expectColor(texels[2], 1.0f / 3, 0, 2.0f / 3, 6.0f / 7);
  expectColor(texels[3], 2.0f / 3, 0, 1.0f / 3, 1.0f / 7);
}

TEST(Blocks, Bc4AndBc5) {
  // First not above second: four interpolated values, then the ends of the range.
  const uint64_t indices = uint64_t(2 | 5 << 3 | 6 << 6 | 7 << 9) << 16;
  auto texels = decode(Format::Bc4_Unorm, indices | 0xff00);
  expectColor(texels[0], 1.0f / 5, 0, 0, 1);
  expectColor(texels[1], 4.0f / 5, 0, 0, 1);
  expectColor(texels[2], 0, 0, 0, 1);
  expectColor(texels[3], 1, 0, 0, 1);
  texels = decode(Format::Bc4_Snorm, indices | 0x7f80);
  expectColor(texels[0], -3.0f / 5, 0, 0, 1); // -128 counts as -1
  expectColor(texels[2], -1, 0, 0, 1);
  expectColor(texels[3], 1, 0, 0, 1);
  texels = decode(Format::Bc5_Unorm, 0x00ff, indices | 0xff00);
  expectColor(texels[0], 1, 1.0f / 5, 0, 1);
}

TEST(Blocks, SrgbAppliesToColorOnly) {
  const auto texels = decode(Format::Bc2_Srgb, 0x8, 0x00000000000f8410); // 16/31, 32/63, 16/31
  const double linear = std::pow((16 / 31.0 + 0.055) / 1.055, 2.4);
  EXPECT_NEAR(floatOf(texels[0][0]), linear, 1e-6);
  EXPECT_NEAR(floatOf(texels[0][3]), 8.0 / 15, 1e-6);
}

TEST(Blocks, OtherFormatsAreRefused) {
  const uint64_t element = 0;
  Texel texel;
  EXPECT_FALSE(decodeBlock(Format::X8_Unorm, reinterpret_cast<const uint8_t *>(&element), &texel));
}

} // namespace
} // namespace pal::formats
