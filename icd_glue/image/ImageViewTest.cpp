// SPDX-License-Identifier: MIT
// What views put into descriptors. Field positions: gfx11 (PAL's register headers).
#include "icd_glue/image/ImageView.h"
#include "icd_glue/context/PhysicalDevice.h"
#include <cmath>
#include <gtest/gtest.h>

namespace icd {
namespace {

const pal::abi::GpuTarget &target() { return *pal::abi::findTarget("gfx1100"); }

VkImageCreateInfo imageInfo(VkFormat format, VkExtent3D extent, uint32_t layers, uint32_t levels,
                            VkImageType type = VK_IMAGE_TYPE_2D) {
  VkImageCreateInfo info = {};
  info.format = format;
  info.imageType = type;
  info.extent = extent;
  info.arrayLayers = layers;
  info.mipLevels = levels;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  return info;
}

/// Memory that is only an address.
struct FakeAllocation : pal::device::Allocation {
  FakeAllocation() {
    gpuAddress = 1 << 20;
    bytes = 1 << 24;
  }
};

/// Where the images are.
constexpr uint64_t base = (1 << 20) + 4096;

DeviceMemory &memory() {
  static DeviceMemory memory(std::make_unique<FakeAllocation>(), MemoryTypeDevice);
  return memory;
}

VkImageViewCreateInfo viewInfo(Image &image, VkImageViewType type, VkFormat format,
                               VkImageSubresourceRange range) {
  image.bind(&memory(), 4096);
  VkImageViewCreateInfo info = {};
  info.image = toHandle(&image);
  info.viewType = type;
  info.format = format;
  info.subresourceRange = range;
  return info;
}

uint32_t typeOf(const std::array<uint32_t, 8> &words) { return words[3] >> 28; }
uint32_t formatOf(const std::array<uint32_t, 8> &words) { return words[1] >> 20 & 0xff; }
uint32_t widthOf(const std::array<uint32_t, 8> &words) {
  return (words[1] >> 30 | (words[2] & 0xfff) << 2) + 1;
}
uint32_t heightOf(const std::array<uint32_t, 8> &words) { return (words[2] >> 14 & 0x3fff) + 1; }

constexpr VkImageAspectFlags color = VK_IMAGE_ASPECT_COLOR_BIT;
constexpr VkFormat rgba8 = VK_FORMAT_R8G8B8A8_UNORM;

TEST(ImageView, OneLayerOfAnArray) {
  Image image(imageInfo(rgba8, {64, 32, 1}, 6, 2));
  const uint64_t slice = image.shape.planes[0].layout.sliceBytes();
  EXPECT_EQ(slice, 256u * (32 + 16));
  ImageView flat(target(), viewInfo(image, VK_IMAGE_VIEW_TYPE_2D, rgba8,
                                    {color, 0, VK_REMAINING_MIP_LEVELS, 2, 1}));
  EXPECT_EQ(flat.words(0)[0], (base + 2 * slice) >> 8);
  EXPECT_EQ(typeOf(flat.words(0)), 9u);
  EXPECT_EQ(flat.words(0)[4], 0u);
  EXPECT_EQ(flat.range.levelCount, 2u);
  // As an input attachment it is an array of one layer.
  EXPECT_EQ(flat.inputWords()[0], base >> 8);
  EXPECT_EQ(typeOf(flat.inputWords()), 13u);
  EXPECT_EQ(flat.inputWords()[4], 2u << 16 | 2);
  ImageView array(target(), viewInfo(image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, rgba8,
                                     {color, 1, 1, 2, VK_REMAINING_ARRAY_LAYERS}));
  EXPECT_EQ(array.words(0)[0], base >> 8);
  EXPECT_EQ(typeOf(array.words(0)), 13u);
  EXPECT_EQ(array.words(0)[4], 2u << 16 | 5); // first and last layer
  ImageView cube(target(), viewInfo(image, VK_IMAGE_VIEW_TYPE_CUBE, rgba8, {color, 0, 1, 0, 6}));
  EXPECT_EQ(typeOf(cube.words(0)), 11u);
  EXPECT_EQ(cube.words(0)[4], 5u);
  EXPECT_EQ(cube.words(1), (std::array<uint32_t, 8>{})); // one plane only
}

/// VK_KHR_maintenance11: images whose single layers shaders may read as arrays.
TEST(ImageView, SingleLayersAreArrays) {
  VkImageCreateInfo info = imageInfo(rgba8, {8, 8, 1}, 3, 1);
  info.flags = VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR;
  Image image(info);
  ImageView single(target(), viewInfo(image, VK_IMAGE_VIEW_TYPE_2D, rgba8, {color, 0, 1, 2, 1}));
  EXPECT_EQ(single.words(0)[0], base >> 8);
  EXPECT_EQ(typeOf(single.words(0)), 13u);
  EXPECT_EQ(single.words(0)[4], 2u << 16 | 2);
  EXPECT_EQ(single.words(0), single.storageWords());
}

/// VK_EXT_image_view_min_lod: the descriptor that is sampled has it, in 1/256; gfx11 keeps 12 bits
/// in two words.
TEST(ImageView, MinimumLod) {
  Image image(imageInfo(rgba8, {64, 32, 1}, 1, 6));
  VkImageViewMinLodCreateInfoEXT minimum = {};
  minimum.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT;
  VkImageViewCreateInfo info = viewInfo(image, VK_IMAGE_VIEW_TYPE_2D, rgba8, {color, 1, 4, 0, 1});
  info.pNext = &minimum;
  auto fieldOf = [](const std::array<uint32_t, 8> &words) {
    return words[5] >> 27 | (words[6] & 0x7f) << 5;
  };
  const std::pair<float, uint32_t> cases[] = {{0, 0},  {2.5f, 0x280},  {4, 0x400},
                                              {-1, 0}, {1e30f, 0xfff}, {std::nanf(""), 0}};
  for (const auto &[lod, expected] : cases) {
    minimum.minLod = lod;
    ImageView view(target(), info);
    EXPECT_EQ(fieldOf(view.words(0)), expected) << lod;
    EXPECT_EQ(fieldOf(view.storageWords()), 0u) << lod;
    EXPECT_EQ(fieldOf(view.inputWords()), 0u) << lod;
  }
}

TEST(ImageView, PlanesOfAVolume) {
  Image image(imageInfo(rgba8, {16, 8, 4}, 1, 1, VK_IMAGE_TYPE_3D));
  const uint64_t slice = image.shape.planes[0].layout.sliceBytes();
  ImageView volume(target(), viewInfo(image, VK_IMAGE_VIEW_TYPE_3D, rgba8, {color, 0, 1, 0, 1}));
  EXPECT_EQ(typeOf(volume.words(0)), 10u);
  EXPECT_EQ(volume.words(0)[4], 3u);
  ImageView flat(target(), viewInfo(image, VK_IMAGE_VIEW_TYPE_2D, rgba8, {color, 0, 1, 3, 1}));
  EXPECT_EQ(flat.words(0)[0], (base + 3 * slice) >> 8);
  ImageView array(target(), viewInfo(image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, rgba8,
                                     {color, 0, 1, 1, VK_REMAINING_ARRAY_LAYERS}));
  EXPECT_EQ(array.range.layerCount, 3u);
  EXPECT_EQ(array.words(0)[4], 1u << 16 | 3);
}

TEST(ImageView, AspectsAndPlanes) {
  Image depthStencil(imageInfo(VK_FORMAT_D32_SFLOAT_S8_UINT, {8, 8, 1}, 1, 1));
  const uint64_t stencilOffset = depthStencil.shape.planes[1].offset;
  EXPECT_EQ(stencilOffset, 8u * 256);
  ImageView stencil(target(),
                    viewInfo(depthStencil, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_D32_SFLOAT_S8_UINT,
                             {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1}));
  EXPECT_EQ(stencil.words(0)[0], (base + stencilOffset) >> 8);
  EXPECT_EQ(formatOf(stencil.words(0)), 5u); // 8 bits, unsigned integer
  ImageView depth(target(),
                  viewInfo(depthStencil, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_D32_SFLOAT_S8_UINT,
                           {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1}));
  EXPECT_EQ(depth.words(0)[0], base >> 8);
  EXPECT_EQ(formatOf(depth.words(0)), 22u);

  const VkFormat nv12 = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  Image ycbcr(imageInfo(nv12, {16, 8, 1}, 1, 1));
  ImageView all(target(), viewInfo(ycbcr, VK_IMAGE_VIEW_TYPE_2D, nv12, {color, 0, 1, 0, 1}));
  EXPECT_EQ(all.planeCount, 2u);
  EXPECT_EQ(widthOf(all.words(1)), 8u);
  EXPECT_EQ(heightOf(all.words(1)), 4u);
  EXPECT_EQ(formatOf(all.words(1)), 14u); // 8_8 unorm
  ImageView chroma(target(), viewInfo(ycbcr, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R8G8_UNORM,
                                      {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 1, 0, 1}));
  EXPECT_EQ(chroma.planeCount, 1u);
  EXPECT_EQ(chroma.words(0)[0], all.words(1)[0]);
  EXPECT_EQ(chroma.words(0)[0], (base + 8 * 256) >> 8);
}

TEST(ImageView, BlocksAsTexels) {
  Image image(imageInfo(VK_FORMAT_BC1_RGBA_UNORM_BLOCK, {40, 20, 1}, 2, 3));
  const pal::srd::LinearLayout &layout = image.shape.planes[0].layout;
  ImageView view(
      target(), viewInfo(image, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32G32_UINT, {color, 1, 1, 1, 1}));
  EXPECT_EQ(view.words(0)[0], (base + layout.sliceBytes() + layout.level(1).offset) >> 8);
  EXPECT_EQ(widthOf(view.words(0)), 5u); // 20x10 texels
  EXPECT_EQ(heightOf(view.words(0)), 3u);
  EXPECT_EQ(formatOf(view.words(0)), 48u); // 32_32 uint
  EXPECT_EQ(view.words(0)[3] >> 12 & 0xff, 0u);
}

TEST(ImageView, SwizzlesOnTopOfTheFormat) {
  Image image(imageInfo(VK_FORMAT_B8G8R8A8_UNORM, {4, 4, 1}, 1, 1));
  VkImageViewCreateInfo info =
      viewInfo(image, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_B8G8R8A8_SRGB, {color, 0, 1, 0, 1});
  info.components = {VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_ZERO,
                     VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_ONE};
  ImageView view(target(), info);
  EXPECT_EQ(view.words(0)[3] & 0xfff, 6u | 0 << 3 | 6 << 6 | 1 << 9);
  EXPECT_EQ(formatOf(view.words(0)), 66u);
}

} // namespace
} // namespace icd
