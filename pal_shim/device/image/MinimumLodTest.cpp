//===- MinimumLodTest.cpp - MIN_LOD of images -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Samplers clamp; loads and gathers of level 0 find nothing below its whole part (Vulkan "Image
/// Level(s) Selection", "Texel Gathering", "Integer Texel Coordinate Operations").
#include "pal_shim/device/image/ImageTestbedForTest.h"
#include <gtest/gtest.h>

using namespace pal::device;
using namespace pal::device::test;

namespace {

/// A view of the levels from \p baseLevel to 4; every texel of level L is 100 L.
struct Levels : ImageTestbed {
  Levels(const char *target, uint32_t baseLevel, float minLod) : ImageTestbed(target) {
    pal::srd::ImageSrdInfo info;
    info.format = pal::formats::Format::X32_Float;
    info.width = info.height = 16;
    info.imageLevels = 5;
    info.baseLevel = baseLevel;
    info.levels = 5 - baseLevel;
    info.minLod = minLod;
    const pal::srd::LinearLayout layout = makeImage(info);
    for (uint32_t level = 0; level < 5; ++level)
      for (uint32_t y = 0; y < 16u >> level; ++y)
        for (uint32_t x = 0; x < 16u >> level; ++x)
          at<float>(image + layout.offset(level, x, y, 0)) = 100.0f * float(level);
    pal::srd::SamplerSrdInfo sampler;
    sampler.magFilter = sampler.minFilter = pal::srd::Filter::Linear;
    sampler.mipFilter = pal::srd::MipFilter::Linear;
    sampler.address = {pal::srd::Address::ClampToEdge, pal::srd::Address::ClampToEdge,
                       pal::srd::Address::ClampToEdge};
    makeSampler(sampler);
    setExec(0xF);
  }
  /// X of lane 0, in the middle of the image. \p lod: the third address, where there is one.
  float sample(const std::string &name, unsigned addresses, float lod = 0) {
    for (unsigned lane = 0; lane < 4; ++lane) {
      setF(1, lane, 0.5f);
      setF(2, lane, 0.5f);
      setF(3, lane, lod);
    }
    EXPECT_EQ(run(name + list(1, addresses) + ", s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D"),
              "");
    return vf(20, 0);
  }
};

TEST(MinimumLod, SamplersClamp) {
  for (const char *target : allTargets) {
    Levels bed(target, 1, 2.25f);
    EXPECT_EQ(bed.sample("image_sample_l v20, ", 3, 0.5f), 225.0f);
    EXPECT_EQ(bed.sample("image_sample_l v20, ", 3, 2.0f), 300.0f);
    EXPECT_EQ(bed.sample("image_sample_lz v20, ", 2), 225.0f);
    EXPECT_EQ(bed.sample("image_get_lod v20, ", 2), 1.25f);
  }
}

TEST(MinimumLod, GathersOfTheFirstLevel) {
  for (const char *target : allTargets) {
    EXPECT_EQ(Levels(target, 1, 2.25f).sample("image_gather4_lz v[20:23], ", 2), 0.0f);
    EXPECT_EQ(Levels(target, 2, 2.75f).sample("image_gather4_lz v[20:23], ", 2), 200.0f);
  }
}

TEST(MinimumLod, LoadsAndStores) {
  for (const char *target : allTargets) {
    Levels bed(target, 1, 2.25f);
    for (unsigned lane = 0; lane < 4; ++lane) {
      bed.v(1, lane) = bed.v(2, lane) = 0;
      bed.v(3, lane) = lane; // level of the view
      bed.setF(9, lane, 7);
    }
    const std::string rest = bed.list(1, 3) + ", s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    const float before[4] = {0, 200, 300, 400};
    ASSERT_EQ(bed.run("image_load_mip v20, " + rest), "");
    for (unsigned lane = 0; lane < 4; ++lane)
      EXPECT_EQ(bed.vf(20, lane), before[lane]) << target;
    ASSERT_EQ(bed.run("image_store_mip v9, " + rest), "");
    const float after[4] = {0, 7, 7, 7};
    ASSERT_EQ(bed.run("image_load_mip v20, " + rest), "");
    for (unsigned lane = 0; lane < 4; ++lane)
      EXPECT_EQ(bed.vf(20, lane), after[lane]) << target;
  }
}

} // namespace
