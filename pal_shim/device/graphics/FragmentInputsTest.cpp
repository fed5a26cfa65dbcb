//===- FragmentInputsTest.cpp - registers and parameters of fragment shaders //
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/FragmentTestbedForTest.h"

using namespace pal::device;
using namespace pal::device::test;

namespace {

uint32_t bits(double value) { return bitsOf(float(value)); }

std::string exportText(unsigned vgpr) {
  std::string text = "exp mrt0";
  for (unsigned i = 0; i < 4; ++i)
    text += std::string(i ? "," : "") + " v" + std::to_string(vgpr + i);
  return text + " done" + "\n";
}

bool isGfx10(const char *target) { return llvm::StringRef(target).starts_with("gfx10"); }

/// Pixels (2, 2) .. (3, 3) of a target with 4 samples in a grid; pixel 2 is a helper.
struct InputBed : FragmentTestbed {
  InputBed(const char *target, unsigned vgpr, unsigned waveSize = 32)
      : FragmentTestbed(target, exportText(vgpr).c_str(), waveSize, 4) {
    draw.raster.samplePositions[0] = {0.25f, 0.25f};
    draw.raster.samplePositions[1] = {0.75f, 0.25f};
    draw.raster.samplePositions[2] = {0.25f, 0.75f};
    draw.raster.samplePositions[3] = {0.75f, 0.75f};
    primitive.layer = 0;
    primitive.depth = {.c = 0.25, .dx = 1.0 / 16};
    add({.x = 2, .y = 2, .coverage = {0xF, 0x2, 0, 0xC}, .fullyCovered = 1});
  }
  std::array<uint32_t, 4> pixel(unsigned lane) {
    return color(2 + (lane & 1), 2 + (lane >> 1), lane == 3 ? 2 : lane);
  }
};

/// All inputs but the stipple coordinate, whose register stays as it is.
constexpr uint32_t everything = 0xFFFF, stipple = 1u << 7;

} // namespace

TEST(FragmentInputs, EachInputInItsRegister) {
  struct Expected {
    unsigned vgpr;                 ///< of the first
    std::array<double, 4> lane[4]; ///< of pixels 0, 1, 3
  };
  // v0 sample, v2 centre, v4 centroid, v6 pull model, v9 linear sample, v11 centre, v13 centroid,
  // v15 stipple, v16 position. Without shading by sample the sample is sample 0.
  const Expected expected[] = {
      {0,
       {{2.25 / 8, 2.25 / 8, 2.5 / 8, 2.5 / 8},
        {3.25 / 8, 2.25 / 8, 3.5 / 8, 2.5 / 8},
        {},
        {3.25 / 8, 3.25 / 8, 3.5 / 8, 3.5 / 8}}},
      {4,
       {{2.5 / 8, 2.5 / 8, 2.5 / 16, 2.5 / 16},
        {3.75 / 8, 2.25 / 8, 3.5 / 16, 2.5 / 16},
        {},
        {3.25 / 8, 3.75 / 8, 3.5 / 16, 3.5 / 16}}},
      {8,
       {{0.5, 2.25 / 8, 2.25 / 8, 2.5 / 8},
        {0.5, 3.25 / 8, 2.25 / 8, 3.5 / 8},
        {},
        {0.5, 3.25 / 8, 3.25 / 8, 3.5 / 8}}},
      {11,
       {{2.5 / 8, 2.5 / 8, 2.5 / 8, 2.5 / 8},
        {3.5 / 8, 2.5 / 8, 3.75 / 8, 2.25 / 8},
        {},
        {3.5 / 8, 3.5 / 8, 3.25 / 8, 3.75 / 8}}},
      {16,
       {{2.5, 2.5, 0.25 + 2.5 / 16, 2},
        {3.5, 2.5, 0.25 + 3.5 / 16, 2},
        {},
        {3.5, 3.5, 0.25 + 3.5 / 16, 2}}},
  };
  for (const char *target : allTargets)
    for (unsigned waveSize : {32u, 64u})
      for (const Expected &e : expected) {
        SCOPED_TRACE(std::string(target) + ", v" + std::to_string(e.vgpr));
        InputBed bed(target, e.vgpr, waveSize);
        bed.registers().inputAddr = everything;
        bed.registers().inputEna = everything & ~stipple;
        ASSERT_EQ(bed.run(), "");
        for (unsigned lane : {0u, 1u, 3u})
          for (unsigned i = 0; i < 4; ++i)
            EXPECT_EQ(bed.pixel(lane)[i], bits(e.lane[lane][i])) << "lane " << lane << ", " << i;
        EXPECT_EQ(bed.pixel(2), (std::array<uint32_t, 4>{}));
      }
}

