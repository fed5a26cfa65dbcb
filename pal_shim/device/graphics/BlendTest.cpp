//===- BlendTest.cpp - blending and logic operations -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Expected results come from the tables of the Vulkan specification ("Blending", "Logical
/// Operations"), in double precision; factors and operations are looked up by name, as the tables
/// do, not by the code under test.
#include "pal_shim/device/graphics/OutputMergerTestbedForTest.h"
#include <algorithm>
#include <cmath>

using namespace pal::device;
using namespace pal::device::test;
using pal::formats::Format;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr unsigned factorCount = 19;

struct Colors {
  double s[4], s1[4], d[4], c[4];
};

/// The whole column of VkBlendFactor's table: r, g, b, a.
std::array<double, 4> factorOf(BlendFactor factor, const Colors &in) {
  const double *s = in.s, *t = in.s1, *d = in.d, *c = in.c;
  using F = BlendFactor;
  const double f = std::min(s[3], 1 - d[3]);
  const std::pair<F, std::array<double, 4>> table[] = {
      {F::Zero, {0, 0, 0, 0}},
      {F::One, {1, 1, 1, 1}},
      {F::SrcColor, {s[0], s[1], s[2], s[3]}},
      {F::OneMinusSrcColor, {1 - s[0], 1 - s[1], 1 - s[2], 1 - s[3]}},
      {F::DstColor, {d[0], d[1], d[2], d[3]}},
      {F::OneMinusDstColor, {1 - d[0], 1 - d[1], 1 - d[2], 1 - d[3]}},
      {F::SrcAlpha, {s[3], s[3], s[3], s[3]}},
      {F::OneMinusSrcAlpha, {1 - s[3], 1 - s[3], 1 - s[3], 1 - s[3]}},
      {F::DstAlpha, {d[3], d[3], d[3], d[3]}},
      {F::OneMinusDstAlpha, {1 - d[3], 1 - d[3], 1 - d[3], 1 - d[3]}},
      {F::ConstantColor, {c[0], c[1], c[2], c[3]}},
      {F::OneMinusConstantColor, {1 - c[0], 1 - c[1], 1 - c[2], 1 - c[3]}},
      {F::ConstantAlpha, {c[3], c[3], c[3], c[3]}},
      {F::OneMinusConstantAlpha, {1 - c[3], 1 - c[3], 1 - c[3], 1 - c[3]}},
      {F::SrcAlphaSaturate, {f, f, f, 1}},
      {F::Src1Color, {t[0], t[1], t[2], t[3]}},
      {F::OneMinusSrc1Color, {1 - t[0], 1 - t[1], 1 - t[2], 1 - t[3]}},
      {F::Src1Alpha, {t[3], t[3], t[3], t[3]}},
      {F::OneMinusSrc1Alpha, {1 - t[3], 1 - t[3], 1 - t[3], 1 - t[3]}},
  };
  static_assert(std::size(table) == factorCount);
  for (const auto &[name, values] : table)
    if (name == factor)
      return values;
  ADD_FAILURE();
  return {};
}

double equation(BlendOp op, double s, double sf, double d, double df) {
  const std::pair<BlendOp, double> table[] = {{BlendOp::Add, s * sf + d * df},
                                              {BlendOp::Subtract, s * sf - d * df},
                                              {BlendOp::ReverseSubtract, d * df - s * sf},
                                              {BlendOp::Min, std::min(s, d)},
                                              {BlendOp::Max, std::max(s, d)}};
  for (const auto &[name, value] : table)
    if (name == op)
      return value;
  ADD_FAILURE();
  return 0;
}

Rgba narrow(const double (&v)[4]) { return {float(v[0]), float(v[1]), float(v[2]), float(v[3])}; }

/// All factors and operations, the alpha side with another pair than the colours, on one format
/// whose values are within \p tolerance.
void checkAll(Format format, const Colors &in, double low, double high, double tolerance) {
  MergerTestbed bed;
  bed.makeColor(format);
  ColorTargetState &state = bed.draw.blend.targets[0];
  state.blendEnable = true;
  bed.draw.blend.constants = narrow(in.c);
  for (unsigned op = 0; op < 5; ++op)
    for (unsigned s = 0; s < factorCount; ++s)
      for (unsigned d = 0; d < factorCount; ++d) {
        state.colorOp = BlendOp(op), state.alphaOp = BlendOp((op + 1) % 5);
        state.srcColor = BlendFactor(s), state.dstColor = BlendFactor(d);
        state.srcAlpha = BlendFactor(d), state.dstAlpha = BlendFactor((s + 7) % factorCount);
        bed.setColor(narrow(in.d));
        const Rgba result = bed.drawColor(narrow(in.s), narrow(in.s1));
        for (unsigned c = 0; c < 4; ++c) {
          const bool alpha = c == 3;
          const double sf = factorOf(alpha ? state.srcAlpha : state.srcColor, in)[c];
          const double df = factorOf(alpha ? state.dstAlpha : state.dstColor, in)[c];
          const double exact =
              equation(alpha ? state.alphaOp : state.colorOp, in.s[c], sf, in.d[c], df);
          ASSERT_NEAR(result[c], std::clamp(exact, low, high), tolerance)
              << "op " << op << " source " << s << " destination " << d << " channel " << c;
        }
      }
}

