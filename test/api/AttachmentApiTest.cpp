// SPDX-License-Identifier: MIT
// VK_KHR_dynamic_rendering_local_read: fragment shaders that read what this rendering has drawn,
// and colour attachments that take their values from other locations.
#include "Gpu.h"
#include "test/vulkan/GraphicsInfo.h"

namespace api {
namespace {

using vktest::vkStruct;

constexpr uint32_t side = 4;
constexpr VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;

class AttachmentApi : public ApiTest {
protected:
  /// What the tests need besides drawing.
  explicit AttachmentApi(const char *extension) : extension(extension) {}
  void SetUp() override {
    if (!gpu.hasExtension(extension) || !gpu.canExecute())
      GTEST_SKIP();
    for (Image &target : targets)
      target = gpu.target(format, side, side);
  }

  /// A triangle over everything. Of the second attachment red and alpha are not written.
  VkPipeline pipeline(const char *fragment, VkPipelineLayout layout,
                      const std::vector<uint32_t> &locations,
                      const std::vector<VkFormat> &formats = {format, format, format},
                      VkPipelineCreateFlags flags = 0, VkFormat depthFormat = VK_FORMAT_UNDEFINED) {
    vktest::GraphicsInfo graphics(side);
    graphics.rendering.depthAttachmentFormat = depthFormat;
    graphics.depth.depthTestEnable = graphics.depth.depthWriteEnable = VK_TRUE;
    graphics.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    graphics.formats = formats;
    graphics.attachments.resize(targets.size(), graphics.attachments[0]);
    graphics.attachments[1].colorWriteMask = VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT;
    graphics.info.flags = flags;
    graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, gpu.module(R"(#version 450
void main() {
  gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);
})",
                                                             "vert"));
    graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, gpu.module(fragment, "frag"));
    graphics.info.layout = layout;
    VkRenderingAttachmentLocationInfo info = locationInfo(locations);
    if (!locations.empty())
      graphics.info.pNext = &info;
    return gpu.pipeline(graphics.done());
  }

  static VkRenderingAttachmentLocationInfo locationInfo(const std::vector<uint32_t> &locations) {
    auto info = vkStruct<VkRenderingAttachmentLocationInfo>(
        VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO);
    info.colorAttachmentCount = static_cast<uint32_t>(locations.size());
    info.pColorAttachmentLocations = locations.data();
    return info;
  }

  /// All targets begin as 0x20202020. \p draw records draws. \p missing: bits of attachments that
  /// are null. \p depth: of an attachment that holds 0, which nothing is nearer than.
  void render(const std::function<void(VkCommandBuffer)> &draw, uint32_t missing = 0,
              VkImageView depth = VK_NULL_HANDLE) {
    gpu.run([&](VkCommandBuffer c) {
      std::vector<VkRenderingAttachmentInfo> colors;
      for (const Image &target : targets) {
        colors.push_back(
            vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO));
        const bool isMissing = missing >> (colors.size() - 1) & 1;
        colors.back().pNext = colorNext;
        colors.back().imageView = isMissing ? VK_NULL_HANDLE : target.view;
        colors.back().imageLayout = VK_IMAGE_LAYOUT_GENERAL;
        colors.back().loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        colors.back().storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        for (float &value : colors.back().clearValue.color.float32)
          value = 0x20 / 255.0f;
      }
      auto begin = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
      begin.renderArea = {{0, 0}, {side, side}};
      begin.layerCount = 1;
      begin.colorAttachmentCount = static_cast<uint32_t>(colors.size());
      begin.pColorAttachments = colors.data();
      auto depthAttachment =
          vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
      depthAttachment.imageView = depth;
      depthAttachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
      depthAttachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      depthAttachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
      if (depth)
        begin.pDepthAttachment = &depthAttachment;
      gpu.vk.CmdBeginRendering(c, &begin);
      draw(c);
      gpu.vk.CmdEndRendering(c);
      for (size_t i = 0; i < targets.size(); ++i)
        gpu.readBack(c, targets[i], pictures[i], side);
    });
  }

  void localBarrier(VkCommandBuffer c) {
    auto memory = vkStruct<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    memory.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    memory.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
    gpu.vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                              VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_DEPENDENCY_BY_REGION_BIT, 1,
                              &memory, 0, nullptr, 0, nullptr);
  }

  const char *const extension;
  const void *colorNext = nullptr; ///< of all colour attachments
  std::array<Image, 3> targets;
  std::array<Buffer, 3> pictures = {gpu.buffer(side * side * 4), gpu.buffer(side * side * 4),
                                    gpu.buffer(side * side * 4)};
};

class LocalReadApi : public AttachmentApi {
protected:
  LocalReadApi() : AttachmentApi(VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME) {}
};
API_TESTS_ON_ALL_DEVICES(LocalReadApi);

