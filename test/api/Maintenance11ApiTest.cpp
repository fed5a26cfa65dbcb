// SPDX-License-Identifier: MIT
// VK_KHR_maintenance11: single layers that shaders read as arrays and arrays of one layer that they
// do not, shader objects that know some of the sets, what clips depth, and numbers of queue
// families.
#include "ShaderScene.h"
#include <optional>

namespace api {
namespace {

using vktest::GraphicsInfo;

class Maintenance11Api : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_KHR_MAINTENANCE_11_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_KHR_maintenance11";
    features = vkStruct<VkPhysicalDeviceMaintenance11FeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_11_FEATURES_KHR);
    dynamic.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT;
    dynamic.extendedDynamicState3DepthClampEnable = VK_TRUE;
    features.pNext = &dynamic;
    device.emplace(GetParam(), &features);
    ASSERT_TRUE(features.maintenance11);
  }

  VkPhysicalDeviceMaintenance11FeaturesKHR features = {};
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic = {};
  std::optional<Gpu> device;
};
API_TESTS_ON_ALL_DEVICES(Maintenance11Api);

//===--- Single layers ----------------------------------------------------===//

/// Images of 4x4 texels, or lines of 4, whose texels are 100 * layer + 10 * y + x.
class SingleLayerApi : public Maintenance11Api {
protected:
  static constexpr uint32_t side = 4, layers = 3;

  void SetUp() override {
    Maintenance11Api::SetUp();
    if (!device)
      return;
    out = device->buffer(4 * (side * side + 4));
    setLayout = device->setLayout(bindings);
    layout = device->pipelineLayout({setLayout});
  }
  Image make(VkImageType type, VkImageViewType viewType, uint32_t layer) {
    auto info = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.flags = VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR;
    info.imageType = type;
    info.format = VK_FORMAT_R32_UINT;
    const uint32_t rows = type == VK_IMAGE_TYPE_1D ? 1 : side;
    info.extent = {side, rows, 1};
    info.mipLevels = 1;
    info.arrayLayers = layers;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const VkImage image = device->image(info).handle;
    const Buffer texels = device->buffer(4 * side * rows * layers);
    for (uint32_t i = 0; i < side * rows * layers; ++i)
      texels.data[i] = i / (side * rows) * 100 + i / side % rows * 10 + i % side;
    device->run([&](VkCommandBuffer c) {
      auto barrier = vkStruct<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
      barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
      barrier.dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
      barrier.image = image;
      barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layers};
      device->vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr,
                                    1, &barrier);
      VkBufferImageCopy region = {};
      region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers};
      region.imageExtent = info.extent;
      device->vk.CmdCopyBufferToImage(c, texels.handle, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
      device->barrier(c);
    });
    auto viewInfo = vkStruct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    viewInfo.image = image;
    viewInfo.viewType = viewType;
    viewInfo.format = info.format;
    viewInfo.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, layer, 1};
    VkImageView view = VK_NULL_HANDLE;
    VK_OK(device->vk.CreateImageView(device->device, &viewInfo, nullptr, &view));
    views.push_back(view);
    return {image, view};
  }
  /// Runs a shader with the view as a sampled image at binding 0 and as a storage image at 1.
  void run(const std::string &glsl, const Image &image) {
    std::fill_n(out.data, side * side + 4, ~0u);
    const VkDescriptorSet set = device->set(setLayout, bindings);
    device->writeImage(set, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, image.view,
                       device->sampler(VK_FILTER_NEAREST));
    device->writeImage(set, 1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, image.view);
    device->write(set, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {out});
    const VkPipeline pipeline = device->pipeline(
        "#version 450\nlayout(binding = 2) buffer Out { uint o[]; };\n" + glsl, layout);
    device->run([&](VkCommandBuffer c) {
      device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      device->vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                       nullptr);
      device->vk.CmdDispatch(c, 1, 1, 1);
      device->barrier(c);
    });
  }
  void TearDown() override {
    for (VkImageView view : views)
      device->vk.DestroyImageView(device->device, view, nullptr);
    Maintenance11Api::TearDown();
  }

  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                         {1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                                         {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
  Buffer out;
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::vector<VkImageView> views;
};
API_TESTS_ON_ALL_DEVICES(SingleLayerApi);

/// Loads, samples, stores and asks for the size, of layer 1.
TEST_P(SingleLayerApi, PicturesAreArraysOfOne) {
  for (VkImageViewType type : {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY}) {
    const Image image = make(VK_IMAGE_TYPE_2D, type, 1);
    run(R"(layout(local_size_x = 4, local_size_y = 4) in;
layout(binding = 0) uniform usampler2DArray read;
layout(binding = 1, r32ui) uniform uimage2DArray stored;
void main() {
  ivec2 at = ivec2(gl_LocalInvocationID.xy);
  o[at.y * 4 + at.x] = texelFetch(read, ivec3(at, 0), 0).x + 1000 * imageLoad(stored, ivec3(at, 0)).x;
  if (at == ivec2(0)) {
    o[16] = textureSize(read, 0).z * 16 + imageSize(stored).z;
    o[17] = textureLod(read, vec3(0.3, 0.9, 0), 0).x;
    o[18] = imageSize(stored).x * 16 + imageSize(stored).y;
  }
  barrier();
  imageStore(stored, ivec3(at, 0), uvec4(7 + at.y * 4 + at.x));
})",
        image);
    for (uint32_t i = 0; i < side * side; ++i)
      EXPECT_EQ(out.data[i], 1001 * (100 + i / side * 10 + i % side)) << type << " " << i;
    EXPECT_EQ(out.data[16], 0x11u) << type;
    EXPECT_EQ(out.data[17], 131u) << type;
    EXPECT_EQ(out.data[18], 0x44u) << type;
    run(R"(layout(local_size_x = 4, local_size_y = 4) in;
layout(binding = 0) uniform usampler2D read;
layout(binding = 1, r32ui) uniform uimage2D stored;
void main() {
  ivec2 at = ivec2(gl_LocalInvocationID.xy);
  o[at.y * 4 + at.x] = texelFetch(read, at, 0).x + 1000 * imageLoad(stored, at).x;
  if (at == ivec2(0)) {
    o[16] = textureSize(read, 0).x * 16 + textureSize(read, 0).y;
    o[17] = textureLod(read, vec2(0.3, 0.9), 0).x;
    o[18] = imageSize(stored).x * 16 + imageSize(stored).y;
    o[19] = textureGather(read, vec2(0.5), 0).w;
  }
})",
        image);
    for (uint32_t i = 0; i < side * side; ++i)
      EXPECT_EQ(out.data[i], 1001 * (7 + i)) << type << " " << i;
    EXPECT_EQ(out.data[16], 0x44u) << type;
    EXPECT_EQ(out.data[17], 7 + 3 * 4 + 1u) << type;
    EXPECT_EQ(out.data[18], 0x44u) << type;
    EXPECT_EQ(out.data[19], 7 + 1 * 4 + 1u) << type;
  }
}

