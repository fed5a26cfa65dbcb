//===- OutputMergerTest.cpp - formats, masks, samples, surfaces ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Texels are given as bits, worked out by hand from the layouts of Formats.def and the conversion
/// rules of the Vulkan specification.
#include "pal_shim/device/graphics/OutputMergerTestbedForTest.h"

using namespace pal::device;
using namespace pal::device::test;
using pal::formats::Format;
using pal::srd::Select;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr pal::srd::Swizzle bgra = {Select::Z, Select::Y, Select::X, Select::W};

using Words = std::array<uint32_t, 4>;

/// A texel of up to 16 bytes.
Words texelOf(MergerTestbed &bed, PixelPlace place = {}) {
  Words words = {};
  const Surface &surface = bed.draw.targets.colors[0];
  std::memcpy(words.data(), bed.texel(surface, place),
              pal::formats::formatInfo(surface.format).texelBytes);
  return words;
}

void drawBits(MergerTestbed &bed, const Words &values, PixelPlace place = {}, uint32_t mask = 1) {
  PixelColors pixel;
  pixel.written = 1;
  pixel.values[0] = values;
  bed.merger().writeColors(place, mask, pixel);
}

TEST(OutputMerger, FloatExportsToEveryKindOfFormat) {
  struct Case {
    Format format;
    Rgba color;
    Words texel;
    pal::srd::Swizzle swizzle = pal::srd::identitySwizzle;
  };
  const Case cases[] = {
      {Format::X8Y8Z8W8_Unorm, {0, 0.2f, 1, 0.5f}, {0x80FF3300}},
      {Format::X8Y8Z8W8_Unorm, {-1, 2, nan, inf}, {0xFF00FF00}},
      {Format::X8Y8Z8W8_Unorm, {1, 0.2f, 0, 0.5f}, {0x80FF3300}, bgra},
      {Format::X8Y8Z8W8_Snorm, {0, -1, 1, -7}, {0x817F8100}},
      {Format::X8Y8Z8W8_Snorm, {nan, inf, -inf, 0.5f}, {0x40817F00}},
      {Format::X8Y8Z8W8_Srgb, {0, 1, 0.5f, 0.5f}, {0x80BCFF00}},
      {Format::X8Y8Z8W8_Srgb, {0.5f, 1, 0, 1}, {0xFFBCFF00}, bgra},
      {Format::X8_Unorm, {1, 0, 0, 0}, {0xFF}},
      {Format::X8Y8_Unorm, {0, 1, 0, 0}, {0xFF00}},
      // A8: alpha is the one channel.
      {Format::X8_Unorm,
       {0, 0, 0, 1},
       {0xFF},
       {Select::Zero, Select::Zero, Select::Zero, Select::X}},
      {Format::X16Y16_Unorm, {1, 0.5f, 0, 0}, {0x8000FFFF}},
      {Format::X16Y16_Snorm, {-1, 1, 0, 0}, {0x7FFF8001}},
      {Format::X16Y16Z16W16_Unorm, {0, 1, 0, 1}, {0xFFFF0000, 0xFFFF0000}},
      {Format::X10Y10Z10W2_Unorm, {1, 0, 1, 2 / 3.f}, {0xBFF003FF}},
      {Format::X10Y10Z10W2_Unorm, {1, 0, 0.5f, 1}, {0xFFF00200}, bgra},
      {Format::X5Y6Z5_Unorm,
       {1, 0, 0, 1},
       {0xF800},
       {Select::Z, Select::Y, Select::X, Select::One}},
      {Format::X5Y5Z5W1_Unorm, {1, 0, 0, 1}, {0xFC00}, bgra},
      {Format::X1Y5Z5W5_Unorm,
       {1, 0, 0, 1},
       {0xF801},
       {Select::W, Select::Z, Select::Y, Select::X}},
      {Format::X4Y4Z4W4_Unorm,
       {1, 0, 0, 1},
       {0xF00F},
       {Select::W, Select::Z, Select::Y, Select::X}},
      {Format::X16_Float, {1, 0, 0, 0}, {0x3C00}},
      {Format::X16Y16Z16W16_Float, {-2, 70000, nan, -inf}, {0x7C00C000, 0xFC007E00}},
      {Format::X11Y11Z10_Float, {1, -1, inf, 0}, {0x3C0u | 0x3E0u << 22}},
      {Format::X32_Float, {-3, 0, 0, 0}, {0xC0400000}},
      {Format::X32Y32_Float, {inf, -0.0f, 0, 0}, {0x7F800000, 0x80000000}},
      {Format::X32Y32Z32W32_Float, {1, 2, 4, 8}, {0x3F800000, 0x40000000, 0x40800000, 0x41000000}},
  };
  for (const Case &c : cases) {
    MergerTestbed bed;
    bed.makeColor(c.format);
    bed.draw.targets.colors[0].swizzle = c.swizzle;
    drawBits(bed, bitsOf(c.color), {2, 1, 0});
    EXPECT_EQ(texelOf(bed, {2, 1, 0}), c.texel) << pal::formats::formatInfo(c.format).name;
    for (PixelPlace neighbour : {PixelPlace{1, 1, 0}, {3, 1, 0}, {2, 0, 0}, {2, 2, 0}})
      EXPECT_EQ(texelOf(bed, neighbour), Words{});
  }
}

