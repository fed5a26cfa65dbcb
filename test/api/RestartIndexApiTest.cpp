// SPDX-License-Identifier: MIT
// VK_EXT_primitive_restart_index: another index than that of all bits begins primitives anew, until
// an index buffer is bound.
#include "Pipelines.h"
#include <cstring>
#include <optional>

namespace api {
namespace {

using vktest::GraphicsInfo;

class RestartIndexApi : public ApiTest {
protected:
  static constexpr uint32_t side = 8;
  /// Points on a line of pixels: vertex n is in column n.
  static constexpr const char *vertexGlsl = R"(#version 450
void main() {
  gl_Position = vec4((gl_VertexIndex % 8 + 0.5) / 4 - 1, 0.0625, 0, 1);
  gl_PointSize = 1;
})";
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_PRIMITIVE_RESTART_INDEX_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_EXT_primitive_restart_index";
    features = vkStruct<VkPhysicalDevicePrimitiveRestartIndexFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_RESTART_INDEX_FEATURES_EXT);
    device.emplace(GetParam(), &features);
    ASSERT_TRUE(features.primitiveRestartIndex);
    target = device->target(VK_FORMAT_R8G8B8A8_UNORM, side, side);
    GraphicsInfo graphics(side);
    graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, device->module(vertexGlsl, "vert"));
    graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, device->module(R"(#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1); })",
                                                                   "frag"));
    graphics.assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    graphics.assembly.primitiveRestartEnable = VK_TRUE;
    graphics.info.layout = device->pipelineLayout({});
    pipeline = device->pipeline(graphics.done());
  }
  /// The columns that \p record draws, a bit each.
  uint32_t columns(const std::function<void(VkCommandBuffer)> &record) {
    const Buffer picture = device->buffer(side * side * 4);
    auto attachment =
        vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    attachment.imageView = target.view;
    attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    auto rendering = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    rendering.renderArea = {{0, 0}, {side, side}};
    rendering.layerCount = rendering.colorAttachmentCount = 1;
    rendering.pColorAttachments = &attachment;
    device->run([&](VkCommandBuffer c) {
      device->vk.CmdBeginRendering(c, &rendering);
      device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      record(c);
      device->vk.CmdEndRendering(c);
      device->barrier(c);
      device->readBack(c, target, picture, side);
    });
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < side * side; ++i)
      drawn |= uint32_t(picture.data[i] != 0) << i % side;
    return drawn;
  }
  Buffer indexBuffer(const std::vector<uint32_t> &values, VkIndexType type) {
    const Buffer buffer = device->buffer(256, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    const uint32_t bytes = type == VK_INDEX_TYPE_UINT32 ? 4 : 2;
    for (size_t i = 0; i < values.size(); ++i)
      std::memcpy(reinterpret_cast<uint8_t *>(buffer.data) + i * bytes, &values[i], bytes);
    return buffer;
  }

  VkPhysicalDevicePrimitiveRestartIndexFeaturesEXT features = {};
  std::optional<Gpu> device;
  Image target;
  VkPipeline pipeline = VK_NULL_HANDLE;
};
API_TESTS_ON_ALL_DEVICES(RestartIndexApi);

/// A line has all pixels from its first vertex to that before its last one.
TEST_P(RestartIndexApi, AnyIndexRestarts) {
  for (VkIndexType type : {VK_INDEX_TYPE_UINT16, VK_INDEX_TYPE_UINT32}) {
    // Columns 0 to 2, and 4 to 6; 3 is in no line if index 11 restarts. With it, 11 is in column 3.
    const Buffer indices = indexBuffer({0, 2, 11, 4, 6}, type);
    auto draw = [&](VkCommandBuffer c) { device->vk.CmdDrawIndexed(c, 5, 1, 0, 0, 0); };
    EXPECT_EQ(columns([&](VkCommandBuffer c) {
                device->vk.CmdBindIndexBuffer(c, indices.handle, 0, type);
                draw(c);
              }),
              0b00111111u);
    EXPECT_EQ(columns([&](VkCommandBuffer c) {
                device->vk.CmdBindIndexBuffer(c, indices.handle, 0, type);
                device->vk.CmdSetPrimitiveRestartIndexEXT(c, 11);
                draw(c);
              }),
              0b00110011u);
    // The offset of vertices is added behind the comparison.
    EXPECT_EQ(columns([&](VkCommandBuffer c) {
                device->vk.CmdBindIndexBuffer(c, indices.handle, 0, type);
                device->vk.CmdSetPrimitiveRestartIndexEXT(c, 11);
                device->vk.CmdDrawIndexed(c, 5, 1, 0, 1, 0);
              }),
              0b01100110u);
    EXPECT_EQ(columns([&](VkCommandBuffer c) {
                device->vk.CmdSetPrimitiveRestartIndexEXT(c, 11);
                device->vk.CmdBindIndexBuffer(c, indices.handle, 0, type); // takes it back
                draw(c);
              }),
              0b00111111u);
  }
}

TEST_P(RestartIndexApi, AllBitsAreAnIndexThen) {
  // 0xFFFF is in column 7: 65535 % 8.
  const Buffer indices = indexBuffer({5, 0xFFFF, 9, 0, 2}, VK_INDEX_TYPE_UINT16);
  for (bool isSet : {false, true})
    EXPECT_EQ(columns([&](VkCommandBuffer c) {
                device->vk.CmdBindIndexBuffer(c, indices.handle, 0, VK_INDEX_TYPE_UINT16);
                if (isSet)
                  device->vk.CmdSetPrimitiveRestartIndexEXT(c, 9);
                device->vk.CmdDrawIndexed(c, 5, 1, 0, 0, 0);
              }),
              isSet ? 0b01100011u : 0b00000011u);
}

} // namespace
} // namespace api