TEST_P(SingleLayerApi, LinesAreArraysOfOne) {
  for (VkImageViewType type : {VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY}) {
    const Image image = make(VK_IMAGE_TYPE_1D, type, 2);
    run(R"(layout(local_size_x = 4) in;
layout(binding = 0) uniform usampler1DArray read;
layout(binding = 1, r32ui) uniform uimage1DArray stored;
void main() {
  int at = int(gl_LocalInvocationID.x);
  o[at] = texelFetch(read, ivec2(at, 0), 0).x + 1000 * imageLoad(stored, ivec2(at, 0)).x;
  o[16] = textureSize(read, 0).y * 16 + imageSize(stored).y;
  o[17] = textureLod(read, vec2(0.9, 0), 0).x;
  barrier();
  imageStore(stored, ivec2(at, 0), uvec4(7 + at));
})",
        image);
    for (uint32_t i = 0; i < side; ++i)
      EXPECT_EQ(out.data[i], 1001 * (200 + i)) << type << " " << i;
    EXPECT_EQ(out.data[16], 0x11u) << type;
    EXPECT_EQ(out.data[17], 203u) << type;
    run(R"(layout(local_size_x = 4) in;
layout(binding = 0) uniform usampler1D read;
layout(binding = 1, r32ui) uniform uimage1D stored;
void main() {
  int at = int(gl_LocalInvocationID.x);
  o[at] = texelFetch(read, at, 0).x + 1000 * imageLoad(stored, at).x;
  o[16] = textureSize(read, 0) * 16 + imageSize(stored);
  o[17] = textureLod(read, 0.9, 0).x;
})",
        image);
    for (uint32_t i = 0; i < side; ++i)
      EXPECT_EQ(out.data[i], 1001 * (7 + i)) << type << " " << i;
    EXPECT_EQ(out.data[16], 0x44u) << type;
    EXPECT_EQ(out.data[17], 10u) << type;
  }
}

//===--- Shader objects ---------------------------------------------------===//

