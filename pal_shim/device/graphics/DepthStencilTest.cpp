//===- DepthStencilTest.cpp - depth bounds, stencil, depth -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Expected results are written out from the tables of the Vulkan specification ("Fragment
/// Operations"), not computed by the code under test.
#include "pal_shim/device/graphics/DepthStencil.h"
#include "pal_shim/device/graphics/OutputMergerTestbedForTest.h"
#include <cmath>
#include <limits>

using namespace pal::device;
using namespace pal::device::test;
using pal::formats::Format;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// VkCompareOp, in its order.
template <typename T> bool expected(unsigned op, T a, T b) {
  const bool results[] = {false, a<b, a == b, a <= b, a> b, a != b, a >= b, true};
  return results[op];
}

TEST(DepthStencil, Comparisons) {
  const float values[] = {0, -0.0f, 0.25f, 1, -1, inf, -inf, nan, 1e-40f};
  for (unsigned op = 0; op < 8; ++op) {
    for (float a : values)
      for (float b : values)
        EXPECT_EQ(compare(CompareOp(op), a, b), expected(op, a, b)) << op << " " << a << " " << b;
    for (unsigned a : {0u, 1u, 254u, 255u})
      for (unsigned b : {0u, 1u, 254u, 255u})
        EXPECT_EQ(compare(CompareOp(op), a, b), expected(op, a, b)) << op << " " << a << " " << b;
  }
}

TEST(DepthStencil, StencilOperations) {
  for (unsigned s = 0; s < 256; ++s) {
    const auto reference = uint8_t(0xA5);
    const unsigned expected[] = {s,
                                 0,
                                 reference,
                                 std::min(s + 1, 255u),
                                 unsigned(std::max(int(s) - 1, 0)),
                                 255 - s,
                                 (s + 1) % 256,
                                 (s + 255) % 256};
    for (unsigned op = 0; op < 8; ++op)
      EXPECT_EQ(stencilResult(StencilOp(op), uint8_t(s), reference), expected[op])
          << op << " " << s;
  }
}

struct DepthCase {
  Format format;
  uint32_t stored; ///< before, as bits
  float depth;
  CompareOp op;
  bool passes;
  uint32_t after; ///< with writes enabled
};

