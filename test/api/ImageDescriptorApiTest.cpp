// SPDX-License-Identifier: MIT
// Descriptors of images, samplers and texel buffers. Texels are chosen so that every result is
// exact: nearest filtering, or linear filtering between equal distances.
#include "Pipelines.h"
#include <cstring>

namespace api {
namespace {

constexpr VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr VkDescriptorType combined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
constexpr VkDescriptorType sampled = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
constexpr VkDescriptorType storageImage = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
constexpr VkDescriptorType separateSampler = VK_DESCRIPTOR_TYPE_SAMPLER;

class ImageDescriptorApi : public ApiTest {
protected:
  /// A row of two R32_SFLOAT texels.
  Image texels(float left, float right) {
    Buffer from = gpu.buffer(16);
    float values[] = {left, right};
    std::memcpy(from.data, values, sizeof(values));
    Image made = gpu.image(VK_FORMAT_R32_SFLOAT, 2, 1);
    gpu.upload(made, VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, from);
    return made;
  }
  /// Runs one workgroup with `set`; `layout` made of `setLayout`.
  void dispatch(const char *glsl, VkDescriptorSetLayout setLayout, VkDescriptorSet set) {
    VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
    VkPipeline pipeline = gpu.pipeline(glsl, layout);
    gpu.run([&](VkCommandBuffer c) {
      gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                   nullptr);
      gpu.vk.CmdDispatch(c, 1, 1, 1);
    });
  }
  bool filters(VkFormat format) {
    VkFormatProperties properties;
    gpu.vk.GetPhysicalDeviceFormatProperties(gpu.physicalDevice, format, &properties);
    return properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  }
};
API_TESTS_ON_ALL_DEVICES(ImageDescriptorApi);

TEST_P(ImageDescriptorApi, ImmutableSamplersByConstantAndByIndex) {
  ASSERT_TRUE(filters(VK_FORMAT_R32_SFLOAT));
  VkSampler samplers[] = {gpu.sampler(VK_FILTER_NEAREST), gpu.sampler(VK_FILTER_LINEAR)};
  const std::vector<Binding> bindings = {{0, storage},
                                         {1, combined, 2, 0, samplers},
                                         {2, sampled},
                                         {3, separateSampler, 2, 0, samplers}};
  VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  VkDescriptorSet set = gpu.set(setLayout, bindings);
  Buffer b = gpu.buffer(64);
  b.data[0] = 1; // indices
  b.data[1] = 0;
  Image image = texels(4, 8);
  gpu.write(set, 0, storage, {b});
  for (uint32_t i = 0; i < 2; ++i)
    gpu.writeImage(set, 1, combined, image.view, VK_NULL_HANDLE, i);
  gpu.writeImage(set, 2, sampled, image.view);
  dispatch(R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint i[2]; float b[6]; };
layout(set = 0, binding = 1) uniform sampler2D c[2];
layout(set = 0, binding = 2) uniform texture2D t;
layout(set = 0, binding = 3) uniform sampler s[2];
void main() {
  vec2 middle = vec2(0.5), left = vec2(0.4, 0.5);
  b[0] = textureLod(c[0], left, 0).r;
  b[1] = textureLod(c[1], middle, 0).r;
  b[2] = textureLod(c[i[0]], middle, 0).r;
  b[3] = textureLod(c[i[1]], left, 0).r;
  b[4] = textureLod(sampler2D(t, s[i[0]]), middle, 0).r;
  b[5] = textureLod(sampler2D(t, s[0]), left, 0).r;
}
)",
           setLayout, set);
  float results[6];
  std::memcpy(results, b.data + 2, sizeof(results));
  const float expected[] = {4, 6, 6, 4, 6, 4};
  for (unsigned i = 0; i < 6; ++i)
    EXPECT_EQ(results[i], expected[i]) << i;
}