// Values that every format here holds exactly, where the destination is concerned.
TEST(Blend, EveryFactorAndOperationUnorm) {
  const Colors in = {{0.25, 0.75, 1, 0.375},
                     {0.5, 0.125, 0.0625, 0.875},
                     {51 / 255., 204 / 255., 0, 153 / 255.},
                     {0.2, 0.9, 0.4, 0.7}};
  checkAll(Format::X8Y8Z8W8_Unorm, in, 0, 1, 0.5 / 255 + 1e-6);
  checkAll(Format::X16Y16Z16W16_Unorm, in, 0, 1, 0.5 / 65535 + 1e-6);
}

TEST(Blend, EveryFactorAndOperationSnorm) {
  const Colors in = {{-0.25, 0.75, -1, 0.375},
                     {0.5, -0.125, 0.0625, -0.875},
                     {-64 / 127., 32 / 127., 1, -16 / 127.},
                     {0.2, -0.9, 0.4, 0.7}};
  checkAll(Format::X8Y8Z8W8_Snorm, in, -1, 1, 0.5 / 127 + 1e-6);
}

TEST(Blend, EveryFactorAndOperationFloat) {
  const Colors in = {{-2.5, 7.5, 1, 3}, {4, -0.125, 2, 5}, {8, -16, 0.5, -3}, {2, -9, 0.5, 7}};
  checkAll(Format::X32Y32Z32W32_Float, in, -1e9, 1e9, 0);
  checkAll(Format::X16Y16Z16W16_Float, in, -1e9, 1e9, 0.0625); // below 256: 11 bits
}

TEST(Blend, InputsAreClampedToFixedPoint) {
  MergerTestbed bed;
  bed.makeColor(Format::X8Y8Z8W8_Unorm);
  ColorTargetState &state = bed.draw.blend.targets[0];
  state.blendEnable = true;
  // 1 * 0.4 - 0.4 rather than 10 * 0.4 - 0.4.
  state.srcColor = BlendFactor::ConstantColor, state.dstColor = BlendFactor::One;
  state.colorOp = BlendOp::Subtract;
  state.srcAlpha = BlendFactor::OneMinusConstantAlpha, state.dstAlpha = BlendFactor::Zero;
  bed.draw.blend.constants = {0.4f, 5, -3, 2};
  bed.setColor({0.4f, 0.4f, 0.4f, 0.4f});
  // blue: constant -3 counts as 0; alpha: 1 - 1.
  EXPECT_EQ(bed.drawColor({10, 10, 10, 10}), (Rgba{0, 153 / 255.f, 0, 0}));
  // NaN is 0, infinity the limit.
  state.colorOp = state.alphaOp = BlendOp::Add;
  state.srcColor = state.srcAlpha = BlendFactor::One;
  state.dstColor = state.dstAlpha = BlendFactor::One;
  bed.setColor({0.2f, 0.2f, 0.2f, 0.2f});
  EXPECT_EQ(bed.drawColor({nan, inf, -inf, nan}), (Rgba{0.2f, 1, 0.2f, 0.2f}));
  bed.draw.blend.constants = {nan, nan, nan, nan};
  state.srcColor = BlendFactor::OneMinusConstantColor;
  EXPECT_EQ(bed.drawColor({0.4f, 0, 0, 0}), (Rgba{0.6f, 1, 0.2f, 0.2f}));

  // snorm: 1 - 3 clamped is 0, as 3 counts as 1 already.
  bed.makeColor(Format::X8Y8Z8W8_Snorm);
  bed.draw.blend.constants = {3, -3, 0, 0};
  state.dstColor = BlendFactor::Zero;
  EXPECT_EQ(bed.drawColor({-1, -1, -5, 1}), (Rgba{0, -1, -1, 1}));
}