TEST(DepthStencil, DepthFormats) {
  const uint32_t half = 0x3F000000, one = 0x3F800000, two = 0x40000000;
  const DepthCase cases[] = {
      // Round to nearest even of z * 65535: 0.5 is 32767.5.
      {Format::X16_Unorm, 0, 0.5f, CompareOp::Greater, true, 32768},
      {Format::X16_Unorm, 32768, 0.5f, CompareOp::Equal, true, 32768},
      {Format::X16_Unorm, 32768, 0.5f, CompareOp::Less, false, 32768},
      {Format::X16_Unorm, 7, 7 / 65535.f, CompareOp::Equal, true, 7},
      {Format::X16_Unorm, 65535, 3, CompareOp::Equal, true, 65535},
      {Format::X16_Unorm, 65535, inf, CompareOp::GreaterOrEqual, true, 65535},
      {Format::X16_Unorm, 5, -1, CompareOp::Less, true, 0},
      {Format::X16_Unorm, 5, -inf, CompareOp::NotEqual, true, 0},
      {Format::X16_Unorm, 5, nan, CompareOp::Always, true, 0},
      // The upper 8 bits are not depth.
      {Format::X24Y8_Unorm, 0xAB000000, 0.5f, CompareOp::Greater, true, 0xAB800000},
      {Format::X24Y8_Unorm, 0xAB800000, 0.5f, CompareOp::Equal, true, 0xAB800000},
      {Format::X24Y8_Unorm, 0xCDFFFFFF, 2, CompareOp::Equal, true, 0xCDFFFFFF},
      {Format::X24Y8_Unorm, 0xCDFFFFFF, 0.25f, CompareOp::Less, true, 0xCD400000},
      {Format::X24Y8_Unorm, 0x01000001, 1, CompareOp::LessOrEqual, false, 0x01000001},
      {Format::X32_Float, one, 0.5f, CompareOp::Less, true, half},
      {Format::X32_Float, half, 0.5f, CompareOp::Less, false, half},
      {Format::X32_Float, half, 2, CompareOp::Greater, true, two},
      {Format::X32_Float, half, nan, CompareOp::Less, false, half},
      {Format::X32_Float, half, nan, CompareOp::GreaterOrEqual, false, half},
      {Format::X32_Float, half, inf, CompareOp::NotEqual, true, bitsOf(inf)},
      {Format::X32_Float, 0x80000000, 0, CompareOp::Equal, true, 0},
  };
  for (const DepthCase &c : cases)
    for (bool writes : {false, true}) {
      MergerTestbed bed;
      bed.draw.targets.depth = bed.makeSurface(c.format);
      bed.draw.depthStencil.depthTest = true;
      bed.draw.depthStencil.depthWrite = writes;
      bed.draw.depthStencil.depthCompare = c.op;
      const bool narrow = c.format == Format::X16_Unorm;
      Surface &depth = bed.draw.targets.depth;
      if (narrow)
        bed.write<uint16_t>(depth, uint16_t(c.stored));
      else
        bed.write<uint32_t>(depth, c.stored);
      const uint32_t stored = c.stored;
      EXPECT_EQ(bed.testDepth(c.depth), c.passes) << c.depth;
      const uint32_t after = narrow ? bed.read<uint16_t>(depth) : bed.read<uint32_t>(depth);
      EXPECT_EQ(after, writes && c.passes ? c.after : stored) << c.depth;
      EXPECT_EQ(bed.read<uint16_t>(depth, {1, 0, 0}), 0); // the neighbour
    }
}

TEST(DepthStencil, WithoutDepthTestNothingIsWritten) {
  MergerTestbed bed;
  bed.draw.targets.depth = bed.makeSurface(Format::X32_Float);
  bed.draw.depthStencil.depthWrite = true;
  bed.draw.depthStencil.depthCompare = CompareOp::Never;
  EXPECT_FALSE(bed.merger().hasDepthStencil());
  EXPECT_TRUE(bed.testDepth(0.5f));
  EXPECT_EQ(bed.read<float>(bed.draw.targets.depth), 0);
  bed.draw.depthStencil.depthTest = true;
  EXPECT_TRUE(bed.merger().hasDepthStencil());
  EXPECT_FALSE(bed.testDepth(0.5f));
  // No surface: the test passes.
  bed.draw.targets.depth = {};
  EXPECT_FALSE(bed.merger().hasDepthStencil());
  EXPECT_TRUE(bed.testDepth(0.5f));
}

TEST(DepthStencil, DepthBounds) {
  struct Case {
    float stored, low, high;
    bool passes;
  };
  const Case cases[] = {{0.5f, 0, 1, true},     {0.5f, 0.5f, 0.5f, true}, {0.5f, 0.6f, 1, false},
                        {0.5f, 0, 0.4f, false}, {nan, 0, 1, false},       {0, 0, 0, true},
                        {inf, 0, 1, false},     {0.5f, nan, 1, false}};
  for (const Case &c : cases) {
    MergerTestbed bed;
    bed.draw.targets.depth = bed.makeSurface(Format::X32_Float);
    bed.draw.targets.stencil = bed.makeSurface(Format::X8_Uint);
    bed.draw.depthStencil.depthBounds = true;
    bed.draw.depthStencil.minDepthBounds = c.low;
    bed.draw.depthStencil.maxDepthBounds = c.high;
    // A sample that fails the bounds does not reach the stencil test.
    bed.draw.depthStencil.stencilTest = true;
    bed.draw.depthStencil.front.compare = CompareOp::Always;
    bed.draw.depthStencil.front.pass = StencilOp::Invert;
    bed.write(bed.draw.targets.depth, c.stored);
    EXPECT_EQ(bed.testDepth(nan), c.passes) << c.stored; // the fragment's depth plays no part
    EXPECT_EQ(bed.read<uint8_t>(bed.draw.targets.stencil), c.passes ? 255 : 0) << c.stored;
  }
  MergerTestbed bed; // fixed point: 0x8000 / 65535 is a little above 0.5
  bed.draw.targets.depth = bed.makeSurface(Format::X16_Unorm);
  bed.draw.depthStencil.depthBounds = true;
  bed.draw.depthStencil.maxDepthBounds = 0.5f;
  bed.write<uint16_t>(bed.draw.targets.depth, 0x8000);
  EXPECT_FALSE(bed.testDepth(0));
  bed.write<uint16_t>(bed.draw.targets.depth, 0x7FFF);
  EXPECT_TRUE(bed.testDepth(0));
}

