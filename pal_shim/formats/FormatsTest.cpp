// SPDX-License-Identifier: MIT
// Expected values: formulas of the Vulkan specification in double, the CPU's own half conversion
// (F16C), and hand-assembled texels.
#include "pal_shim/formats/Formats.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pal::formats {
namespace {

uint32_t bitsOf(float value) { return llvm::bit_cast<uint32_t>(value); }
float floatOf(uint32_t bits) { return llvm::bit_cast<float>(bits); }
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

Texel read(Format format, uint64_t low, uint64_t high = 0) {
  uint8_t bytes[16];
  std::memcpy(bytes, &low, 8);
  std::memcpy(bytes + 8, &high, 8);
  Texel texel;
  unpack(format, bytes, texel);
  return texel;
}

uint64_t write(Format format, float x, float y = 0, float z = 0, float w = 0) {
  uint64_t word = 0;
  uint8_t bytes[16] = {};
  pack(format, {bitsOf(x), bitsOf(y), bitsOf(z), bitsOf(w)}, bytes);
  std::memcpy(&word, bytes, 8);
  return word;
}

Texel floats(float x, float y, float z, float w) {
  return {bitsOf(x), bitsOf(y), bitsOf(z), bitsOf(w)};
}

/// All formats of one kind with their channel widths.
std::vector<Format> plainFormats(NumberKind kind) {
  std::vector<Format> formats;
  for (unsigned i = 1; i < formatCount; ++i) {
    const FormatInfo &info = formatInfo(static_cast<Format>(i));
    if (info.kind == kind && info.encoding == Encoding::Plain)
      formats.push_back(static_cast<Format>(i));
  }
  return formats;
}

TEST(Formats, SizesAgreeWithChannels) {
  for (unsigned i = 1; i < formatCount; ++i) {
    const FormatInfo &info = formatInfo(static_cast<Format>(i));
    if (info.encoding != Encoding::Plain)
      continue;
    EXPECT_EQ(info.bits[0] + info.bits[1] + info.bits[2] + info.bits[3], 8 * info.texelBytes)
        << info.name;
  }
}

TEST(Formats, NumbersAreUniqueAndReversible) {
  for (unsigned major : {10u, 11u, 12u}) {
    for (unsigned i = 1; i < formatCount; ++i) {
      const auto format = static_cast<Format>(i);
      if (unsigned number = imageFormatNumber(format, major)) {
        EXPECT_EQ(formatFromNumber(number, major), format) << formatInfo(format).name;
      }
    }
  }
  EXPECT_EQ(formatFromNumber(0, 11), Format::Undefined);
  EXPECT_EQ(formatFromNumber(255, 11), Format::Undefined);
  EXPECT_EQ(formatFromNumber(100000, 11), Format::Undefined);
}

// PAL's own numbers (descriptors that it printed).
TEST(Formats, NumbersOfPal) {
  struct Row {
    Format format;
    unsigned gfx10, gfx11;
  } rows[] = {{Format::X8_Unorm, 1, 1},
              {Format::X16_Float, 13, 13},
              {Format::X32_Float, 22, 22},
              {Format::X8Y8Z8W8_Unorm, 56, 42},
              {Format::X8Y8Z8W8_Uint, 60, 46},
              {Format::X10Y10Z10W2_Unorm, 50, 36},
              {Format::X11Y11Z10_Float, 36, 30},
              {Format::X32Y32_Float, 64, 50},
              {Format::X16Y16Z16W16_Float, 71, 57},
              {Format::X32Y32Z32_Float, 74, 60},
              {Format::X32Y32Z32W32_Float, 77, 63},
              {Format::X8Y8Z8W8_Srgb, 130, 66}};
  for (const Row &row : rows) {
    EXPECT_EQ(imageFormatNumber(row.format, 10), row.gfx10);
    EXPECT_EQ(imageFormatNumber(row.format, 11), row.gfx11);
    EXPECT_EQ(imageFormatNumber(row.format, 12), row.gfx11);
  }
  EXPECT_EQ(bufferFormatNumber(Format::X8Y8Z8W8_Srgb, 10), 0u);
  EXPECT_EQ(bufferFormatNumber(Format::X8Y8Z8W8_Srgb, 11), 0u);
  EXPECT_EQ(bufferFormatNumber(Format::X32Y32Z32W32_Float, 10), 77u);
  EXPECT_EQ(bufferFormatNumber(Format::X10Y10Z10W2_Uscaled, 11), 38u);
}

TEST(Formats, UnormEveryValueOfNarrowChannels) {
  for (Format format : plainFormats(NumberKind::Unorm)) {
    const FormatInfo &info = formatInfo(format);
    unsigned offset = 0;
    for (unsigned channel = 0; channel < 4 && info.bits[channel]; ++channel) {
      const uint64_t top = (uint64_t(1) << info.bits[channel]) - 1;
      const uint64_t step = top > 65535 ? 4099 : top > 1023 ? 7 : 1;
      for (uint64_t value = 0; value <= top; value += step) {
        const Texel texel = read(format, value << offset);
        ASSERT_EQ(texel[channel],
                  bitsOf(static_cast<float>(static_cast<double>(value) / static_cast<double>(top))))
            << info.name << " " << value;
        uint64_t back = 0;
        pack(format, texel, reinterpret_cast<uint8_t *>(&back));
        const uint64_t expected = value << offset;
        ASSERT_EQ(back & (top << offset), expected) << info.name << " " << value;
      }
      offset += info.bits[channel];
    }
  }
}

TEST(Formats, SnormSmallestIsMinusOneTwice) {
  EXPECT_EQ(read(Format::X8Y8Z8W8_Snorm, 0x7f018180), floats(-1, -1, 1.0f / 127, 1));
  EXPECT_EQ(read(Format::X16Y16_Snorm, 0x80007fff), floats(1, -1, 0, 1));
  EXPECT_EQ(write(Format::X8Y8Z8W8_Snorm, -1, 1, -2, nan), 0x00817f81u);
  EXPECT_EQ(write(Format::X8Y8Z8W8_Snorm, -0.5f, 0.5f, -infinity, infinity), 0x7f8140c0u);
  EXPECT_EQ(write(Format::X16Y16_Snorm, -1, 0.25f) & 0xffffffff, 0x20008001u);
}

TEST(Formats, UnormRoundsToNearestEven) {
  EXPECT_EQ(write(Format::X8_Unorm, 0.5f), 128u); // 127.5
  EXPECT_EQ(write(Format::X8Y8Z8W8_Unorm, nan, -1, 2, infinity), 0xffff0000u);
  EXPECT_EQ(write(Format::X8_Unorm, 0.49f / 255), 0u);
  EXPECT_EQ(write(Format::X8_Unorm, 0.51f / 255), 1u);
  EXPECT_EQ(write(Format::X16_Unorm, 0.5f), 32768u);                                  // 32767.5
  EXPECT_EQ(write(Format::X4Y4Z4W4_Unorm, 0.5f, 0, 0, 0), 8u);                        // 7.5
  EXPECT_EQ(write(Format::X10Y10Z10W2_Unorm, 1, 0, 1, 0.5f), 0x3ff003ffu | 2u << 30); // 1.5 -> 2
}

TEST(Formats, ChannelOrder) {
  EXPECT_EQ(read(Format::X5Y6Z5_Unorm, 0xf800), floats(0, 0, 1, 1));
  EXPECT_EQ(read(Format::X5Y5Z5W1_Unorm, 0x801f), floats(1, 0, 0, 1));
  EXPECT_EQ(read(Format::X1Y5Z5W5_Unorm, 0x0001), floats(1, 0, 0, 0));
  EXPECT_EQ(read(Format::X4Y4_Unorm, 0xf0), floats(0, 1, 0, 1));
  EXPECT_EQ(read(Format::X10Y10Z10W2_Uint, 0xc0000401), (Texel{1, 1, 0, 3}));
  EXPECT_EQ(read(Format::X2Y10Z10W10_Uint, 0x00400005), (Texel{1, 1, 0, 1}));
  EXPECT_EQ(read(Format::X11Y11Z10_Float, 0x3c0u | 0u << 11 | 0x1e0u << 22), floats(1, 0, 1, 1));
  EXPECT_EQ(read(Format::X24Y8_Unorm, 0xff000000), floats(0, 1, 0, 1));
}

TEST(Formats, PaddedChannels) {
  EXPECT_EQ(read(Format::X10In16Y10In16_Unorm, 0x003fffc0), floats(1, 0, 0, 1));
  EXPECT_EQ(read(Format::X12In16_Unorm, 0x800f), floats(2048.0f / 4095, 0, 0, 1));
  EXPECT_EQ(write(Format::X10In16Y10In16_Unorm, 0, 1), 0xffc00000u);
  EXPECT_EQ(write(Format::X12In16_Unorm, 1), 0xfff0u);
}

TEST(Formats, IntegersExtendAndClamp) {
  EXPECT_EQ(read(Format::X8Y8_Sint, 0x7f80), (Texel{uint32_t(-128), 127, 0, 1}));
  EXPECT_EQ(read(Format::X8Y8_Uint, 0x7f80), (Texel{128, 127, 0, 1}));
  EXPECT_EQ(read(Format::X32Y32Z32W32_Uint, 0x0000000200000001, 0x0000000400000003),
            (Texel{1, 2, 3, 4}));
  uint32_t word = 0;
  pack(Format::X8Y8Z8W8_Sint, {uint32_t(-129), 128, uint32_t(-1), 0x80000000},
       reinterpret_cast<uint8_t *>(&word));
  EXPECT_EQ(word, 0x80ff7f80u);
  pack(Format::X8Y8Z8W8_Uint, {256, 255, 0xffffffff, 0}, reinterpret_cast<uint8_t *>(&word));
  EXPECT_EQ(word, 0x00ffffffu);
  pack(Format::X32_Sint, {0x80000000}, reinterpret_cast<uint8_t *>(&word));
  EXPECT_EQ(word, 0x80000000u);
}

TEST(Formats, ScaledAreFloatsOfIntegers) {
  EXPECT_EQ(read(Format::X8Y8Z8W8_Uscaled, 0xff000180), floats(128, 1, 0, 255));
  EXPECT_EQ(read(Format::X16Y16_Sscaled, 0x8000ffff), floats(-1, -32768, 0, 1));
  EXPECT_EQ(write(Format::X8Y8Z8W8_Uscaled, 1.5f, 2.5f, 300, -1), 0x00ff0202u);
  EXPECT_EQ(write(Format::X8Y8Z8W8_Sscaled, -1.5f, -128.4f, 300, nan), 0x007f80feu);
}

#if defined(__x86_64__)
__attribute__((target("f16c"))) float cpuHalfToFloat(uint16_t bits) { return _cvtsh_ss(bits); }
__attribute__((target("f16c"))) uint16_t cpuFloatToHalf(float value) {
  return _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

TEST(Formats, HalfAgreesWithTheCpu) {
  if (!__builtin_cpu_supports("f16c"))
    GTEST_SKIP() << "no F16C";
  for (uint32_t i = 0; i < 65536; ++i) {
    const auto half = static_cast<uint16_t>(i);
    const float expected = cpuHalfToFloat(half);
    if (expected != expected) { // the CPU quiets what the texture unit keeps
      ASSERT_TRUE(std::isnan(halfToFloat(half)));
      continue;
    }
    ASSERT_EQ(bitsOf(halfToFloat(half)), bitsOf(expected)) << i;
    ASSERT_EQ(floatToHalf(expected), half);
  }
  // Every exponent, with mantissas around the rounding points.
  for (uint32_t exponent = 0; exponent < 512; ++exponent) {
    for (uint32_t mantissa = 0; mantissa < 0x800000; mantissa += 0x7ff) {
      const float value = floatOf(exponent << 23 | mantissa);
      ASSERT_EQ(floatToHalf(value), cpuFloatToHalf(value)) << exponent << " " << mantissa;
    }
  }
}
#endif

/// Value of an unsigned small float by its definition.
double smallValue(uint32_t bits, unsigned mantissaBits) {
  const auto exponent = static_cast<int>(bits >> mantissaBits);
  const double fraction = std::ldexp(bits & ((1u << mantissaBits) - 1), -int(mantissaBits));
  return exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
}

TEST(Formats, SmallFloats) {
  for (unsigned mantissaBits : {5u, 6u}) {
    const uint32_t largest = (31u << mantissaBits) - 1;
    for (uint32_t bits = 0; bits <= largest; ++bits) {
      const double value = smallValue(bits, mantissaBits);
      ASSERT_EQ(smallToFloat(bits, mantissaBits), static_cast<float>(value));
      ASSERT_EQ(floatToSmall(static_cast<float>(value), mantissaBits), bits);
      if (bits == largest)
        break;
      const double next = smallValue(bits + 1, mantissaBits), middle = (value + next) / 2;
      const uint32_t even = bits & 1 ? bits + 1 : bits;
      ASSERT_EQ(floatToSmall(static_cast<float>(middle), mantissaBits), even);
      ASSERT_EQ(floatToSmall(std::nextafter(static_cast<float>(middle), 0.0f), mantissaBits), bits);
      ASSERT_EQ(floatToSmall(std::nextafter(static_cast<float>(middle), infinity), mantissaBits),
                bits + 1);
    }
    EXPECT_EQ(floatToSmall(infinity, mantissaBits), 31u << mantissaBits);
    EXPECT_EQ(floatToSmall(1e10f, mantissaBits), 31u << mantissaBits);
    EXPECT_EQ(floatToSmall(-1.0f, mantissaBits), 0u);
    EXPECT_EQ(floatToSmall(-infinity, mantissaBits), 0u);
    EXPECT_GT(floatToSmall(nan, mantissaBits), 31u << mantissaBits);
    EXPECT_TRUE(std::isnan(smallToFloat(floatToSmall(nan, mantissaBits), mantissaBits)));
  }
}

TEST(Formats, SharedExponentByTheSpecification) {
  // Vulkan "RGB to Shared Exponent Conversion", N = 9, B = 15, Emax = 31, checked component-wise.
  const float values[] = {0,     1,      0.5f, 0.1f, 3.14159f, 65408,    65409,      1e9f,
                          1e-9f, 511.9f, -4,   nan,  infinity, 0.99999f, 1.0f / 512, 6.1e-5f};
  for (float r : values) {
    for (float g : values) {
      for (float b : values) {
        const double top = 511.0 / 512 * std::pow(2.0, 31 - 15);
        auto limit = [&](double v) { return v > 0 ? std::min(v, top) : 0.0; };
        const double c[3] = {limit(r), limit(g), limit(b)};
        const double largest = std::max({c[0], c[1], c[2]});
        const double preliminary =
            std::max(-15.0 - 1, largest > 0 ? std::floor(std::log2(largest)) : -16.0) + 1 + 15;
        double exponent = preliminary;
        if (std::floor(largest / std::pow(2.0, preliminary - 15 - 9) + 0.5) == 512)
          exponent = preliminary + 1;
        uint32_t expected = static_cast<uint32_t>(exponent) << 27;
        for (unsigned i = 0; i < 3; ++i)
          expected |=
              static_cast<uint32_t>(std::floor(c[i] / std::pow(2.0, exponent - 15 - 9) + 0.5))
              << (9 * i);
        ASSERT_EQ(write(Format::X9Y9Z9E5_Float, r, g, b, 7), expected) << r << " " << g << " " << b;
      }
    }
  }
  EXPECT_EQ(read(Format::X9Y9Z9E5_Float, 16u << 27 | 256 | 128u << 9 | 511u << 18),
            floats(1, 0.5f, 511.0f / 256, 1));
}

TEST(Formats, SrgbByTheSpecification) {
  for (unsigned i = 0; i < 256; ++i) {
    const double encoded = i / 255.0;
    const double linear =
        encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
    const Texel texel = read(Format::X8Y8Z8W8_Srgb, uint64_t(i) * 0x01010101);
    for (unsigned c = 0; c < 3; ++c)
      ASSERT_FLOAT_EQ(floatOf(texel[c]), static_cast<float>(linear));
    ASSERT_EQ(texel[3], bitsOf(static_cast<float>(encoded))); // alpha is linear
    uint32_t back;
    pack(Format::X8Y8Z8W8_Srgb, texel, reinterpret_cast<uint8_t *>(&back));
    ASSERT_EQ(back, i * 0x01010101u);
  }
  EXPECT_EQ(write(Format::X8Y8Z8W8_Srgb, nan, infinity, -1, 0.5f), 0x8000ff00u);
}

TEST(Formats, RunsAreStrided) {
  const uint16_t source[] = {0xf800, 0, 0x07e0, 0};
  Texel texels[2];
  unpackRun(Format::X5Y6Z5_Unorm)(reinterpret_cast<const uint8_t *>(source), 4, 2, texels);
  EXPECT_EQ(texels[0], floats(0, 0, 1, 1));
  EXPECT_EQ(texels[1], floats(0, 1, 0, 1));
  uint16_t back[] = {1, 1, 1, 1};
  packRun(Format::X5Y6Z5_Unorm)(texels, 2, reinterpret_cast<uint8_t *>(back), 4);
  EXPECT_EQ(back[0], 0xf800);
  EXPECT_EQ(back[1], 1);
  EXPECT_EQ(back[2], 0x07e0);
  EXPECT_EQ(unpackRun(Format::Undefined), nullptr);
  EXPECT_EQ(packRun(Format::Bc1_Unorm), nullptr);
}

} // namespace
} // namespace pal::formats