TEST(Blend, NanAndInfinityInFloatTargets) {
  MergerTestbed bed;
  bed.makeColor(Format::X16Y16Z16W16_Float);
  ColorTargetState &state = bed.draw.blend.targets[0];
  state.blendEnable = true;
  // Zero does not read the destination.
  bed.setColor({nan, inf, 1, -inf});
  EXPECT_EQ(bed.drawColor({1, 2, 3, 4}), (Rgba{1, 2, 3, 4}));
  state.dstColor = state.dstAlpha = BlendFactor::One;
  bed.setColor({nan, inf, -inf, 1});
  const Rgba sum = bed.drawColor({1, 1, inf, 70000});
  EXPECT_TRUE(std::isnan(sum[0]));
  EXPECT_EQ(sum[1], inf);
  EXPECT_TRUE(std::isnan(sum[2]));
  EXPECT_EQ(sum[3], inf); // beyond 65504
  state.colorOp = BlendOp::Min, state.alphaOp = BlendOp::Max;
  bed.setColor({nan, inf, -inf, nan});
  EXPECT_EQ(bed.drawColor({1, 1, nan, 3}), (Rgba{1, 1, -inf, 3}));
}

TEST(Blend, DestinationAlphaOfFormatsWithoutAlphaIsOne) {
  using pal::srd::Select;
  struct Case {
    Format format;
    pal::srd::Swizzle swizzle;
  };
  const Case cases[] = {
      {Format::X16_Unorm, {Select::X, Select::Zero, Select::Zero, Select::One}},
      {Format::X16_Unorm, pal::srd::identitySwizzle},
      {Format::X11Y11Z10_Float, {Select::X, Select::Y, Select::Z, Select::One}},
      {Format::X5Y6Z5_Unorm, {Select::Z, Select::Y, Select::X, Select::One}},
      // Alpha of memory that the format does not name, as in R8G8B8X8.
      {Format::X8Y8Z8W8_Unorm, {Select::X, Select::Y, Select::Z, Select::One}},
  };
  for (const Case &c : cases) {
    MergerTestbed bed;
    bed.makeColor(c.format);
    bed.draw.targets.colors[0].swizzle = c.swizzle;
    ColorTargetState &state = bed.draw.blend.targets[0];
    state.blendEnable = true;
    state.srcColor = BlendFactor::DstAlpha, state.dstColor = BlendFactor::OneMinusDstAlpha;
    const Rgba result = bed.drawColor({1, 0, 1, 0.25f});
    const unsigned red = unsigned(c.swizzle[0]) - unsigned(Select::X);
    EXPECT_EQ(result[red], 1) << unsigned(c.format);
  }
}

TEST(Blend, SrgbBlendsLinearValues) {
  MergerTestbed bed;
  bed.makeColor(Format::X8Y8Z8W8_Srgb);
  ColorTargetState &state = bed.draw.blend.targets[0];
  state.blendEnable = true;
  state.srcColor = state.srcAlpha = BlendFactor::ConstantAlpha;
  state.dstColor = state.dstAlpha = BlendFactor::OneMinusConstantAlpha;
  bed.draw.blend.constants = {0, 0, 0, 0.5f};
  bed.write<uint32_t>(bed.draw.targets.colors[0], 0xFF0000FF);
  bed.drawColor({0, 1, 0, 0});
  // Linear 0.5 is 188 / 255 in sRGB; alpha is linear: 127.5 is rounded to even.
  EXPECT_EQ(bed.read<uint32_t>(bed.draw.targets.colors[0]), 0x8000BCBCu);
}

TEST(Blend, SmallFloats) {
  MergerTestbed bed;
  bed.makeColor(Format::X11Y11Z10_Float);
  ColorTargetState &state = bed.draw.blend.targets[0];
  state.blendEnable = true;
  state.dstColor = state.dstAlpha = BlendFactor::One;
  bed.setColor({1, 2, 4, 0});
  EXPECT_EQ(bed.drawColor({1.5f, -3, 1e9f, 0.5f}), (Rgba{2.5f, 0, inf, 1}));
}

TEST(Blend, SecondSourceOfTargetZeroAlone) {
  MergerTestbed bed;
  bed.draw.targets.colors[1] = bed.makeSurface(Format::X8Y8Z8W8_Unorm);
  ColorTargetState &state = bed.draw.blend.targets[1];
  state.srcColor = BlendFactor::Src1Color;
  EXPECT_EQ(bed.error(), ""); // not blending
  state.blendEnable = true;
  EXPECT_EQ(bed.error(),
            "colour target 1: blending with a second source, which target 0 alone has");
  state.colorOp = BlendOp::Max; // ignores factors
  EXPECT_EQ(bed.error(), "");
  state.srcAlpha = BlendFactor(19);
  EXPECT_EQ(bed.error(), "colour target 1: blend factor 19");
  state.srcAlpha = BlendFactor::One;
  state.alphaOp = BlendOp(5);
  EXPECT_EQ(bed.error(), "colour target 1: blend operation 5");
  EXPECT_EQ(bed.faultKind, DeviceFault::Kind::BadLaunch);
}