constexpr const char *twoColors = R"(#version 450
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
void main() { a = vec4(1, 0, 1, 0); b = vec4(0, 1, 0, 1); })";

// State of blending belongs to attachments: the second one has no red and no alpha.
TEST_P(LocalReadApi, LocationsOfAttachments) {
  const VkPipelineLayout layout = gpu.pipelineLayout({});
  struct Case {
    std::vector<uint32_t> locations;
    uint32_t expected[3];
  };
  constexpr uint32_t unused = VK_ATTACHMENT_UNUSED, a = 0x00FF00FF, b = 0xFF00FF00;
  // Of the second attachment: red and alpha stay.
  constexpr uint32_t kept = 0x200000 << 8 | 0x20, clear = 0x20202020;
  const Case cases[] = {
      {{1, 0, unused}, {b, (a & 0x00FFFF00) | kept, clear}},
      {{unused, 1, 0}, {clear, (b & 0x00FFFF00) | kept, a}},
      {{0, unused, 1}, {a, clear, b}},
  };
  for (const Case &test : cases) {
    const VkPipeline drawn = pipeline(twoColors, layout, test.locations);
    const VkRenderingAttachmentLocationInfo info = locationInfo(test.locations);
    render([&](VkCommandBuffer c) {
      gpu.vk.CmdSetRenderingAttachmentLocationsKHR(c, &info);
      gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, drawn);
      gpu.vk.CmdDraw(c, 3, 1, 0, 0);
    });
    for (size_t i = 0; i < targets.size(); ++i)
      EXPECT_EQ(pictures[i].data[5], test.expected[i])
          << "attachment " << i << ", location " << test.locations[i];
  }
}

// The first draw's colours, in the second draw's shader; the third draw takes from the second.
TEST_P(LocalReadApi, ReadsWhatWasDrawn) {
  const std::vector<Binding> bindings = {
      {0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1, 0, nullptr, VK_SHADER_STAGE_FRAGMENT_BIT}};
  const VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  const VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  const VkPipeline writer = pipeline(R"(#version 450
layout(location = 0) out vec4 a;
void main() { a = vec4(gl_FragCoord.xy / 255, 3.0 / 255, 1); })",
                                     layout, {0, VK_ATTACHMENT_UNUSED, VK_ATTACHMENT_UNUSED});
  const VkPipeline reader = pipeline(R"(#version 450
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(location = 0) out vec4 a;
void main() { a = subpassLoad(before) * 2; })",
                                     layout, {VK_ATTACHMENT_UNUSED, VK_ATTACHMENT_UNUSED, 0});
  const VkDescriptorSet set = gpu.set(setLayout, bindings);
  gpu.writeImage(set, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, targets[0].view);
  render([&](VkCommandBuffer c) {
    auto draw = [&](VkPipeline drawn, const std::vector<uint32_t> &locations) {
      const VkRenderingAttachmentLocationInfo info = locationInfo(locations);
      gpu.vk.CmdSetRenderingAttachmentLocationsKHR(c, &info);
      gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, drawn);
      gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0,
                                   nullptr);
      gpu.vk.CmdDraw(c, 3, 1, 0, 0);
    };
    draw(writer, {0, VK_ATTACHMENT_UNUSED, VK_ATTACHMENT_UNUSED});
    localBarrier(c);
    const uint32_t inputs[] = {0, VK_ATTACHMENT_UNUSED, VK_ATTACHMENT_UNUSED};
    auto indices = vkStruct<VkRenderingInputAttachmentIndexInfo>(
        VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO);
    indices.colorAttachmentCount = 3;
    indices.pColorAttachmentInputIndices = inputs;
    gpu.vk.CmdSetRenderingInputAttachmentIndicesKHR(c, &indices);
    draw(reader, {VK_ATTACHMENT_UNUSED, VK_ATTACHMENT_UNUSED, 0});
  });
  for (uint32_t y = 0; y < side; ++y)
    for (uint32_t x = 0; x < side; ++x) {
      // gl_FragCoord is in the middle of the pixel: n + 0.5 rounds to n or n + 1.
      const uint32_t first = pictures[0].data[y * side + x], twice = pictures[2].data[y * side + x];
      EXPECT_NEAR(first & 0xFF, x + 0.5, 0.5);
      EXPECT_NEAR(first >> 8 & 0xFF, y + 0.5, 0.5);
      EXPECT_EQ(twice & 0xFFFFFF, (first & 0xFFFFFF) * 2) << x << ", " << y;
      EXPECT_EQ(twice >> 24, 255u);
    }
  EXPECT_EQ(pictures[1].data[0], 0x20202020u);
}

class UnusedAttachmentApi : public AttachmentApi {
protected:
  UnusedAttachmentApi()
      : AttachmentApi(VK_EXT_DYNAMIC_RENDERING_UNUSED_ATTACHMENTS_EXTENSION_NAME) {}
};
API_TESTS_ON_ALL_DEVICES(UnusedAttachmentApi);

