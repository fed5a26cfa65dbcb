// SPDX-License-Identifier: MIT
// VK_KHR_maintenance10: what formats can do, and borders of 4-bit formats.
#include "Pipelines.h"
#include <cstring>
#include <optional>

namespace api {
namespace {

class Maintenance10FormatApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_KHR_MAINTENANCE_10_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_KHR_maintenance10";
    features = vkStruct<VkPhysicalDeviceMaintenance10FeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_FEATURES_KHR);
    device.emplace(GetParam(), &features);
    ASSERT_TRUE(features.maintenance10);
  }

  VkImageView viewOf(VkImage image, VkFormat format) {
    auto info = vkStruct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    info.image = image;
    info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    info.format = format;
    info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkImageView view = VK_NULL_HANDLE;
    VK_OK(device->vk.CreateImageView(device->device, &info, nullptr, &view));
    return view;
  }

  VkPhysicalDeviceMaintenance10FeaturesKHR features = {};
  std::optional<Gpu> device;
};
API_TESTS_ON_ALL_DEVICES(Maintenance10FormatApi);

TEST_P(Maintenance10FormatApi, DepthAndStencilAreCopiedOnAllQueues) {
  constexpr VkFormatFeatureFlags2 depth = VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_COMPUTE_QUEUE_BIT_KHR |
                                          VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_TRANSFER_QUEUE_BIT_KHR;
  constexpr VkFormatFeatureFlags2 stencil =
      VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_COMPUTE_QUEUE_BIT_KHR |
      VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_TRANSFER_QUEUE_BIT_KHR;
  const struct {
    VkFormat format;
    VkFormatFeatureFlags2 has;
  } cases[] = {{VK_FORMAT_D32_SFLOAT, depth},
               {VK_FORMAT_S8_UINT, stencil},
               {VK_FORMAT_D32_SFLOAT_S8_UINT, depth | stencil},
               {VK_FORMAT_R8_UINT, 0}};
  for (const auto &test : cases) {
    auto more = vkStruct<VkFormatProperties3>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
    auto all = vkStruct<VkFormatProperties2>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &more);
    device->vk.GetPhysicalDeviceFormatProperties2(device->physicalDevice, test.format, &all);
    if (device->isKiln()) {
      EXPECT_EQ(more.optimalTilingFeatures & (depth | stencil), test.has) << test.format;
    }
  }
}

/// Formats of sRGB as vertices are either decoded or not there.
TEST_P(Maintenance10FormatApi, VerticesOfSrgb) {
  for (VkFormat format : {VK_FORMAT_R8_SRGB, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_B8G8R8A8_SRGB}) {
    auto all = vkStruct<VkFormatProperties2>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2);
    device->vk.GetPhysicalDeviceFormatProperties2(device->physicalDevice, format, &all);
    if (device->isKiln()) {
      EXPECT_FALSE(all.formatProperties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT);
    }
  }
}

TEST_P(Maintenance10FormatApi, OpaqueBlackBordersOf4BitFormats) {
  auto limits = vkStruct<VkPhysicalDeviceMaintenance10PropertiesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_PROPERTIES_KHR);
  auto all = vkStruct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                                   &limits);
  device->vk.GetPhysicalDeviceProperties2(device->physicalDevice, &all);
  if (!limits.rgba4OpaqueBlackSwizzled)
    GTEST_SKIP() << "no such promise";
  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                         {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
  const VkDescriptorSetLayout setLayout = device->setLayout(bindings);
  const VkPipelineLayout pipelineLayout = device->pipelineLayout({setLayout});
  const VkPipeline reading = device->pipeline(R"(#version 450
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) buffer Out { vec4 border; };
void main() { border = textureLod(picture, vec2(2.5), 0); })",
                                              pipelineLayout);
  auto samplerInfo = vkStruct<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
  samplerInfo.addressModeU = samplerInfo.addressModeV = samplerInfo.addressModeW =
      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  samplerInfo.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
  VkSampler sampler = VK_NULL_HANDLE;
  VK_OK(device->vk.CreateSampler(device->device, &samplerInfo, nullptr, &sampler));
  device->destroyLater(sampler);
  for (VkFormat format : {VK_FORMAT_B4G4R4A4_UNORM_PACK16, VK_FORMAT_R4G4B4A4_UNORM_PACK16}) {
    auto info = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {4, 4, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    auto support = vkStruct<VkFormatProperties2>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2);
    device->vk.GetPhysicalDeviceFormatProperties2(device->physicalDevice, format, &support);
    if (!(support.formatProperties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
      continue;
    const Image image = device->image(info);
    const VkImageView view = viewOf(image.handle, format);
    const Buffer out = device->buffer(16);
    const VkDescriptorSet set = device->set(setLayout, bindings);
    device->writeImage(set, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, view, sampler);
    device->write(set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {out});
    device->run([&](VkCommandBuffer c) {
      auto barrier = vkStruct<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
      barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
      barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT;
      barrier.image = image.handle;
      barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      device->vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr,
                                    1, &barrier);
      device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, reading);
      device->vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipelineLayout, 0, 1,
                                       &set, 0, nullptr);
      device->vk.CmdDispatch(c, 1, 1, 1);
      device->barrier(c);
    });
    device->vk.DestroyImageView(device->device, view, nullptr);
    for (uint32_t i = 0; i < 4; ++i) {
      float value = 0;
      std::memcpy(&value, out.data + i, 4);
      EXPECT_EQ(value, i == 3 ? 1.0f : 0.0f) << format << " " << i;
    }
  }
}

} // namespace
} // namespace api
