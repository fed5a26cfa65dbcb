// SPDX-License-Identifier: MIT
// VK_EXT_host_image_copy: what the host copies is what commands copy.
#include "Gpu.h"
#include "test/vulkan/GraphicsInfo.h"
#include <numeric>

namespace api {
namespace {

using vktest::vkStruct;

constexpr uint32_t width = 7, height = 5, levels = 2, layers = 3;
constexpr VkFormat format = VK_FORMAT_R8G8B8A8_UINT;

class HostCopyApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME) || !gpu.canExecute())
      GTEST_SKIP();
  }

  static VkImageCreateInfo imageInfo() {
    auto info = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {width, height, 1};
    info.mipLevels = levels;
    info.arrayLayers = layers;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_HOST_TRANSFER_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_SAMPLED_BIT;
    return info;
  }

  /// In GENERAL layout, by the host.
  VkImage image(const VkImageCreateInfo &info = imageInfo(),
                VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT) {
    const Image made = gpu.image(info);
    auto transition = vkStruct<VkHostImageLayoutTransitionInfo>(
        VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO);
    transition.image = made.handle;
    transition.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    transition.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    transition.subresourceRange = {aspect, 0, info.mipLevels, 0, info.arrayLayers};
    VK_OK(gpu.vk.TransitionImageLayoutEXT(gpu.device, 1, &transition));
    return made.handle;
  }

  /// \p rowLength, \p imageHeight in texels, 0: those of the extent.
  void write(VkImage image, const VkImageSubresourceLayers &where, VkOffset3D offset,
             VkExtent3D extent, const std::vector<uint32_t> &texels, uint32_t rowLength = 0,
             uint32_t imageHeight = 0, VkHostImageCopyFlags flags = 0) {
    auto region = vkStruct<VkMemoryToImageCopy>(VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY);
    region.pHostPointer = texels.data();
    region.memoryRowLength = rowLength;
    region.memoryImageHeight = imageHeight;
    region.imageSubresource = where;
    region.imageOffset = offset;
    region.imageExtent = extent;
    auto info = vkStruct<VkCopyMemoryToImageInfo>(VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO);
    info.flags = flags;
    info.dstImage = image;
    info.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.regionCount = 1;
    info.pRegions = &region;
    VK_OK(gpu.vk.CopyMemoryToImageEXT(gpu.device, &info));
  }

  std::vector<uint32_t> read(VkImage image, const VkImageSubresourceLayers &where,
                             VkExtent3D extent, size_t size, VkHostImageCopyFlags flags = 0) {
    std::vector<uint32_t> texels(size);
    auto region = vkStruct<VkImageToMemoryCopy>(VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY);
    region.pHostPointer = texels.data();
    region.imageSubresource = where;
    region.imageExtent = extent;
    auto info = vkStruct<VkCopyImageToMemoryInfo>(VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO);
    info.flags = flags;
    info.srcImage = image;
    info.srcImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.regionCount = 1;
    info.pRegions = &region;
    VK_OK(gpu.vk.CopyImageToMemoryEXT(gpu.device, &info));
    return texels;
  }

  static std::vector<uint32_t> numbers(size_t count, uint32_t first) {
    std::vector<uint32_t> result(count);
    std::iota(result.begin(), result.end(), first);
    return result;
  }
};
API_TESTS_ON_ALL_DEVICES(HostCopyApi);

constexpr VkImageSubresourceLayers allLayers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers};
constexpr VkExtent3D whole = {width, height, 1};

TEST_P(HostCopyApi, WhatIsWrittenIsReadByCommandsAndByTheHost) {
  const VkImage made = image();
  const auto texels = numbers(width * height * layers, 100);
  write(made, allLayers, {0, 0, 0}, whole, texels);
  EXPECT_EQ(read(made, allLayers, whole, texels.size()), texels);
  const Buffer buffer = gpu.buffer(texels.size() * 4);
  gpu.run([&](VkCommandBuffer c) {
    VkBufferImageCopy region = {};
    region.imageSubresource = allLayers;
    region.imageExtent = whole;
    gpu.vk.CmdCopyImageToBuffer(c, made, VK_IMAGE_LAYOUT_GENERAL, buffer.handle, 1, &region);
    gpu.barrier(c);
  });
  EXPECT_EQ(std::vector<uint32_t>(buffer.data, buffer.data + texels.size()), texels);
}

