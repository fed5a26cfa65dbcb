// SPDX-License-Identifier: MIT
// VK_EXT_custom_resolve: shaders make one texel of the samples of an attachment, within the same
// rendering; also to other formats.
#include "ShaderScene.h"
#include <array>
#include <cstring>
#include <optional>

namespace api {
namespace {

using vktest::GraphicsInfo;

constexpr uint32_t side = 8;
constexpr auto four = VK_SAMPLE_COUNT_4_BIT;
constexpr VkFormat wide = VK_FORMAT_R32G32B32A32_UINT;

const char *const triangleGlsl = R"(#version 450
void main() {
  gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0.5, 1);
})";

/// Each sample has a value and a depth of its own.
const char *const samplesGlsl = R"(#version 450
layout(location = 0) out uint value;
void main() {
  value = uint(gl_FragCoord.y) * 800 + uint(gl_FragCoord.x) * 100 + gl_SampleID;
  gl_FragDepth = (floor(gl_FragCoord.x) + gl_SampleID) / 64;
})";

/// All four values, and the greatest depth.
const char *const resolveGlsl = R"(#version 450
layout(input_attachment_index = 0, binding = 0) uniform usubpassInputMS values;
layout(input_attachment_index = 1, binding = 1) uniform subpassInputMS depths;
layout(location = 0) out uvec4 result;
void main() {
  float depth = 0;
  for (int i = 0; i < 4; ++i) {
    result[i] = subpassLoad(values, i).x;
    depth = max(depth, subpassLoad(depths, i).x);
  }
  gl_FragDepth = depth;
})";

class CustomResolveApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_CUSTOM_RESOLVE_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_EXT_custom_resolve";
    features = vkStruct<VkPhysicalDeviceCustomResolveFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_RESOLVE_FEATURES_EXT);
    device.emplace(GetParam(), &features);
    ASSERT_TRUE(features.customResolve);
    colors = device->attachment(VK_FORMAT_R32_UINT, VK_IMAGE_ASPECT_COLOR_BIT, side, side, four);
    depths = device->attachment(VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT, side, side, four);
    resolvedColors = device->attachment(wide, VK_IMAGE_ASPECT_COLOR_BIT, side, side);
    resolvedDepths = device->attachment(VK_FORMAT_D16_UNORM, VK_IMAGE_ASPECT_DEPTH_BIT, side, side);
    picture = device->buffer(side * side * 16);
    depthPicture = device->buffer(side * side * 2);
    const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT},
                                           {1, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT}};
    setLayout = device->setLayout(bindings);
    layout = device->pipelineLayout({setLayout});
    set = device->set(setLayout, bindings);
    device->writeImage(set, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, colors.view);
    device->writeImage(set, 1, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, depths.view);
    vertex = device->module(triangleGlsl, "vert");
    samples = device->module(samplesGlsl, "frag");
    resolver = device->module(resolveGlsl, "frag");
    resolve.colorAttachmentCount = 1;
    resolve.pColorAttachmentFormats = &wide;
    resolve.depthAttachmentFormat = VK_FORMAT_D16_UNORM;
  }
  void TearDown() override {
    ApiTest::TearDown();
    if (device) {
      EXPECT_EQ(device->validationMessages, 0u);
    }
  }

  /// Fills \p graphics for one of both pipelines.
  void fill(GraphicsInfo &graphics, bool resolves) {
    graphics.formats = {VK_FORMAT_R32_UINT};
    graphics.rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
    graphics.depth.depthTestEnable = graphics.depth.depthWriteEnable = VK_TRUE;
    graphics.depth.depthCompareOp = VK_COMPARE_OP_ALWAYS;
    if (!resolves) {
      graphics.samples.rasterizationSamples = four;
      graphics.samples.sampleShadingEnable = VK_TRUE;
      graphics.samples.minSampleShading = 1;
    }
    graphics.info.layout = layout;
    resolve.customResolve = resolves;
    graphics.info.pNext = &resolve;
  }
  VkPipeline pipeline(bool resolves) {
    GraphicsInfo graphics(side);
    graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, vertex);
    graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, resolves ? resolver : samples);
    fill(graphics, resolves);
    return device->pipeline(graphics.done());
  }
  /// The fragment output alone says what is resolved to.
  VkPipeline linked(bool resolves) {
    std::vector<VkPipeline> libraries;
    for (VkGraphicsPipelineLibraryFlagsEXT subset :
         {VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
              VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
          int(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT),
          int(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT)}) {
      GraphicsInfo graphics(side);
      fill(graphics, resolves);
      if (subset & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT)
        graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, vertex);
      if (subset & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT)
        graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, resolves ? resolver : samples);
      auto library = vkStruct<VkGraphicsPipelineLibraryCreateInfoEXT>(
          VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
          subset & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT ? &resolve
                                                                                  : nullptr);
      library.flags = subset;
      graphics.info.pNext = &library;
      graphics.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
      libraries.push_back(device->pipeline(graphics.done()));
    }
    auto link = vkStruct<VkPipelineLibraryCreateInfoKHR>(
        VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    link.libraryCount = uint32_t(libraries.size());
    link.pLibraries = libraries.data();
    auto info = vkStruct<VkGraphicsPipelineCreateInfo>(
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &link);
    info.layout = layout;
    return device->pipeline(info);
  }

  void draw(VkCommandBuffer c, VkPipeline bound) {
    device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, bound);
    device->vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0,
                                     nullptr);
    device->vk.CmdDraw(c, 3, 1, 0, 0);
  }
  /// A barrier within a rendering: what has been drawn is read.
  void wait(VkCommandBuffer c) {
    auto barrier = vkStruct<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    barrier.srcAccessMask =
        VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
    device->vk.CmdPipelineBarrier(c,
                                  VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                      VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
                                  VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                  VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, nullptr, 0, nullptr);
  }
  /// A rendering in which \p first draws, and \p second during the custom resolve; null: there is
  /// none.
  void render(VkCommandBuffer c, const std::function<void(VkCommandBuffer)> &first,
              const std::function<void(VkCommandBuffer)> &second, VkRenderingFlags flags = 0);
  void read(VkCommandBuffer c);
  /// \p isResolved: what the samples have; else zeros.
  void expectPicture(bool isResolved = true);

  VkPhysicalDeviceCustomResolveFeaturesEXT features = {};
  std::optional<Gpu> device;
  Image colors, depths, resolvedColors, resolvedDepths;
  Buffer picture, depthPicture;
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  VkShaderModule vertex = VK_NULL_HANDLE, samples = VK_NULL_HANDLE, resolver = VK_NULL_HANDLE;
  VkCustomResolveCreateInfoEXT resolve =
      vkStruct<VkCustomResolveCreateInfoEXT>(VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT);
};
API_TESTS_ON_ALL_DEVICES(CustomResolveApi);