TEST(DepthStencil, StencilOutcomesOfBothFaces) {
  for (bool front : {true, false})
    for (bool stencilPasses : {false, true})
      for (bool depthPasses : {false, true}) {
        MergerTestbed bed;
        bed.draw.targets.depth = bed.makeSurface(Format::X32_Float);
        bed.draw.targets.stencil = bed.makeSurface(Format::X8_Uint);
        DepthStencilState &state = bed.draw.depthStencil;
        state.depthTest = state.depthWrite = state.stencilTest = true;
        state.depthCompare = CompareOp::Less;
        StencilFace &used = front ? state.front : state.back;
        StencilFace &other = front ? state.back : state.front;
        other.compare = CompareOp::Never;
        other.fail = other.pass = other.depthFail = StencilOp::Invert;
        used = {StencilOp::Zero, StencilOp::Replace, StencilOp::IncrementWrap};
        used.compare = stencilPasses ? CompareOp::Greater : CompareOp::Less;
        used.reference = 9;
        bed.write<float>(bed.draw.targets.depth, 0.5f);
        bed.write<uint8_t>(bed.draw.targets.stencil, 5);
        // The reference is the left operand: 9 > 5.
        EXPECT_EQ(bed.testDepth(depthPasses ? 0.25f : 0.75f, front), stencilPasses && depthPasses);
        EXPECT_EQ(bed.read<uint8_t>(bed.draw.targets.stencil), !stencilPasses ? 0
                                                               : depthPasses  ? 9
                                                                              : 6);
        EXPECT_EQ(bed.read<float>(bed.draw.targets.depth),
                  stencilPasses && depthPasses ? 0.25f : 0.5f);
      }
}

TEST(DepthStencil, EveryStencilComparisonUnderMasks) {
  for (unsigned op = 0; op < 8; ++op)
    for (unsigned mask : {0x00u, 0x0Fu, 0xF0u, 0xFFu})
      for (unsigned stored : {0x00u, 0x3Cu, 0xC3u, 0xFFu}) {
        MergerTestbed bed;
        bed.draw.targets.stencil = bed.makeSurface(Format::X8_Uint);
        DepthStencilState &state = bed.draw.depthStencil;
        state.stencilTest = true;
        state.front.compare = CompareOp(op);
        state.front.compareMask = uint8_t(mask);
        state.front.writeMask = 0x3C;
        state.front.reference = 0x3C;
        state.front.pass = StencilOp::Invert;
        state.front.fail = StencilOp::Replace;
        bed.write<uint8_t>(bed.draw.targets.stencil, uint8_t(stored));
        const bool passes = expected<unsigned>(op, 0x3C & mask, stored & mask);
        EXPECT_EQ(bed.testDepth(0), passes);
        const unsigned changed = passes ? ~stored : 0x3C;
        EXPECT_EQ(bed.read<uint8_t>(bed.draw.targets.stencil), (stored & 0xC3) | (changed & 0x3C));
      }
}