// Blocks, texels that are smaller than a word, three dimensions, depth: what the host writes is
// what a command copies, byte by byte.
TEST_P(HostCopyApi, FormatsAndShapes) {
  struct Case {
    VkFormat format;
    VkImageType type;
    VkExtent3D extent;
    VkImageAspectFlags aspect;
    uint32_t bytes;
  };
  constexpr VkImageAspectFlags color = VK_IMAGE_ASPECT_COLOR_BIT;
  const Case cases[] = {
      {VK_FORMAT_R8_UNORM, VK_IMAGE_TYPE_2D, {6, 2, 1}, color, 12},
      {VK_FORMAT_R16G16B16A16_SFLOAT, VK_IMAGE_TYPE_1D, {5, 1, 1}, color, 40},
      {VK_FORMAT_R32G32B32A32_UINT, VK_IMAGE_TYPE_3D, {3, 2, 4}, color, 384},
      {VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_IMAGE_TYPE_2D, {10, 7, 1}, color, 48},
      {VK_FORMAT_BC7_UNORM_BLOCK, VK_IMAGE_TYPE_2D, {4, 9, 1}, color, 48},
      {VK_FORMAT_D16_UNORM, VK_IMAGE_TYPE_2D, {4, 3, 1}, VK_IMAGE_ASPECT_DEPTH_BIT, 24},
  };
  for (const Case &test : cases) {
    VkImageCreateInfo info = imageInfo();
    info.imageType = test.type;
    info.format = test.format;
    info.extent = test.extent;
    info.mipLevels = info.arrayLayers = 1;
    VkImageFormatProperties properties;
    if (gpu.vk.GetPhysicalDeviceImageFormatProperties(gpu.physicalDevice, info.format,
                                                      info.imageType, info.tiling, info.usage, 0,
                                                      &properties) != VK_SUCCESS) {
      EXPECT_FALSE(gpu.isKiln()) << test.format;
      continue;
    }
    const VkImage made = image(info, test.aspect);
    const VkImageSubresourceLayers where = {test.aspect, 0, 0, 1};
    auto words = numbers(test.bytes / 4, 0x01020304);
    for (uint32_t &word : words)
      word *= 0x01010103;
    write(made, where, {0, 0, 0}, test.extent, words);
    EXPECT_EQ(read(made, where, test.extent, words.size()), words) << test.format;
    const Buffer buffer = gpu.buffer(test.bytes);
    gpu.run([&](VkCommandBuffer c) {
      VkBufferImageCopy region = {};
      region.imageSubresource = where;
      region.imageExtent = test.extent;
      gpu.vk.CmdCopyImageToBuffer(c, made, VK_IMAGE_LAYOUT_GENERAL, buffer.handle, 1, &region);
      gpu.barrier(c);
    });
    EXPECT_EQ(std::vector<uint32_t>(buffer.data, buffer.data + words.size()), words) << test.format;
  }
}

// A part of a level of one layer; rows and slices of the host's memory have gaps.
TEST_P(HostCopyApi, RegionsAndPitches) {
  const VkImage made = image();
  write(made, allLayers, {0, 0, 0}, whole, numbers(width * height * layers, 0));
  const VkImageSubresourceLayers lastTwo = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 2};
  constexpr uint32_t rowLength = 4, imageHeight = 3;
  const auto texels = numbers(rowLength * imageHeight * 2, 1000);
  write(made, lastTwo, {2, 1, 0}, {3, 2, 1}, texels, rowLength, imageHeight);
  const auto now = read(made, allLayers, whole, width * height * layers);
  for (uint32_t layer = 0; layer < layers; ++layer)
    for (uint32_t y = 0; y < height; ++y)
      for (uint32_t x = 0; x < width; ++x) {
        const uint32_t at = (layer * height + y) * width + x;
        const bool isInside = layer >= 1 && x >= 2 && x < 5 && y >= 1 && y < 3;
        const uint32_t wanted =
            isInside ? 1000 + ((layer - 1) * imageHeight + y - 1) * rowLength + x - 2 : at;
        EXPECT_EQ(now[at], wanted) << layer << ": " << x << ", " << y;
      }
}