TEST_P(ImageDescriptorApi, ImmutableSamplersAreThereInAllKindsOfSets) {
  // Written by templates and pushed: the application gives no sampler, and code that was compiled
  // without the layout reads it from the set.
  const bool hasPush = gpu.hasExtension(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
  ASSERT_TRUE(filters(VK_FORMAT_R32_SFLOAT));
  VkSampler linear = gpu.sampler(VK_FILTER_LINEAR);
  const std::vector<Binding> bindings = {{0, storage}, {1, combined, 1, 0, &linear}};
  const char *const shader = R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float b[]; };
layout(set = 0, binding = 1) uniform sampler2D c;
void main() { b[0] += textureLod(c, vec2(0.5), 0).r; }
)";
  struct Data {
    VkDescriptorBufferInfo buffer;
    VkDescriptorImageInfo image;
  };
  Buffer b = gpu.buffer(64);
  const Data data = {{b.handle, 0, VK_WHOLE_SIZE},
                     {VK_NULL_HANDLE, texels(4, 8).view, VK_IMAGE_LAYOUT_GENERAL}};
  const VkDescriptorUpdateTemplateEntry entries[] = {{0, 0, 1, storage, offsetof(Data, buffer), 0},
                                                     {1, 0, 1, combined, offsetof(Data, image), 0}};
  VkDescriptorUpdateTemplateCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO;
  info.descriptorUpdateEntryCount = 2;
  info.pDescriptorUpdateEntries = entries;
  for (bool push : {false, true}) {
    if (push && !hasPush)
      continue;
    VkDescriptorSetLayout setLayout =
        gpu.setLayout(bindings, push ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0);
    VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
    info.templateType = push ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR
                             : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
    info.descriptorSetLayout = push ? VkDescriptorSetLayout(VK_NULL_HANDLE) : setLayout;
    info.pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
    info.pipelineLayout = layout;
    VkDescriptorUpdateTemplate written = VK_NULL_HANDLE;
    VK_OK(gpu.vk.CreateDescriptorUpdateTemplate(gpu.device, &info, nullptr, &written));
    VkPipeline pipeline = gpu.pipeline(shader, layout);
    VkDescriptorSet set = push ? VkDescriptorSet(VK_NULL_HANDLE) : gpu.set(setLayout, bindings);
    if (!push)
      gpu.vk.UpdateDescriptorSetWithTemplate(gpu.device, set, written, &data);
    b.data[0] = 0;
    gpu.run([&](VkCommandBuffer c) {
      gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      if (push)
        gpu.vk.CmdPushDescriptorSetWithTemplateKHR(c, written, layout, 0, &data);
      else
        gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                     nullptr);
      gpu.vk.CmdDispatch(c, 1, 1, 1);
    });
    float result = 0;
    std::memcpy(&result, b.data, sizeof(result));
    EXPECT_EQ(result, 6) << push;
    gpu.vk.DestroyDescriptorUpdateTemplate(gpu.device, written, nullptr);
  }
}

TEST_P(ImageDescriptorApi, CombinedDescriptorsAreUsedInParts) {
  const std::vector<Binding> bindings = {{0, storage}, {1, combined, 3}};
  VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  VkDescriptorSet set = gpu.set(setLayout, bindings);
  Buffer b = gpu.buffer(64);
  gpu.write(set, 0, storage, {b});
  VkSampler nearest = gpu.sampler(VK_FILTER_NEAREST);
  for (uint32_t i = 0; i < 3; ++i)
    gpu.writeImage(set, 1, combined, texels(10.0f * i, 10.0f * i + 1).view, nearest, i);
  dispatch(R"(#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 6) in;
layout(set = 0, binding = 0) buffer B { float b[6]; };
layout(set = 0, binding = 1) uniform sampler2D c[3];
layout(set = 0, binding = 1) uniform texture2D t[3];
layout(set = 0, binding = 1) uniform sampler s[3];
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i < 3)
    b[i] = texelFetch(c[nonuniformEXT(i)], ivec2(1, 0), 0).r;
  else
    b[i] = textureLod(sampler2D(t[nonuniformEXT(i - 3)], s[1]), vec2(0.2, 0.5), 0).r;
}
)",
           setLayout, set);
  float results[6];
  std::memcpy(results, b.data, sizeof(results));
  const float expected[] = {1, 11, 21, 0, 10, 20};
  for (unsigned i = 0; i < 6; ++i)
    EXPECT_EQ(results[i], expected[i]) << i;
}

TEST_P(ImageDescriptorApi, MutableDescriptorsHoldImagesAndSamplers) {
  if (!gpu.hasExtension(VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME))
    GTEST_SKIP();
  VkDescriptorType types[] = {storage, sampled, separateSampler, storageImage};
  VkMutableDescriptorTypeListEXT lists[] = {{4, types}};
  VkMutableDescriptorTypeCreateInfoEXT mutableInfo = {};
  mutableInfo.sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT;
  mutableInfo.mutableDescriptorTypeListCount = 1;
  mutableInfo.pMutableDescriptorTypeLists = lists;
  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 4}};
  VkDescriptorSetLayout setLayout = gpu.setLayout(bindings, 0, &mutableInfo);
  VkDescriptorSet set = gpu.set(setLayout, bindings, 0, nullptr, &mutableInfo);
  Buffer b = gpu.buffer(64);
  Image image = texels(3, 5), target = texels(0, 0);
  gpu.write(set, 0, storage, {b}, 0);
  gpu.writeImage(set, 0, sampled, image.view, VK_NULL_HANDLE, 1);
  gpu.writeImage(set, 0, separateSampler, VK_NULL_HANDLE, gpu.sampler(VK_FILTER_NEAREST), 2);
  gpu.writeImage(set, 0, storageImage, target.view, VK_NULL_HANDLE, 3);
  dispatch(R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float b[]; } buffers[4];
