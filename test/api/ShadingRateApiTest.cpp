// SPDX-License-Identifier: MIT
// VK_KHR_fragment_shading_rate: what the device says of it; rates in libraries, dynamic state and
// draws with shader objects.
#include "LibraryScene.h"
#include "ShaderScene.h"
#include <algorithm>
#include <optional>

namespace api {
namespace {

using RateState = VkPipelineFragmentShadingRateStateCreateInfoKHR;

/// Rates of the pipeline alone.
constexpr VkFragmentShadingRateCombinerOpKHR keepBoth[2] = {};

RateState rateState(uint32_t width, uint32_t height) {
  auto state =
      vkStruct<RateState>(VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR);
  state.fragmentSize = {width, height};
  return state;
}

class ShadingRateApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_KHR_fragment_shading_rate";
    features = vkStruct<VkPhysicalDeviceFragmentShadingRateFeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR);
    device.emplace(GetParam(), &features);
  }
  void TearDown() override {
    if (device) {
      EXPECT_EQ(device->validationMessages, 0u);
    }
  }
  VkPhysicalDeviceFragmentShadingRatePropertiesKHR limits() {
    auto result = vkStruct<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR);
    auto all =
        vkStruct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    all.pNext = &result;
    gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &all);
    return result;
  }
  std::vector<VkPhysicalDeviceFragmentShadingRateKHR> rates() {
    uint32_t count = 0;
    VK_OK(device->vk.GetPhysicalDeviceFragmentShadingRatesKHR(device->physicalDevice, &count,
                                                              nullptr));
    std::vector<VkPhysicalDeviceFragmentShadingRateKHR> list(
        count, vkStruct<VkPhysicalDeviceFragmentShadingRateKHR>(
                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_KHR));
    VK_OK(device->vk.GetPhysicalDeviceFragmentShadingRatesKHR(device->physicalDevice, &count,
                                                              list.data()));
    return list;
  }

  VkPhysicalDeviceFragmentShadingRateFeaturesKHR features = {};
  std::optional<Gpu> device;
};
API_TESTS_ON_ALL_DEVICES(ShadingRateApi);

// An invocation that has a fragment of several pixels to itself must be able to tell which of them
// it covers.
TEST_P(ShadingRateApi, ShadingRateInterlockHasSampleMasks) {
  auto interlock = vkStruct<VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT);
  auto all = vkStruct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  all.pNext = &interlock;
  gpu.vk.GetPhysicalDeviceFeatures2(gpu.physicalDevice, &all);
  const auto limit = limits();
  EXPECT_TRUE(!interlock.fragmentShaderShadingRateInterlock ||
              !limit.fragmentShadingRateWithFragmentShaderInterlock ||
              limit.fragmentShadingRateWithShaderSampleMask);
}

// Vulkan: what every implementation has, and the order of the list.
TEST_P(ShadingRateApi, Rates) {
  EXPECT_TRUE(features.pipelineFragmentShadingRate);
  const auto limit = limits();
  const auto list = rates();
  auto isBefore = [](const auto &a, const auto &b) {
    return std::pair(a.fragmentSize.width, a.fragmentSize.height) >
           std::pair(b.fragmentSize.width, b.fragmentSize.height);
  };
  EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), isBefore));
  auto countsOf = [&](uint32_t width, uint32_t height) {
    for (const auto &rate : list)
      if (rate.fragmentSize.width == width && rate.fragmentSize.height == height)
        return rate.sampleCounts;
    return VkSampleCountFlags(0);
  };
  EXPECT_EQ(countsOf(1, 1), ~VkSampleCountFlags(0));
  for (uint32_t height : {1u, 2u})
    EXPECT_EQ(countsOf(2, height) & 5, 5u);
  for (const auto &rate : list) {
    const VkExtent2D &size = rate.fragmentSize;
    EXPECT_LE(size.width, limit.maxFragmentSize.width);
    EXPECT_LE(size.height, limit.maxFragmentSize.height);
    EXPECT_LE(std::max(size.width, size.height) / std::min(size.width, size.height),
              limit.maxFragmentSizeAspectRatio);
    for (uint32_t samples = 1; samples <= 64 && size.width * size.height > 1; samples *= 2) {
      if (rate.sampleCounts & samples) {
        EXPECT_LE(size.width * size.height * samples, limit.maxFragmentShadingRateCoverageSamples);
        EXPECT_LE(samples, uint32_t(limit.maxFragmentShadingRateRasterizationSamples));
      }
    }
  }
  uint32_t two = 2;
  std::vector<VkPhysicalDeviceFragmentShadingRateKHR> few(list.begin(), list.begin() + 2);
  EXPECT_EQ(
      device->vk.GetPhysicalDeviceFragmentShadingRatesKHR(device->physicalDevice, &two, few.data()),
      VK_INCOMPLETE);
  EXPECT_EQ(two, 2u);
}

// Vulkan, "Limits": the least that is required.
TEST_P(ShadingRateApi, Properties) {
  const auto limit = limits();
  EXPECT_GE(limit.maxFragmentSize.width, 2u);
  EXPECT_GE(limit.maxFragmentSize.height, 2u);
  EXPECT_GE(limit.maxFragmentSizeAspectRatio, 2u);
  EXPECT_GE(limit.maxFragmentShadingRateCoverageSamples, 16u);
  EXPECT_GE(limit.maxFragmentShadingRateRasterizationSamples, VK_SAMPLE_COUNT_4_BIT);
  auto format = vkStruct<VkFormatProperties2>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2);
  gpu.vk.GetPhysicalDeviceFormatProperties2(gpu.physicalDevice, VK_FORMAT_R8_UINT, &format);
  const bool isAttachment = format.formatProperties.optimalTilingFeatures &
                            VK_FORMAT_FEATURE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
  EXPECT_EQ(isAttachment, features.attachmentFragmentShadingRate == VK_TRUE);
  if (features.attachmentFragmentShadingRate) {
    EXPECT_LE(limit.minFragmentShadingRateAttachmentTexelSize.width, 32u);
    EXPECT_GE(limit.maxFragmentShadingRateAttachmentTexelSize.height, 8u);
    EXPECT_GE(limit.maxFragmentShadingRateAttachmentTexelSizeAspectRatio, 1u);
  }
}

