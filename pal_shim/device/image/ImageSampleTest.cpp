//===- ImageSampleTest.cpp - sampling and gathers --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Expected values are worked out by hand from the Vulkan specification ("Image Operations"). Most
/// images are ramps, so that a result says which texels it came from.
#include "pal_shim/device/image/ImageTestbedForTest.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace pal::device;
using namespace pal::device::test;
using pal::formats::Format;
using pal::srd::Address;
using pal::srd::Filter;
using pal::srd::MipFilter;

namespace {

const char *image2D = " dim:SQ_RSRC_IMG_2D";

/// Texel (x, y) of level L of layer z has the value x + 10 y + 100 L + 1000 z.
struct Ramp : ImageTestbed {
  Ramp(const char *target, pal::srd::ImageSrdInfo info, uint32_t slices = 1)
      : ImageTestbed(target) {
    info.format = Format::X32_Float;
    pal::srd::LinearLayout layout = makeImage(info, slices);
    for (uint32_t z = 0; z < slices; ++z)
      for (uint32_t level = 0; level < info.imageLevels; ++level)
        for (uint32_t y = 0; y < layout.level(level).height; ++y)
          for (uint32_t x = 0; x < layout.level(level).width; ++x)
            at<float>(image + layout.offset(level, x, y, z)) =
                float(x + 10 * y + 100 * level + 1000 * z);
    setExec(0xF);
  }
  /// v1, v2, ... of all four lanes.
  void setCoords(std::initializer_list<float> values) {
    unsigned reg = 1;
    for (float value : values) {
      for (unsigned lane = 0; lane < 4; ++lane)
        setF(reg, lane, value);
      ++reg;
    }
  }
  /// Result X of lane 0.
  float sample(const std::string &name, unsigned addresses, const std::string &modifiers) {
    v(20, 0) = 0xDEADBEEF;
    EXPECT_EQ(run(name + " v20, " + list(1, addresses) + ", s[0:7], s[8:11] dmask:0x1" + modifiers),
              "");
    return vf(20, 0);
  }
};

pal::srd::ImageSrdInfo size2D(uint32_t width, uint32_t height, uint32_t levels = 1) {
  pal::srd::ImageSrdInfo info;
  info.width = width, info.height = height;
  info.imageLevels = info.levels = levels;
  return info;
}

pal::srd::SamplerSrdInfo linear(Address address = Address::ClampToEdge) {
  pal::srd::SamplerSrdInfo info;
  info.magFilter = info.minFilter = Filter::Linear;
  info.mipFilter = MipFilter::Linear;
  info.address = {address, address, address};
  return info;
}

TEST(ImageSample, NearestAndLinear) {
  for (const char *target : allTargets) {
    Ramp bed(target, size2D(8, 4));
    bed.makeSampler({});
    bed.setCoords({0.375f, 0.5f}); // texel 3.0, 2.0
    EXPECT_EQ(bed.sample("image_sample_lz", 2, image2D), 23.0f);
    bed.setCoords({0.374f, 0.499f});
    EXPECT_EQ(bed.sample("image_sample_lz", 2, image2D), 12.0f);
    bed.makeSampler(linear());
    bed.setCoords({0.375f, 0.5f}); // between texels 2 and 3, 1 and 2
    EXPECT_EQ(bed.sample("image_sample_lz", 2, image2D), 17.5f);
    bed.setCoords({2.75f / 8, 1.5f / 4}); // a quarter to texel 3 of row 1
    EXPECT_EQ(bed.sample("image_sample_lz", 2, image2D), 12.25f);
  }
}

TEST(ImageSample, WrapModes) {
  // Texels of a row of 4 at places -5 .. 8; -1: the border, 100.
  struct Case {
    Address address;
    int expected[14];
  };
  const Case cases[] = {
      {Address::Wrap, {3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0}},
      {Address::Mirror, {3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0}},
      {Address::ClampToEdge, {0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3}},
      {Address::MirrorOnce, {3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3}},
      {Address::ClampToBorder, {-1, -1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, -1}},
  };
  Ramp bed("gfx1100", size2D(4, 1));
  for (const Case &c : cases)
    for (int place = -5; place <= 8; ++place) {
      pal::srd::SamplerSrdInfo sampler;
      sampler.address = {c.address, Address::ClampToEdge, Address::ClampToEdge};
      sampler.borderColor = pal::srd::BorderColor::OpaqueWhite;
      bed.makeSampler(sampler);
      bed.setCoords({(float(place) + 0.5f) / 4, 0.5f});
      int expected = c.expected[place + 5];
      // The border is 1; texel 1 has that value too, but not at these places.
      EXPECT_EQ(bed.sample("image_sample_lz", 2, image2D), expected < 0 ? 1.0f : float(expected))
          << unsigned(c.address) << " at " << place;
    }
  bed.makeSampler(linear(Address::Wrap));
  bed.setCoords({0.0f, 0.5f}); // between texels 3 and 0
  EXPECT_EQ(bed.sample("image_sample_lz", 2, image2D), 1.5f);
  bed.makeSampler(linear(Address::ClampToBorder)); // transparent black
  bed.setCoords({1.0f, 0.5f});
  EXPECT_EQ(bed.sample("image_sample_lz", 2, image2D), 1.5f);
}

TEST(ImageSample, BorderColorsFromTheTable) {
  for (const char *target : allTargets) {
    ImageTestbed bed(target);
    pal::srd::ImageSrdInfo info;
    info.format = Format::X8Y8Z8W8_Unorm;
    using enum pal::srd::Select;
    info.swizzle = info.formatSwizzle = {W, Z, Y, X}; // alpha first in memory
    bed.makeImage(info);
    pal::srd::SamplerSrdInfo sampler;
    sampler.address = {Address::ClampToBorder, Address::ClampToBorder, Address::ClampToBorder};
    sampler.borderColor = pal::srd::BorderColor::Table;
    sampler.borderColorIndex = 3;
    bed.makeSampler(sampler);
    bed.setExec(1);
    bed.setF(1, 0, 2.0f);
    bed.setF(2, 0, 0.5f);
    std::string sample = "image_sample_lz v[20:23], " + bed.list(1, 2) +
                         ", s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D";
    EXPECT_NE(bed.run(sample), ""); // no table
    bed.wave->state = WaveState::Running;
    bed.group.fault.reset();
    bed.group.borderColors = bed.allocate(64);
    const float color[4] = {0.25f, 0.5f, 0.75f, 1.5f};
    std::memcpy(&bed.at<float>(bed.group.borderColors + 48), color, sizeof(color));
    ASSERT_EQ(bed.run(sample), "");
    for (unsigned i = 0; i < 4; ++i)
      EXPECT_EQ(bed.vf(20 + i, 0), color[i]) << target << " " << i;
    // Opaque black stays that, too, when alpha is the first channel.
    sampler.borderColor = pal::srd::BorderColor::OpaqueBlack;
    bed.makeSampler(sampler);
    ASSERT_EQ(bed.run(sample), "");
    EXPECT_EQ(bed.vf(20, 0), 0.0f);
    EXPECT_EQ(bed.vf(23, 0), 1.0f);
  }
}

TEST(ImageSample, BorderColorsHaveAllComponents) {
  ImageTestbed bed("gfx1201");
  pal::srd::ImageSrdInfo info;
  info.format = Format::X8Y8Z8W8_Uint;
  bed.makeImage(info);
  pal::srd::SamplerSrdInfo sampler;
  sampler.address = {Address::ClampToBorder, Address::ClampToBorder, Address::ClampToBorder};
  sampler.borderColor = pal::srd::BorderColor::OpaqueBlack;
  bed.makeSampler(sampler);
  bed.setExec(1);
  bed.setF(1, 0, 2.0f);
  ASSERT_EQ(bed.run("image_sample_lz v[20:23], [v1, v2], s[0:7], s[8:11] dmask:0xf "
                    "dim:SQ_RSRC_IMG_2D"),
            "");
  EXPECT_EQ(bed.v(20, 0), 0u);
  EXPECT_EQ(bed.v(23, 0), 1u);
}

TEST(ImageSample, ExplicitLod) {
  for (const char *target : allTargets) {
    pal::srd::ImageSrdInfo info = size2D(16, 16, 5);
    info.baseLevel = 1, info.levels = 3; // levels 1 to 3
    Ramp bed(target, info);
    pal::srd::SamplerSrdInfo sampler = linear();
    bed.makeSampler(sampler);
    bed.setCoords({0.0f, 0.0f, 0.0f}); // texel (0, 0): 100 per level
    EXPECT_EQ(bed.sample("image_sample_l", 3, image2D), 100.0f);
    bed.setCoords({0.0f, 0.0f, 0.25f});
    EXPECT_EQ(bed.sample("image_sample_l", 3, image2D), 125.0f);
    bed.setCoords({0.0f, 0.0f, 9.0f});
    EXPECT_EQ(bed.sample("image_sample_l", 3, image2D), 300.0f);
    sampler.mipFilter = MipFilter::Point;
    sampler.maxLod = 1.0f;
    sampler.lodBias = 0.25f;
    bed.makeSampler(sampler);
    bed.setCoords({0.0f, 0.0f, 0.125f}); // 0.375 is nearer to 0
    EXPECT_EQ(bed.sample("image_sample_l", 3, image2D), 100.0f);
    bed.setCoords({0.0f, 0.0f, 0.375f});
    EXPECT_EQ(bed.sample("image_sample_l", 3, image2D), 200.0f);
    bed.setCoords({0.0f, 0.0f, 2.0f}); // the sampler's limit
    EXPECT_EQ(bed.sample("image_sample_l", 3, image2D), 200.0f);
  }
}

TEST(ImageSample, ImplicitLodBiasAndClamp) {
  for (const char *target : allTargets) {
    Ramp bed(target, size2D(16, 16, 5));
    pal::srd::SamplerSrdInfo sampler = linear();
    sampler.minFilter = sampler.magFilter = Filter::Point;
    bed.makeSampler(sampler);
    // x moves by 2 texels, y by 1 a lane: level 1.
    auto quad = [&](unsigned reg) {
      for (unsigned lane = 0; lane < 4; ++lane) {
        bed.setF(reg, lane, float(lane & 1) / 8 + 0.01f);
        bed.setF(reg + 1, lane, float(lane >> 1) / 16 + 0.01f);
      }
    };
    quad(1);
    EXPECT_EQ(bed.sample("image_sample", 2, image2D), 100.0f);
    EXPECT_EQ(bed.vf(20, 1), 101.0f);
    quad(2);
    for (unsigned lane = 0; lane < 4; ++lane)
      bed.setF(1, lane, 0.5f);
    EXPECT_EQ(bed.sample("image_sample_b", 3, image2D), 150.0f);
    quad(1);
    for (unsigned lane = 0; lane < 4; ++lane)
      bed.setF(3, lane, 3.0f);
    EXPECT_EQ(bed.sample("image_sample_cl", 3, image2D), 300.0f);
    // Lanes that are disabled still take part in derivatives.
    quad(1);
    bed.setExec(1);
    EXPECT_EQ(bed.sample("image_sample", 2, image2D), 100.0f);
    bed.setExec(0xF);
    ASSERT_EQ(bed.run("image_get_lod v[20:21], " + bed.list(1, 2) +
                      ", s[0:7], s[8:11] dmask:0x3 dim:SQ_RSRC_IMG_2D"),
              "");
    EXPECT_EQ(bed.vf(20, 0), 1.0f);
    EXPECT_EQ(bed.vf(21, 0), 1.0f);
  }
}

TEST(ImageSample, Derivatives) {
  for (const char *target : allTargets) {
    Ramp bed(target, size2D(16, 8, 4));
    pal::srd::SamplerSrdInfo sampler = linear();
    sampler.minFilter = sampler.magFilter = Filter::Point;
    bed.makeSampler(sampler);
    // ds/dx, dt/dx, ds/dy, dt/dy: 4 texels of 16, and 2 of 8.
    bed.setCoords({0.25f, 0.0f, 0.0f, 0.25f, 0.0f, 0.0f});
    EXPECT_EQ(bed.sample("image_sample_d", 6, image2D), 200.0f);
    // The same in half precision: a dword per direction.
    for (unsigned lane = 0; lane < 4; ++lane) {
      bed.v(1, lane) = 0x3400;       // 0.25, 0
      bed.v(2, lane) = 0x3400 << 16; // 0, 0.25
      bed.v(3, lane) = bed.v(4, lane) = 0;
    }
    EXPECT_EQ(bed.sample("image_sample_d_g16", 4, image2D), 200.0f);
    // Without derivatives there is only level 0.
    bed.setCoords({0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f});
    EXPECT_EQ(bed.sample("image_sample_d", 6, image2D), 0.0f);
  }
}

TEST(ImageSample, Anisotropy) {
  Ramp bed("gfx1100", size2D(64, 64, 7));
  pal::srd::SamplerSrdInfo sampler = linear();
  sampler.maxAniso = 4;
  bed.makeSampler(sampler);
  // 8 texels in x, 2 in y: ratio 4, level log2(8 / 4) = 1, four taps around the middle; level 1 of
  // the ramp is linear, so that their mean is its value there: texel 15.5, 15.5.
  bed.setCoords({8 / 64.0f, 0.0f, 0.0f, 2 / 64.0f, 0.5f, 0.5f});
  EXPECT_NEAR(bed.sample("image_sample_d", 6, image2D), 100 + 15.5f * 11, 1e-3f);
  // At most 4 taps: 32 texels in x give level 3, where the middle is 3.5, 3.5.
  bed.setCoords({32 / 64.0f, 0.0f, 0.0f, 2 / 64.0f, 0.5f, 0.5f});
  EXPECT_NEAR(bed.sample("image_sample_d", 6, image2D), 300 + 3.5f * 11, 1e-3f);
}

TEST(ImageSample, OffsetsAndUnnormalized) {
  for (const char *target : allTargets) {
    Ramp bed(target, size2D(8, 8));
    bed.makeSampler({});
    bed.setCoords({0.0f, 0.5f, 0.5f});
    bed.v(1, 0) = (uint32_t(-3) & 0x3F) | 2 << 8; // -3, +2
    EXPECT_EQ(bed.sample("image_sample_lz_o", 3, image2D), 61.0f);
    bed.setCoords({2.5f, 3.9f});
    EXPECT_EQ(bed.sample("image_sample_lz", 2, std::string(image2D) + " unorm"), 32.0f);
    pal::srd::SamplerSrdInfo sampler;
    sampler.unnormalized = true;
    bed.makeSampler(sampler);
    EXPECT_EQ(bed.sample("image_sample", 2, image2D), 32.0f);
  }
}

TEST(ImageSample, Comparison) {
  for (const char *target : allTargets) {
    Ramp bed(target, size2D(8, 8));
    pal::srd::SamplerSrdInfo sampler = linear();
    sampler.compare = pal::srd::Compare::Less;
    bed.makeSampler(sampler);
    // Texels 2 and 3 of rows 1 and 2: 12 13 22 23; weights 0.75 and 0.25 in x, 0.5 in y.
    bed.setCoords({12.5f, 2.75f / 8, 2.0f / 8});
    EXPECT_EQ(bed.sample("image_sample_c_lz", 3, image2D), 0.5f + 0.125f);
    sampler.compare = pal::srd::Compare::GreaterEqual;
    bed.makeSampler(sampler);
    EXPECT_EQ(bed.sample("image_sample_c_lz", 3, image2D), 0.375f);
    bed.setCoords({22.0f, 2.75f / 8, 2.0f / 8});
    ASSERT_EQ(bed.run("image_gather4_c_lz v[20:23], " + bed.list(1, 3) +
                      ", s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D"),
              "");
    const float expected[4] = {1, 0, 1, 1};
    for (unsigned i = 0; i < 4; ++i)
      EXPECT_EQ(bed.vf(20 + i, 0), expected[i]);
  }
}

TEST(ImageSample, Gather) {
  for (const char *target : allTargets) {
    Ramp bed(target, size2D(8, 8));
    bed.makeSampler({});
    bed.setCoords({2.75f / 8, 2.0f / 8});
    ASSERT_EQ(bed.run("image_gather4_lz v[20:23], " + bed.list(1, 2) +
                      ", s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D\n"
                      "image_gather4_lz v[24:27], " +
                      bed.list(1, 2) + ", s[0:7], s[8:11] dmask:0x8 dim:SQ_RSRC_IMG_2D"),
              "");
    const float expected[4] = {22, 23, 13, 12};
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(bed.vf(20 + i, 0), expected[i]);
      EXPECT_EQ(bed.vf(24 + i, 0), 1.0f); // W of a format with X only
    }
  }
}