TEST(OutputMerger, IntegerExportsAreClampedAndNeverBlended) {
  struct Case {
    Format format;
    Words values, texel;
  };
  const uint32_t minus1 = ~0u;
  const Case cases[] = {
      {Format::X8Y8Z8W8_Uint, {1, 255, 256, minus1}, {0xFFFFFF01}},
      {Format::X8Y8Z8W8_Sint, {minus1, 127, 128, 0u - 500}, {0x807F7FFF}},
      {Format::X16Y16_Uint, {7, 70000, 0, 0}, {0xFFFF0007}},
      {Format::X16Y16_Sint, {minus1, 40000, 0, 0}, {0x7FFFFFFF}},
      {Format::X10Y10Z10W2_Uint, {1023, 5000, 1, 9}, {0xC01FFFFF}},
      {Format::X32_Uint, {minus1, 0, 0, 0}, {minus1}},
      {Format::X32Y32Z32W32_Sint, {minus1, 2, 3, 4}, {minus1, 2, 3, 4}},
  };
  for (const Case &c : cases) {
    MergerTestbed bed;
    bed.makeColor(c.format);
    ColorTargetState &state = bed.draw.blend.targets[0];
    state.blendEnable = true;
    state.srcColor = state.srcAlpha = BlendFactor::Zero;
    bed.draw.raster.alphaToOne = true; // not for integers
    drawBits(bed, c.values);
    EXPECT_EQ(texelOf(bed), c.texel) << pal::formats::formatInfo(c.format).name;
  }
}

TEST(OutputMerger, WriteMasks) {
  for (bool blends : {false, true})
    for (unsigned mask = 0; mask < 16; ++mask) {
      MergerTestbed bed;
      bed.makeColor(Format::X8Y8Z8W8_Unorm);
      Surface &surface = bed.draw.targets.colors[0];
      surface.swizzle = bgra;
      ColorTargetState &state = bed.draw.blend.targets[0];
      state.writeMask = uint8_t(mask);
      state.blendEnable = blends; // One, Zero: replaces
      bed.write<uint32_t>(surface, 0x11223344);
      drawBits(bed, bitsOf(Rgba{1, 1, 1, 1}));
      const uint32_t red = 0xFF0000, green = 0xFF00, blue = 0xFF, alpha = 0xFF000000;
      const uint32_t bits = (mask & 1 ? red : 0) | (mask & 2 ? green : 0) | (mask & 4 ? blue : 0) |
                            (mask & 8 ? alpha : 0);
      EXPECT_EQ(bed.read<uint32_t>(surface), (0x11223344 & ~bits) | bits) << mask;
    }
  // Of 16 bytes, and NaN that is not written stays bit for bit.
  MergerTestbed bed;
  bed.makeColor(Format::X32Y32Z32W32_Float);
  bed.draw.blend.targets[0].writeMask = 0b0110;
  bed.draw.blend.targets[0].blendEnable = true;
  bed.write(bed.draw.targets.colors[0], Words{0x7FA00001, 1, 2, 0xFFC12345});
  drawBits(bed, bitsOf(Rgba{1, 2, 4, 8}));
  EXPECT_EQ(texelOf(bed), (Words{0x7FA00001, 0x40000000, 0x40800000, 0xFFC12345}));
}

