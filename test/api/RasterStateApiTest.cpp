// SPDX-License-Identifier: MIT
// State of the rasteriser from extensions: conservative rasterisation and sample locations, set by
// commands between draws of shader objects, and what the device says of them.
#include "ShaderScene.h"
#include <algorithm>

namespace api {
namespace {

constexpr uint32_t side = ShaderScene::side;

class RasterStateApi : public ApiTest {
protected:
  bool has(const char *extension) { return gpu.hasExtension(extension); }
  VkShaderEXT shader(ShaderScene &scene, const std::string &glsl, const std::string &stage) {
    ShaderSource source(gpu, glsl, stage);
    scene.setLayouts(source.info);
    return scene.shaders.create(source.info);
  }
  void setTriangles(ShaderScene &scene, VkCommandBuffer c) {
    scene.setState(c);
    gpu.vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
    gpu.vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  }
};
API_TESTS_ON_ALL_DEVICES(RasterStateApi);

TEST_P(RasterStateApi, ConservativeRasterization) {
  if (!has(VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME) ||
      !has(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
    GTEST_SKIP();
  const auto limits = properties<VkPhysicalDeviceConservativeRasterizationPropertiesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONSERVATIVE_RASTERIZATION_PROPERTIES_EXT);
  EXPECT_LT(limits.primitiveOverestimationSize, 0.1F); // else the picture is another one
  ShaderScene scene(gpu);
  // Around the corner that four pixels have in common, and around the centre of none.
  const VkShaderEXT vertex = shader(scene, R"(#version 460
const vec2 corners[3] = vec2[](vec2(2.9, 2.9), vec2(3.2, 2.9), vec2(2.9, 3.2));
void main() { gl_Position = vec4(corners[gl_VertexIndex] / 4 - 1, 0.5, 1); })",
                                    "vert");
  const VkShaderEXT fragment = shader(scene, R"(#version 460
layout(location = 0) out uvec4 color;
void main() { color = uvec4(7); })",
                                      "frag");
  for (bool isOn : {false, true, false}) {
    const ShaderScene::Picture picture = scene.draw([&](VkCommandBuffer c) {
      setTriangles(scene, c);
      gpu.vk.CmdSetConservativeRasterizationModeEXT(
          c, isOn ? VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT
                  : VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT);
      gpu.vk.CmdSetExtraPrimitiveOverestimationSizeEXT(c, 0);
      scene.bind(c, vertex, fragment);
      gpu.vk.CmdDraw(c, 3, 1, 0, 0);
    });
    for (uint32_t i = 0; i < side * side; ++i) {
      const bool isTouched = (i % side == 2 || i % side == 3) && (i / side == 2 || i / side == 3);
      EXPECT_EQ(picture[i] != ShaderScene::background, isOn && isTouched) << isOn << " " << i;
    }
  }
}

TEST_P(RasterStateApi, SampleLocations) {
  if (!has(VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME) || !has(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
    GTEST_SKIP();
  ShaderScene scene(gpu);
  // What lies left of x = 2.5: half of column 2.
  const VkShaderEXT vertex = shader(scene, R"(#version 460
const vec2 corners[3] = vec2[](vec2(2.5, -16), vec2(2.5, 32), vec2(-40, 8));
void main() { gl_Position = vec4(corners[gl_VertexIndex] / 4 - 1, 0.5, 1); })",
                                    "vert");
  const VkShaderEXT fragment = shader(scene, R"(#version 460
layout(location = 0) out vec4 color;
void main() { color = vec4(1); })",
                                      "frag");
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  const Image single = gpu.target(format, side, side);
  const Image four =
      gpu.attachment(format, VK_IMAGE_ASPECT_COLOR_BIT, side, side, VK_SAMPLE_COUNT_4_BIT);
  struct Case {
    bool isOn;
    std::array<VkSampleLocationEXT, 4> places;
    uint32_t covered; ///< samples of column 2
  };
  for (const Case &test : {Case{false, {}, 2},
                           {true, {{{0.25F, 0}, {0, 0.5F}, {0.4375F, 0.25F}, {0.75F, 0}}}, 3},
                           {true, {{{0.5625F, 0}, {0.875F, 0}, {0.125F, 0.5F}, {0.75F, 0}}}, 1},
                           {false, {{{0.25F, 0}, {0, 0.5F}, {0.4375F, 0.25F}, {0.75F, 0}}}, 2}}) {
    scene.clear(four, {});
    scene.render(
        [&](VkCommandBuffer c) {
          setTriangles(scene, c);
          const VkSampleMask mask = ~0u;
          gpu.vk.CmdSetRasterizationSamplesEXT(c, VK_SAMPLE_COUNT_4_BIT);
          gpu.vk.CmdSetSampleMaskEXT(c, VK_SAMPLE_COUNT_4_BIT, &mask);
          auto locations =
              vkStruct<VkSampleLocationsInfoEXT>(VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT);
          locations.sampleLocationsPerPixel = VK_SAMPLE_COUNT_4_BIT;
          locations.sampleLocationGridSize = {1, 1};
          locations.sampleLocationsCount = 4;
          locations.pSampleLocations = test.places.data();
          gpu.vk.CmdSetSampleLocationsEXT(c, &locations);
          gpu.vk.CmdSetSampleLocationsEnableEXT(c, test.isOn);
          scene.bind(c, vertex, fragment);
          gpu.vk.CmdDraw(c, 3, 1, 0, 0);
        },
        {four});
    scene.resolve(four, single);
    const std::vector<uint32_t> words = scene.read(single, 1);
    EXPECT_EQ(words[8 + 1] & 0xFF, 255u);
    EXPECT_NEAR(words[8 + 2] & 0xFF, 255.0 * test.covered / 4, 1) << test.isOn;
    EXPECT_EQ(words[8 + 3] & 0xFF, 0u);
  }
}

TEST_P(RasterStateApi, GridsOfSampleLocations) {
  if (!has(VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME))
    GTEST_SKIP();
  const auto limits = properties<VkPhysicalDeviceSampleLocationsPropertiesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLE_LOCATIONS_PROPERTIES_EXT);
  EXPECT_TRUE(limits.sampleLocationSampleCounts & VK_SAMPLE_COUNT_4_BIT);
  EXPECT_GE(limits.sampleLocationSubPixelBits, 4u);
  EXPECT_EQ(limits.sampleLocationCoordinateRange[0], 0);
  EXPECT_GE(limits.sampleLocationCoordinateRange[1], 0.9375F);
  for (uint32_t samples = 1; samples <= 64; samples *= 2) {
    auto grid = vkStruct<VkMultisamplePropertiesEXT>(VK_STRUCTURE_TYPE_MULTISAMPLE_PROPERTIES_EXT);
    grid.maxSampleLocationGridSize = {99, 99};
    gpu.vk.GetPhysicalDeviceMultisamplePropertiesEXT(gpu.physicalDevice,
                                                     VkSampleCountFlagBits(samples), &grid);
    if (limits.sampleLocationSampleCounts & samples) {
      EXPECT_GE(grid.maxSampleLocationGridSize.width, limits.maxSampleLocationGridSize.width);
      EXPECT_GE(grid.maxSampleLocationGridSize.height, limits.maxSampleLocationGridSize.height);
    } else {
      EXPECT_EQ(grid.maxSampleLocationGridSize.width, 0u);
      EXPECT_EQ(grid.maxSampleLocationGridSize.height, 0u);
    }
  }
  // Depth that knows where its samples are.
  VkImageFormatProperties format = {};
  EXPECT_EQ(gpu.vk.GetPhysicalDeviceImageFormatProperties(
                gpu.physicalDevice, VK_FORMAT_D32_SFLOAT, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
                VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT, &format),
            VK_SUCCESS);
  EXPECT_TRUE(format.sampleCounts & VK_SAMPLE_COUNT_4_BIT);
}

} // namespace
} // namespace api
