//===- DescriptorBufferApiTest.cpp ----------------------------------------===//
// SPDX-License-Identifier: MIT
// VK_EXT_descriptor_buffer: descriptors that the application writes to its own memory. What shaders
// read through them is what the same objects hold.
#include "Pipelines.h"
#include <cstring>

namespace api {
namespace {

constexpr VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr VkDescriptorType uniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
constexpr VkDescriptorType combined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
constexpr VkDescriptorType sampled = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
constexpr VkDescriptorType texels = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
constexpr VkDescriptorType inlineBlock = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
constexpr VkBufferUsageFlags descriptorUsage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                               VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT;
constexpr VkPipelineBindPoint compute = VK_PIPELINE_BIND_POINT_COMPUTE;

class DescriptorBufferApi : public ApiTest {
protected:
  void SetUp() override {
    ApiTest::SetUp();
    if (!gpu.hasExtension(VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME))
      GTEST_SKIP();
    if (!gpu.isKiln())
      GTEST_SKIP() << "lavapipe 25.0 leaves the sets of compute shaders null, and crashes";
    sizes = vkStruct<VkPhysicalDeviceDescriptorBufferPropertiesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT);
    auto all =
        vkStruct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    all.pNext = &sizes;
    gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &all);
    table = gpu.buffer(tableBytes, descriptorUsage);
  }

  VkDescriptorSetLayout setLayout(const std::vector<Binding> &bindings,
                                  VkDescriptorSetLayoutCreateFlags more = 0) {
    return gpu.setLayout(bindings,
                         VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT | more);
  }
  VkPipeline pipeline(const std::string &glsl, VkPipelineLayout layout) {
    return gpu.pipeline(glsl, layout, nullptr, VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  }

  /// Where a binding's element is: \p at, the set, and a size.
  uint8_t *place(VkDeviceSize at, VkDescriptorSetLayout layout, uint32_t binding,
                 uint32_t element = 0, size_t size = 0) {
    VkDeviceSize offset = 0;
    gpu.vk.GetDescriptorSetLayoutBindingOffsetEXT(gpu.device, layout, binding, &offset);
    return reinterpret_cast<uint8_t *>(table.data) + at + offset + element * size;
  }
  VkDeviceSize sizeOf(VkDescriptorSetLayout layout) {
    VkDeviceSize size = 0;
    gpu.vk.GetDescriptorSetLayoutSizeEXT(gpu.device, layout, &size);
    const VkDeviceSize alignment = sizes.descriptorBufferOffsetAlignment;
    return (size + alignment - 1) / alignment * alignment;
  }
  void put(uint8_t *to, size_t size, VkDescriptorType type, const VkDescriptorDataEXT &data) {
    auto info = vkStruct<VkDescriptorGetInfoEXT>(VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT);
    info.type = type;
    info.data = data;
    gpu.vk.GetDescriptorEXT(gpu.device, &info, size, to);
  }
  static VkDescriptorAddressInfoEXT rangeOf(const Buffer &buffer, VkDeviceSize offset,
                                            VkDeviceSize size,
                                            VkFormat format = VK_FORMAT_UNDEFINED) {
    auto range =
        vkStruct<VkDescriptorAddressInfoEXT>(VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT);
    range.address = buffer.address + offset;
    range.range = size;
    range.format = format;
    return range;
  }
  void putStorage(uint8_t *to, const VkDescriptorAddressInfoEXT &range) {
    VkDescriptorDataEXT data;
    data.pStorageBuffer = &range;
    put(to, sizes.storageBufferDescriptorSize, storage, data);
  }
  void bindTable(VkCommandBuffer c) {
    auto info = vkStruct<VkDescriptorBufferBindingInfoEXT>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT);
    info.address = table.address;
    info.usage = descriptorUsage;
    gpu.vk.CmdBindDescriptorBuffersEXT(c, 1, &info);
  }
  void setOffset(VkCommandBuffer c, VkPipelineLayout layout, uint32_t set, VkDeviceSize offset,
                 VkPipelineBindPoint bindPoint = compute) {
    const uint32_t index = 0;
    gpu.vk.CmdSetDescriptorBufferOffsetsEXT(c, bindPoint, layout, set, 1, &index, &offset);
  }
  Image row(float left, float right) {
    Buffer from = gpu.buffer(16);
    const float values[] = {left, right};
    std::memcpy(from.data, values, sizeof(values));
    Image made = gpu.image(VK_FORMAT_R32_SFLOAT, 2, 1);
    gpu.upload(made, VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, from);
    return made;
  }

  static constexpr VkDeviceSize tableBytes = 16384;
  VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes;
  Buffer table;
};
API_TESTS_ON_ALL_DEVICES(DescriptorBufferApi);