TEST_P(Maintenance11Api, ShadersKnowTheirOwnSets) {
  if (!device->hasExtension(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_EXT_shader_object";
  ShaderScene scene(*device, VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT);
  // The vertex shader has set 0, the fragment shader set 1.
  const VkDescriptorSetLayout first[2] = {scene.vertex.info.pSetLayouts[0], VK_NULL_HANDLE};
  const VkDescriptorSetLayout second[2] = {VK_NULL_HANDLE, scene.fragment.info.pSetLayouts[1]};
  scene.vertex.info.pSetLayouts = first;
  scene.fragment.info.pSetLayouts = second;
  scene.vertex.info.flags |= VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR;
  scene.fragment.info.flags |= VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR;
  const ShaderScene::Push push = {5, {}, 9, {}};
  VkShaderEXT vertex = scene.shaders.create(scene.vertex.info);
  VkShaderEXT fragment = scene.shaders.create(scene.fragment.info);
  for (bool isBinary : {false, true}) {
    const ShaderScene::Picture picture = scene.draw([&](VkCommandBuffer c) {
      scene.setState(c);
      scene.push(c, push);
      scene.bind(c, vertex, fragment);
      device->vk.CmdDraw(c, uint32_t(scene.points.size()), 1, 0, 0);
    });
    EXPECT_EQ(picture, ShaderScene::expected(scene.points, push)) << isBinary;
    if (!isBinary) {
      const std::vector<uint8_t> vertexCode = scene.shaders.binary(vertex),
                                 fragmentCode = scene.shaders.binary(fragment);
      vertex = scene.shaders.create(scene.vertex.of(vertexCode));
      fragment = scene.shaders.create(scene.fragment.of(fragmentCode));
    }
  }
}

//===--- Depth clipping ---------------------------------------------------===//

/// Without a structure that says so, depth is clipped where it is not clamped; with one, clamping
/// that is dynamic changes nothing about it.
TEST_P(Maintenance11Api, WhatClipsDepth) {
  constexpr uint32_t side = 4;
  const VkShaderModule vertex = device->module(R"(#version 450
void main() {
  gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 1.5, 1);
})",
                                               "vert");
  const VkShaderModule fragment = device->module(R"(#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1); })",
                                                 "frag");
  const VkPipelineLayout layout = device->pipelineLayout({});
  const Image target = device->target(VK_FORMAT_R8G8B8A8_UNORM, side, side);
  const Buffer picture = device->buffer(side * side * 4);
  auto clip = vkStruct<VkPipelineRasterizationDepthClipStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
  for (int saysClip : {-1, 0, 1})
    for (bool clamps : {false, true}) {
      GraphicsInfo graphics(side);
      graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, vertex);
      graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
      clip.depthClipEnable = saysClip == 1;
      if (saysClip >= 0)
        graphics.raster.pNext = &clip;
      graphics.raster.depthClampEnable = !clamps; // the dynamic value counts
      graphics.dynamics.push_back(VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT);
      graphics.info.layout = layout;
      const VkPipeline pipeline = device->pipeline(graphics.done());
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
        device->vk.CmdSetDepthClampEnableEXT(c, clamps);
        device->vk.CmdDraw(c, 3, 1, 0, 0);
        device->vk.CmdEndRendering(c);
        device->barrier(c);
        device->readBack(c, target, picture, side);
      });
      const bool isClipped = saysClip < 0 ? !clamps : saysClip == 1;
      EXPECT_EQ(picture.data[5], isClipped ? 0 : ~0u) << saysClip << " " << clamps;
    }
}

//===--- Queue families ---------------------------------------------------===//

TEST_P(Maintenance11Api, OneQueueFamilyMayShare) {
  auto granularity = vkStruct<VkQueueFamilyOptimalImageTransferGranularityPropertiesKHR>(
      VK_STRUCTURE_TYPE_QUEUE_FAMILY_OPTIMAL_IMAGE_TRANSFER_GRANULARITY_PROPERTIES_KHR);
  auto family =
      vkStruct<VkQueueFamilyProperties2>(VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2, &granularity);
  uint32_t count = 1;
  device->vk.GetPhysicalDeviceQueueFamilyProperties2(device->physicalDevice, &count, &family);
  const VkExtent3D &optimal = granularity.optimalImageTransferGranularity;
  for (uint32_t size : {optimal.width, optimal.height, optimal.depth})
    EXPECT_EQ(size & (size - 1), 0u);
  const VkExtent3D &least = family.queueFamilyProperties.minImageTransferGranularity;
  EXPECT_TRUE(least.width == 1 && least.height == 1 && least.depth == 1);

  const uint32_t index = 0;
  auto info = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = 64;
  info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.sharingMode = VK_SHARING_MODE_CONCURRENT;
  info.queueFamilyIndexCount = 1;
  info.pQueueFamilyIndices = &index;
  VkBuffer buffer = VK_NULL_HANDLE;
  VK_OK(device->vk.CreateBuffer(device->device, &info, nullptr, &buffer));
  device->vk.DestroyBuffer(device->device, buffer, nullptr);
}

} // namespace
} // namespace api