TEST(FragmentInputs, IntegersBehindThePosition) {
  for (const char *target : oneOfEachFamily) {
    InputBed bed(target, 20);
    bed.registers().inputAddr = everything;
    bed.registers().inputEna = everything & ~stipple;
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.pixel(0), (std::array<uint32_t, 4>{~0u, 0, 0xF, 2 | 2 << 16}));
    EXPECT_EQ(bed.pixel(1), (std::array<uint32_t, 4>{~0u, 0, 0x2, 3 | 2 << 16}));
    EXPECT_EQ(bed.pixel(3), (std::array<uint32_t, 4>{~0u, 0, 0xC, 3 | 3 << 16}));
  }
}

TEST(FragmentInputs, BackFacesLayersInnerCoverage) {
  InputBed bed("gfx1100", 20);
  bed.makeColor(pal::formats::Format::X32Y32Z32W32_Uint, {.slices = 4, .samples = 4});
  bed.registers().inputAddr = everything;
  bed.registers().inputEna = everything & ~stipple;
  bed.registers().coverageInput = CoverageInput::InnerCovered;
  for (auto &[primitive, quad] : bed.quads) {
    primitive.frontFacing = false;
    primitive.layer = 3;
  }
  ASSERT_EQ(bed.run(), "");
  auto at = [&](uint32_t x, uint32_t y, uint32_t sample) {
    return bed.read<std::array<uint32_t, 4>>(bed.draw.targets.colors[0], {x, y, 3}, sample);
  };
  EXPECT_EQ(at(2, 2, 0), (std::array<uint32_t, 4>{0, 3 << 16, 0xF, 2 | 2 << 16}));
  EXPECT_EQ(at(3, 2, 1), (std::array<uint32_t, 4>{0, 3 << 16, 0, 3 | 2 << 16}));
}

TEST(FragmentInputs, AddrHasPlacesThatEnaDoesNotFill) {
  InputBed bed("gfx1030", 0);
  bed.options.poison = true;
  bed.registers().inputAddr = 0x103; // sample, centre, x
  bed.registers().inputEna = 0x102;
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.pixel(0),
            (std::array<uint32_t, 4>{0xFFBAFFBA, 0xFFBAFFBA, bits(2.5 / 8), bits(2.5 / 8)}));
}

TEST(FragmentInputs, WhereThePositionIs) {
  // posX, posY behind the centre.
  struct {
    uint8_t location;
    bool upperLeft;
    double x, y; ///< of pixel 3
  } cases[] = {
      {0, false, 3.5, 3.5}, {1, false, 3.25, 3.75}, {2, false, 3.25, 3.25}, {0, true, 3, 3}};
  for (const auto &c : cases) {
    InputBed bed("gfx1100", 0);
    bed.registers().inputEna = bed.registers().inputAddr = 0x302;
    bed.registers().posFloatLocation = c.location;
    bed.registers().posFloatUlc = c.upperLeft;
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.pixel(3)[2], bits(c.x));
    EXPECT_EQ(bed.pixel(3)[3], bits(c.y));
  }
}

TEST(FragmentInputs, ShadingBySample) {
  for (const char *target : oneOfEachFamily) {
    // Ancillary and coverage behind the sample's coordinates.
    InputBed bed(target, 0);
    bed.registers().inputEna = bed.registers().inputAddr = 1 | 1u << 13 | 1u << 14;
    bed.registers().perSample = true;
    ASSERT_EQ(bed.run(), "");
    for (unsigned sample = 0; sample < 4; ++sample)
      EXPECT_EQ(bed.color(2, 2, sample),
                (std::array<uint32_t, 4>{bits((sample & 1 ? 2.75 : 2.25) / 8),
                                         bits((sample & 2 ? 2.75 : 2.25) / 8), sample << 8, 0xF}));
    EXPECT_EQ(bed.color(3, 2, 0), (std::array<uint32_t, 4>{}));
    EXPECT_EQ(bed.color(3, 2, 1)[2], 1u << 8);
    EXPECT_EQ(bed.color(3, 3, 2)[2], 2u << 8);
    EXPECT_EQ(bed.color(3, 3, 3)[3], 0xCu);
    EXPECT_EQ(bed.counts.fragmentInvocations, 7u);
    // Two invocations: the second shades samples 1 and 3.
    bed.draw.raster.shaderSamples = 2;
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.color(2, 2, 2)[2], 0u);
    EXPECT_EQ(bed.color(2, 2, 3)[2], 1u << 8);
    EXPECT_EQ(bed.counts.fragmentInvocations, 2u + 1 + 2);
  }
}

