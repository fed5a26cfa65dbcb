// SPDX-License-Identifier: MIT
// Custom border colours of immutable samplers. Drivers keep such colours in a table of the device,
// and code must not depend on what else is in there: binaries are used on other devices.
#include "Binaries.h"
#include <cstring>

namespace api {
namespace {

VkPhysicalDeviceCustomBorderColorFeaturesEXT borderFeatures() {
  auto features = vkStruct<VkPhysicalDeviceCustomBorderColorFeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT);
  features.customBorderColors = features.customBorderColorWithoutFormat = VK_TRUE;
  return features;
}

using Color = std::array<float, 4>;

/// A pipeline that reads beyond the edge of an image with an immutable sampler.
class BorderCase {
public:
  BorderCase(Gpu &gpu, const Color &color)
      : gpu(gpu), shader(gpu, R"(#version 460
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) buffer B { vec4 result; };
void main() { result = textureLod(image, vec2(3), 0); })",
                         "comp") {
    VkSampler immutable = sampler(gpu, color);
    const std::vector<Binding> bindings = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, 0, &immutable},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    const VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
    layout = gpu.pipelineLayout({setLayout});
    set = gpu.set(setLayout, bindings);
    buffer = gpu.buffer(sizeof(Color));
    gpu.writeImage(set, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                   gpu.image(VK_FORMAT_R8G8B8A8_UNORM, 4, 4).view, immutable);
    gpu.write(set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {buffer});
  }

  static VkSampler sampler(Gpu &gpu, const Color &color) {
    auto custom = vkStruct<VkSamplerCustomBorderColorCreateInfoEXT>(
        VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
    std::copy(color.begin(), color.end(), custom.customBorderColor.float32);
    custom.format = VK_FORMAT_R8G8B8A8_UNORM;
    auto info = vkStruct<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, &custom);
    info.addressModeU = info.addressModeV = info.addressModeW =
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    VkSampler made = VK_NULL_HANDLE;
    VK_OK(gpu.vk.CreateSampler(gpu.device, &info, nullptr, &made));
    gpu.destroyLater(made);
    return made;
  }

  VkComputePipelineCreateInfo info(Source source, const void *next = nullptr) {
    auto create =
        vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, next);
    create.stage = shader.stage(source);
    create.layout = layout;
    return create;
  }

  Color run(VkPipeline pipeline) {
    std::memset(buffer.data, 0, sizeof(Color));
    gpu.run([&](VkCommandBuffer commands) {
      gpu.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      gpu.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                   nullptr);
      gpu.vk.CmdDispatch(commands, 1, 1, 1);
      gpu.barrier(commands);
    });
    Color result;
    std::memcpy(result.data(), buffer.data, sizeof(result));
    return result;
  }

private:
  Gpu &gpu;
  Shader shader;
  VkPipelineLayout layout;
  VkDescriptorSet set;
  Buffer buffer;
};

constexpr Color red = {1, 0, 0, 1}, green = {0, 1, 0, 1};

class BorderColorApi : public testing::TestWithParam<unsigned> {
protected:
  void SetUp() override {
    if (!first.hasExtension(VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME) || !first.canExecute())
      GTEST_SKIP();
  }
  VkPhysicalDeviceCustomBorderColorFeaturesEXT features[2] = {borderFeatures(), borderFeatures()};
  Gpu first{GetParam(), &features[0]}, second{GetParam(), &features[1]};
};
API_TESTS_ON_ALL_DEVICES(BorderColorApi);

TEST_P(BorderColorApi, ImmutableSamplersHaveTheirs) {
  for (const Color &color : {red, green}) {
    BorderCase of(first, color);
    const VkPipeline pipeline = create(first, of.info(Source::Module));
    first.destroyLater(pipeline);
    EXPECT_EQ(of.run(pipeline), color);
  }
}

TEST_P(BorderColorApi, BinariesWorkOnOtherDevices) {
  if (!first.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
    GTEST_SKIP();
  BorderCase from(first, red);
  BorderCase::sampler(second, green); // now tables differ
  BorderCase to(second, red);
  const VkPipelineCreateFlags2CreateInfoKHR capture = captureData();
  const VkComputePipelineCreateInfo captured = from.info(Source::Module, &capture);
  const VkPipeline original = create(first, captured);
  first.destroyLater(original);
  EXPECT_EQ(from.run(original), red);
  const VkComputePipelineCreateInfo same = to.info(Source::Module);
  EXPECT_EQ(pipelineKey(first, &captured), pipelineKey(second, &same));
  Binaries binaries(first), others(second);
  VK_OK(binaries.fromPipeline(original));
  VK_OK(others.fromKept(binaries.keep()));
  const VkPipelineBinaryInfoKHR info = others.info();
  const VkPipeline copy = create(second, to.info(Source::None, &info));
  second.destroyLater(copy);
  EXPECT_EQ(to.run(copy), red);
}

} // namespace
} // namespace api