TEST_P(HostCopyApi, FromImageToImage) {
  const VkImage from = image(), to = image();
  const auto texels = numbers(width * height * layers, 7),
             zeros = std::vector<uint32_t>(width * height * layers);
  write(from, allLayers, {0, 0, 0}, whole, texels);
  write(to, allLayers, {0, 0, 0}, whole, zeros);
  auto region = vkStruct<VkImageCopy2>(VK_STRUCTURE_TYPE_IMAGE_COPY_2);
  region.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 2, 1};
  region.srcOffset = {1, 2, 0};
  region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.dstOffset = {3, 0, 0};
  region.extent = {4, 3, 1};
  auto info = vkStruct<VkCopyImageToImageInfo>(VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO);
  info.srcImage = from;
  info.srcImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.dstImage = to;
  info.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.regionCount = 1;
  info.pRegions = &region;
  VK_OK(gpu.vk.CopyImageToImageEXT(gpu.device, &info));
  const auto now = read(to, allLayers, whole, zeros.size());
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x)
      EXPECT_EQ(now[y * width + x],
                x >= 3 && y < 3 ? texels[(2 * height + y + 2) * width + x - 2] : 0u)
          << x << ", " << y;
  EXPECT_EQ(std::vector<uint32_t>(now.begin() + width * height, now.end()),
            std::vector<uint32_t>(width * height * (layers - 1)));
}

// Subresources in a form of the implementation's own, whose size it says.
TEST_P(HostCopyApi, WithoutLookingAtTexels) {
  const VkImage from = image(), to = image();
  const VkImageSubresourceLayers level = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 1};
  const VkExtent3D extent = {width / 2, height / 2, 1};
  const auto texels = numbers(extent.width * extent.height, 50);
  write(from, level, {0, 0, 0}, extent, texels);
  auto subresource = vkStruct<VkImageSubresource2>(VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2);
  subresource.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1};
  auto size = vkStruct<VkSubresourceHostMemcpySize>(VK_STRUCTURE_TYPE_SUBRESOURCE_HOST_MEMCPY_SIZE);
  auto layout = vkStruct<VkSubresourceLayout2>(VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2, &size);
  gpu.vk.GetImageSubresourceLayout2KHR(gpu.device, from, &subresource, &layout);
  ASSERT_GE(size.size, texels.size() * 4);
  const auto blob = read(from, level, extent, (size.size + 3) / 4, VK_HOST_IMAGE_COPY_MEMCPY);
  write(to, level, {0, 0, 0}, extent, blob, 0, 0, VK_HOST_IMAGE_COPY_MEMCPY);
  EXPECT_EQ(read(to, level, extent, texels.size()), texels);
}

TEST_P(HostCopyApi, LayoutsAndFormats) {
  auto copies = vkStruct<VkPhysicalDeviceHostImageCopyProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES);
  auto all = vkStruct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                                   &copies);
  gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &all);
  ASSERT_GT(copies.copySrcLayoutCount, 1u);
  ASSERT_GT(copies.copyDstLayoutCount, 1u);
  // Shorter arrays get fewer.
  std::vector<VkImageLayout> from(copies.copySrcLayoutCount, VK_IMAGE_LAYOUT_MAX_ENUM);
  VkImageLayout to[2] = {VK_IMAGE_LAYOUT_MAX_ENUM, VK_IMAGE_LAYOUT_MAX_ENUM};
  copies.pCopySrcLayouts = from.data();
  copies.copyDstLayoutCount = 1;
  copies.pCopyDstLayouts = to;
  gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &all);
  EXPECT_EQ(copies.copySrcLayoutCount, from.size());
  EXPECT_EQ(copies.copyDstLayoutCount, 1u);
  EXPECT_EQ(to[1], VK_IMAGE_LAYOUT_MAX_ENUM);
  EXPECT_NE(std::find(from.begin(), from.end(), VK_IMAGE_LAYOUT_GENERAL), from.end());
  EXPECT_EQ(std::count(from.begin(), from.end(), VK_IMAGE_LAYOUT_MAX_ENUM), 0);
  // The specification, "Required Format Support": colours that can be sampled can be copied by the
  // host.
  auto features = vkStruct<VkFormatProperties3>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
  auto properties = vkStruct<VkFormatProperties2>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &features);
  for (VkFormat checked : {format, VK_FORMAT_BC1_RGBA_UNORM_BLOCK}) {
    gpu.vk.GetPhysicalDeviceFormatProperties2(gpu.physicalDevice, checked, &properties);
    if (features.optimalTilingFeatures & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT) {
      EXPECT_TRUE(features.optimalTilingFeatures & VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT)
          << checked;
    }
  }
}

} // namespace
} // namespace api