TEST_P(DescriptorBufferApi, SetsAreWhereTheOffsetsSay) {
  const VkDescriptorSetLayout setLayout =
      this->setLayout({{0, storage}, {3, storage, 2}, {4, uniform}});
  const VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  const VkPipeline pipeline = this->pipeline(R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(set = 0, binding = 3) readonly buffer X { uint x[]; } xs[2];
layout(set = 0, binding = 4) uniform U { uvec4 u; };
void main() {
  b[0] = xs[0].x[0] + 10 * xs[1].x[0] + 100 * u.y;
  b[1] = b.length();
})",
                                             layout);
  Buffer out = gpu.buffer(1024), in = gpu.buffer(1024);
  for (uint32_t i = 0; i < 256; ++i)
    in.data[i] = i / 64 + 1;
  const VkDeviceSize size = sizeOf(setLayout);
  const size_t bytes = sizes.storageBufferDescriptorSize;
  for (uint32_t i = 0; i < 2; ++i) {
    putStorage(place(i * size, setLayout, 0), rangeOf(out, 256 * i, 8 + 4 * i));
    putStorage(place(i * size, setLayout, 3, 0, bytes), rangeOf(in, 256 * i, 16));
    putStorage(place(i * size, setLayout, 3, 1, bytes), rangeOf(in, 256 * (i + 1), 16));
    const VkDescriptorAddressInfoEXT range = rangeOf(in, 256 * (i + 2), 16);
    VkDescriptorDataEXT data;
    data.pUniformBuffer = &range;
    put(place(i * size, setLayout, 4), sizes.uniformBufferDescriptorSize, uniform, data);
  }
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, compute, pipeline);
    bindTable(c);
    for (uint32_t i : {1, 0}) {
      setOffset(c, layout, 0, i * size);
      gpu.vk.CmdDispatch(c, 1, 1, 1);
    }
  });
  EXPECT_EQ(out.data[0], 321u);
  EXPECT_EQ(out.data[1], 2u);
  EXPECT_EQ(out.data[64], 432u);
  EXPECT_EQ(out.data[65], 3u);
}

const char *const everyKind = R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float b[]; };
layout(set = 0, binding = 1) uniform sampler2D c[2];
layout(set = 0, binding = 2) uniform textureBuffer t;
layout(set = 0, binding = 3) uniform Block { vec4 block; };
layout(set = 0, binding = 4, r32f) uniform image2D i;
layout(set = 0, binding = 5) uniform texture2D s;
layout(set = 0, binding = 6) uniform sampler own;
layout(set = 1, binding = 0) uniform sampler embedded;
void main() {
  b[0] = textureLod(c[0], vec2(0.2, 0.5), 0).r;
  b[1] = textureLod(c[1], vec2(0.8, 0.5), 0).r;
  b[2] = texelFetch(t, 1).g;
  b[3] = block.z;
  b[4] = imageLoad(i, ivec2(1, 0)).r;
  imageStore(i, ivec2(0, 0), vec4(50));
  b[5] = textureLod(sampler2D(s, own), vec2(0.9, 0.5), 0).r;
  b[6] = textureLod(sampler2D(s, embedded), vec2(0.1, 0.5), 0).r;
  b[7] = imageLoad(i, ivec2(0, 0)).r;
})";

TEST_P(DescriptorBufferApi, EveryKindOfDescriptor) {
  const VkSampler nearest = gpu.sampler(VK_FILTER_NEAREST);
  const VkDescriptorSetLayout setLayout = this->setLayout({{0, storage},
                                                           {1, combined, 2},
                                                           {2, texels},
                                                           {3, inlineBlock, 16},
                                                           {4, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                                                           {5, sampled},
                                                           {6, VK_DESCRIPTOR_TYPE_SAMPLER}});
  const VkDescriptorSetLayout samplers =
      this->setLayout({{0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, 0, &nearest}},
                      VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT);
  const VkPipelineLayout layout = gpu.pipelineLayout({setLayout, samplers});
  const VkPipeline pipeline = this->pipeline(everyKind, layout);
  Buffer out = gpu.buffer(64), bytes = gpu.buffer(64);
  bytes.data[1] = 0x00FF0000; // texel 1: green 255
  putStorage(place(0, setLayout, 0), rangeOf(out, 0, 64));
  VkDescriptorDataEXT data;
  const Image images[] = {row(1, 2), row(3, 4), row(5, 6), row(7, 8)};
  auto imageInfo = [&](const Image &image, VkSampler sampler) {
    return VkDescriptorImageInfo{sampler, image.view, VK_IMAGE_LAYOUT_GENERAL};
  };
  for (uint32_t i = 0; i < 2; ++i) {
    const VkDescriptorImageInfo info = imageInfo(images[i], nearest);
    data.pCombinedImageSampler = &info;
    const size_t size = sizes.combinedImageSamplerDescriptorSize;
    put(place(0, setLayout, 1, i, size), size, combined, data);
  }
  const VkDescriptorAddressInfoEXT range = rangeOf(bytes, 0, 16, VK_FORMAT_R16G16_UNORM);
  data.pUniformTexelBuffer = &range;
  put(place(0, setLayout, 2), sizes.uniformTexelBufferDescriptorSize, texels, data);
  const float block[] = {10, 20, 30, 40};
  std::memcpy(place(0, setLayout, 3), block, sizeof(block));
  const VkDescriptorImageInfo stored = imageInfo(images[2], VK_NULL_HANDLE);
  data.pStorageImage = &stored;
  put(place(0, setLayout, 4), sizes.storageImageDescriptorSize, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
      data);
  const VkDescriptorImageInfo read = imageInfo(images[3], VK_NULL_HANDLE);
  data.pSampledImage = &read;
  put(place(0, setLayout, 5), sizes.sampledImageDescriptorSize, sampled, data);
  data.pSampler = &nearest;
  put(place(0, setLayout, 6), sizes.samplerDescriptorSize, VK_DESCRIPTOR_TYPE_SAMPLER, data);
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, compute, pipeline);
    bindTable(c);
    setOffset(c, layout, 0, 0);
    gpu.vk.CmdBindDescriptorBufferEmbeddedSamplersEXT(c, compute, layout, 1);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
  float results[8];
  std::memcpy(results, out.data, sizeof(results));
  const float expected[] = {1, 4, 255.0f / 65535, 30, 6, 8, 7, 50};
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_FLOAT_EQ(results[i], expected[i]) << i;
}