void CustomResolveApi::render(VkCommandBuffer c, const std::function<void(VkCommandBuffer)> &first,
                              const std::function<void(VkCommandBuffer)> &second,
                              VkRenderingFlags flags) {
  const VkClearColorValue zero = {};
  const VkClearDepthStencilValue zeroDepth = {};
  const VkImageSubresourceRange color = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  const VkImageSubresourceRange depth = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
  const Functions &vk = device->vk;
  vk.CmdClearColorImage(c, resolvedColors.handle, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &color);
  vk.CmdClearDepthStencilImage(c, resolvedDepths.handle, VK_IMAGE_LAYOUT_GENERAL, &zeroDepth, 1,
                               &depth);
  device->barrier(c);
  auto attach = [](VkImageView view, VkImageView resolved) {
    auto info = vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    info.imageView = view;
    info.imageLayout = info.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.resolveMode = VkResolveModeFlagBits(VK_RESOLVE_MODE_CUSTOM_BIT_EXT);
    info.resolveImageView = resolved;
    info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    info.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    return info;
  };
  const auto colorInfo = attach(colors.view, resolvedColors.view);
  const auto depthInfo = attach(depths.view, resolvedDepths.view);
  auto rendering = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
  rendering.flags = flags | VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT;
  rendering.renderArea = {{0, 0}, {side, side}};
  rendering.layerCount = rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &colorInfo;
  rendering.pDepthAttachment = &depthInfo;
  vk.CmdBeginRendering(c, &rendering);
  first(c);
  if (second) {
    wait(c);
    vk.CmdBeginCustomResolveEXT(c, nullptr);
    second(c);
  }
  vk.CmdEndRendering(c);
}

void CustomResolveApi::read(VkCommandBuffer c) {
  device->readBack(c, resolvedColors, picture, side);
  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
  region.imageExtent = {side, side, 1};
  device->vk.CmdCopyImageToBuffer(c, resolvedDepths.handle, VK_IMAGE_LAYOUT_GENERAL,
                                  depthPicture.handle, 1, &region);
  device->barrier(c);
}

