//===- VertexFormatsTest.cpp ----------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/VertexFormats.h"
#include <gtest/gtest.h>

namespace lgc {
namespace {

TexelFormat parse(const char *text) {
  TexelFormat format;
  EXPECT_TRUE(parseTexelFormat(text, format)) << text;
  return format;
}

// Vulkan 1.3, "Required format support": every format with
// VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT, and the 64-bit ones.
TEST(VertexFormats, requiredFormatsHaveLoads) {
  static const char *const formats[] = {"R8.unorm",
                                        "R8.snorm",
                                        "R8.uint",
                                        "R8.sint",
                                        "RG8.unorm",
                                        "RG8.snorm",
                                        "RG8.uint",
                                        "RG8.sint",
                                        "RGBA8.unorm",
                                        "RGBA8.snorm",
                                        "RGBA8.uint",
                                        "RGBA8.sint",
                                        "RGBA8.unorm.swapRedBlue",
                                        "RGB10A2.unorm",
                                        "R16.unorm",
                                        "R16.snorm",
                                        "R16.uint",
                                        "R16.sint",
                                        "R16.float",
                                        "RG16.unorm",
                                        "RG16.snorm",
                                        "RG16.uint",
                                        "RG16.sint",
                                        "RG16.float",
                                        "RGBA16.unorm",
                                        "RGBA16.snorm",
                                        "RGBA16.uint",
                                        "RGBA16.sint",
                                        "RGBA16.float",
                                        "R32.uint",
                                        "R32.sint",
                                        "R32.float",
                                        "RG32.uint",
                                        "RG32.sint",
                                        "RG32.float",
                                        "RGB32.uint",
                                        "RGB32.sint",
                                        "RGB32.float",
                                        "RGBA32.uint",
                                        "RGBA32.sint",
                                        "RGBA32.float",
                                        "R64.float",
                                        "RG64.float",
                                        "RGB64.float",
                                        "RGBA64.float",
                                        "R64.uint",
                                        "RGBA64.sint"};
  for (const char *text : formats) {
    TexelFormat format = parse(text);
    VertexFormatInfo info = vertexFormatInfo(format);
    ASSERT_NE(info.channels, 0u) << text;
    EXPECT_EQ(info.channels, channelCount(format.layout)) << text;
    if (info.channelBytes)
      EXPECT_EQ(info.elementBytes, info.channels * info.channelBytes) << text;
    if (info.raw)
      continue;
    for (unsigned gfxMajor : {10u, 11u, 12u})
      EXPECT_NE(hardwareBufferFormat(format, info.channels, gfxMajor), 0u) << text;
  }
}

TEST(VertexFormats, formatsOfOtherUsesAreNone) {
  for (const char *text : {"BGR565.unorm", "RGBA8.srgb", "RGB9E5.float", "D16.unorm", "S8.uint",
                           "RG11B10.unorm", "RGB10A2.float", "R8.float"})
    EXPECT_EQ(vertexFormatInfo(parse(text)).channels, 0u) << text;
}

TEST(VertexFormats, numbersByGeneration) {
  EXPECT_EQ(hardwareBufferFormat(parse("RGBA8.sint"), 4, 10), 61u);
  EXPECT_EQ(hardwareBufferFormat(parse("RGBA8.sint"), 4, 11), 47u);
  EXPECT_EQ(hardwareBufferFormat(parse("RGBA8.sint"), 4, 12), 47u);
  EXPECT_EQ(hardwareBufferFormat(parse("RGBA16.float"), 4, 10), 71u);
  EXPECT_EQ(hardwareBufferFormat(parse("RGBA16.float"), 2, 12), 29u);
  EXPECT_EQ(hardwareBufferFormat(parse("RGB16.float"), 1, 11), 13u);
  EXPECT_EQ(hardwareBufferFormat(parse("RGB10A2.unorm"), 4, 10), 50u);
  EXPECT_EQ(hardwareBufferFormat(parse("RG11B10.float"), 3, 11), 30u);
}

TEST(VertexFormats, swappedChannels) {
  VertexFormatInfo info = vertexFormatInfo(parse("RGBA8.unorm.swapRedBlue"));
  EXPECT_EQ(info.source[0], 2u);
  EXPECT_EQ(info.source[2], 0u);
  EXPECT_EQ(info.source[3], 3u);
}

} // namespace
} // namespace lgc
