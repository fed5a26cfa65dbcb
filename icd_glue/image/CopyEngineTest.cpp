// SPDX-License-Identifier: MIT
// Transfers on host memory. Expectations: bytes placed by the layout rules, and the formulas of the
// Vulkan specification computed one texel at a time.
#include "icd_glue/image/CopyEngine.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace icd {
namespace {

using pal::formats::Texel;

uint32_t bitsOf(float value) { return llvm::bit_cast<uint32_t>(value); }
float floatOf(uint32_t bits) { return llvm::bit_cast<float>(bits); }

/// An image with memory of its own, one plane unless the format has more.
struct TestImage {
  explicit TestImage(VkFormat format, VkExtent3D extent, uint32_t layers = 1, uint32_t levels = 1,
                     VkImageType type = VK_IMAGE_TYPE_2D,
                     VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) {
    VkImageCreateInfo info = {};
    info.format = format;
    info.imageType = type;
    info.extent = extent;
    info.arrayLayers = layers;
    info.mipLevels = levels;
    info.samples = samples;
    shape = ImageShape::of(info);
    memory.resize(shape.size);
  }
  HostPlane plane(unsigned index = 0) {
    return {shape.planes[index], memory.data() + shape.planes[index].offset};
  }
  template <typename T>
  T &at(uint32_t x, uint32_t y, uint32_t slice = 0, uint32_t level = 0, uint32_t sample = 0) {
    return *reinterpret_cast<T *>(plane().host +
                                  shape.planes[0].layout.offset(level, x, y, slice, sample));
  }

