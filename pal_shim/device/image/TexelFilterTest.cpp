// SPDX-License-Identifier: MIT
#include "pal_shim/device/image/ImageTestbedForTest.h"
#include <gtest/gtest.h>

using namespace pal::device::test;
using pal::srd::Address;
using pal::srd::Filter;

namespace {

TEST(TexelFilter, EqualTexelsStayWhatTheyAre) {
  ImageTestbed bed("gfx1100");
  pal::srd::ImageSrdInfo info;
  info.width = info.height = 8;
  info.imageLevels = info.levels = 1;
  info.format = pal::formats::Format::X32_Float;
  const pal::srd::LinearLayout layout = bed.makeImage(info);
  pal::srd::SamplerSrdInfo sampler;
  sampler.magFilter = sampler.minFilter = Filter::Linear;
  sampler.address = {Address::ClampToEdge, Address::ClampToEdge, Address::ClampToEdge};
  bed.makeSampler(sampler);
  bed.setExec(1);
  for (float value : {0.1f, 0.7f, 1.0f / 3, 16777213.0f, 1e-30f}) {
    for (uint32_t i = 0; i < 64; ++i)
      bed.at<float>(bed.image + layout.offset(0, i % 8, i / 8, 0)) = value;
    for (uint32_t i = 0; i < 64; ++i) {
      bed.setF(1, 0, (float(i) + 0.498f) / 64);
      bed.setF(2, 0, (float(63 - i) + 0.123f) / 64);
      ASSERT_EQ(bed.run("image_sample_lz v20, " + bed.list(1, 2) +
                        ", s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D"),
                "");
      EXPECT_EQ(bed.vf(20, 0), value) << i;
    }
  }
}

} // namespace