TEST_P(DescriptorBufferApi, PushDescriptorsBesideThem) {
  const VkDescriptorSetLayout written = setLayout({{0, storage}});
  const VkDescriptorSetLayout pushed =
      setLayout({{0, storage}}, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
  const VkPipelineLayout layout = gpu.pipelineLayout({pushed, written});
  const VkPipeline pipeline = this->pipeline(R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 1, binding = 0) buffer B { uint b[]; };
void main() { a[0] = b[0] + 1; b[1] = 7; })",
                                             layout);
  Buffer a = gpu.buffer(64), b = gpu.buffer(64);
  b.data[0] = 41;
  putStorage(place(256, written, 0), rangeOf(b, 0, 64));
  const VkDescriptorBufferInfo range = {a.handle, 0, 64};
  auto write = vkStruct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
  write.descriptorCount = 1;
  write.descriptorType = storage;
  write.pBufferInfo = &range;
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, compute, pipeline);
    bindTable(c);
    gpu.vk.CmdPushDescriptorSetKHR(c, compute, layout, 0, 1, &write);
    setOffset(c, layout, 1, 256);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
  EXPECT_EQ(a.data[0], 42u);
  EXPECT_EQ(b.data[1], 7u);
}

/// Null descriptors read as zeros, and take no writes.
TEST_P(DescriptorBufferApi, NullDescriptors) {
  if (!gpu.hasExtension(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME))
    GTEST_SKIP();
  const VkDescriptorSetLayout setLayout =
      this->setLayout({{0, storage}, {1, storage}, {2, uniform}, {3, sampled}, {4, texels}});
  const VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  const VkPipeline pipeline = this->pipeline(R"(#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(set = 0, binding = 1) buffer N { uint n[]; };
layout(set = 0, binding = 2) uniform U { uvec4 u; };
layout(set = 0, binding = 3) uniform texture2D t;
layout(set = 0, binding = 4) uniform textureBuffer tb;
void main() {
  n[0] = 5;
  b[0] = n[1];
  b[1] = u.x;
  b[2] = uint(texelFetch(t, ivec2(0), 0).r);
  b[3] = uint(texelFetch(tb, 0).r);
})",
                                             layout);
  Buffer out = gpu.buffer(64);
  std::memset(out.data, 0xFF, 64);
  std::memset(table.data, 0xEE, 1024);
  putStorage(place(0, setLayout, 0), rangeOf(out, 0, 64));
  VkDescriptorDataEXT data;
  data.pStorageBuffer = nullptr;
  put(place(0, setLayout, 1), sizes.storageBufferDescriptorSize, storage, data);
  data.pUniformBuffer = nullptr;
  put(place(0, setLayout, 2), sizes.uniformBufferDescriptorSize, uniform, data);
  const VkDescriptorImageInfo none = {};
  data.pSampledImage = &none;
  put(place(0, setLayout, 3), sizes.sampledImageDescriptorSize, sampled, data);
  data.pUniformTexelBuffer = nullptr;
  put(place(0, setLayout, 4), sizes.uniformTexelBufferDescriptorSize, texels, data);
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, compute, pipeline);
    bindTable(c);
    setOffset(c, layout, 0, 0);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(out.data[i], 0u) << i;
}

/// Buffers of descriptors have memory that others do not, and where shaders find it.
TEST_P(DescriptorBufferApi, MemoryOfDescriptors) {
  if (!gpu.isKiln())
    GTEST_SKIP();
  VkMemoryRequirements plain, descriptors;
  gpu.vk.GetBufferMemoryRequirements(gpu.device, gpu.buffer(64).handle, &plain);
  gpu.vk.GetBufferMemoryRequirements(gpu.device, table.handle, &descriptors);
  EXPECT_EQ(plain.memoryTypeBits & descriptors.memoryTypeBits, 0u);
  EXPECT_EQ(table.address >> 32, gpu.buffer(64, descriptorUsage).address >> 32);
  EXPECT_NE(table.address >> 32, gpu.buffer(64).address >> 32);
}

} // namespace
} // namespace api