TEST(OutputMerger, ChannelsThatNobodyNamesAreKept) {
  MergerTestbed bed;
  bed.makeColor(Format::X8Y8Z8W8_Unorm);
  bed.draw.targets.colors[0].swizzle = {Select::X, Select::Y, Select::Zero, Select::One};
  bed.write<uint32_t>(bed.draw.targets.colors[0], 0x11223344);
  drawBits(bed, bitsOf(Rgba{1, 0, 1, 1}));
  EXPECT_EQ(bed.read<uint32_t>(bed.draw.targets.colors[0]), 0x112200FFu);
}

TEST(OutputMerger, TargetsThatWereWritten) {
  MergerTestbed bed;
  for (unsigned i : {0u, 3u, 7u})
    bed.draw.targets.colors[i] = bed.makeSurface(Format::X32_Uint);
  bed.draw.targets.colors[3].format = Format::X32_Sint;
  PixelColors pixel;
  pixel.written = 0b10000010; // target 1 has no surface
  for (unsigned i = 0; i < maxColorTargets; ++i)
    pixel.values[i] = {100 + i, 0, 0, 0};
  bed.merger().writeColors({}, 1, pixel);
  EXPECT_EQ(bed.read<uint32_t>(bed.draw.targets.colors[0]), 0u);
  EXPECT_EQ(bed.read<uint32_t>(bed.draw.targets.colors[3]), 0u);
  EXPECT_EQ(bed.read<uint32_t>(bed.draw.targets.colors[7]), 107u);
}

TEST(OutputMerger, SamplesLayersAndLevels) {
  MergerTestbed bed;
  bed.makeColor(Format::X32_Uint, {.slices = 3, .samples = 4});
  Surface &surface = bed.draw.targets.colors[0];
  surface.baseSlice = 1;
  surface.slices = 1;
  drawBits(bed, {42, 0, 0, 0}, {5, 3, 0}, 0xFFFFFFF5); // samples 0 and 2; 4 and more do not exist
  for (unsigned sample = 0; sample < 4; ++sample)
    EXPECT_EQ(bed.read<uint32_t>(surface, {5, 3, 0}, sample), sample % 2 ? 0 : 42) << sample;
  // Slice 1 * 4 + 2, rows of 256 bytes, 4 rows a slice.
  MemoryView memory(bed.space.snapshot());
  EXPECT_EQ(*memory.find(surface.address + (6 * 4 + 3) * 256 + 5 * 4, 1), 42);
  for (PixelPlace outside : {PixelPlace{8, 0, 0}, {0, 4, 0}, {0, 0, 1}, {~0u, ~0u, ~0u}})
    drawBits(bed, {42, 0, 0, 0}, outside, 0xF);
  unsigned written = 0;
  const uint8_t *bytes = memory.find(surface.address, surface.layout.totalBytes());
  for (uint64_t i = 0; i < surface.layout.totalBytes(); ++i)
    written += bytes[i] != 0;
  EXPECT_EQ(written, 2u);

  bed.makeColor(Format::X32_Uint, {.width = 16, .height = 8, .levels = 3});
  surface.level = 1;
  surface.width = 8, surface.height = 4;
  drawBits(bed, {43, 0, 0, 0}, {7, 3, 0});
  drawBits(bed, {44, 0, 0, 0}, {8, 3, 0}); // of level 0 only
  MemoryView now(bed.space.snapshot());
  // Level 2 has 2 rows, level 1 begins behind them.
  EXPECT_EQ(*now.find(surface.address + (2 + 3) * 256 + 7 * 4, 1), 43);
  EXPECT_EQ(*now.find(surface.address + (2 + 3) * 256 + 8 * 4, 1), 0);
}

TEST(OutputMerger, AlphaToOne) {
  MergerTestbed bed;
  bed.makeColor(Format::X8Y8Z8W8_Unorm);
  bed.draw.raster.alphaToOne = true;
  drawBits(bed, bitsOf(Rgba{0, 0, 0, 0.25f}));
  EXPECT_EQ(texelOf(bed)[0], 0xFF000000u);
  // Before blending, the second source too.
  ColorTargetState &state = bed.draw.blend.targets[0];
  state.blendEnable = true;
  state.srcColor = BlendFactor::SrcAlpha, state.dstColor = BlendFactor::OneMinusSrc1Alpha;
  bed.write<uint32_t>(bed.draw.targets.colors[0], 0xFF);
  bed.drawColor({0.2f, 0, 0, 0.25f}, {0, 0, 0, 0.5f});
  EXPECT_EQ(texelOf(bed)[0], 0xFF000033u);
}