/// A sampler rounds coordinates to 1/256 texel, or truncates them.
TEST(ImageSample, RoundedAndTruncatedCoordinates) {
  struct Case {
    float below; ///< texels below a border
    bool truncates, crosses;
  };
  constexpr Case cases[] = {{0, false, true},
                            {0, true, true},
                            {1.0f / 1024, false, true},
                            {1.0f / 1024, true, false},
                            {3.0f / 1024, false, false},
                            {3.0f / 1024, true, false}};
  for (const char *target : allTargets)
    for (const Case &c : cases) {
      SCOPED_TRACE(std::string(target) + " " + std::to_string(c.below));
      Ramp bed(target, size2D(8, 8));
      pal::srd::SamplerSrdInfo sampler;
      sampler.truncateCoords = c.truncates;
      bed.makeSampler(sampler);
      bed.setCoords({(3.0f - c.below) / 8, 4.25f / 8});
      EXPECT_EQ(bed.sample("image_sample_lz", 2, image2D), c.crosses ? 43.0f : 42.0f);
      // Footprints of gathers change at centres.
      bed.setCoords({2.0f / 8, (3.5f - c.below) / 8});
      ASSERT_EQ(bed.run("image_gather4_lz v[20:23], " + bed.list(1, 2) +
                        ", s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D"),
                "");
      EXPECT_EQ(bed.vf(23, 0), c.crosses ? 31.0f : 21.0f);
      // Weights show where a linear filter is.
      sampler.magFilter = sampler.minFilter = Filter::Linear;
      bed.makeSampler(sampler);
      bed.setCoords({(3.5f - c.below) / 8, 4.5f / 8});
      EXPECT_NEAR(bed.sample("image_sample_lz", 2, image2D), 43.0f - c.below, 0.005f);
    }
}