TEST(FragmentInputs, ScalarRegisters) {
  // User data, primitive mask, collision word, provoking vertex word.
  auto text = [](const char *target, unsigned first) {
    std::string moves;
    for (unsigned i = 0; i < 4; ++i)
      moves += "v_mov_b32 v" + std::to_string(i) + ", s" + std::to_string(first + i) + "\n";
    (void)target;
    return moves + exportText(0);
  };
  FragmentTestbed bed("gfx1030", text("gfx1030", 1).c_str());
  bed.userSgprs = {7, 8};
  bed.registers().loadCollisionWave = bed.registers().loadProvokingVertex = true;
  bed.geometry.primitives.resize(2);
  bed.geometry.primitives[0].provoking = 2;
  bed.geometry.primitives[1].provoking = 1;
  bed.addFull(0, 0);
  bed.primitive.primitive = 1;
  bed.addFull(2, 0);
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.color(0, 0), (std::array<uint32_t, 4>{8, 1u << 31, 0, 1 | 2 << 2}));
  FragmentTestbed other("gfx1100", text("gfx1100", 0).c_str());
  other.userSgprs = {7, 8};
  other.registers().loadProvokingVertex = true;
  other.add({.coverage = {1, 1, 1, 0}}); // not wholly covered
  ASSERT_EQ(other.run(), "");
  EXPECT_EQ(other.color(0, 0), (std::array<uint32_t, 4>{7, 8, 0, 0}));
}

TEST(FragmentInputs, CoordinatesFollowTheProvokingVertex) {
  // At (2.5, 0.5) the weights of the vertices are 5/8, 5/16, 1/16.
  const double weights[] = {0.625, 0.3125, 0.0625};
  for (uint8_t provoking : {0, 1, 2}) {
    FragmentTestbed bed("gfx1100", exportText(0).c_str());
    bed.registers().inputEna = bed.registers().inputAddr = 0xA; // centre, pull model
    bed.geometry.primitives[0].provoking = provoking;
    bed.addFull(2, 0);
    ASSERT_EQ(bed.run(), "");
    double i = weights[(provoking + 1) % 3], j = weights[(provoking + 2) % 3];
    EXPECT_EQ(bed.color(2, 0),
              (std::array<uint32_t, 4>{bits(i), bits(j), bits(i / 2), bits(j / 2)}));
  }
}

//===--- Parameters --------------------------------------------------------===//

namespace {

/// Interpolates channel x of attribute 0 into v4, and has its three parameters in v5, v6, v7.
std::string interpolateText(const char *target) {
  if (isGfx10(target))
    return "v_interp_mov_f32 v5, p0, attr0.x\nv_interp_mov_f32 v6, p10, attr0.x\n"
           "v_interp_mov_f32 v7, p20, attr0.x\n"
           "v_interp_p1_f32 v4, v0, attr0.x\nv_interp_p2_f32 v4, v1, attr0.x\n" +
           exportText(4);
  std::string load = llvm::StringRef(target).starts_with("gfx12") ? "ds" : "lds";
  return "s_mov_b64 s[2:3], exec\ns_mov_b64 exec, -1\n" + load +
         "_param_load v3, attr0.x\n"
         "v_mov_b32_dpp v5, v3 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf\n"
         "v_mov_b32_dpp v6, v3 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf\n"
         "v_mov_b32_dpp v7, v3 quad_perm:[2,2,2,2] row_mask:0xf bank_mask:0xf\n"
         "v_interp_p10_f32 v4, v3, v0, v3\nv_interp_p2_f32 v4, v3, v1, v4\n"
         "s_mov_b64 exec, s[2:3]\n" +
         exportText(4);
}

struct ParameterBed : FragmentTestbed {
  explicit ParameterBed(const char *target)
      : FragmentTestbed(target, interpolateText(target).c_str()) {
    setAttributes(1, [](unsigned vertex, unsigned) {
      return bits(vertex == 0 ? 1 : vertex == 1 ? 9 : 17);
    });
    addFull(2, 0);
  }
  AttributeControl &control() { return registers().attributes[0]; }
};
using Words = std::array<uint32_t, 4>;
Words words(double a, double b, double c, double d) { return {bits(a), bits(b), bits(c), bits(d)}; }

} // namespace

TEST(FragmentParameters, Interpolated) {
  for (const char *target : allTargets)
    for (uint8_t provoking : {0, 1, 2}) {
      SCOPED_TRACE(target);
      ParameterBed bed(target);
      bed.geometry.primitives[0].provoking = provoking;
      ASSERT_EQ(bed.run(), "");
      const double values[] = {1, 9, 17};
      double p0 = values[provoking];
      // 1 * 5/8 + 9 * 5/16 + 17 / 16
      EXPECT_EQ(bed.color(2, 0),
                words(4.5, p0, values[(provoking + 1) % 3] - p0, values[(provoking + 2) % 3] - p0));
    }
}

