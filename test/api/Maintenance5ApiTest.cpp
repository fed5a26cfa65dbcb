// SPDX-License-Identifier: MIT
// Commands of VK_KHR_maintenance5.
#include "Pipelines.h"
#include "test/vulkan/GraphicsInfo.h"
#include <cstring>

namespace api {
namespace {

class Maintenance5Api : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_KHR_MAINTENANCE_5_EXTENSION_NAME))
      GTEST_SKIP();
  }
  static VkImageCreateInfo imageInfo() {
    auto info = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {20, 12, 1};
    info.mipLevels = 3;
    info.arrayLayers = 2;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    return info;
  }
};
API_TESTS_ON_ALL_DEVICES(Maintenance5Api);

bool isSame(const VkSubresourceLayout &a, const VkSubresourceLayout &b) {
  return a.offset == b.offset && a.size == b.size && a.rowPitch == b.rowPitch &&
         a.arrayPitch == b.arrayPitch && a.depthPitch == b.depthPitch;
}

// The layout of an image that is there is that of its create info.
TEST_P(Maintenance5Api, LayoutsOfSubresources) {
  if (!gpu.canExecute())
    GTEST_SKIP(); // RADV crashes
  for (VkImageTiling tiling : {VK_IMAGE_TILING_LINEAR, VK_IMAGE_TILING_OPTIMAL}) {
    VkImageCreateInfo info = imageInfo();
    info.tiling = tiling;
    if (tiling == VK_IMAGE_TILING_LINEAR)
      info.mipLevels = info.arrayLayers = 1;
    VkImage image = VK_NULL_HANDLE;
    VK_OK(gpu.vk.CreateImage(gpu.device, &info, nullptr, &image));
    for (uint32_t level = 0; level < info.mipLevels; ++level)
      for (uint32_t layer = 0; layer < info.arrayLayers; ++layer) {
        auto subresource =
            vkStruct<VkImageSubresource2KHR>(VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2_KHR);
        subresource.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, layer};
        auto ofImage =
            vkStruct<VkSubresourceLayout2KHR>(VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2_KHR);
        auto ofInfo = ofImage;
        gpu.vk.GetImageSubresourceLayout2KHR(gpu.device, image, &subresource, &ofImage);
        auto device = vkStruct<VkDeviceImageSubresourceInfoKHR>(
            VK_STRUCTURE_TYPE_DEVICE_IMAGE_SUBRESOURCE_INFO_KHR);
        device.pCreateInfo = &info;
        device.pSubresource = &subresource;
        gpu.vk.GetDeviceImageSubresourceLayoutKHR(gpu.device, &device, &ofInfo);
        EXPECT_TRUE(isSame(ofImage.subresourceLayout, ofInfo.subresourceLayout));
        EXPECT_GT(ofImage.subresourceLayout.size, 0u);
        if (tiling == VK_IMAGE_TILING_OPTIMAL)
          continue;
        VkSubresourceLayout old = {};
        gpu.vk.GetImageSubresourceLayout(gpu.device, image, &subresource.imageSubresource, &old);
        EXPECT_TRUE(isSame(ofImage.subresourceLayout, old));
        EXPECT_GE(old.rowPitch, 80u);
        EXPECT_GE(old.size, 80u * 12);
      }
    gpu.vk.DestroyImage(gpu.device, image, nullptr);
  }
}

TEST_P(Maintenance5Api, GranularityOfRenderAreas) {
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  auto info = vkStruct<VkRenderingAreaInfoKHR>(VK_STRUCTURE_TYPE_RENDERING_AREA_INFO_KHR);
  info.colorAttachmentCount = 1;
  info.pColorAttachmentFormats = &format;
  VkExtent2D granularity = {0, 0};
  gpu.vk.GetRenderingAreaGranularityKHR(gpu.device, &info, &granularity);
  EXPECT_GE(granularity.width, 1u);
  EXPECT_GE(granularity.height, 1u);
}

// Indices beyond the size that was bound are 0.
TEST_P(Maintenance5Api, IndexBuffersHaveSizes) {
  if (!gpu.canExecute())
    GTEST_SKIP();
  constexpr uint32_t side = 4;
  constexpr VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  vktest::GraphicsInfo graphics(side);
  graphics.formats = {format};
  graphics.assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, gpu.module(R"(#version 450
void main() {
  gl_Position = vec4((gl_VertexIndex * 2 + 1) / 4.0 - 1.0, -0.75, 0, 1);
  gl_PointSize = 1;
})",
                                                           "vert"));
  graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, gpu.module(R"(#version 450
layout(location = 0) out vec4 c;
void main() { c = vec4(1); })",
                                                             "frag"));
  graphics.info.layout = gpu.pipelineLayout({});
  const VkPipeline pipeline = gpu.pipeline(graphics.done());
  const Image target = gpu.target(format, side, side);
  Buffer indices = gpu.buffer(64), picture = gpu.buffer(side * side * 4);
  const uint32_t numbers[] = {9, 2, 3, 1};
  std::memcpy(indices.data, numbers, sizeof(numbers));
  // Which of the pixels of the first row are drawn by the three indices behind the first.
  auto drawn = [&](VkDeviceSize size) {
    gpu.run([&](VkCommandBuffer c) {
      auto color = vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
      color.imageView = target.view;
      color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
      color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
      auto begin = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
      begin.renderArea = {{0, 0}, {side, side}};
      begin.layerCount = begin.colorAttachmentCount = 1;
      begin.pColorAttachments = &color;
      gpu.vk.CmdBeginRendering(c, &begin);
      gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      gpu.vk.CmdBindIndexBuffer2KHR(c, indices.handle, 4, size, VK_INDEX_TYPE_UINT32);
      gpu.vk.CmdDrawIndexed(c, 3, 1, 0, 0, 0);
      gpu.vk.CmdEndRendering(c);
      gpu.readBack(c, target, picture, side);
    });
    uint32_t pixels = 0;
    for (uint32_t x = 0; x < side; ++x)
      pixels |= (picture.data[x] != 0) << x;
    return pixels;
  };
  EXPECT_EQ(drawn(VK_WHOLE_SIZE), 0b1110u);
  EXPECT_EQ(drawn(12), 0b1110u);
  if (gpu.isKiln()) { // with robustness of buffers only
    EXPECT_EQ(drawn(8), 0b1101u);
    EXPECT_EQ(drawn(4), 0b0101u);
  }
}

} // namespace
} // namespace api