TEST(ImageSample, RoundedAndTruncatedLayers) {
  for (const char *target : allTargets) {
    pal::srd::ImageSrdInfo info = size2D(4, 4);
    info.type = pal::srd::ImageType::Dim2DArray;
    info.layers = 4;
    Ramp bed(target, info, 4);
    for (bool truncates : {false, true}) {
      pal::srd::SamplerSrdInfo sampler;
      sampler.truncateCoords = truncates;
      bed.makeSampler(sampler);
      bed.setCoords({0.125f, 0.125f, 1.75f});
      EXPECT_EQ(bed.sample("image_sample_lz", 3, " dim:SQ_RSRC_IMG_2D_ARRAY"),
                truncates ? 1000.0f : 2000.0f)
          << target;
    }
  }
}

TEST(ImageSample, Reductions) {
  Ramp bed("gfx1100", size2D(8, 8));
  pal::srd::SamplerSrdInfo sampler = linear();
  bed.setCoords({2.75f / 8, 2.0f / 8});
  sampler.reduction = pal::srd::Reduction::Min;
  bed.makeSampler(sampler);
  EXPECT_EQ(bed.sample("image_sample_lz", 2, image2D), 12.0f);
  sampler.reduction = pal::srd::Reduction::Max;
  bed.makeSampler(sampler);
  EXPECT_EQ(bed.sample("image_sample_lz", 2, image2D), 23.0f);
  // Texels without weight do not count.
  bed.setCoords({2.5f / 8, 1.5f / 8});
  EXPECT_EQ(bed.sample("image_sample_lz", 2, image2D), 12.0f);
}

