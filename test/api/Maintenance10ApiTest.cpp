// SPDX-License-Identifier: MIT
// VK_KHR_maintenance10: how samples become one texel, by command, in render passes and dynamic
// renderings; sample masks that are not given.
#include "Pipelines.h"
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

namespace api {
namespace {

using vktest::GraphicsInfo;

constexpr uint32_t side = 8, samples = 4;
constexpr auto four = VK_SAMPLE_COUNT_4_BIT;
constexpr VkImageAspectFlags depthAndStencil =
    VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

class Maintenance10Api : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_KHR_MAINTENANCE_10_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_KHR_maintenance10";
    features = vkStruct<VkPhysicalDeviceMaintenance10FeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_FEATURES_KHR);
    dynamic.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT;
    dynamic.extendedDynamicState3SampleMask = VK_TRUE;
    features.pNext = &dynamic;
    device.emplace(GetParam(), &features);
    ASSERT_TRUE(features.maintenance10);
    vertex = device->module(R"(#version 450
layout(push_constant) uniform Push { vec4 color; float depth; };
void main() {
  gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, depth, 1);
})",
                            "vert");
    fragment = device->module(R"(#version 450
layout(push_constant) uniform Push { vec4 color; float depth; };
layout(location = 0) out vec4 result;
void main() { result = color; })",
                              "frag");
    layout = device->pipelineLayout({}, sizeof(Push),
                                    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT);
  }
  struct Push {
    float color[4];
    float depth;
  };
  /// What a sample gets.
  struct Sample {
    float color, depth;
    uint32_t stencil;
  };

  /// A pipeline of triangles that writes to all attachments; the mask and the reference are
  /// dynamic.
  VkPipeline pipeline(VkFormat color, VkFormat depth) {
    GraphicsInfo graphics(side);
    graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, vertex);
    graphics.formats.clear();
    graphics.attachments.clear();
    if (color != VK_FORMAT_UNDEFINED) {
      graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
      graphics.addTarget(color);
    }
    if (depth != VK_FORMAT_UNDEFINED) {
      graphics.rendering.depthAttachmentFormat = graphics.rendering.stencilAttachmentFormat = depth;
      graphics.depth.depthTestEnable = graphics.depth.depthWriteEnable = VK_TRUE;
      graphics.depth.depthCompareOp = VK_COMPARE_OP_ALWAYS;
      graphics.depth.stencilTestEnable = VK_TRUE;
      graphics.depth.front = {VK_STENCIL_OP_REPLACE,
                              VK_STENCIL_OP_REPLACE,
                              VK_STENCIL_OP_REPLACE,
                              VK_COMPARE_OP_ALWAYS,
                              0xFF,
                              0xFF,
                              0};
      graphics.depth.back = graphics.depth.front;
      graphics.dynamics.push_back(VK_DYNAMIC_STATE_STENCIL_REFERENCE);
    }
    graphics.samples.rasterizationSamples = four;
    graphics.dynamics.push_back(VK_DYNAMIC_STATE_SAMPLE_MASK_EXT);
    graphics.info.layout = layout;
    return device->pipeline(graphics.done());
  }
  /// A triangle everywhere, in samples of \p mask; null: in all.
  void draw(VkCommandBuffer c, const Sample &sample, const VkSampleMask *mask, bool hasStencil) {
    const Push push = {{sample.color, sample.color, sample.color, 1}, sample.depth};
    device->vk.CmdPushConstants(c, layout,
                                VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                                sizeof(push), &push);
    device->vk.CmdSetSampleMaskEXT(c, four, mask);
    if (hasStencil)
      device->vk.CmdSetStencilReference(c, VK_STENCIL_FACE_FRONT_AND_BACK, sample.stencil);
    device->vk.CmdDraw(c, 3, 1, 0, 0);
  }
  static VkRenderingAttachmentInfo attachmentOf(VkImageView view) {
    auto info = vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    info.imageView = view;
    info.imageLayout = info.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    return info;
  }
  static VkRenderingInfo renderingOf(const VkRenderingAttachmentInfo &attachment, bool isColor) {
    auto info = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    info.renderArea = {{0, 0}, {side, side}};
    info.layerCount = 1;
    info.colorAttachmentCount = isColor;
    info.pColorAttachments = isColor ? &attachment : nullptr;
    info.pDepthAttachment = info.pStencilAttachment = isColor ? nullptr : &attachment;
    return info;
  }
  /// A triangle per sample.
  void drawSamples(VkCommandBuffer c, const std::array<Sample, samples> &values, bool hasStencil) {
    for (uint32_t i = 0; i < samples; ++i) {
      const VkSampleMask mask = 1u << i;
      draw(c, values[i], &mask, hasStencil);
    }
  }
  void copy(VkCommandBuffer c, const Image &from, VkImageAspectFlags aspect, const Buffer &to) {
    VkBufferImageCopy region = {};
    region.imageSubresource = {aspect, 0, 0, 1};
    region.imageExtent = {side, side, 1};
    device->barrier(c);
    device->vk.CmdCopyImageToBuffer(c, from.handle, VK_IMAGE_LAYOUT_GENERAL, to.handle, 1, &region);
    device->barrier(c);
  }
  void resolve(VkCommandBuffer c, const Image &from, const Image &to, VkImageAspectFlags aspects,
               const VkResolveImageModeInfoKHR *mode) {
    auto region = vkStruct<VkImageResolve2>(VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2);
    region.srcSubresource = region.dstSubresource = {aspects, 0, 0, 1};
    region.extent = {side, side, 1};
    auto info = vkStruct<VkResolveImageInfo2>(VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2, mode);
    info.srcImage = from.handle;
    info.dstImage = to.handle;
    info.srcImageLayout = info.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.regionCount = 1;
    info.pRegions = &region;
    device->barrier(c);
    device->vk.CmdResolveImage2(c, &info);
  }
  static VkResolveImageModeInfoKHR modeOf(VkResolveModeFlagBits mode, VkResolveModeFlagBits stencil,
                                          VkResolveImageFlagsKHR flags = 0) {
    auto info = vkStruct<VkResolveImageModeInfoKHR>(VK_STRUCTURE_TYPE_RESOLVE_IMAGE_MODE_INFO_KHR);
    info.flags = flags;
    info.resolveMode = mode;
    info.stencilResolveMode = stencil;
    return info;
  }

  VkPhysicalDeviceMaintenance10FeaturesKHR features = {};
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic = {};
  std::optional<Gpu> device;
  VkShaderModule vertex = VK_NULL_HANDLE, fragment = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
};
API_TESTS_ON_ALL_DEVICES(Maintenance10Api);