layout(set = 0, binding = 0) uniform texture2D t[4];
layout(set = 0, binding = 0) uniform sampler s[4];
layout(set = 0, binding = 0, r32f) uniform image2D images[4];
void main() {
  imageStore(images[3], ivec2(1, 0), vec4(42));
  buffers[0].b[0] = textureLod(sampler2D(t[1], s[2]), vec2(0.9, 0.5), 0).r;
  buffers[0].b[1] = imageLoad(images[3], ivec2(1, 0)).r;
}
)",
           setLayout, set);
  float results[2];
  std::memcpy(results, b.data, sizeof(results));
  EXPECT_EQ(results[0], 5);
  EXPECT_EQ(results[1], 42);
}

TEST_P(ImageDescriptorApi, TexelBuffersOfBothKinds) {
  constexpr auto uniformTexel = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  constexpr auto storageTexel = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
  const std::vector<Binding> bindings = {{0, uniformTexel}, {1, storageTexel}};
  VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  VkDescriptorSet set = gpu.set(setLayout, bindings);
  Buffer a = gpu.buffer(1024), b = gpu.buffer(1024);
  a.data[64] = 0xFF804020; // from byte 256 on
  a.data[65] = 0x04030201;
  auto view = [&](const Buffer &buffer, VkFormat format, VkDeviceSize offset, VkDeviceSize range) {
    VkBufferViewCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
    info.buffer = buffer.handle;
    info.format = format;
    info.offset = offset;
    info.range = range;
    VkBufferView made = VK_NULL_HANDLE;
    VK_OK(gpu.vk.CreateBufferView(gpu.device, &info, nullptr, &made));
    return made;
  };
  VkBufferView views[] = {view(a, VK_FORMAT_R8G8B8A8_UINT, 256, 8),
                          view(b, VK_FORMAT_R32_UINT, 512, 64)};
  for (uint32_t i = 0; i < 2; ++i) {
    VkWriteDescriptorSet write = {};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set;
    write.dstBinding = i;
    write.descriptorCount = 1;
    write.descriptorType = bindings[i].type;
    write.pTexelBufferView = &views[i];
    gpu.vk.UpdateDescriptorSets(gpu.device, 1, &write, 0, nullptr);
  }
  dispatch(R"(#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform utextureBuffer a;
layout(set = 0, binding = 1, r32ui) uniform uimageBuffer b;
void main() {
  for (int i = 0; i < 2; ++i) {
    uvec4 v = texelFetch(a, i);
    imageStore(b, i, uvec4(v.x + 1000 * v.w));
  }
  imageStore(b, 2, uvec4(textureSize(a)));
  imageStore(b, 3, uvec4(imageSize(b)));
  imageAtomicAdd(b, 4, 17);
}
)",
           setLayout, set);
  const uint32_t *results = b.data + 512 / 4;
  EXPECT_EQ(results[0], 0x20u + 1000 * 0xFF);
  EXPECT_EQ(results[1], 1u + 1000 * 4);
  EXPECT_EQ(results[2], 2u);
  EXPECT_EQ(results[3], 16u);
  EXPECT_EQ(results[4], 17u);
  for (VkBufferView made : views)
    gpu.vk.DestroyBufferView(gpu.device, made, nullptr);
}

/// A conversion that leaves the channels as they are, a set for its sampler and a buffer.
struct YcbcrScene {
  static constexpr VkFormat format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;