TEST(ImageSample, ArraysAndVolumes) {
  for (const char *target : allTargets) {
    pal::srd::ImageSrdInfo info = size2D(4, 4);
    info.type = pal::srd::ImageType::Dim2DArray;
    info.baseLayer = 1, info.layers = 3;
    Ramp bed(target, info, 5);
    bed.makeSampler({});
    const std::string array = " dim:SQ_RSRC_IMG_2D_ARRAY";
    bed.setCoords({0.0f, 0.0f, 1.5f}); // to even
    EXPECT_EQ(bed.sample("image_sample_lz", 3, array), 3000.0f);
    bed.setCoords({0.0f, 0.0f, -7.0f});
    EXPECT_EQ(bed.sample("image_sample_lz", 3, array), 1000.0f);
    bed.setCoords({0.0f, 0.0f, 70.0f});
    EXPECT_EQ(bed.sample("image_sample_lz", 3, array), 3000.0f);

    info = size2D(4, 4);
    info.type = pal::srd::ImageType::Dim3D;
    info.depth = 4;
    Ramp volume(target, info, 4);
    volume.makeSampler(linear());
    volume.setCoords({0.5f, 0.5f, 0.4375f}); // planes 1 and 2, a quarter
    EXPECT_EQ(volume.sample("image_sample_lz", 3, " dim:SQ_RSRC_IMG_3D"), 16.5f + 1250.0f);

    info = size2D(8, 1);
    info.type = pal::srd::ImageType::Dim1D;
    Ramp line(target, info);
    line.makeSampler(linear());
    line.setCoords({0.5f});
    EXPECT_EQ(line.sample("image_sample_lz", 1, " dim:SQ_RSRC_IMG_1D"), 3.5f);
  }
}