TEST_P(Maintenance10Api, CommandsResolveDepthAndStencil) {
  constexpr VkFormat format = VK_FORMAT_D32_SFLOAT_S8_UINT;
  constexpr auto none = VK_RESOLVE_MODE_NONE, zero = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
                 average = VK_RESOLVE_MODE_AVERAGE_BIT, least = VK_RESOLVE_MODE_MIN_BIT,
                 greatest = VK_RESOLVE_MODE_MAX_BIT;
  constexpr std::array<Sample, samples> values = {
      {{0, 0.5f, 7}, {0, 0.25f, 3}, {0, 0.75f, 9}, {0, 1, 1}}};
  struct Case {
    VkResolveModeFlagBits depth, stencil;
    float depthIs; // 0.125 and 55: what was there before
    uint32_t stencilIs;
    VkImageAspectFlags aspects = depthAndStencil;
  };
  const Case cases[] = {{zero, zero, 0.5f, 7},
                        {average, least, 0.625f, 1},
                        {least, greatest, 0.25f, 9},
                        {greatest, zero, 1, 7},
                        {none, greatest, 0.125f, 9, VK_IMAGE_ASPECT_STENCIL_BIT},
                        {greatest, none, 1, 55, VK_IMAGE_ASPECT_DEPTH_BIT},
                        {least, least, 0.25f, 55, VK_IMAGE_ASPECT_DEPTH_BIT},
                        {least, least, 0.125f, 1, VK_IMAGE_ASPECT_STENCIL_BIT}};
  const VkPipeline drawing = pipeline(VK_FORMAT_UNDEFINED, format);
  const Image from = device->attachment(format, depthAndStencil, side, side, four);
  const Image to = device->attachment(format, depthAndStencil, side, side);
  const Buffer depths = device->buffer(side * side * 4), stencils = device->buffer(side * side);
  const VkRenderingAttachmentInfo attachment = attachmentOf(from.view);
  const VkRenderingInfo rendering = renderingOf(attachment, false);
  device->run([&](VkCommandBuffer c) {
    device->vk.CmdBeginRendering(c, &rendering);
    device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, drawing);
    drawSamples(c, values, true);
    device->vk.CmdEndRendering2KHR(c, nullptr);
  });
  for (const Case &test : cases) {
    const VkResolveImageModeInfoKHR mode = modeOf(test.depth, test.stencil);
    device->run([&](VkCommandBuffer c) {
      const VkClearDepthStencilValue before = {0.125f, 55};
      const VkImageSubresourceRange all = {depthAndStencil, 0, 1, 0, 1};
      device->vk.CmdClearDepthStencilImage(c, to.handle, VK_IMAGE_LAYOUT_GENERAL, &before, 1, &all);
      resolve(c, from, to, test.aspects, &mode);
      copy(c, to, VK_IMAGE_ASPECT_DEPTH_BIT, depths);
      copy(c, to, VK_IMAGE_ASPECT_STENCIL_BIT, stencils);
    });
    for (uint32_t i = 0; i < side * side; ++i) {
      float depth = 0;
      std::memcpy(&depth, depths.data + i, 4);
      ASSERT_EQ(depth, test.depthIs) << test.depth << " " << i;
      ASSERT_EQ(reinterpret_cast<const uint8_t *>(stencils.data)[i], test.stencilIs)
          << test.stencil << " " << i;
    }
  }
}