void CustomResolveApi::expectPicture(bool isResolved) {
  for (uint32_t i = 0; i < side * side; ++i) {
    const uint32_t x = i % side, y = i / side;
    for (uint32_t sample = 0; sample < 4; ++sample)
      EXPECT_EQ(picture.data[4 * i + sample], isResolved ? y * 800 + x * 100 + sample : 0) << i;
    uint16_t depth = 0;
    std::memcpy(&depth, reinterpret_cast<uint8_t *>(depthPicture.data) + 2 * i, 2);
    EXPECT_NEAR(depth / 65535.0, isResolved ? (x + 3.0) / 64 : 0, 1 / 65535.0) << i;
  }
}

TEST_P(CustomResolveApi, Pipelines) {
  for (bool isLinked : {false, true}) {
    const VkPipeline first = isLinked ? linked(false) : pipeline(false);
    const VkPipeline second = isLinked ? linked(true) : pipeline(true);
    device->run([&](VkCommandBuffer c) {
      render(
          c, [&](VkCommandBuffer) { draw(c, first); }, [&](VkCommandBuffer) { draw(c, second); });
      read(c);
    });
    expectPicture();
  }
}

TEST_P(CustomResolveApi, NothingIsResolvedWithoutTheCommand) {
  const VkPipeline first = pipeline(false);
  device->run([&](VkCommandBuffer c) {
    render(c, [&](VkCommandBuffer) { draw(c, first); }, nullptr);
    read(c);
  });
  expectPicture(false);
}

TEST_P(CustomResolveApi, SecondaryCommandBuffers) {
  VkCommandBuffer secondaries[2];
  for (uint32_t i = 0; i < 2; ++i) {
    const VkPipeline bound = pipeline(i == 1);
    auto rendering = vkStruct<VkCommandBufferInheritanceRenderingInfo>(
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO, &resolve);
    const VkFormat format = VK_FORMAT_R32_UINT;
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachmentFormats = &format;
    rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
    rendering.rasterizationSamples = i == 0 ? four : VK_SAMPLE_COUNT_1_BIT;
    auto inheritance = vkStruct<VkCommandBufferInheritanceInfo>(
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, &rendering);
    auto begin = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    secondaries[i] = device->commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK_OK(device->vk.BeginCommandBuffer(secondaries[i], &begin));
    draw(secondaries[i], bound);
    VK_OK(device->vk.EndCommandBuffer(secondaries[i]));
  }
  device->run([&](VkCommandBuffer c) {
    auto execute = [&](uint32_t i) {
      return [&, i](VkCommandBuffer) { device->vk.CmdExecuteCommands(c, 1, &secondaries[i]); };
    };
    render(c, execute(0), execute(1), VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
    read(c);
  });
  expectPicture();
}

TEST_P(CustomResolveApi, ShaderObjects) {
  if (!device->hasExtension(VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
    GTEST_SKIP() << "no VK_EXT_shader_object";
  ShaderScene scene(*device);
  ShaderSource sources[3] = {{*device, triangleGlsl, "vert"},
                             {*device, samplesGlsl, "frag"},
                             {*device, resolveGlsl, "frag"}};
  VkShaderEXT shaders[3];
  for (uint32_t i = 0; i < 3; ++i) {
    sources[i].info.setLayoutCount = 1;
    sources[i].info.pSetLayouts = &setLayout;
    shaders[i] = scene.shaders.create(sources[i].info);
  }
  const Functions &vk = device->vk;
  auto drawWith = [&](uint32_t fragment) {
    return [&, fragment](VkCommandBuffer c) {
      scene.setState(c);
      vk.CmdSetVertexInputEXT(c, 0, nullptr, 0, nullptr);
      vk.CmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
      vk.CmdSetDepthTestEnable(c, VK_TRUE);
      vk.CmdSetDepthWriteEnable(c, VK_TRUE);
      vk.CmdSetDepthCompareOp(c, VK_COMPARE_OP_ALWAYS);
      const VkSampleMask mask = ~0u;
      const VkSampleCountFlagBits count = fragment == 1 ? four : VK_SAMPLE_COUNT_1_BIT;
      vk.CmdSetRasterizationSamplesEXT(c, count);
      vk.CmdSetSampleMaskEXT(c, count, &mask);
      scene.bind(c, shaders[0], shaders[fragment]);
      vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, nullptr);
      vk.CmdDraw(c, 3, 1, 0, 0);
    };
  };
  device->run([&](VkCommandBuffer c) {
    render(c, drawWith(1), drawWith(2));
    read(c);
  });
  expectPicture();
}

} // namespace
} // namespace api