TEST(OutputMerger, CoverageOfAlpha) {
  auto coverage = [](float alpha, uint32_t samples) {
    return OutputMerger::coverageOfAlpha(alpha, samples, {});
  };
  for (uint32_t samples : {1u, 2u, 4u, 8u, 16u}) {
    const uint32_t all = (1u << samples) - 1;
    for (float none : {0.0f, -1.0f, -inf, nan})
      EXPECT_EQ(coverage(none, samples), 0u) << samples;
    for (float full : {1.0f, 2.0f, inf})
      EXPECT_EQ(coverage(full, samples), all) << samples;
    uint32_t before = 0;
    for (unsigned i = 0; i <= 64; ++i) { // never loses samples as alpha grows
      const uint32_t now = coverage(float(i) / 64, samples);
      EXPECT_EQ(now & before, before);
      before = now;
    }
  }
  EXPECT_EQ(coverage(0.5f, 1), 0u);
  EXPECT_EQ(coverage(0.51f, 1), 1u);
  EXPECT_EQ(coverage(0.25f, 4), 0b0001u);
  EXPECT_EQ(coverage(0.26f, 4), 0b0011u);
  EXPECT_EQ(coverage(0.5f, 4), 0b0011u);
  EXPECT_EQ(coverage(0.75f, 8), 0b00111111u);
}

TEST(OutputMerger, StandardSamplePositions) {
  using Positions = std::vector<std::array<float, 2>>;
  const Positions tables[] = {
      {{0.5f, 0.5f}},
      {{0.75f, 0.75f}, {0.25f, 0.25f}},
      {{0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}},
      {{0.5625f, 0.3125f},
       {0.4375f, 0.6875f},
       {0.8125f, 0.5625f},
       {0.3125f, 0.1875f},
       {0.1875f, 0.8125f},
       {0.0625f, 0.4375f},
       {0.6875f, 0.9375f},
       {0.9375f, 0.0625f}},
      {{0.5625f, 0.5625f},
       {0.4375f, 0.3125f},
       {0.3125f, 0.625f},
       {0.75f, 0.4375f},
       {0.1875f, 0.375f},
       {0.625f, 0.8125f},
       {0.8125f, 0.6875f},
       {0.6875f, 0.1875f},
       {0.375f, 0.875f},
       {0.5f, 0.0625f},
       {0.25f, 0.125f},
       {0.125f, 0.75f},
       {0.0f, 0.5f},
       {0.9375f, 0.25f},
       {0.875f, 0.9375f},
       {0.0625f, 0.0f}},
  };
  for (unsigned i = 0; i < 5; ++i) {
    const auto positions = standardSamplePositions(1u << i);
    for (unsigned s = 0; s < maxSamples; ++s)
      EXPECT_EQ(positions[s], s < tables[i].size() ? tables[i][s] : (std::array<float, 2>{}))
          << (1u << i) << " samples, " << s;
  }
}

//===--- Surfaces that are not what they seem ------------------------------===//

TEST(OutputMergerSurfaces, OutsideMemory) {
  MergerTestbed bed;
  bed.makeColor(Format::X8Y8Z8W8_Unorm);
  Surface &surface = bed.draw.targets.colors[0];
  const GpuAddress good = surface.address;
  EXPECT_EQ(bed.error(), "");
  surface.address = good + 256;
  EXPECT_EQ(bed.error(), "colour target 0: 1024 bytes are not inside an allocation: 0x10000000100 "
                         "is 256 bytes into 'target' [0x10000000000, 0x10000000400)");
  EXPECT_EQ(bed.faultKind, DeviceFault::Kind::MemoryAccess);
  for (GpuAddress address : {GpuAddress(1), good - 1, good + 1024, ~GpuAddress(0)}) {
    surface.address = address;
    EXPECT_NE(bed.error().find("are not inside an allocation"), std::string::npos) << address;
  }
  // Also where nothing would be written.
  bed.draw.blend.targets[0].writeMask = 0;
  EXPECT_NE(bed.error(), "");
  surface.address = 0;
  EXPECT_EQ(bed.error(), "");
  bed.draw.targets.stencil = bed.makeSurface(Format::X8_Uint);
  bed.draw.targets.stencil.address = 4096;
  EXPECT_EQ(bed.error().find("stencil target: 1024 bytes are not inside"), 0u);
}