// VkPipelineRenderingCreateInfo: without a format an attachment is unused, and one with a format
// may be null.
TEST_P(UnusedAttachmentApi, WhatOnlyOneSideHasIsNotWritten) {
  const VkPipelineLayout layout = gpu.pipelineLayout({});
  const VkPipeline all = pipeline(twoColors, layout, {});
  const VkPipeline second =
      pipeline(twoColors, layout, {}, {VK_FORMAT_UNDEFINED, format, VK_FORMAT_UNDEFINED});
  auto draw = [&](VkPipeline drawn) {
    return [this, drawn](VkCommandBuffer c) {
      gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, drawn);
      gpu.vk.CmdDraw(c, 3, 1, 0, 0);
    };
  };
  constexpr uint32_t a = 0x00FF00FF, clear = 0x20202020, green = 0x2000FF20;
  render(draw(all), 0b010); // the pipeline has an attachment that the rendering has not
  EXPECT_EQ(pictures[0].data[5], a);
  if (!gpu.isKiln())
    return; // lavapipe writes to what the pipeline calls unused
  render(draw(second));
  EXPECT_EQ(pictures[0].data[5], clear);
  EXPECT_EQ(pictures[1].data[5], green);
  EXPECT_EQ(pictures[2].data[5], clear);
}

// The test of a depth attachment that one side does not have passes.
TEST_P(UnusedAttachmentApi, DepthThatOnlyOneSideHasIsNotTested) {
  constexpr VkFormat depthFormat = VK_FORMAT_D32_SFLOAT;
  constexpr uint32_t a = 0x00FF00FF, clear = 0x20202020;
  const Image depth = gpu.attachment(depthFormat, VK_IMAGE_ASPECT_DEPTH_BIT, side, side);
  const VkPipelineLayout layout = gpu.pipelineLayout({});
  for (const VkFormat pipelineFormat : {VK_FORMAT_UNDEFINED, depthFormat})
    for (const VkImageView view : {VkImageView(VK_NULL_HANDLE), depth.view}) {
      const bool isTested = pipelineFormat && view;
      if (!gpu.isKiln() && view && !pipelineFormat)
        continue; // lavapipe tests what the pipeline calls unused
      const VkPipeline drawn =
          pipeline(twoColors, layout, {}, {format, format, format}, 0, pipelineFormat);
      render(
          [&](VkCommandBuffer c) {
            gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, drawn);
            gpu.vk.CmdDraw(c, 3, 1, 0, 0);
          },
          0, view);
      EXPECT_EQ(pictures[0].data[5], isTested ? clear : a) << pipelineFormat << ", " << view;
    }
}

class FeedbackLoopApi : public AttachmentApi {
protected:
  FeedbackLoopApi() : AttachmentApi(VK_EXT_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_EXTENSION_NAME) {}
};
API_TESTS_ON_ALL_DEVICES(FeedbackLoopApi);

// A shader fetches the texel of its own attachment that it is about to write, twice.
TEST_P(FeedbackLoopApi, AnAttachmentIsTexture) {
  // In GENERAL layout the rendering says so (VK_KHR_unified_image_layouts).
  auto loop = vkStruct<VkAttachmentFeedbackLoopInfoEXT>(
      VK_STRUCTURE_TYPE_ATTACHMENT_FEEDBACK_LOOP_INFO_EXT);
  loop.feedbackLoopEnable = VK_TRUE;
  if (gpu.hasExtension(VK_KHR_UNIFIED_IMAGE_LAYOUTS_EXTENSION_NAME))
    colorNext = &loop;
  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE}};
  const VkDescriptorSetLayout setLayout = gpu.setLayout(bindings);
  const VkPipelineLayout layout = gpu.pipelineLayout({setLayout});
  const VkPipeline drawn = pipeline(R"(#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 0, binding = 0) uniform texture2D own;
layout(location = 0) out vec4 a;
void main() { a = texelFetch(own, ivec2(gl_FragCoord.xy), 0) + vec4(1, 2, 3, 4) / 255; })",
                                    layout, {}, {format, format, format},
                                    VK_PIPELINE_CREATE_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT);
  const VkDescriptorSet set = gpu.set(setLayout, bindings);
  gpu.writeImage(set, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, targets[0].view);
  render([&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, drawn);
    gpu.vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0,
                                 nullptr);
    for (unsigned i = 0; i < 2; ++i) {
      gpu.vk.CmdDraw(c, 3, 1, 0, 0);
      localBarrier(c);
    }
  });
  for (uint32_t i = 0; i < side * side; ++i)
    EXPECT_EQ(pictures[0].data[i], 0x28262422u);
}

} // namespace
} // namespace api