  ImageShape shape;
  std::vector<uint8_t> memory;
};

TEST(CopyEngine, BufferToImageAndBack) {
  TestImage image(VK_FORMAT_R32_UINT, {8, 8, 1}, 4, 2);
  // 3x2 texels of layers 1 and 2 of level 1, rows of 5 texels, slices of 3 rows.
  std::vector<uint32_t> buffer(2 * 5 * 3);
  for (uint32_t i = 0; i < buffer.size(); ++i)
    buffer[i] = 100 + i;
  ElementBox box;
  ASSERT_TRUE(elementBox(image.shape.planes[0], {1, 1, 2}, {1, 2, 0}, {3, 2, 1}, box));
  const BufferShape shape = bufferShape(image.shape.planes[0], box, 5, 3);
  EXPECT_EQ(shape.bytes, (15u + 5 + 3) * 4);
  copyBufferToImage(reinterpret_cast<uint8_t *>(buffer.data()), shape, image.plane(), box);
  for (uint32_t layer = 0; layer < 4; ++layer)
    for (uint32_t y = 0; y < 4; ++y)
      for (uint32_t x = 0; x < 4; ++x) {
        const bool written = layer >= 1 && layer < 3 && y >= 2 && x >= 1;
        EXPECT_EQ(image.at<uint32_t>(x, y, layer, 1),
                  written ? 100 + (layer - 1) * 15 + (y - 2) * 5 + x - 1 : 0);
      }
  std::vector<uint32_t> back(buffer.size());
  copyImageToBuffer(image.plane(), box, reinterpret_cast<uint8_t *>(back.data()), shape);
  for (uint32_t i = 0; i < back.size(); ++i)
    EXPECT_EQ(back[i], i % 5 < 3 && i % 15 < 10 ? buffer[i] : 0) << i;
}

/// Pitches from memory that shaders have written must not wrap to few bytes.
TEST(CopyEngine, PitchesBeyondMemoryStayThere) {
  TestImage image(VK_FORMAT_R32G32B32A32_SFLOAT, {4, 4, 1}, 3, 1);
  ElementBox box;
  ASSERT_TRUE(elementBox(image.shape.planes[0], {0, 0, 3}, {0, 0, 0}, {4, 1, 1}, box));
  EXPECT_EQ(bufferShape(image.shape.planes[0], box, 1u << 30, 1u << 29).bytes, UINT64_MAX);
}

TEST(CopyEngine, RegionsOutsideAreRefused) {
  TestImage image(VK_FORMAT_R8_UNORM, {8, 4, 1}, 2, 2);
  const ImagePlane &plane = image.shape.planes[0];
  ElementBox box;
  EXPECT_TRUE(elementBox(plane, {0, 0, 2}, {0, 0, 0}, {8, 4, 1}, box));
  EXPECT_FALSE(elementBox(plane, {0, 0, 2}, {1, 0, 0}, {8, 4, 1}, box));
  EXPECT_FALSE(elementBox(plane, {1, 0, 1}, {0, 0, 0}, {8, 4, 1}, box));
  EXPECT_FALSE(elementBox(plane, {2, 0, 1}, {0, 0, 0}, {1, 1, 1}, box));
  EXPECT_FALSE(elementBox(plane, {0, 1, 2}, {0, 0, 0}, {1, 1, 1}, box));
  EXPECT_FALSE(elementBox(plane, {0, 0, 1}, {-1, 0, 0}, {1, 1, 1}, box));
  EXPECT_FALSE(elementBox(plane, {0, 0, 1}, {0, 0, 0}, {0xffffffff, 1, 1}, box));
  EXPECT_TRUE(elementBox(plane, {0, 1, VK_REMAINING_ARRAY_LAYERS}, {0, 0, 0}, {1, 1, 1}, box));
  EXPECT_EQ(box.slices, 1u);
  EXPECT_FALSE(clearImage(image.plane(), {}, {.baseLevel = 1, .levels = 2}));
  EXPECT_FALSE(clearImage(image.plane(), {}, {.baseLayer = 2, .layers = 1}));
}

TEST(CopyEngine, LayersBecomePlanes) {
  TestImage array(VK_FORMAT_R16_UINT, {4, 4, 1}, 3);
  TestImage volume(VK_FORMAT_R16_SINT, {4, 4, 5}, 1, 1, VK_IMAGE_TYPE_3D);
  for (uint32_t layer = 0; layer < 3; ++layer)
    array.at<uint16_t>(2, 1, layer) = static_cast<uint16_t>(7 + layer);
  ASSERT_TRUE(copyImage(array.plane(), {0, 0, 3}, {0, 0, 0}, volume.plane(), {0, 0, 1}, {0, 0, 2},
                        {4, 4, 1}));
  for (uint32_t z = 0; z < 5; ++z)
    EXPECT_EQ(volume.at<uint16_t>(2, 1, z), z < 2 ? 0 : 5 + z);
  TestImage back(VK_FORMAT_R16_UINT, {4, 4, 1}, 3);
  ASSERT_TRUE(copyImage(volume.plane(), {0, 0, 1}, {0, 0, 3}, back.plane(), {0, 1, 2}, {0, 0, 0},
                        {4, 4, 2}));
  EXPECT_EQ(back.at<uint16_t>(2, 1, 1), 8);
  EXPECT_EQ(back.at<uint16_t>(2, 1, 2), 9);
}

TEST(CopyEngine, BlocksAreTexelsOfTheOtherFormat) {
  TestImage blocks(VK_FORMAT_BC1_RGBA_UNORM_BLOCK, {10, 8, 1});
  TestImage texels(VK_FORMAT_R32G32_UINT, {3, 2, 1});
  blocks.at<uint64_t>(2, 1) = 0x123456789abcdef0;
  ASSERT_TRUE(copyImage(blocks.plane(), {}, {0, 0, 0}, texels.plane(), {}, {0, 0, 0}, {10, 8, 1}));
  EXPECT_EQ(texels.at<uint64_t>(2, 1), 0x123456789abcdef0u);
  TestImage other(VK_FORMAT_BC1_RGBA_UNORM_BLOCK, {12, 8, 1});
  ASSERT_TRUE(copyImage(texels.plane(), {}, {2, 1, 0}, other.plane(), {}, {4, 4, 0}, {1, 1, 1}));
  EXPECT_EQ(other.at<uint64_t>(1, 1), 0x123456789abcdef0u);
  TestImage wrong(VK_FORMAT_R32_UINT, {3, 2, 1});
  EXPECT_FALSE(copyImage(blocks.plane(), {}, {0, 0, 0}, wrong.plane(), {}, {0, 0, 0}, {4, 4, 1}));
}

TEST(CopyEngine, PlanesOfAFormat) {
  TestImage ycbcr(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, {6, 4, 1});
  ASSERT_EQ(ycbcr.shape.planeList().size(), 2u);
  EXPECT_EQ(ycbcr.shape.planes[1].extent.width, 3u);
  EXPECT_EQ(ycbcr.shape.planes[1].extent.height, 2u);
  EXPECT_EQ(ycbcr.shape.planes[1].offset, 4u * 256);
  EXPECT_EQ(ycbcr.shape.size, 6u * 256);
  TestImage depthStencil(VK_FORMAT_D32_SFLOAT_S8_UINT, {6, 4, 1});
  EXPECT_EQ(depthStencil.shape.format->planeOf(VK_IMAGE_ASPECT_STENCIL_BIT), 1u);
  ASSERT_TRUE(clearImage(depthStencil.plane(1), {0x1ff}, {}));
  EXPECT_EQ(depthStencil.memory[0], 0);
  EXPECT_EQ(depthStencil.memory[depthStencil.shape.planes[1].offset + 5], 0xff);
}

TEST(CopyEngine, ClearConvertsAndSwizzles) {
  const Texel color = {bitsOf(1), bitsOf(0.5f), bitsOf(0), bitsOf(0.25f)};
  TestImage bgra(VK_FORMAT_B8G8R8A8_UNORM, {5, 3, 1}, 2, 2);
  ASSERT_TRUE(clearImage(bgra.plane(), color,
                         {.baseLevel = 0,
                          .levels = VK_REMAINING_MIP_LEVELS,
                          .baseLayer = 1,
                          .layers = VK_REMAINING_ARRAY_LAYERS}));
  EXPECT_EQ(bgra.at<uint32_t>(4, 2, 1, 0), 0x40ff8000u);
  EXPECT_EQ(bgra.at<uint32_t>(1, 0, 1, 1), 0x40ff8000u);
  EXPECT_EQ(bgra.at<uint32_t>(4, 2, 0, 0), 0u);
  TestImage packed(VK_FORMAT_R5G6B5_UNORM_PACK16, {1, 1, 1});
  ASSERT_TRUE(clearImage(packed.plane(), color, {}));
  EXPECT_EQ(packed.at<uint16_t>(0, 0), 0x1f << 11 | 32 << 5); // 31.5 rounds to even
  // The first two words of the colour are the component of 64 bits.
  TestImage wide(VK_FORMAT_R64_SINT, {1, 1, 1});
  ASSERT_TRUE(clearImage(wide.plane(), {0x89abcdef, 0x81234567, 1, 2}, {}));
  EXPECT_EQ(wide.at<uint64_t>(0, 0), 0x8123456789abcdefu);
  TestImage volume(VK_FORMAT_R8_UINT, {4, 4, 4}, 1, 2, VK_IMAGE_TYPE_3D);
  ASSERT_TRUE(clearImage(volume.plane(), {9}, {.baseLevel = 1, .levels = 1}));
  EXPECT_EQ(volume.at<uint8_t>(1, 1, 1, 1), 9);
  EXPECT_EQ(volume.at<uint8_t>(0, 0, 0, 0), 0);
}

TEST(CopyEngine, ResolveAverages) {
  TestImage source(VK_FORMAT_R32_SFLOAT, {2, 2, 1}, 2, 1, VK_IMAGE_TYPE_2D, VK_SAMPLE_COUNT_4_BIT);
  TestImage target(VK_FORMAT_R32_SFLOAT, {2, 2, 1});
  for (uint32_t sample = 0; sample < 4; ++sample)
    source.at<float>(1, 1, 1, 0, sample) = static_cast<float>(1 << sample);
  ASSERT_TRUE(resolveImage(source.plane(), {0, 1, 1}, {1, 1, 0}, target.plane(), {0, 0, 1},
                           {0, 1, 0}, {1, 1, 1}));
  EXPECT_EQ(target.at<float>(0, 1), 3.75f);
  TestImage integers(VK_FORMAT_R8_UINT, {1, 1, 1}, 1, 1, VK_IMAGE_TYPE_2D, VK_SAMPLE_COUNT_2_BIT);
  TestImage one(VK_FORMAT_R8_UINT, {1, 1, 1});
  integers.at<uint8_t>(0, 0, 0, 0, 0) = 3;
  integers.at<uint8_t>(0, 0, 0, 0, 1) = 9;
  ASSERT_TRUE(resolveImage(integers.plane(), {}, {0, 0, 0}, one.plane(), {}, {0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(one.at<uint8_t>(0, 0), 3);
}

TEST(CopyEngine, ResolveRules) {
  TestImage source(VK_FORMAT_R8_SRGB, {1, 1, 1}, 1, 1, VK_IMAGE_TYPE_2D, VK_SAMPLE_COUNT_4_BIT);
  TestImage target(VK_FORMAT_R8_SRGB, {1, 1, 1});
  for (uint32_t sample = 0; sample < 4; ++sample)
    source.at<uint8_t>(0, 0, 0, 0, sample) = sample == 1 ? 253 : 1;
  const struct {
    ResolveRule rule;
    unsigned expected;
  } cases[] = {{{}, 136}, // 135.9: a quarter of the light of 253, by Vulkan's "sRGB EOTF"
               {{VK_RESOLVE_MODE_AVERAGE_BIT, true}, 64}, // (3 + 253) / 4
               {{VK_RESOLVE_MODE_SAMPLE_ZERO_BIT}, 1},
               {{VK_RESOLVE_MODE_MAX_BIT}, 253},
               {{VK_RESOLVE_MODE_MIN_BIT}, 1}};
  for (const auto &test : cases) {
    ASSERT_TRUE(resolveImage(source.plane(), {}, {0, 0, 0}, target.plane(), {}, {0, 0, 0},
                             {1, 1, 1}, test.rule));
    EXPECT_EQ(target.at<uint8_t>(0, 0), test.expected) << test.rule.mode;
  }
}

TEST(CopyEngine, MultisampledCopyTakesAllSamples) {
  TestImage source(VK_FORMAT_R8_UINT, {2, 1, 1}, 1, 1, VK_IMAGE_TYPE_2D, VK_SAMPLE_COUNT_2_BIT);
  TestImage target(VK_FORMAT_R8_UINT, {2, 1, 1}, 1, 1, VK_IMAGE_TYPE_2D, VK_SAMPLE_COUNT_2_BIT);
  source.at<uint8_t>(1, 0, 0, 0, 1) = 5;
  ASSERT_TRUE(copyImage(source.plane(), {}, {1, 0, 0}, target.plane(), {}, {0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(target.at<uint8_t>(0, 0, 0, 0, 1), 5);
  TestImage single(VK_FORMAT_R8_UINT, {2, 1, 1});
  EXPECT_FALSE(copyImage(source.plane(), {}, {0, 0, 0}, single.plane(), {}, {0, 0, 0}, {1, 1, 1}));
}

//===--- Blits ------------------------------------------------------------===//

TEST(Blit, NearestScalesAndMirrors) {
  TestImage source(VK_FORMAT_R32_UINT, {4, 2, 1});
  for (uint32_t i = 0; i < 8; ++i)
    source.at<uint32_t>(i % 4, i / 4) = 10 + i;
  TestImage target(VK_FORMAT_R32_UINT, {8, 4, 1});
  ASSERT_TRUE(blitImage(source.plane(), {{}, {0, 0, 0}, {4, 2, 1}}, target.plane(),
                        {{}, {8, 0, 0}, {0, 4, 1}}, VK_FILTER_NEAREST));
  for (uint32_t y = 0; y < 4; ++y)
    for (uint32_t x = 0; x < 8; ++x)
      EXPECT_EQ(target.at<uint32_t>(x, y), 10 + (y / 2) * 4 + (3 - x / 2));
  // Downwards: centres of the destination fall between texels 1 and 2: the upper one is taken.
  TestImage small(VK_FORMAT_R8_UINT, {1, 1, 1});
  ASSERT_TRUE(blitImage(source.plane(), {{}, {0, 0, 0}, {4, 2, 1}}, small.plane(),
                        {{}, {0, 0, 0}, {1, 1, 1}}, VK_FILTER_NEAREST));
  EXPECT_EQ(small.at<uint8_t>(0, 0), 10 + 4 + 2);
}

TEST(Blit, LinearByTheSpecification) {
  constexpr int width = 5, height = 4, outWidth = 13, outHeight = 3;
  TestImage source(VK_FORMAT_R32_SFLOAT, {width, height, 1});
  TestImage target(VK_FORMAT_R32_SFLOAT, {outWidth, outHeight, 1});
  auto value = [](int x, int y) { return static_cast<float>(x * x * 3 + y * 17 + x * y); };
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x)
      source.at<float>(x, y) = value(static_cast<int>(x), static_cast<int>(y));
  ASSERT_TRUE(blitImage(source.plane(), {{}, {1, 0, 0}, {5, 4, 1}}, target.plane(),
                        {{}, {0, 0, 0}, {outWidth, outHeight, 1}}, VK_FILTER_LINEAR));
  for (int y = 0; y < outHeight; ++y) {
    for (int x = 0; x < outWidth; ++x) {
      const double u = (x + 0.5) * 4 / outWidth + 1 - 0.5, v = (y + 0.5) * 4 / outHeight - 0.5;
      const int i = static_cast<int>(std::floor(u)), j = static_cast<int>(std::floor(v));
      auto texel = [&](int dx, int dy) {
        return double(value(std::clamp(i + dx, 0, width - 1), std::clamp(j + dy, 0, height - 1)));
      };
      const double a = u - i, b = v - j;
      const double expected = (1 - a) * (1 - b) * texel(0, 0) + a * (1 - b) * texel(1, 0) +
                              (1 - a) * b * texel(0, 1) + a * b * texel(1, 1);
      EXPECT_NEAR(target.at<float>(static_cast<uint32_t>(x), static_cast<uint32_t>(y)), expected,
                  1e-4);
    }
  }
}

TEST(Blit, ConvertsFormats) {
  TestImage source(VK_FORMAT_R8G8B8A8_UNORM, {1, 1, 1});
  source.at<uint32_t>(0, 0) = 0x804000ff; // r 1, g 0, b 0x40, a 0x80
  TestImage srgb(VK_FORMAT_B8G8R8A8_SRGB, {1, 1, 1});
  const BlitSide all = {{}, {0, 0, 0}, {1, 1, 1}};
  ASSERT_TRUE(blitImage(source.plane(), all, srgb.plane(), all, VK_FILTER_NEAREST));
  const double encoded = 1.055 * std::pow(0x40 / 255.0, 1 / 2.4) - 0.055;
  const auto blue = static_cast<uint32_t>(std::lround(encoded * 255));
  EXPECT_EQ(srgb.at<uint32_t>(0, 0), 0x80ff0000u | blue);
  TestImage floats(VK_FORMAT_R16G16B16A16_SFLOAT, {1, 1, 1});
  ASSERT_TRUE(blitImage(srgb.plane(), all, floats.plane(), all, VK_FILTER_LINEAR));
  EXPECT_EQ(floats.at<uint16_t>(0, 0), 0x3c00);
  const Texel color = {bitsOf(2), bitsOf(-3), bitsOf(0), bitsOf(0)};
  ASSERT_TRUE(clearImage(floats.plane(), color, {}));
  TestImage snorm(VK_FORMAT_R8G8_SNORM, {1, 1, 1});
  ASSERT_TRUE(blitImage(floats.plane(), all, snorm.plane(), all, VK_FILTER_NEAREST));
  EXPECT_EQ(snorm.at<uint16_t>(0, 0), 0x817f);
  TestImage integers(VK_FORMAT_R8_UINT, {1, 1, 1});
  EXPECT_FALSE(blitImage(source.plane(), all, integers.plane(), all, VK_FILTER_NEAREST));
}

TEST(Blit, ReadsBlocks) {
  TestImage source(VK_FORMAT_BC1_RGBA_UNORM_BLOCK, {6, 5, 1});
  // Red and blue; the first row of every block has indices 0 1 2 3.
  for (uint32_t block = 0; block < 4; ++block)
    source.at<uint64_t>(block % 2, block / 2) = 0x000000e4001ff800;
  TestImage target(VK_FORMAT_R8G8B8A8_UNORM, {6, 5, 1});
  const BlitSide all = {{}, {0, 0, 0}, {6, 5, 1}};
  ASSERT_TRUE(blitImage(source.plane(), all, target.plane(), all, VK_FILTER_NEAREST));
  for (uint32_t y = 0; y < 5; ++y)
    for (uint32_t x = 0; x < 6; ++x) {
      const uint32_t colors[4] = {0xff0000ff, 0xffff0000, 0xff5500aa, 0xffaa0055};
      EXPECT_EQ(target.at<uint32_t>(x, y), y % 4 == 0 ? colors[x % 4] : colors[0]);
    }
  EXPECT_FALSE(blitImage(target.plane(), all, source.plane(), all, VK_FILTER_NEAREST));
}

TEST(Blit, VolumesAreTrilinear) {
  TestImage source(VK_FORMAT_R32_SFLOAT, {2, 2, 2}, 1, 1, VK_IMAGE_TYPE_3D);
  for (uint32_t i = 0; i < 8; ++i)
    source.at<float>(i & 1, i >> 1 & 1, i >> 2) = static_cast<float>(1 << i);
  TestImage target(VK_FORMAT_R32_SFLOAT, {1, 1, 1}, 1, 1, VK_IMAGE_TYPE_3D);
  ASSERT_TRUE(blitImage(source.plane(), {{}, {0, 0, 0}, {2, 2, 2}}, target.plane(),
                        {{}, {0, 0, 0}, {1, 1, 1}}, VK_FILTER_LINEAR));
  EXPECT_EQ(target.at<float>(0, 0), 255.0f / 8);
  EXPECT_FALSE(blitImage(source.plane(), {{}, {0, 0, 0}, {2, 2, 2}}, target.plane(),
                         {{}, {0, 0, 0}, {1, 1, 2}}, VK_FILTER_LINEAR));
}

TEST(Blit, LayersGoTogether) {
  TestImage source(VK_FORMAT_R8_UINT, {1, 1, 1}, 3);
  TestImage target(VK_FORMAT_R8_UINT, {1, 1, 1}, 3);
  for (uint32_t layer = 0; layer < 3; ++layer)
    source.at<uint8_t>(0, 0, layer) = static_cast<uint8_t>(layer + 1);
  ASSERT_TRUE(blitImage(source.plane(), {{0, 1, 2}, {0, 0, 0}, {1, 1, 1}}, target.plane(),
                        {{0, 0, 2}, {0, 0, 0}, {1, 1, 1}}, VK_FILTER_NEAREST));
  EXPECT_EQ(target.at<uint8_t>(0, 0, 0), 2);
  EXPECT_EQ(target.at<uint8_t>(0, 0, 1), 3);
  EXPECT_EQ(target.at<uint8_t>(0, 0, 2), 0);
}

TEST(Blit, InfinityAtWeightZeroDoesNotSpread) {
  TestImage source(VK_FORMAT_R32_SFLOAT, {2, 1, 1});
  source.at<float>(0, 0) = 1;
  source.at<float>(1, 0) = INFINITY;
  TestImage target(VK_FORMAT_R32_SFLOAT, {2, 1, 1});
  const BlitSide all = {{}, {0, 0, 0}, {2, 1, 1}};
  ASSERT_TRUE(blitImage(source.plane(), all, target.plane(), all, VK_FILTER_LINEAR));
  EXPECT_EQ(target.at<float>(0, 0), 1);
  EXPECT_EQ(floatOf(bitsOf(target.at<float>(1, 0))), INFINITY);
}

} // namespace
} // namespace icd
