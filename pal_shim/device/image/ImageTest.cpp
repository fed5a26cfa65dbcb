//===- ImageTest.cpp - image loads, stores, atomics ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Expected texels follow from the layout rules (srd/LinearLayout.h) and Vulkan's conversions.
#include "pal_shim/device/image/ImageTestbedForTest.h"
#include <gtest/gtest.h>

using namespace pal::device;
using namespace pal::device::test;
using pal::formats::Format;

namespace {

TEST(Image, LoadAndStoreOfLevelsAndLayers) {
  for (const char *target : allTargets) {
    ImageTestbed bed(target);
    pal::srd::ImageSrdInfo info;
    info.type = pal::srd::ImageType::Dim2DArray;
    info.format = Format::X32_Uint;
    info.width = 16, info.height = 8;
    info.imageLevels = 3, info.baseLevel = 1, info.levels = 2;
    info.baseLayer = 1, info.layers = 2;
    pal::srd::LinearLayout layout = bed.makeImage(info, 4);
    // Lane: x, y, layer of the view, level of the view.
    const uint32_t points[5][4] = {
        {0, 0, 0, 0}, {7, 3, 1, 0}, {3, 1, 1, 1}, {8, 0, 0, 0}, {0, 0, 2, 0}};
    bed.setExec(0x1F);
    for (unsigned lane = 0; lane < 5; ++lane) {
      for (unsigned i = 0; i < 4; ++i)
        bed.v(1 + i, lane) = points[lane][i];
      bed.v(9, lane) = 100 + lane;
      bed.v(10, lane) = 7;
    }
    ASSERT_EQ(bed.run("image_store_mip v9, " + bed.list(1, 4) +
                      ", s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY\n"
                      "image_load_mip v10, " +
                      bed.list(1, 4) + ", s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY"),
              "");
    EXPECT_EQ(bed.at<uint32_t>(bed.image + layout.offset(1, 0, 0, 1)), 100u);
    EXPECT_EQ(bed.at<uint32_t>(bed.image + layout.offset(1, 7, 3, 2)), 101u);
    EXPECT_EQ(bed.at<uint32_t>(bed.image + layout.offset(2, 3, 1, 2)), 102u);
    for (unsigned lane = 0; lane < 5; ++lane)
      EXPECT_EQ(bed.v(10, lane), lane < 3 ? 100 + lane : 0) << target << " lane " << lane;
    // Nothing else was written.
    EXPECT_EQ(bed.at<uint32_t>(bed.image + layout.offset(1, 0, 0, 3)), 0u);
  }
}

TEST(Image, ConversionSelectionAndHalves) {
  for (const char *target : allTargets) {
    ImageTestbed bed(target);
    pal::srd::ImageSrdInfo info;
    info.format = Format::X8Y8Z8W8_Unorm;
    info.width = info.height = 4;
    using pal::srd::Select;
    info.swizzle = {Select::Z, Select::Y, Select::X, Select::One};
    bed.makeImage(info);
    bed.at<uint32_t>(bed.image) = 0x80FF0033; // X 51, Y 0, Z 255, W 128
    bed.setExec(3);
    bed.v(1, 1) = 4; // outside
    ASSERT_EQ(bed.run("image_load v[4:7], " + bed.list(1, 2) +
                      ", s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D\n"
                      "image_load v[8:9], " +
                      bed.list(1, 2) +
                      ", s[0:7] dmask:0x5 dim:SQ_RSRC_IMG_2D\n"
                      "image_load v[10:12], " +
                      bed.list(1, 2) + ", s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D tfe d16"),
              "");
    EXPECT_EQ(bed.vf(4, 0), 1.0f);
    EXPECT_EQ(bed.vf(5, 0), 0.0f);
    EXPECT_EQ(bed.vf(6, 0), 0.2f);
    EXPECT_EQ(bed.vf(7, 0), 1.0f);
    EXPECT_EQ(bed.vf(4, 1), 0.0f);
    EXPECT_EQ(bed.vf(7, 1), 1.0f);
    EXPECT_EQ(bed.vf(8, 0), 1.0f); // dmask 5: components 0 and 2
    EXPECT_EQ(bed.vf(9, 0), 0.2f);
    EXPECT_EQ(bed.v(10, 0), 0x3C00u);
    EXPECT_EQ(bed.v(11, 0), 0x3C003266u); // 0.2 in half precision is 0x3266
    EXPECT_EQ(bed.v(12, 0), 0u);
    // The store undoes the selection.
    float values[4] = {0.0f, 1.0f, 0.4f, 0.0f};
    bed.setExec(1);
    for (unsigned i = 0; i < 4; ++i)
      bed.setF(4 + i, 0, values[i]);
    ASSERT_EQ(
        bed.run("image_store v[4:7], " + bed.list(1, 2) + ", s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D"),
        "");
    EXPECT_EQ(bed.at<uint32_t>(bed.image) & 0xFFFFFF, 0x00FF66u);
  }
}

TEST(Image, ThreeDimensionsAndHalfCoordinates) {
  for (const char *target : allTargets) {
    ImageTestbed bed(target);
    pal::srd::ImageSrdInfo info;
    info.type = pal::srd::ImageType::Dim3D;
    info.format = Format::X16Y16_Float;
    info.width = 4, info.height = 4, info.depth = 4;
    pal::srd::LinearLayout layout = bed.makeImage(info);
    bed.at<uint32_t>(bed.image + layout.offset(0, 1, 2, 3)) = 0xC0003E00; // 1.5, -2
    bed.setExec(1);
    bed.v(1, 0) = 2 << 16 | 1;
    bed.v(2, 0) = 0xABCD0003;
    ASSERT_EQ(bed.run("image_load v[4:5], " + bed.list(1, 2) +
                      ", s[0:7] dmask:0x3 dim:SQ_RSRC_IMG_3D a16"),
              "");
    EXPECT_EQ(bed.vf(4, 0), 1.5f);
    EXPECT_EQ(bed.vf(5, 0), -2.0f);
  }
}

TEST(Image, SamplesOfMultisampledImages) {
  ImageTestbed bed("gfx1100");
  pal::srd::ImageSrdInfo info;
  info.type = pal::srd::ImageType::Dim2DMs;
  info.format = Format::X32_Uint;
  info.width = 4, info.height = 4, info.samples = 4;
  pal::srd::LinearLayout layout = bed.makeImage(info);
  bed.at<uint32_t>(bed.image + layout.offset(0, 3, 2, 0, 2)) = 77;
  bed.setExec(3);
  for (unsigned lane = 0; lane < 2; ++lane) {
    bed.v(1, lane) = 3, bed.v(2, lane) = 2;
    bed.v(3, lane) = lane ? 4 : 2; // the second lane asks for sample 4 of 4
    bed.v(4, lane) = 5;
  }
  ASSERT_EQ(bed.run("image_load v4, v[1:3], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA"), "");
  EXPECT_EQ(bed.v(4, 0), 77u);
  EXPECT_EQ(bed.v(4, 1), 0u);
}

TEST(Image, AtomicsReturnAndStayInside) {
  for (const char *target : allTargets) {
    ImageTestbed bed(target);
    pal::srd::ImageSrdInfo info;
    info.format = Format::X32_Uint;
    info.width = info.height = 4;
    bed.makeImage(info);
    bed.at<uint32_t>(bed.image + 4) = 10;
    bed.setExec(7);
    for (unsigned lane = 0; lane < 3; ++lane) {
      bed.v(1, lane) = lane == 2 ? 9 : 1;
      bed.v(4, lane) = lane + 1;
    }
    bool gfx12 = isGfx12(target);
    std::string returns = gfx12 ? " th:TH_ATOMIC_RETURN" : " glc";
    ASSERT_EQ(bed.run((gfx12 ? "image_atomic_add_uint v4, " : "image_atomic_add v4, ") +
                      bed.list(1, 2) + ", s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D" + returns),
              "");
    EXPECT_EQ(bed.v(4, 0), 10u);
    EXPECT_EQ(bed.v(4, 1), 11u);
    EXPECT_EQ(bed.v(4, 2), 0u);
    EXPECT_EQ(bed.at<uint32_t>(bed.image + 4), 13u);
    bed.setExec(1);
    bed.v(4, 0) = 99; // new
    bed.v(5, 0) = 13; // expected
    ASSERT_EQ(bed.run("image_atomic_cmpswap v[4:5], " + bed.list(1, 2) +
                      ", s[0:7] dmask:0x3 dim:SQ_RSRC_IMG_2D"),
              "");
    EXPECT_EQ(bed.at<uint32_t>(bed.image + 4), 99u);
  }
}

TEST(Image, BlockCompressed) {
  for (const char *target : allTargets) {
    ImageTestbed bed(target);
    pal::srd::ImageSrdInfo info;
    info.format = Format::Bc1_Unorm;
    info.width = info.height = 8;
    pal::srd::LinearLayout layout = bed.makeImage(info);
    // Block (1, 1): colours red and blue; texel (2, 3) has code 1, all others 0.
    bed.at<uint32_t>(bed.image + layout.offset(0, 1, 1, 0)) = 0x001FF800;
    bed.at<uint32_t>(bed.image + layout.offset(0, 1, 1, 0) + 4) = 1u << (2 * (3 * 4 + 2));
    bed.setExec(3);
    for (unsigned lane = 0; lane < 2; ++lane)
      bed.v(1, lane) = 6 - lane, bed.v(2, lane) = 7;
    ASSERT_EQ(
        bed.run("image_load v[4:7], " + bed.list(1, 2) + ", s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D"),
        "");
    const float blue[4] = {0, 0, 1, 1}, red[4] = {1, 0, 0, 1};
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(bed.vf(4 + i, 0), blue[i]);
      EXPECT_EQ(bed.vf(4 + i, 1), red[i]);
    }
  }
}