/// Samples of 0 and 1, half of each: 0.5 of light, or half of the number that is stored.
class SrgbResolveApi : public Maintenance10Api {
protected:
  static constexpr VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
  static constexpr std::array<Sample, samples> values = {
      {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 0}}};
  /// Vulkan, "sRGB EOTF", backwards.
  static double encode(double light) { return 1.055 * std::pow(light, 1 / 2.4) - 0.055; }

  void SetUp() override {
    Maintenance10Api::SetUp();
    if (!device)
      return;
    auto limits = vkStruct<VkPhysicalDeviceMaintenance10PropertiesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_PROPERTIES_KHR);
    auto all = vkStruct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                                     &limits);
    device->vk.GetPhysicalDeviceProperties2(device->physicalDevice, &all);
    usual = limits.resolveSrgbFormatAppliesTransferFunction;
    if (!limits.resolveSrgbFormatSupportsTransferFunctionControl)
      GTEST_SKIP() << "no choice";
    drawing = pipeline(format, VK_FORMAT_UNDEFINED);
    from = device->attachment(format, VK_IMAGE_ASPECT_COLOR_BIT, side, side, four);
    to = device->attachment(format, VK_IMAGE_ASPECT_COLOR_BIT, side, side);
    picture = device->buffer(side * side * 4);
  }
  void check(bool isDecoded) const {
    const double expected = 255 * (isDecoded ? encode(0.5) : 0.5);
    for (uint32_t i = 0; i < side * side; ++i) {
      ASSERT_NEAR(picture.data[i] & 0xFF, expected, 1) << i;
      ASSERT_EQ(picture.data[i] >> 24, 255u) << i;
    }
  }

  /// A render pass that resolves its first attachment to its second.
  VkRenderPass passOf(const VkAttachmentDescription (&descriptions)[2]) {
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL},
                                resolved = {1, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription subpass = {};
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    subpass.pResolveAttachments = &resolved;
    auto passInfo = vkStruct<VkRenderPassCreateInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO);
    passInfo.attachmentCount = 2;
    passInfo.pAttachments = descriptions;
    passInfo.subpassCount = 1;
    passInfo.pSubpasses = &subpass;
    VkRenderPass pass = VK_NULL_HANDLE;
    VK_OK(device->vk.CreateRenderPass(device->device, &passInfo, nullptr, &pass));
    device->destroyLater(pass);
    return pass;
  }
  VkFramebuffer frameOf(VkRenderPass pass) {
    const VkImageView views[2] = {from.view, to.view};
    auto frameInfo = vkStruct<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
    frameInfo.renderPass = pass;
    frameInfo.attachmentCount = 2;
    frameInfo.pAttachments = views;
    frameInfo.width = frameInfo.height = side;
    frameInfo.layers = 1;
    VkFramebuffer frame = VK_NULL_HANDLE;
    VK_OK(device->vk.CreateFramebuffer(device->device, &frameInfo, nullptr, &frame));
    device->destroyLater(frame);
    return frame;
  }

  bool usual = true;
  VkPipeline drawing = VK_NULL_HANDLE;
  Image from, to;
  Buffer picture;
};
API_TESTS_ON_ALL_DEVICES(SrgbResolveApi);