TEST(OutputMergerSurfaces, SizesThatContradictTheLayout) {
  MergerTestbed bed;
  bed.makeColor(Format::X8Y8Z8W8_Unorm, {.slices = 2, .samples = 2});
  const Surface good = bed.draw.targets.colors[0];
  auto errorOf = [&](auto change) {
    Surface surface = good;
    change(surface);
    bed.draw.targets.colors[0] = surface;
    bed.faultKind = DeviceFault::Kind::Deadlock;
    std::string message = bed.error();
    EXPECT_EQ(bed.faultKind, DeviceFault::Kind::BadDescriptor);
    return message;
  };
  EXPECT_EQ(errorOf([](Surface &s) { s.width = 9; }),
            "colour target 0: 9x4 texels in a level of 8x4");
  EXPECT_EQ(errorOf([](Surface &s) { s.height = ~0u; }),
            "colour target 0: 8x4294967295 texels in a level of 8x4");
  EXPECT_EQ(errorOf([](Surface &s) { s.level = 16; }), "colour target 0: level 16");
  EXPECT_EQ(errorOf([](Surface &s) { s.level = 1; }),
            "colour target 0: 8x4 texels in a level of 0x0");
  EXPECT_EQ(errorOf([](Surface &s) { s.samples = 3; }), "colour target 0: 3 samples");
  EXPECT_EQ(errorOf([](Surface &s) { s.samples = 0; }), "colour target 0: 0 samples");
  EXPECT_EQ(errorOf([](Surface &s) { s.samples = 4; }),
            "colour target 0: 4 samples in a layout for another number");
  EXPECT_EQ(errorOf([](Surface &s) { s.format = Format::X16Y16Z16W16_Float; }),
            "colour target 0: texels of 8 bytes in a layout for 4");
  EXPECT_EQ(errorOf([](Surface &s) { s.slices = 3; }),
            "colour target 0: slices below 3 in a layout of 2");
  EXPECT_EQ(errorOf([](Surface &s) { s.baseSlice = s.slices = ~0u; }),
            "colour target 0: slices below 8589934590 in a layout of 2");
  EXPECT_EQ(errorOf([](Surface &s) { s.layout = {}; }),
            "colour target 0: 8x4 texels in a level of 0x0");
  EXPECT_EQ(errorOf([](Surface &s) {
              s.slices = s.samples = 1;
              s.layout = pal::srd::LinearLayout(
                  {.format = s.format, .width = 8, .height = 4, .rowPitch = 28});
            }),
            "colour target 0: rows of 8 texels, 28 bytes apart");
  // A row of 2^32 bytes wraps around.
  EXPECT_EQ(errorOf([](Surface &s) {
              s.layout = pal::srd::LinearLayout(
                  {.format = s.format, .width = 1u << 30, .height = 4, .slices = 2, .samples = 2});
            }),
            "colour target 0: slices below 2 in a layout of 0");
}

TEST(OutputMergerSurfaces, FormatsThatAreNoTargets) {
  for (Format format :
       {Format::X9Y9Z9E5_Float, Format::X32Y32Z32_Float, Format::X8_Uscaled, Format::X16Y16_Sscaled,
        Format::X10In16_Unorm, Format::Bc1_Unorm, Format::Undefined, Format(255)}) {
    MergerTestbed bed;
    bed.makeColor(Format::X8_Unorm);
    bed.draw.targets.colors[0].format = format;
    const std::string message = bed.error();
    EXPECT_EQ(message.find("colour target 0: format "), 0u) << message;
    EXPECT_NE(message.find("is not supported for rendering"), std::string::npos) << message;
    EXPECT_EQ(bed.faultKind, DeviceFault::Kind::BadLaunch);
  }
}

TEST(OutputMergerSurfaces, EmptySurfacesTakeNothing) {
  MergerTestbed bed;
  bed.makeColor(Format::X8_Unorm);
  for (auto member : {&Surface::width, &Surface::height, &Surface::slices}) {
    Surface &surface = bed.draw.targets.colors[0];
    const uint32_t size = surface.*member;
    surface.*member = 0;
    EXPECT_EQ(bed.error(), "");
    drawBits(bed, bitsOf(Rgba{1, 1, 1, 1}));
    surface.*member = size;
    EXPECT_EQ(texelOf(bed), Words{});
  }
}

} // namespace
