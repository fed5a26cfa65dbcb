// SPDX-License-Identifier: MIT
// VK_VALVE_descriptor_set_host_mapping: descriptors are bytes at places that layouts say, and
// copied as such between sets and elements.
#include "Pipelines.h"
#include <cstring>
#include <optional>

namespace api {
namespace {

class SetMappingApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_VALVE_DESCRIPTOR_SET_HOST_MAPPING_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_VALVE_descriptor_set_host_mapping";
    auto features = vkStruct<VkPhysicalDeviceDescriptorSetHostMappingFeaturesVALVE>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_SET_HOST_MAPPING_FEATURES_VALVE);
    device.emplace(GetParam(), &features);
    EXPECT_TRUE(features.descriptorSetHostMapping);
  }

  struct Place {
    uint8_t *data;
    size_t bytes;
  };
  Place placeOf(VkDescriptorSet set, VkDescriptorSetLayout layout, uint32_t binding,
                uint32_t element) {
    auto reference = vkStruct<VkDescriptorSetBindingReferenceVALVE>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_BINDING_REFERENCE_VALVE);
    reference.descriptorSetLayout = layout;
    reference.binding = binding;
    auto mapping = vkStruct<VkDescriptorSetLayoutHostMappingInfoVALVE>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_HOST_MAPPING_INFO_VALVE);
    device->vk.GetDescriptorSetLayoutHostMappingInfoVALVE(device->device, &reference, &mapping);
    void *data = nullptr;
    device->vk.GetDescriptorSetHostMappingVALVE(device->device, set, &data);
    EXPECT_NE(data, nullptr);
    EXPECT_GT(mapping.descriptorSize, 0u);
    return {static_cast<uint8_t *>(data) + mapping.descriptorOffset +
                size_t(element) * mapping.descriptorSize,
            mapping.descriptorSize};
  }

  std::optional<Gpu> device;
};
API_TESTS_ON_ALL_DEVICES(SetMappingApi);

TEST_P(SetMappingApi, CopiedDescriptors) {
  constexpr VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const std::vector<Binding> bindings = {{0, type, 1}, {3, type, 4}};
  const VkDescriptorSetLayout layout = device->setLayout(bindings);
  const VkDescriptorSet from = device->set(layout, bindings), to = device->set(layout, bindings);
  std::vector<Buffer> buffers;
  for (uint32_t i = 0; i < 4; ++i) {
    buffers.push_back(device->buffer(16));
    buffers[i].data[0] = 10 + i;
  }
  const Buffer result = device->buffer(16);
  device->write(from, 3, type, buffers);
  device->write(to, 0, type, {result});
  // In the opposite order.
  for (uint32_t i = 0; i < 4; ++i) {
    const Place source = placeOf(from, layout, 3, i), target = placeOf(to, layout, 3, 3 - i);
    ASSERT_EQ(source.bytes, target.bytes);
    std::memcpy(target.data, source.data, source.bytes);
  }
  const VkPipelineLayout pipelineLayout = device->pipelineLayout({layout});
  const VkPipeline pipeline = device->pipeline(R"(#version 460
layout(set = 0, binding = 0) buffer To { uint result[4]; };
layout(set = 0, binding = 3) buffer From { uint value; } from[4];
void main() { result = uint[](from[0].value, from[1].value, from[2].value, from[3].value); })",
                                               pipelineLayout);
  device->run([&](VkCommandBuffer c) {
    device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    device->vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipelineLayout, 0, 1, &to,
                                     0, nullptr);
    device->vk.CmdDispatch(c, 1, 1, 1);
  });
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(result.data[i], 13 - i);
}

} // namespace
} // namespace api