TEST_P(SrgbResolveApi, ByCommand) {
  const VkRenderingAttachmentInfo attachment = attachmentOf(from.view);
  const VkRenderingInfo rendering = renderingOf(attachment, true);
  device->run([&](VkCommandBuffer c) {
    device->vk.CmdBeginRendering(c, &rendering);
    device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, drawing);
    drawSamples(c, values, false);
    const auto end = vkStruct<VkRenderingEndInfoKHR>(VK_STRUCTURE_TYPE_RENDERING_END_INFO_KHR);
    device->vk.CmdEndRendering2KHR(c, &end);
  });
  for (VkResolveImageFlagsKHR flags : {VkFlags(0), VK_RESOLVE_IMAGE_SKIP_TRANSFER_FUNCTION_BIT_KHR,
                                       VK_RESOLVE_IMAGE_ENABLE_TRANSFER_FUNCTION_BIT_KHR}) {
    const VkResolveImageModeInfoKHR mode =
        modeOf(VK_RESOLVE_MODE_AVERAGE_BIT, VK_RESOLVE_MODE_NONE, flags);
    device->run([&](VkCommandBuffer c) {
      resolve(c, from, to, VK_IMAGE_ASPECT_COLOR_BIT, &mode);
      copy(c, to, VK_IMAGE_ASPECT_COLOR_BIT, picture);
    });
    check(flags ? flags == VK_RESOLVE_IMAGE_ENABLE_TRANSFER_FUNCTION_BIT_KHR : usual);
  }
  device->run([&](VkCommandBuffer c) {
    resolve(c, from, to, VK_IMAGE_ASPECT_COLOR_BIT, nullptr);
    copy(c, to, VK_IMAGE_ASPECT_COLOR_BIT, picture);
  });
  check(usual);
}

TEST_P(SrgbResolveApi, AtTheEndOfRenderings) {
  for (VkRenderingAttachmentFlagsKHR flags :
       {VkFlags(0), VK_RENDERING_ATTACHMENT_RESOLVE_SKIP_TRANSFER_FUNCTION_BIT_KHR,
        VK_RENDERING_ATTACHMENT_RESOLVE_ENABLE_TRANSFER_FUNCTION_BIT_KHR}) {
    auto how = vkStruct<VkRenderingAttachmentFlagsInfoKHR>(
        VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_FLAGS_INFO_KHR);
    how.flags = flags;
    VkRenderingAttachmentInfo attachment = attachmentOf(from.view);
    attachment.pNext = &how;
    attachment.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
    attachment.resolveImageView = to.view;
    const VkRenderingInfo rendering = renderingOf(attachment, true);
    device->run([&](VkCommandBuffer c) {
      device->vk.CmdBeginRendering(c, &rendering);
      device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, drawing);
      drawSamples(c, values, false);
      device->vk.CmdEndRendering2KHR(c, nullptr);
      copy(c, to, VK_IMAGE_ASPECT_COLOR_BIT, picture);
    });
    check(flags ? flags == VK_RENDERING_ATTACHMENT_RESOLVE_ENABLE_TRANSFER_FUNCTION_BIT_KHR
                : usual);
  }
}