//===--- Logic operations --------------------------------------------------===//

uint32_t logic(LogicOp op, uint32_t s, uint32_t d) {
  using L = LogicOp;
  const std::pair<L, uint32_t> table[] = {{L::Clear, 0},
                                          {L::And, s & d},
                                          {L::AndReverse, s & ~d},
                                          {L::Copy, s},
                                          {L::AndInverted, ~s & d},
                                          {L::NoOp, d},
                                          {L::Xor, s ^ d},
                                          {L::Or, s | d},
                                          {L::Nor, ~(s | d)},
                                          {L::Equivalent, ~(s ^ d)},
                                          {L::Invert, ~d},
                                          {L::OrReverse, s | ~d},
                                          {L::CopyInverted, ~s},
                                          {L::OrInverted, ~s | d},
                                          {L::Nand, ~(s & d)},
                                          {L::Set, ~0u}};
  for (const auto &[name, value] : table)
    if (name == op)
      return value;
  ADD_FAILURE();
  return 0;
}

TEST(LogicOp, EveryOperationOnTheBitsOfFormats) {
  const uint32_t source = 0xC3A50FF0, stored = 0xAACC5533;
  for (unsigned op = 0; op < 16; ++op)
    for (Format format : {Format::X8Y8Z8W8_Uint, Format::X8Y8Z8W8_Unorm, Format::X32_Uint,
                          Format::X10Y10Z10W2_Uint, Format::X16Y16_Sint, Format::X8Y8Z8W8_Sint}) {
      MergerTestbed bed;
      bed.makeColor(format);
      Surface &surface = bed.draw.targets.colors[0];
      bed.draw.blend.logicOpEnable = true;
      bed.draw.blend.logicOp = LogicOp(op);
      bed.draw.blend.targets[0].blendEnable = true; // has no effect
      bed.draw.blend.targets[0].dstColor = BlendFactor::One;
      bed.write(surface, stored);
      // What the format decodes to is exported, so that the encoded source is these bits again.
      PixelColors pixel;
      pixel.written = 1;
      pal::formats::unpack(format, reinterpret_cast<const uint8_t *>(&source), pixel.values[0]);
      bed.merger().writeColors({}, 1, pixel);
      EXPECT_EQ(bed.read<uint32_t>(surface), logic(LogicOp(op), source, stored))
          << op << " " << unsigned(format);
    }
}

TEST(LogicOp, RespectsWriteMaskAndSwizzle) {
  using pal::srd::Select;
  MergerTestbed bed;
  bed.makeColor(Format::X8Y8Z8W8_Unorm);
  Surface &surface = bed.draw.targets.colors[0];
  surface.swizzle = {Select::Z, Select::Y, Select::X, Select::W};
  bed.draw.blend.logicOpEnable = true;
  bed.draw.blend.logicOp = LogicOp::Invert;
  bed.draw.blend.targets[0].writeMask = 0b0001; // red: bits 23:16
  bed.write<uint32_t>(surface, 0x11223344);
  bed.drawColor({});
  EXPECT_EQ(bed.read<uint32_t>(surface), 0x11DD3344u);
}

TEST(LogicOp, FloatAndSrgbPassThroughUnblended) {
  for (Format format : {Format::X8Y8Z8W8_Srgb, Format::X16Y16Z16W16_Float}) {
    MergerTestbed bed;
    bed.makeColor(format);
    bed.draw.blend.logicOpEnable = true;
    bed.draw.blend.logicOp = LogicOp::Clear;
    ColorTargetState &state = bed.draw.blend.targets[0];
    state.blendEnable = true;
    state.srcColor = state.srcAlpha = BlendFactor::Zero;
    EXPECT_EQ(bed.drawColor({1, 0, 1, 1}), (Rgba{1, 0, 1, 1}));
  }
}

TEST(LogicOp, NumbersBeyondTheEnumeration) {
  MergerTestbed bed;
  bed.makeColor(Format::X8_Uint);
  bed.draw.blend.logicOp = LogicOp(16);
  EXPECT_EQ(bed.error(), "");
  bed.draw.blend.logicOpEnable = true;
  EXPECT_EQ(bed.error(), "logic operation 16");
}

} // namespace