TEST(Image, Sizes) {
  for (const char *target : allTargets) {
    ImageTestbed bed(target);
    pal::srd::ImageSrdInfo info;
    info.type = pal::srd::ImageType::Dim2DArray;
    info.format = Format::X32_Uint;
    info.width = 40, info.height = 20;
    info.imageLevels = 5, info.baseLevel = 1, info.levels = 3;
    info.baseLayer = 2, info.layers = 6;
    bed.makeImage(info, 8);
    bed.setExec(3);
    bed.v(1, 0) = 1;
    bed.v(1, 1) = 3;
    ASSERT_EQ(bed.run("image_get_resinfo v[4:7], v1, s[0:7] dmask:0xf "
                      "dim:SQ_RSRC_IMG_2D_ARRAY"),
              "");
    EXPECT_EQ(bed.v(4, 0), 10u);
    EXPECT_EQ(bed.v(5, 0), 5u);
    EXPECT_EQ(bed.v(6, 0), 6u);
    EXPECT_EQ(bed.v(7, 0), 3u);
    EXPECT_EQ(bed.v(4, 1), 0u);
  }
}

TEST(Image, NullAndBadDescriptors) {
  ImageTestbed bed("gfx1100");
  bed.setWords(0, std::vector<uint32_t>(8, 0));
  bed.v(4, 0) = 3;
  ASSERT_EQ(bed.run("image_load v[4:7], v[1:2], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D\n"
                    "image_store v[4:7], v[1:2], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D\n"
                    "image_atomic_add v5, v[1:2], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D glc"),
            "");
  EXPECT_EQ(bed.v(4, 0), 0u);
  bed.wave->s[3] = 0x10000000;
  EXPECT_NE(bed.run("image_load v[4:7], v[1:2], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D"), "");
  EXPECT_EQ(bed.group.fault->kind, DeviceFault::Kind::BadDescriptor);
}

} // namespace