TEST(ImageSample, HalfCoordinates) {
  for (const char *target : allTargets) {
    Ramp bed(target, size2D(8, 8, 4));
    bed.makeSampler({.mipFilter = MipFilter::Point});
    for (unsigned lane = 0; lane < 4; ++lane) {
      bed.v(1, lane) = 0x3A00 << 16 | 0x3800; // 0.5, 0.75
      bed.v(2, lane) = 0x3C00;                // lod 1
    }
    EXPECT_EQ(bed.sample("image_sample_l", 2, std::string(image2D) + " a16"), 132.0f);
  }
}

TEST(ImageSample, CubeFacesAndEdges) {
  for (const char *target : allTargets) {
    pal::srd::ImageSrdInfo info = size2D(4, 4);
    info.type = pal::srd::ImageType::Cube;
    info.layers = 12;
    Ramp bed(target, info, 12);
    bed.makeSampler({});
    const std::string cube = " dim:SQ_RSRC_IMG_CUBE";
    // Positions on a face run from 1 to 2; layer 1, face 3.
    bed.setCoords({1.0f, 1.99f, 8 + 3});
    EXPECT_EQ(bed.sample("image_sample_lz", 3, cube), 9030.0f);
    // The right edge of +z (face 4) is the left edge of +x (face 0), row by row.
    bed.makeSampler(linear());
    bed.setCoords({2.0f, 1.375f, 4});
    EXPECT_EQ(bed.sample("image_sample_lz", 3, cube), (4013.0f + 10.0f) / 2);
    // The top edge of +z is the bottom edge of +y (face 2), column by column.
    bed.setCoords({1.375f, 1.0f, 4});
    EXPECT_EQ(bed.sample("image_sample_lz", 3, cube), (4001.0f + 2031.0f) / 2);
    // The top edge of +x is the right edge of +y, the other way round: column 0 meets row 3.
    bed.setCoords({1.125f, 1.0f, 0});
    EXPECT_EQ(bed.sample("image_sample_lz", 3, cube), (0.0f + 2033.0f) / 2);
    // A corner is the mean of three texels: +z, +x and +y.
    bed.setCoords({2.0f, 1.0f, 4});
    EXPECT_NEAR(bed.sample("image_sample_lz", 3, cube), (4003.0f + 0.0f + 2033.0f) / 3, 1e-3f);
    // Without seamless filtering the face ends.
    pal::srd::SamplerSrdInfo sampler = linear();
    sampler.seamlessCube = false;
    bed.makeSampler(sampler);
    bed.setCoords({2.0f, 1.375f, 4});
    EXPECT_EQ(bed.sample("image_sample_lz", 3, cube), 4013.0f);
  }
}

TEST(ImageSample, NullDescriptorGivesZeros) {
  Ramp bed("gfx1100", size2D(4, 4));
  bed.setWords(0, std::vector<uint32_t>(8, 0));
  bed.makeSampler(linear());
  bed.setCoords({0.5f, 0.5f});
  EXPECT_EQ(bed.sample("image_sample_lz", 2, image2D), 0.0f);
}

TEST(ImageSample, ExtremeCoordinatesAreHarmless) {
  Ramp bed("gfx1100", size2D(4, 4));
  for (Address address : {Address::Wrap, Address::Mirror, Address::ClampToEdge, Address::MirrorOnce,
                          Address::ClampToBorder}) {
    bed.makeSampler(linear(address));
    for (float value : {INFINITY, -INFINITY, NAN, 3e38f, -3e38f}) {
      bed.setCoords({value, value, value});
      float result = bed.sample("image_sample_l", 3, image2D);
      EXPECT_TRUE(result >= 0 && result <= 33) << value;
    }
  }
}

} // namespace