TEST_P(SrgbResolveApi, AtTheEndOfRenderPasses) {
  for (VkAttachmentDescriptionFlags flags :
       {VkFlags(0), VK_ATTACHMENT_DESCRIPTION_RESOLVE_SKIP_TRANSFER_FUNCTION_BIT_KHR,
        VK_ATTACHMENT_DESCRIPTION_RESOLVE_ENABLE_TRANSFER_FUNCTION_BIT_KHR}) {
    VkAttachmentDescription descriptions[2] = {};
    for (VkAttachmentDescription &description : descriptions) {
      description.format = format;
      description.samples = VK_SAMPLE_COUNT_1_BIT;
      description.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      description.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
      description.initialLayout = description.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    }
    descriptions[0].samples = four;
    descriptions[1].flags = flags;
    const VkRenderPass pass = passOf(descriptions);
    const VkFramebuffer frame = frameOf(pass);
    // One clear colour for both: the average of samples without draws would be it.
    const VkClearValue clears[2] = {};
    auto begin = vkStruct<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    begin.renderPass = pass;
    begin.framebuffer = frame;
    begin.renderArea = {{0, 0}, {side, side}};
    begin.clearValueCount = 2;
    begin.pClearValues = clears;
    GraphicsInfo graphics(side);
    graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, vertex);
    graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
    graphics.samples.rasterizationSamples = four;
    graphics.dynamics.push_back(VK_DYNAMIC_STATE_SAMPLE_MASK_EXT);
    graphics.info.layout = layout;
    graphics.info.renderPass = pass;
    VkGraphicsPipelineCreateInfo made = graphics.done();
    made.pNext = nullptr; // formats are those of the render pass
    const VkPipeline inPass = device->pipeline(made);
    device->run([&](VkCommandBuffer c) {
      device->vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
      device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, inPass);
      drawSamples(c, values, false);
      device->vk.CmdEndRenderPass(c);
      copy(c, to, VK_IMAGE_ASPECT_COLOR_BIT, picture);
    });
    check(flags ? flags == VK_ATTACHMENT_DESCRIPTION_RESOLVE_ENABLE_TRANSFER_FUNCTION_BIT_KHR
                : usual);
  }
}

TEST_P(Maintenance10Api, NoSampleMaskIsAllSamples) {
  constexpr VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  const VkPipeline drawing = pipeline(format, VK_FORMAT_UNDEFINED);
  const Image from = device->attachment(format, VK_IMAGE_ASPECT_COLOR_BIT, side, side, four);
  const Image to = device->attachment(format, VK_IMAGE_ASPECT_COLOR_BIT, side, side);
  const Buffer picture = device->buffer(side * side * 4);
  VkRenderingAttachmentInfo attachment = attachmentOf(from.view);
  attachment.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  attachment.resolveImageView = to.view;
  const VkRenderingInfo rendering = renderingOf(attachment, true);
  for (bool isGiven : {true, false}) {
    device->run([&](VkCommandBuffer c) {
      device->vk.CmdBeginRendering(c, &rendering);
      device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, drawing);
      const VkSampleMask one = 1;
      draw(c, {0, 0, 0}, &one, false); // the mask before
      draw(c, {1, 0, 0}, isGiven ? &one : nullptr, false);
      device->vk.CmdEndRendering(c);
      copy(c, to, VK_IMAGE_ASPECT_COLOR_BIT, picture);
    });
    for (uint32_t i = 0; i < side * side; ++i)
      ASSERT_NEAR(picture.data[i] & 0xFF, isGiven ? 63.75 : 255, 1) << i;
  }
}

} // namespace
} // namespace api
