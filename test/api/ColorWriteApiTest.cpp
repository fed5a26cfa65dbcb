// SPDX-License-Identifier: MIT
// VK_EXT_color_write_enable: attachments that nothing is written to, of pipelines, by commands and
// with shader objects.
#include "ShaderScene.h"
#include <array>
#include <optional>

namespace api {
namespace {

constexpr uint32_t side = ShaderScene::side;
constexpr VkFormat format = VK_FORMAT_R32_UINT;
using Enables = std::array<VkBool32, 2>;

const char *const vertexGlsl = R"(#version 460
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex & 2, gl_VertexIndex << 1 & 2) * 2.0 - 1.0, 0.5, 1);
})";
const char *const fragmentGlsl = R"(#version 460
layout(location = 0) out uint first;
layout(location = 1) out uint second;
void main() { first = 5; second = 6; })";

class ColorWriteApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_EXT_color_write_enable";
    features = vkStruct<VkPhysicalDeviceColorWriteEnableFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT);
    device.emplace(GetParam(), &features); // enables what there is of them
    EXPECT_TRUE(features.colorWriteEnable);
  }
  void TearDown() override {
    if (device) {
      EXPECT_EQ(device->validationMessages, 0u);
    }
  }

  /// What two cleared targets hold after a draw by \p record.
  std::array<uint32_t, 2> draw(const std::function<void(VkCommandBuffer)> &record) {
    ShaderScene scene(*device);
    const std::vector<Image> targets = {device->target(format, side, side),
                                        device->target(format, side, side)};
    for (const Image &target : targets)
      scene.clear(target, VkClearColorValue{.uint32 = {1, 0, 0, 0}});
    scene.render(record, targets);
    std::array<uint32_t, 2> words = {};
    for (uint32_t i = 0; i < 2; ++i) {
      const std::vector<uint32_t> texels = scene.read(targets[i], 1);
      words[i] = texels[0];
      for (uint32_t texel : texels)
        EXPECT_EQ(texel, words[i]);
    }
    return words;
  }
  static std::array<uint32_t, 2> expected(const Enables &enables) {
    return {enables[0] ? 5u : 1u, enables[1] ? 6u : 1u};
  }

  /// \p enables null: dynamic.
  VkPipeline pipeline(const Enables *enables, VkColorComponentFlags mask = 0xF) {
    vktest::GraphicsInfo graphics(side);
    graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, device->module(vertexGlsl, "vert"));
    graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, device->module(fragmentGlsl, "frag"));
    graphics.formats = {format, format};
    graphics.attachments.resize(2);
    for (VkPipelineColorBlendAttachmentState &attachment : graphics.attachments)
      attachment.colorWriteMask = mask;
    auto writes = vkStruct<VkPipelineColorWriteCreateInfoEXT>(
        VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
    if (enables) {
      writes.attachmentCount = 2;
      writes.pColorWriteEnables = enables->data();
      graphics.blend.pNext = &writes;
    } else {
      graphics.dynamics = {VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT};
    }
    graphics.info.layout = device->pipelineLayout({});
    return device->pipeline(graphics.done());
  }

  VkPhysicalDeviceColorWriteEnableFeaturesEXT features = {};
  std::optional<Gpu> device;
  static constexpr Enables all[] = {{1, 1}, {0, 1}, {1, 0}, {0, 0}};
};
API_TESTS_ON_ALL_DEVICES(ColorWriteApi);

TEST_P(ColorWriteApi, Pipelines) {
  for (const Enables &enables : all) {
    const VkPipeline made = pipeline(&enables);
    EXPECT_EQ(draw([&](VkCommandBuffer c) {
                device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
                device->vk.CmdDraw(c, 3, 1, 0, 0);
              }),
              expected(enables));
  }
}

TEST_P(ColorWriteApi, DynamicState) {
  const VkPipeline made = pipeline(nullptr), masked = pipeline(nullptr, 0);
  for (const Enables &enables : all) {
    EXPECT_EQ(draw([&](VkCommandBuffer c) {
                device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
                device->vk.CmdSetColorWriteEnableEXT(c, 2, enables.data());
                device->vk.CmdDraw(c, 3, 1, 0, 0);
              }),
              expected(enables));
    // Masks hold as before.
    EXPECT_EQ(draw([&](VkCommandBuffer c) {
                device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, masked);
                device->vk.CmdSetColorWriteEnableEXT(c, 2, enables.data());
                device->vk.CmdDraw(c, 3, 1, 0, 0);
              }),
              expected({0, 0}));
  }
}

TEST_P(ColorWriteApi, ShaderObjects) {
  if (!device->hasExtension(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
    GTEST_SKIP();
  ShaderScene scene(*device);
  ShaderSource vertexSource(*device, vertexGlsl, "vert"),
      fragmentSource(*device, fragmentGlsl, "frag");
  scene.setLayouts(vertexSource.info);
  scene.setLayouts(fragmentSource.info);
  const VkShaderEXT vertex = scene.shaders.create(vertexSource.info),
                    fragment = scene.shaders.create(fragmentSource.info);
  for (const Enables &enables : all)
    EXPECT_EQ(draw([&](VkCommandBuffer c) {
                scene.setState(c);
                device->vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
                device->vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
                const VkBool32 off[2] = {};
                const VkColorComponentFlags masks[2] = {0xF, 0xF};
                const VkColorBlendEquationEXT equations[2] = {};
                device->vk.CmdSetColorBlendEnableEXT(c, 0, 2, off);
                device->vk.CmdSetColorWriteMaskEXT(c, 0, 2, masks);
                device->vk.CmdSetColorBlendEquationEXT(c, 0, 2, equations);
                device->vk.CmdSetColorWriteEnableEXT(c, 2, enables.data());
                scene.bind(c, vertex, fragment);
                device->vk.CmdDraw(c, 3, 1, 0, 0);
              }),
              expected(enables));
}

} // namespace
} // namespace api