TEST(DepthStencil, ExportedReference) {
  MergerTestbed bed;
  bed.draw.targets.stencil = bed.makeSurface(Format::X8_Uint);
  DepthStencilState &state = bed.draw.depthStencil;
  state.stencilTest = true;
  state.front.pass = StencilOp::Replace;
  state.front.reference = 7;
  EXPECT_TRUE(bed.testDepth(0));
  EXPECT_EQ(bed.read<uint8_t>(bed.draw.targets.stencil), 7);
  EXPECT_TRUE(bed.testDepth(0, true, 0));
  EXPECT_EQ(bed.read<uint8_t>(bed.draw.targets.stencil), 0);
  EXPECT_TRUE(bed.testDepth(0, true, 0x1FE));
  EXPECT_EQ(bed.read<uint8_t>(bed.draw.targets.stencil), 0xFE);
}

TEST(DepthStencil, SamplesLayersAndLevels) {
  MergerTestbed bed;
  Surface depth = bed.makeSurface(Format::X16_Unorm, {.slices = 4, .samples = 4});
  depth.baseSlice = 1;
  depth.slices = 2;
  bed.draw.targets.depth = depth;
  DepthStencilState &state = bed.draw.depthStencil;
  state.depthTest = state.depthWrite = true;
  state.depthCompare = CompareOp::Greater;
  const float depths[maxSamples] = {0.25f, 0.5f, 0, 1};
  const OutputMerger merger = bed.merger();
  // Sample 1 is not asked for, sample 2 fails.
  EXPECT_EQ(merger.testDepthStencil({3, 2, 1}, true, 0b1101, depths, -1), 0b1001u);
  const uint16_t expected[4] = {16384, 0, 0, 65535};
  for (unsigned s = 0; s < 4; ++s) {
    EXPECT_EQ(bed.read<uint16_t>(depth, {3, 2, 1}, s), expected[s]);
    // The rule of LinearLayout.h: slice = layer * samples + sample, rows of 256 bytes.
    MemoryView memory(bed.space.snapshot());
    const uint8_t *raw =
        memory.find(depth.address + ((1 + 1) * 4 + s) * 4 * 256 + 2 * 256 + 3 * 2, 2);
    EXPECT_EQ(raw, bed.texel(depth, {3, 2, 1}, s));
  }
  // Outside: passes, and nothing is written.
  for (PixelPlace place : {PixelPlace{8, 0, 0}, {0, 4, 0}, {0, 0, 2}, {~0u, ~0u, ~0u}})
    EXPECT_EQ(merger.testDepthStencil(place, true, 0b1111, depths, -1), 0b1111u);
  EXPECT_EQ(bed.read<uint16_t>(depth, {0, 0, 2}), 0);
  // Samples that the surface does not have.
  EXPECT_EQ(merger.testDepthStencil({0, 0, 0}, true, 0xFFFF0010, depths, -1), 0x10u);
}

TEST(DepthStencil, StatesThatDoNotExist) {
  MergerTestbed bed;
  bed.draw.targets.depth = bed.makeSurface(Format::X32_Uint);
  EXPECT_EQ(bed.error(), "depth target: format X32_Uint");
  EXPECT_EQ(bed.faultKind, DeviceFault::Kind::BadLaunch);
  bed.draw.targets.depth = {};
  bed.draw.targets.stencil = bed.makeSurface(Format::X16_Uint);
  EXPECT_EQ(bed.error(), "stencil target: format X16_Uint");
  bed.draw.targets.stencil = {};
  bed.draw.depthStencil.depthTest = bed.draw.depthStencil.stencilTest = true;
  EXPECT_EQ(bed.error(), "");
  bed.draw.depthStencil.back.depthFail = StencilOp(8);
  EXPECT_EQ(bed.error(), "back faces: stencil operation 8");
  bed.draw.depthStencil.front.compare = CompareOp(200);
  EXPECT_EQ(bed.error(), "front faces: stencil comparison 200");
  bed.draw.depthStencil.depthCompare = CompareOp(9);
  EXPECT_EQ(bed.error(), "depth comparison 9");
}

} // namespace