TEST(FragmentParameters, FlatAndRaw) {
  for (const char *target : allTargets) {
    SCOPED_TRACE(target);
    ParameterBed bed(target);
    bed.control().flat = true;
    bed.geometry.primitives[0].provoking = 2;
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.color(2, 0), words(17, 17, 0, 0));
    bed.control().offset = 32;
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.color(2, 0)[1], bits(17));
    EXPECT_EQ(bed.color(2, 0)[2], bits(1));
    EXPECT_EQ(bed.color(2, 0)[3], bits(9));
    bed.control().rotate = true; // as the API numbers them
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.color(2, 0)[1], bits(1));
    EXPECT_EQ(bed.color(2, 0)[2], bits(9));
    EXPECT_EQ(bed.color(2, 0)[3], bits(17));
  }
}

TEST(FragmentParameters, LinesAndPoints) {
  for (const char *target : oneOfEachFamily) {
    ParameterBed bed(target);
    bed.quads[0].first.vertexCount = 2;
    bed.quads[0].first.perspectiveJ = bed.quads[0].first.linearJ = {};
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.color(2, 0)[0], bits(1 + 8 * 2.5 / 8));
    bed.control().flat = true;
    bed.geometry.primitives[0].provoking = 1;
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.color(2, 0)[0], bits(9));
    bed.quads[0].first.vertexCount = 1;
    bed.geometry.primitives[0].provoking = 0;
    bed.control().flat = false;
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.color(2, 0), words(1, 1, 0, 0));
  }
}

TEST(FragmentParameters, PointCoordinateAndDefaults) {
  for (const char *target : oneOfEachFamily) {
    ParameterBed bed(target);
    bed.quads[0].first.vertexCount = 1;
    bed.control().offset = 32;
    bed.control().isPointCoord = true;
    bed.registers().pointSpriteEnable = true;
    const double expected[] = {0, 1, 2.5 / 8, 0.5 / 8};
    for (unsigned i = 0; i < 4; ++i) {
      bed.registers().pointSprite[0] = PointSprite(i);
      ASSERT_EQ(bed.run(), "");
      EXPECT_EQ(bed.color(2, 0)[0], bits(expected[i]));
    }
    // Of other primitives the default value: 0 or 1.
    bed.quads[0].first.vertexCount = 3;
    for (uint8_t value : {0, 1, 2, 3}) {
      bed.control().defaultValue = value;
      ASSERT_EQ(bed.run(), "");
      EXPECT_EQ(bed.color(2, 0)[0], bits(value >> 1));
    }
  }
}

TEST(FragmentParameters, PairsOfHalves) {
  // Low halves 1, 2, 4; high halves 8, 4, 2.
  ParameterBed bed("gfx1100");
  const uint32_t values[] = {0x48003C00, 0x44004000, 0x40004400};
  bed.setAttributes(1, [&](unsigned vertex, unsigned) { return values[vertex]; });
  bed.control().fp16 = bed.control().attr0Valid = true;
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.color(2, 0)[1], 0x48003C00u);
  EXPECT_EQ(bed.color(2, 0)[2], 0xC4003C00u); // -4, 1
  EXPECT_EQ(bed.color(2, 0)[3], 0xC6004200u); // -6, 3
}

TEST(FragmentParameters, AttributesOfPrimitives) {
  for (const char *target : oneOfEachFamily) {
    ParameterBed bed(target);
    bed.geometry.primitiveAttributeCount = 2;
    bed.geometry.primitives.resize(2);
    bed.geometry.primitiveAttributes = {{}, {}, {}, {bits(5), 0, 0, 0}};
    bed.quads[0].first.primitive = 1;
    bed.control().offset = 2; // behind the one of the vertices
    if (isGfx10(target)) {
      bed.registers().attributeCount = 0;
      bed.registers().primitiveAttributeCount = 1;
    } else {
      bed.control().isPrimitive = true;
    }
    ASSERT_EQ(bed.run(), "");
    EXPECT_EQ(bed.color(2, 0), words(5, 5, 0, 0));
  }
}

TEST(FragmentParameters, WhatNobodyExportsIsZero) {
  ParameterBed bed("gfx1100");
  bed.control().offset = 4;
  ASSERT_EQ(bed.run(), "");
  EXPECT_EQ(bed.color(2, 0), words(0, 0, 0, 0));
}

TEST(FragmentParameters, UnknownAttributesFault) {
  ParameterBed bed("gfx1100");
  bed.registers().attributeCount = 0;
  EXPECT_NE(bed.run().find("attribute 0, which SPI_PS_INPUT_CNTL does not describe"),
            std::string::npos);
}