/// Both triangles of the scene; the colour is the rate that the shader reads.
LibraryState stateOfRates() {
  LibraryState state;
  state.blend = false;
  state.fragmentGlsl = R"(#version 460
#extension GL_EXT_fragment_shading_rate : require
layout(location = 0) out vec4 result;
void main() { result = vec4(float(gl_ShadingRateEXT) / 255.0, 1, 0, 1); })";
  return state;
}

/// The rates of the pixels that were drawn; all the same, or 99.
uint32_t rateOf(const LibraryScene::Picture &picture) {
  std::optional<uint32_t> found;
  for (uint32_t pixel : picture) {
    if ((pixel >> 8 & 0xFF) != 255) // background
      continue;
    if (found && *found != (pixel & 0xFF))
      return 99;
    found = pixel & 0xFF;
  }
  return found.value_or(99);
}

TEST_P(ShadingRateApi, StateOfLibraries) {
  if (!device->hasExtension(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME))
    GTEST_SKIP() << "no libraries";
  LibraryScene scene(*device);
  LibraryState state = stateOfRates();
  auto create = [&](Subsets own, const RateState *rate) -> VkPipeline {
    VkPipeline made = VK_NULL_HANDLE;
    LibraryOptions options;
    options.flags = own == everything ? 0 : VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    scene.withInfo(state, own, options, [&](const VkGraphicsPipelineCreateInfo &info) {
      VkGraphicsPipelineCreateInfo copy = info;
      RateState chained;
      if (rate) {
        chained = *rate;
        chained.pNext = info.pNext;
        copy.pNext = &chained;
      }
      VK_OK(device->vk.CreateGraphicsPipelines(device->device, VK_NULL_HANDLE, 1, &copy, nullptr,
                                               &made));
    });
    device->destroyLater(made);
    return made;
  };
  const RateState wide = rateState(2, 1), large = rateState(2, 2);
  EXPECT_EQ(rateOf(scene.draw(create(everything, nullptr))), 0u);
  EXPECT_EQ(rateOf(scene.draw(create(everything, &wide))), 4u);
  EXPECT_EQ(rateOf(scene.draw(create(everything, &large))), 5u);
  // It belongs to both subsets with shaders, which must say the same.
  auto link = [&](const RateState *rate) {
    return scene.link({create(vertexInput, nullptr), create(preRasterization, rate),
                       create(fragmentShader, rate), create(fragmentOutput, nullptr)});
  };
  EXPECT_EQ(rateOf(scene.draw(link(nullptr))), 0u);
  EXPECT_EQ(rateOf(scene.draw(link(&wide))), 4u);
  state.dynamicStates = {VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR};
  auto set = [&](VkCommandBuffer c) {
    const VkExtent2D tall = {1, 2};
    device->vk.CmdSetFragmentShadingRateKHR(c, &tall, keepBoth);
  };
  EXPECT_EQ(rateOf(scene.draw(link(nullptr), set)), 1u);
  EXPECT_EQ(rateOf(scene.draw(create(everything, nullptr), set)), 1u);
}

TEST_P(ShadingRateApi, ShaderObjects) {
  if (!device->hasExtension(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_EXT_shader_object";
  ShaderScene scene(*device);
  auto shader = [&](const char *glsl, const char *stage) {
    ShaderSource source(*device, glsl, stage);
    scene.setLayouts(source.info);
    return scene.shaders.create(source.info);
  };
  const VkShaderEXT vertex = shader(R"(#version 460
void main() {
  gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.5, 1);
})",
                                    "vert");
  const VkShaderEXT fragment = shader(R"(#version 460
#extension GL_EXT_fragment_shading_rate : require
layout(location = 0) out uvec4 color;
void main() { color = uvec4(uvec2(gl_FragCoord.xy * 2), gl_ShadingRateEXT, 1); })",
                                      "frag");
  for (VkExtent2D size : {VkExtent2D{1, 1}, VkExtent2D{2, 1}, VkExtent2D{1, 2}, VkExtent2D{2, 2}}) {
    const ShaderScene::Picture picture = scene.draw([&](VkCommandBuffer c) {
      scene.setState(c);
      scene.setInput(c);
      scene.bind(c, vertex, fragment);
      device->vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
      device->vk.CmdSetFragmentShadingRateKHR(c, &size, keepBoth);
      device->vk.CmdDraw(c, 3, 1, 0, 0);
    });
    for (uint32_t i = 0; i < picture.size(); ++i) {
      const uint32_t x = i % ShaderScene::side, y = i / ShaderScene::side;
      const ShaderScene::Pixel expected = {2 * (x / size.width * size.width) + size.width,
                                           2 * (y / size.height * size.height) + size.height,
                                           (size.width - 1) * 4 + size.height - 1, 1};
      EXPECT_EQ(picture.at(i), expected) << "pixel " << i;
    }
  }
}

} // namespace
} // namespace api
