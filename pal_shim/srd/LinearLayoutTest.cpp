// SPDX-License-Identifier: MIT
// Sizes and offsets worked out by hand from the rules of LinearLayout.h.
#include "pal_shim/srd/LinearLayout.h"
#include <gtest/gtest.h>

namespace pal::srd {
namespace {

using formats::Format;

TEST(LinearLayout, SmallestLevelFirst) {
  const LinearLayout layout(
      {.format = Format::X8Y8Z8W8_Unorm, .width = 64, .height = 32, .slices = 3, .levels = 3});
  EXPECT_EQ(layout.level(2).offset, 0u);
  EXPECT_EQ(layout.level(1).offset, 8u * 256);
  EXPECT_EQ(layout.level(0).offset, (8u + 16) * 256);
  EXPECT_EQ(layout.level(0).rowPitch, 256u);
  EXPECT_EQ(layout.sliceBytes(), (8u + 16 + 32) * 256);
  EXPECT_EQ(layout.totalBytes(), 3u * (8u + 16 + 32) * 256);
  EXPECT_EQ(layout.offset(1, 3, 2, 2), 2u * 56 * 256 + 8 * 256 + 2 * 256 + 12);
}

TEST(LinearLayout, RowsArePadded) {
  EXPECT_EQ(LinearLayout({.format = Format::X8_Unorm, .width = 257}).level(0).rowPitch, 512u);
  EXPECT_EQ(LinearLayout({.format = Format::X32Y32Z32_Float, .width = 22}).level(0).rowPitch, 512u);
  EXPECT_EQ(
      LinearLayout({.format = Format::X8_Unorm, .width = 8, .rowPitch = 1024}).level(0).rowPitch,
      1024u);
}

TEST(LinearLayout, BlocksAreElements) {
  const LinearLayout layout({.format = Format::Bc1_Unorm, .width = 10, .height = 6, .levels = 3});
  EXPECT_EQ(layout.level(0).rowLength, 3u);
  EXPECT_EQ(layout.level(0).rows, 2u);
  EXPECT_EQ(layout.level(1).rowLength, 2u); // 5x3
  EXPECT_EQ(layout.level(1).rows, 1u);
  EXPECT_EQ(layout.level(2).rows, 1u);
  EXPECT_EQ(layout.offset(0, 1, 1, 0), 2u * 256 + 256 + 8);
}

TEST(LinearLayout, SamplesAreSlices) {
  const LinearLayout layout(
      {.format = Format::X32_Float, .width = 4, .height = 4, .slices = 2, .samples = 4});
  EXPECT_EQ(layout.sliceBytes(), 1024u);
  EXPECT_EQ(layout.totalBytes(), 8u * 1024);
  EXPECT_EQ(layout.offset(0, 1, 0, 1, 3), 7u * 1024 + 4);
}

} // namespace
} // namespace pal::srd