  YcbcrScene(Gpu &gpu, uint32_t layers) : gpu(gpu), from(gpu.buffer(64)), result(gpu.buffer(64)) {
    auto info = vkStruct<VkSamplerYcbcrConversionCreateInfo>(
        VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO);
    info.format = format;
    info.ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY;
    info.ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_FULL;
    info.xChromaOffset = info.yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT;
    info.chromaFilter = VK_FILTER_NEAREST;
    VkFormatProperties properties;
    gpu.vk.GetPhysicalDeviceFormatProperties(gpu.physicalDevice, format, &properties);
    if (!(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_MIDPOINT_CHROMA_SAMPLES_BIT))
      info.xChromaOffset = info.yChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN;
    VK_OK(gpu.vk.CreateSamplerYcbcrConversion(gpu.device, &info, nullptr, &conversion));
    auto use =
        vkStruct<VkSamplerYcbcrConversionInfo>(VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
    use.conversion = conversion;
    sampler = gpu.sampler(VK_FILTER_NEAREST, &use);
    setLayout = gpu.setLayout({{0, storage}, {1, combined, 1, 0, &sampler}});
    // A combined descriptor with a conversion may count as several.
    set = gpu.set(setLayout, {{0, storage}, {1, combined, 3}});
    image = gpu.image(format, 4, 2, &use, layers);
    for (uint32_t layer = 0; layer < layers; ++layer)
      fill(layer);
    gpu.write(set, 0, storage, {result});
    gpu.writeImage(set, 1, combined, image.view);
  }
  ~YcbcrScene() { gpu.vk.DestroySamplerYcbcrConversion(gpu.device, conversion, nullptr); }
  YcbcrScene(const YcbcrScene &) = delete;

  /// Each layer is brighter than the one before.
  void fill(uint32_t layer) {
    auto *bytes = reinterpret_cast<uint8_t *>(from.data);
    for (uint32_t i = 0; i < 8; ++i)
      bytes[i] = static_cast<uint8_t>(10 * i + layer);
    const uint8_t chroma[] = {101, 102, 201, 202}; // B, R of two texels
    for (uint32_t i = 0; i < 4; ++i)
      bytes[8 + i] = static_cast<uint8_t>(chroma[i] + layer);
    gpu.upload(image, VK_IMAGE_ASPECT_PLANE_0_BIT, 4, 2, from, 0, layer);
    gpu.upload(image, VK_IMAGE_ASPECT_PLANE_1_BIT, 2, 1, from, 8, layer);
  }
  /// What a shader has read at the first and the last texel of \p layer: r, g, b, a.
  void check(uint32_t layer) const {
    const uint32_t expected[] = {102, 0, 101, 255, 202, 70, 201, 255};
    for (unsigned i = 0; i < 8; ++i)
      EXPECT_EQ(result.data[i], expected[i] + (i % 4 == 3 ? 0 : layer)) << i << " of " << layer;
  }

  Gpu &gpu;
  VkSamplerYcbcrConversion conversion = VK_NULL_HANDLE;
  VkSampler sampler = VK_NULL_HANDLE;
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  Buffer from, result;
  Image image;
};

const char *const ycbcrShader = R"(#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uvec4 b[2]; };
layout(set = 0, binding = 1) uniform sampler2D c;
void main() {
  b[0] = uvec4(round(textureLod(c, vec2(0.125, 0.25), 0) * 255));
  b[1] = uvec4(round(textureLod(c, vec2(0.875, 0.75), 0) * 255));
}
)";

TEST_P(ImageDescriptorApi, YcbcrSamplersReadAllPlanes) {
  if (!filters(YcbcrScene::format))
    GTEST_SKIP();
  YcbcrScene scene(gpu, 1);
  dispatch(ycbcrShader, scene.setLayout, scene.set);
  scene.check(0);
}

// VK_EXT_descriptor_buffer
TEST_P(ImageDescriptorApi, YcbcrSamplersInDescriptorBuffers) {
  if (!gpu.hasExtension(VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME) || !gpu.isKiln())
    GTEST_SKIP();
  // Layers before 1.3.240 do not know that a conversion multiplies the size.
  allowsMessages = true;
  YcbcrScene scene(gpu, 1);
  const VkDescriptorSetLayout setLayout =
      gpu.setLayout({{0, storage}, {1, combined, 1, 0, &scene.sampler}},
                    VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  const VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  const VkPipeline pipeline =
      gpu.pipeline(ycbcrShader, layout, nullptr, VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT);
  constexpr size_t bufferBytes = 16, combinedBytes = size_t(2) * 48; // of two planes
  Buffer table = gpu.buffer(256, VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                     VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT);
  VkDeviceSize size = 0;
  gpu.vk.GetDescriptorSetLayoutSizeEXT(gpu.device, setLayout, &size);
  EXPECT_EQ(size, bufferBytes + combinedBytes);
  auto put = [&](uint32_t binding, VkDescriptorType type, const VkDescriptorDataEXT &data,
                 size_t bytes) {
    VkDeviceSize offset = 0;
    gpu.vk.GetDescriptorSetLayoutBindingOffsetEXT(gpu.device, setLayout, binding, &offset);
    auto info = vkStruct<VkDescriptorGetInfoEXT>(VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT);
    info.type = type;
    info.data = data;
    gpu.vk.GetDescriptorEXT(gpu.device, &info, bytes,
                            reinterpret_cast<uint8_t *>(table.data) + offset);
  };
  auto range = vkStruct<VkDescriptorAddressInfoEXT>(VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT);
  range.address = scene.result.address;
  range.range = scene.result.size;
  put(0, storage, {.pStorageBuffer = &range}, bufferBytes);
  const VkDescriptorImageInfo image = {scene.sampler, scene.image.view, VK_IMAGE_LAYOUT_GENERAL};
  put(1, combined, {.pCombinedImageSampler = &image}, combinedBytes);
  gpu.run([&](VkCommandBuffer c) {
    auto info = vkStruct<VkDescriptorBufferBindingInfoEXT>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT);
    info.address = table.address;
    info.usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                 VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT;
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu.vk.CmdBindDescriptorBuffersEXT(c, 1, &info);
    const uint32_t index = 0;
    const VkDeviceSize offset = 0;
    gpu.vk.CmdSetDescriptorBufferOffsetsEXT(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &index,
                                            &offset);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
  });
  scene.check(0);
}

