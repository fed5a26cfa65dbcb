// SPDX-License-Identifier: MIT
// Load operations and resolves of subpasses, on memory. No draws.
#include "icd_glue/render/RenderForTest.h"

namespace icd {
namespace {

TEST_F(RenderTest, AttachmentsAreClearedWhenFirstUsed) {
  const Target &first = make({}), &second = make({});
  const VkAttachmentReference2 colors[2] = {reference(0), reference(1)};
  const VkSubpassDescription2 subpasses[3] = {subpassOf(&colors[0]), subpassOf(&colors[1]),
                                              subpassOf(&colors[0])};
  const VkRenderPass pass = makePass({clearedAttachment(r32), clearedAttachment(r32)}, subpasses);
  const VkFramebuffer framebuffer = makeFramebuffer(pass, {first.view, second.view});
  second.at<uint32_t>(0, 0) = 99;
  begin();
  beginPass(pass, framebuffer, {clearWord(1), clearWord(2)});
  clearWithin(commands, color, 0, clearWord(10), {{1, 0}, {1, 1}});
  auto copySecond = [&](Execution &) {
    EXPECT_EQ(second.at<uint32_t>(0, 0), 99u); // not used yet
    return llvm::Error::success();
  };
  fromHandle<CommandBuffer>(commands)->record("check", copySecond);
  CmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  clearWithin(commands, color, 0, clearWord(20), {{1, 0}, {1, 1}});
  CmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  CmdEndRenderPass(commands);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(first.at<uint32_t>(0, 0), 1u);
  EXPECT_EQ(first.at<uint32_t>(1, 0), 10u); // not cleared again by the third subpass
  EXPECT_EQ(second.at<uint32_t>(0, 0), 2u);
  EXPECT_EQ(second.at<uint32_t>(1, 0), 20u);
}

TEST_F(RenderTest, ViewsAreClearedOnceEach) {
  const Target &target = make({.layers = 3});
  const VkAttachmentReference2 colorReference = reference(0);
  const VkSubpassDescription2 subpasses[2] = {subpassOf(&colorReference, 0b011),
                                              subpassOf(&colorReference, 0b110)};
  const VkRenderPass pass = makePass({clearedAttachment(r32)}, subpasses);
  const VkFramebuffer framebuffer = makeFramebuffer(pass, {target.view});
  begin();
  beginPass(pass, framebuffer, {clearWord(1)});
  clearWithin(commands, color, 0, clearWord(5), {{0, 0}, {1, 1}});
  CmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  CmdEndRenderPass(commands);
  EXPECT_EQ(run(), "");
  const uint32_t corner[3] = {5, 5, 1};
  for (uint32_t view = 0; view < 3; ++view) {
    EXPECT_EQ(target.at<uint32_t>(0, 0, view), corner[view]);
    EXPECT_EQ(target.at<uint32_t>(1, 1, view), 1u);
  }
}

TEST_F(RenderTest, SubpassesResolveAtTheirEnd) {
  const Target &color4 = make({.format = r32f, .samples = VK_SAMPLE_COUNT_4_BIT});
  const Target &resolved = make({.format = r32f});
  const Target &depth4 = make({.format = d32s8, .samples = VK_SAMPLE_COUNT_4_BIT});
  const Target &depth1 = make({.format = d32s8});
  const VkAttachmentReference2 colorReference = reference(0), resolveReference = reference(1),
                               depthReference = reference(2), depthResolve = reference(3);
  VkSubpassDescription2 subpasses[2] = {subpassOf(&colorReference), subpassOf(&resolveReference)};
  auto resolve = vkStruct<VkSubpassDescriptionDepthStencilResolve>(
      VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
  resolve.depthResolveMode = VK_RESOLVE_MODE_MIN_BIT;
  resolve.stencilResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  resolve.pDepthStencilResolveAttachment = &depthResolve;
  subpasses[0].pNext = &resolve;
  subpasses[0].pResolveAttachments = &resolveReference;
  subpasses[0].pDepthStencilAttachment = &depthReference;
  auto loaded = clearedAttachment(r32f);
  loaded.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  const VkRenderPass pass =
      makePass({clearedAttachment(r32f, VK_SAMPLE_COUNT_4_BIT), loaded,
                clearedAttachment(d32s8, VK_SAMPLE_COUNT_4_BIT), clearedAttachment(d32s8)},
               subpasses);
  const VkFramebuffer framebuffer =
      makeFramebuffer(pass, {color4.view, resolved.view, depth4.view, depth1.view});
  VkClearValue two = {};
  two.color.float32[0] = 2;
  VkClearValue eight = {};
  eight.color.float32[0] = 8;
  begin();
  beginPass(pass, framebuffer, {two, {}, clearDepth(0.75f, 6), clearDepth(0, 0)});
  CmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  // The second subpass draws over what the first one has resolved.
  clearWithin(commands, color, 0, eight, {{0, 0}, {2, 2}});
  CmdEndRenderPass(commands);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(resolved.at<float>(1, 1), 8);
  EXPECT_EQ(resolved.at<float>(3, 3), 2);
  EXPECT_EQ(depth1.at<float>(3, 3), 0.75f);
  EXPECT_EQ(depth1.at<uint8_t>(3, 3, 0, 0, 1), 6);
}

TEST_F(RenderTest, ImagelessFramebuffersAndVersionOne) {
  const Target &target = make({.layers = 2});
  VkAttachmentDescription attachment = {};
  attachment.format = r32;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  const VkAttachmentReference references[2] = {{VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_GENERAL},
                                               {0, VK_IMAGE_LAYOUT_GENERAL}};
  VkSubpassDescription subpass = {};
  subpass.colorAttachmentCount = 2;
  subpass.pColorAttachments = references;
  const uint32_t viewMask = 0b10;
  auto multiview = vkStruct<VkRenderPassMultiviewCreateInfo>(
      VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
  multiview.subpassCount = 1;
  multiview.pViewMasks = &viewMask;
  auto info =
      vkStruct<VkRenderPassCreateInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, &multiview);
  info.attachmentCount = info.subpassCount = 1;
  info.pAttachments = &attachment;
  info.pSubpasses = &subpass;
  passes.push_back(VK_NULL_HANDLE);
  ASSERT_EQ(CreateRenderPass(device, &info, nullptr, &passes.back()), VK_SUCCESS);
  auto frame = vkStruct<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
  frame.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
  frame.attachmentCount = 1;
  frame.width = frame.height = 4;
  frame.layers = 1;
  framebuffers.push_back(VK_NULL_HANDLE);
  ASSERT_EQ(CreateFramebuffer(device, &frame, nullptr, &framebuffers.back()), VK_SUCCESS);
  auto attachments = vkStruct<VkRenderPassAttachmentBeginInfo>(
      VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
  attachments.attachmentCount = 1;
  attachments.pAttachments = &target.view;
  begin();
  beginPass(passes.back(), framebuffers.back(), {clearWord(3)}, &attachments);
  clearWithin(commands, color, 0, clearWord(4), all); // not attached
  clearWithin(commands, color, VK_ATTACHMENT_UNUSED, clearWord(4), all);
  clearWithin(commands, color, 1, clearWord(6), {{2, 2}, {1, 1}});
  CmdEndRenderPass(commands);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(target.at<uint32_t>(0, 0, 0), 0u);
  EXPECT_EQ(target.at<uint32_t>(0, 0, 1), 3u);
  EXPECT_EQ(target.at<uint32_t>(2, 2, 1), 6u);
}

TEST_F(RenderTest, ShadingRateAttachments) {
  const Target &picture = make({}), &rates = make({.format = VK_FORMAT_R8_UINT});
  auto expectRates = [&](uint64_t address) {
    fromHandle<CommandBuffer>(commands)->record("check", [address](Execution &execution) {
      EXPECT_EQ(execution.rendering.targets.shadingRate.address, address);
      return llvm::Error::success();
    });
  };
  const VkAttachmentReference2 colorReference = reference(0), rateReference = reference(1);
  auto rate = vkStruct<VkFragmentShadingRateAttachmentInfoKHR>(
      VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR);
  rate.pFragmentShadingRateAttachment = &rateReference;
  rate.shadingRateAttachmentTexelSize = {8, 8};
  VkSubpassDescription2 subpasses[2] = {subpassOf(&colorReference), subpassOf(&colorReference)};
  subpasses[1].pNext = &rate;
  auto loaded = clearedAttachment(VK_FORMAT_R8_UINT);
  loaded.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  const VkRenderPass pass = makePass({clearedAttachment(r32), loaded}, subpasses);
  const VkFramebuffer framebuffer = makeFramebuffer(pass, {picture.view, rates.view});
  const uint64_t address = rates.object().address(0);
  begin();
  beginPass(pass, framebuffer, {clearWord(1)});
  expectRates(0);
  CmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  expectRates(address);
  CmdEndRenderPass(commands);
  expectRates(0);
  auto dynamic = vkStruct<VkRenderingFragmentShadingRateAttachmentInfoKHR>(
      VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR);
  const auto attachment = attachmentOf(picture, clearWord(1));
  VkRenderingInfo rendering = renderingOf(&attachment, all);
  rendering.pNext = &dynamic;
  for (VkImageView view : {VkImageView(VK_NULL_HANDLE), rates.view}) {
    dynamic.imageView = view;
    CmdBeginRendering(commands, &rendering);
    expectRates(view ? address : 0);
    CmdEndRendering(commands);
  }
  EXPECT_EQ(run(), "");
}

TEST_F(RenderTest, TargetFormatsOfSubpasses) {
  const VkAttachmentReference2 colors[2] = {reference(VK_ATTACHMENT_UNUSED), reference(0)};
  const VkAttachmentReference2 depthReference = reference(1);
  auto subpass = subpassOf(colors, 0b11);
  subpass.colorAttachmentCount = 2;
  subpass.pDepthStencilAttachment = &depthReference;
  VkGraphicsPipelineCreateInfo info = {};
  info.renderPass =
      makePass({clearedAttachment(rgba8), clearedAttachment(VK_FORMAT_S8_UINT)}, subpass);
  const TargetFormats formats = targetFormatsOf(info);
  EXPECT_EQ(formats.colors[0], VK_FORMAT_UNDEFINED);
  EXPECT_EQ(formats.colors[1], rgba8);
  EXPECT_FALSE(formats.hasDepth());
  EXPECT_EQ(formats.stencil, VK_FORMAT_S8_UINT);
  EXPECT_EQ(formats.viewMask, 3u);
  info.subpass = 1; // there is none
  EXPECT_EQ(targetFormatsOf(info).colors, TargetFormats().colors);
  info.renderPass = VK_NULL_HANDLE;
  EXPECT_EQ(targetFormatsOf(info).colors, TargetFormats().colors);
  auto rendering =
      vkStruct<VkPipelineRenderingCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachmentFormats = &rgba8;
  rendering.depthAttachmentFormat = d32s8;
  info.pNext = &rendering;
  EXPECT_EQ(targetFormatsOf(info).colors[0], rgba8);
  EXPECT_EQ(targetFormatsOf(info).depth, d32s8);
  EXPECT_FALSE(targetFormatsOf(info).hasStencil());
}

// VkRenderingAttachmentLocationInfo belongs to dynamic rendering: of pipelines, and of secondary
// command buffers.
TEST_F(RenderTest, LocationsOfAttachments) {
  const uint32_t numbers[1] = {2};
  auto locations = vkStruct<VkRenderingAttachmentLocationInfo>(
      VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO);
  locations.colorAttachmentCount = 1;
  locations.pColorAttachmentLocations = numbers;
  auto locationOf = [](const TargetFormats &formats) {
    const auto byLocation = formats.locations.arrange(formats.colors, VK_FORMAT_UNDEFINED);
    return llvm::find(byLocation, rgba8) - byLocation.begin();
  };
  auto rendering = vkStruct<VkPipelineRenderingCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, &locations);
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachmentFormats = &rgba8;
  VkGraphicsPipelineCreateInfo info = {};
  info.pNext = &rendering;
  EXPECT_EQ(locationOf(targetFormatsOf(info)), 2);
  const VkAttachmentReference2 first = reference(0);
  info.renderPass = makePass({clearedAttachment(rgba8)}, subpassOf(&first));
  EXPECT_EQ(locationOf(targetFormatsOf(info)), 0);
  auto inherited = vkStruct<VkCommandBufferInheritanceRenderingInfo>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO, &locations);
  inherited.colorAttachmentCount = 1;
  inherited.pColorAttachmentFormats = &rgba8;
  auto inheritance = vkStruct<VkCommandBufferInheritanceInfo>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, &inherited);
  EXPECT_EQ(locationOf(inheritedFormatsOf(&inheritance)), 2);
  inheritance.renderPass = info.renderPass;
  EXPECT_EQ(inheritedFormatsOf(&inheritance).colors, TargetFormats().colors);
}

} // namespace
} // namespace icd