// VK_EXT_ycbcr_image_arrays
TEST_P(ImageDescriptorApi, YcbcrImagesHaveLayers) {
  if (!gpu.hasExtension(VK_EXT_YCBCR_IMAGE_ARRAYS_EXTENSION_NAME) || !filters(YcbcrScene::format))
    GTEST_SKIP();
  YcbcrScene scene(gpu, 3);
  for (uint32_t layer = 0; layer < 3; ++layer) {
    const std::string glsl = "#version 450\n#define LAYER " + std::to_string(layer) + R"(
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uvec4 b[2]; };
layout(set = 0, binding = 1) uniform sampler2DArray c;
void main() {
  b[0] = uvec4(round(textureLod(c, vec3(0.125, 0.25, LAYER), 0) * 255));
  b[1] = uvec4(round(textureLod(c, vec3(0.875, 0.75, LAYER), 0) * 255));
}
)";
    dispatch(glsl.c_str(), scene.setLayout, scene.set);
    scene.check(layer);
  }
}

// VK_MESA_image_alignment_control
TEST_P(ImageDescriptorApi, AlignmentsThatAreAskedFor) {
  if (!gpu.hasExtension(VK_MESA_IMAGE_ALIGNMENT_CONTROL_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_MESA_image_alignment_control";
  auto features = vkStruct<VkPhysicalDeviceImageAlignmentControlFeaturesMESA>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ALIGNMENT_CONTROL_FEATURES_MESA);
  Gpu device(GetParam(), &features);
  ASSERT_TRUE(features.imageAlignmentControl);
  auto supported = vkStruct<VkPhysicalDeviceImageAlignmentControlPropertiesMESA>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ALIGNMENT_CONTROL_PROPERTIES_MESA);
  auto properties = vkStruct<VkPhysicalDeviceProperties2>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &supported);
  device.vk.GetPhysicalDeviceProperties2(device.physicalDevice, &properties);
  ASSERT_NE(supported.supportedImageAlignmentMask, 0u);
  for (VkImageTiling tiling : {VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_TILING_LINEAR})
    for (uint32_t asked = 0; asked <= 65536; asked = asked ? asked * 2 : 1) {
      if (asked && !(supported.supportedImageAlignmentMask & asked))
        continue;
      auto control = vkStruct<VkImageAlignmentControlCreateInfoMESA>(
          VK_STRUCTURE_TYPE_IMAGE_ALIGNMENT_CONTROL_CREATE_INFO_MESA);
      control.maximumRequestedAlignment = asked;
      auto info = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, &control);
      info.imageType = VK_IMAGE_TYPE_2D;
      info.format = VK_FORMAT_R8G8B8A8_UNORM;
      info.extent = {512, 512, 1};
      info.mipLevels = info.arrayLayers = 1;
      info.samples = VK_SAMPLE_COUNT_1_BIT;
      info.tiling = tiling;
      info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
      VkImage image = VK_NULL_HANDLE;
      VK_OK(device.vk.CreateImage(device.device, &info, nullptr, &image));
      VkMemoryRequirements needs = {};
      device.vk.GetImageMemoryRequirements(device.device, image, &needs);
      EXPECT_TRUE(needs.alignment & supported.supportedImageAlignmentMask) << needs.alignment;
      if (asked) {
        EXPECT_LE(needs.alignment, asked);
      }
      device.vk.DestroyImage(device.device, image, nullptr);
    }
}

} // namespace
} // namespace api
