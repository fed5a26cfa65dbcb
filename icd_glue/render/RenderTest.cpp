// SPDX-License-Identifier: MIT
// Surfaces of views; clears and resolves of dynamic rendering, on memory. No draws.
#include "icd_glue/render/RenderForTest.h"

namespace icd {
namespace {

//===--- Surfaces ---------------------------------------------------------===//

TEST_F(RenderTest, SurfacesOfLevelsAndLayers) {
  const Target &target =
      make({.format = VK_FORMAT_B8G8R8A8_SRGB, .size = 8, .layers = 6, .levels = 3});
  const VkImageView view =
      makeView(target, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_B8G8R8A8_UNORM, {color, 1, 1, 2, 3});
  const pal::device::Surface surface = surfaceOf(fromHandle<ImageView>(view), color);
  EXPECT_EQ(surface.address, target.object().address(0));
  EXPECT_EQ(surface.format, pal::formats::Format::X8Y8Z8W8_Unorm);
  EXPECT_EQ(surface.swizzle[0], pal::srd::Select::Z);
  EXPECT_EQ(surface.level, 1u);
  EXPECT_EQ(surface.baseSlice, 2u);
  EXPECT_EQ(surface.slices, 3u);
  EXPECT_EQ(surface.width, 4u);
  EXPECT_EQ(surface.height, 4u);
  EXPECT_FALSE(surfaceOf(fromHandle<ImageView>(view), depth).exists());
  EXPECT_FALSE(surfaceOf(nullptr, color).exists());
}

TEST_F(RenderTest, SlicesOf3dImagesAreLayers) {
  const Target &target = make({.size = 4, .layers = 4, .levels = 2, .type = VK_IMAGE_TYPE_3D});
  const VkImageView view = makeView(target, VK_IMAGE_VIEW_TYPE_2D_ARRAY, r32,
                                    {color, 1, 1, 0, VK_REMAINING_ARRAY_LAYERS});
  const pal::device::Surface surface = surfaceOf(fromHandle<ImageView>(view), color);
  EXPECT_EQ(surface.slices, 2u); // of four, at level 1
  auto attachment = attachmentOf(target, clearWord(5));
  attachment.imageView = makeView(target, VK_IMAGE_VIEW_TYPE_2D, r32, {color, 0, 1, 2, 1});
  const VkRenderingInfo info = renderingOf(&attachment, all);
  begin();
  CmdBeginRendering(commands, &info);
  CmdEndRendering(commands);
  EXPECT_EQ(run(), "");
  for (uint32_t z = 0; z < 4; ++z)
    EXPECT_EQ(target.at<uint32_t>(3, 3, z), z == 2 ? 5u : 0u);
}

TEST_F(RenderTest, DepthAndStencilAreSurfacesOfTheirOwn) {
  const Target &target = make({.format = d32s8});
  const auto *view = fromHandle<ImageView>(target.view);
  EXPECT_EQ(surfaceOf(view, depth).address, target.object().address(0));
  EXPECT_EQ(surfaceOf(view, stencil).address, target.object().address(1));
  EXPECT_EQ(surfaceOf(view, stencil).format, pal::formats::Format::X8_Uint);
  EXPECT_FALSE(surfaceOf(view, color).exists());
}

TEST_F(RenderTest, AreasIntersectWithoutOverflow) {
  const VkRect2D far = intersect({{INT32_MAX, -5}, {UINT32_MAX, UINT32_MAX}}, {{0, 0}, {8, 8}});
  EXPECT_EQ(far.extent.width, 0u);
  EXPECT_EQ(far.offset.y, 0);
  EXPECT_EQ(far.extent.height, 8u);
}

//===--- Dynamic rendering ------------------------------------------------===//

TEST_F(RenderTest, ClearsTheRenderAreaOfEachLayer) {
  const Target &target = make({.layers = 3});
  const auto attachment = attachmentOf(target, clearWord(0xabcd1234));
  const VkRenderingInfo info = renderingOf(&attachment, {{1, 2}, {2, 1}}, 2);
  begin();
  CmdBeginRendering(commands, &info);
  CmdEndRendering(commands);
  EXPECT_EQ(run(), "");
  for (uint32_t layer = 0; layer < 3; ++layer)
    for (uint32_t y = 0; y < 4; ++y)
      for (uint32_t x = 0; x < 4; ++x)
        EXPECT_EQ(target.at<uint32_t>(x, y, layer),
                  layer < 2 && y == 2 && x >= 1 && x < 3 ? 0xabcd1234 : 0u);
}

TEST_F(RenderTest, MultiviewClearsTheViews) {
  const Target &target = make({.layers = 4});
  const auto attachment = attachmentOf(target, clearWord(7));
  const VkRenderingInfo info = renderingOf(&attachment, all, 1, 0b1010);
  begin();
  CmdBeginRendering(commands, &info);
  clearWithin(commands, color, 0, clearWord(9), {{0, 0}, {1, 1}});
  CmdEndRendering(commands);
  EXPECT_EQ(run(), "");
  for (uint32_t layer = 0; layer < 4; ++layer) {
    EXPECT_EQ(target.at<uint32_t>(1, 0, layer), layer & 1 ? 7u : 0u);
    EXPECT_EQ(target.at<uint32_t>(0, 0, layer), layer & 1 ? 9u : 0u);
  }
}

TEST_F(RenderTest, ColorsAreConvertedAndSwizzled) {
  const Target &target = make({.format = VK_FORMAT_B8G8R8A8_SRGB});
  VkClearValue value = {};
  value.color.float32[0] = 1;
  value.color.float32[1] = 0.5f; // 188 in sRGB
  value.color.float32[3] = 0.5f; // 128: alpha is linear
  const auto attachment = attachmentOf(target, value);
  const VkRenderingInfo info = renderingOf(&attachment, all);
  begin();
  CmdBeginRendering(commands, &info);
  CmdEndRendering(commands);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(target.at<uint32_t>(2, 3), 0x80ffbc00u);
}

TEST_F(RenderTest, DepthAloneLeavesTheStencil) {
  const Target &target = make({.format = d32s8, .samples = VK_SAMPLE_COUNT_4_BIT});
  const auto attachment = attachmentOf(target, clearDepth(0.25f, 0x1ff));
  VkRenderingInfo info = renderingOf(nullptr, all);
  info.pDepthAttachment = &attachment;
  begin();
  CmdBeginRendering(commands, &info);
  // Stencil is not attached, so that this clears nothing.
  clearWithin(commands, stencil, 0, clearDepth(0, 3), all);
  CmdEndRendering(commands);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(target.at<float>(3, 3, 0, 3), 0.25f);
  EXPECT_EQ(target.at<uint8_t>(3, 3, 0, 3, 1), 0);
  info.pStencilAttachment = &attachment;
  begin();
  CmdBeginRendering(commands, &info);
  CmdEndRendering(commands);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(target.at<uint8_t>(3, 3, 0, 3, 1), 0xff);
}

TEST_F(RenderTest, ResumedRenderingDoesNotClearAndSuspendedDoesNotResolve) {
  const Target &target = make({.format = r32f, .samples = VK_SAMPLE_COUNT_2_BIT});
  const Target &resolved = make({.format = r32f});
  VkClearValue value = {};
  value.color.float32[0] = 3;
  auto attachment = attachmentOf(target, value);
  attachment.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  attachment.resolveImageView = resolved.view;
  VkRenderingInfo info = renderingOf(&attachment, all);
  info.flags = VK_RENDERING_SUSPENDING_BIT;
  begin();
  CmdBeginRendering(commands, &info);
  CmdEndRendering(commands);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(target.at<float>(1, 1, 0, 1), 3);
  EXPECT_EQ(resolved.at<float>(1, 1), 0);
  target.at<float>(1, 1, 0, 1) = 8;
  info.flags = VK_RENDERING_RESUMING_BIT;
  begin();
  CmdBeginRendering(commands, &info);
  CmdEndRendering(commands);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(resolved.at<float>(1, 1), 5.5f);
  EXPECT_EQ(resolved.at<float>(0, 1), 3);
}

//===--- Resolves ---------------------------------------------------------===//

TEST_F(RenderTest, DepthAndStencilResolveByTheirOwnModes) {
  const Target &target = make({.format = d32s8, .samples = VK_SAMPLE_COUNT_4_BIT});
  const float depths[4] = {0.5f, 0.25f, 1, 0.25f};
  const uint8_t stencils[4] = {7, 200, 9, 3};
  for (uint32_t sample = 0; sample < 4; ++sample) {
    target.at<float>(2, 1, 0, sample) = depths[sample];
    target.at<uint8_t>(2, 1, 0, sample, 1) = stencils[sample];
  }
  const struct {
    VkResolveModeFlagBits depth, stencil;
    float expectedDepth;
    uint8_t expectedStencil;
  } rows[] = {
      {VK_RESOLVE_MODE_AVERAGE_BIT, VK_RESOLVE_MODE_MAX_BIT, 0.5f, 200},
      {VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, 0.25f, 7},
      {VK_RESOLVE_MODE_MAX_BIT, VK_RESOLVE_MODE_MIN_BIT, 1, 3},
      {VK_RESOLVE_MODE_NONE, VK_RESOLVE_MODE_MIN_BIT, 0, 3},
      {VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, VK_RESOLVE_MODE_NONE, 0.5f, 0},
  };
  for (const auto &row : rows) {
    const Target &resolved = make({.format = d32s8});
    auto attachmentDepth = attachmentOf(target, {}), attachmentStencil = attachmentDepth;
    for (auto *attachment : {&attachmentDepth, &attachmentStencil}) {
      attachment->loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
      attachment->resolveImageView = resolved.view;
    }
    attachmentDepth.resolveMode = row.depth;
    attachmentStencil.resolveMode = row.stencil;
    VkRenderingInfo info = renderingOf(nullptr, all);
    info.pDepthAttachment = &attachmentDepth;
    info.pStencilAttachment = &attachmentStencil;
    begin();
    CmdBeginRendering(commands, &info);
    CmdEndRendering(commands);
    EXPECT_EQ(run(), "");
    EXPECT_EQ(resolved.at<float>(2, 1), row.expectedDepth);
    EXPECT_EQ(resolved.at<uint8_t>(2, 1, 0, 0, 1), row.expectedStencil);
  }
}

//===--- Clears within ----------------------------------------------------===//

TEST_F(RenderTest, SecondaryCommandBuffersClearWhatIsAttachedWhenTheyRun) {
  const Target &target = make({.layers = 2});
  const VkCommandBuffer secondary = allocate(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  auto info = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  info.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
  ASSERT_EQ(BeginCommandBuffer(secondary, &info), VK_SUCCESS);
  clearWithin(secondary, color, 0, clearWord(8), {{0, 0}, {4, 1}}, 1, 1);
  ASSERT_EQ(EndCommandBuffer(secondary), VK_SUCCESS);
  const auto attachment = attachmentOf(target, clearWord(1));
  const VkRenderingInfo rendering = renderingOf(&attachment, {{0, 0}, {3, 4}}, 2);
  begin();
  CmdBeginRendering(commands, &rendering);
  CmdExecuteCommands(commands, 1, &secondary);
  CmdEndRendering(commands);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(target.at<uint32_t>(0, 0, 0), 1u);
  EXPECT_EQ(target.at<uint32_t>(2, 0, 1), 8u);
  EXPECT_EQ(target.at<uint32_t>(2, 1, 1), 1u);
  EXPECT_EQ(target.at<uint32_t>(3, 0, 1), 0u); // outside of the render area
}

TEST_F(RenderTest, ClearOutsideOfRenderingIsAnError) {
  begin();
  clearWithin(commands, color, 0, clearWord(8), all);
  EXPECT_NE(run().find("outside a render pass instance"), std::string::npos);
}

TEST_F(RenderTest, FreedMemoryIsAnError) {
  const Target &target = make({});
  const auto attachment = attachmentOf(target, clearWord(1));
  const VkRenderingInfo rendering = renderingOf(&attachment, all);
  begin();
  CmdBeginRendering(commands, &rendering);
  CmdEndRendering(commands);
  FreeMemory(device, target.memory, nullptr);
  targets.back().memory = VK_NULL_HANDLE;
  EXPECT_NE(run().find("vkCmdBeginRendering"), std::string::npos);
}

TEST_F(RenderTest, ViewsAndLayersThatThereAreNot) {
  const Target &target = make({.format = VK_FORMAT_R8_UNORM, .layers = 2});
  // Cut off at the image: the last level and layer, and all layers that it has.
  const VkImageView beyond = makeView(target, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R8_UNORM,
                                      {color, 40, 7, 1000, VK_REMAINING_ARRAY_LAYERS});
  EXPECT_EQ(surfaceOf(fromHandle<ImageView>(beyond), color).level, 0u);
  EXPECT_EQ(surfaceOf(fromHandle<ImageView>(beyond), color).baseSlice, 1u);
  const VkImageView more =
      makeView(target, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R8_UNORM, {color, 0, 1, 0, 1000});
  EXPECT_EQ(surfaceOf(fromHandle<ImageView>(more), color).slices, 2u);
  // A list of 2^32 layers would not fit into memory.
  auto attachment = attachmentOf(target, {.color = {.float32 = {1, 0, 0, 0}}});
  VkRenderingInfo info = renderingOf(&attachment, all, UINT32_MAX);
  begin();
  CmdBeginRendering(commands, &info);
  CmdEndRendering(commands);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(target.at<uint8_t>(3, 3, 1), 255);
  // Texels of another size than the image's.
  attachment.imageView = makeView(target, VK_IMAGE_VIEW_TYPE_2D_ARRAY, r32, {color, 0, 1, 0, 1});
  begin();
  CmdBeginRendering(commands, &info);
  CmdEndRendering(commands);
  EXPECT_NE(run().find("texels of 4 bytes in a layout for 1"), std::string::npos);
}

TEST_F(RenderTest, CommandBuffersDoNotExecuteThemselves) {
  begin();
  CmdExecuteCommands(commands, 1, &commands);
  EXPECT_EQ(EndCommandBuffer(commands), VK_ERROR_UNKNOWN);
  const VkCommandBuffer secondary = allocate(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  auto info = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  ASSERT_EQ(BeginCommandBuffer(secondary, &info), VK_SUCCESS);
  CmdExecuteCommands(secondary, 1, &secondary);
  EXPECT_EQ(EndCommandBuffer(secondary), VK_ERROR_UNKNOWN);
  // Nor what is still being recorded: they could execute each other.
  ASSERT_EQ(BeginCommandBuffer(secondary, &info), VK_SUCCESS);
  begin();
  CmdExecuteCommands(commands, 1, &secondary);
  EXPECT_EQ(EndCommandBuffer(commands), VK_ERROR_UNKNOWN);
  ASSERT_EQ(EndCommandBuffer(secondary), VK_SUCCESS);
  begin();
  CmdExecuteCommands(commands, 1, &secondary);
  EXPECT_EQ(run(), "");
}

TEST_F(RenderTest, CommandBuffersDoNotGrowWithoutBound) {
  auto info = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  VkCommandBuffer inner = VK_NULL_HANDLE;
  unsigned levels = 0;
  for (VkResult result = VK_SUCCESS; result == VK_SUCCESS; ++levels) {
    const VkCommandBuffer outer = allocate(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    ASSERT_EQ(BeginCommandBuffer(outer, &info), VK_SUCCESS);
    const VkCommandBuffer twice[2] = {inner, inner};
    if (inner)
      CmdExecuteCommands(outer, 2, twice);
    result = EndCommandBuffer(outer);
    inner = outer;
  }
  EXPECT_GT(levels, 20u);
  EXPECT_LT(levels, 30u);
}

TEST_F(RenderTest, CommandBuffersExecuteOthersToADepth) {
  auto info = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  VkCommandBuffer inner = VK_NULL_HANDLE;
  for (unsigned level = 0; level <= maxNesting + 1; ++level) {
    const VkCommandBuffer outer = allocate(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    ASSERT_EQ(BeginCommandBuffer(outer, &info), VK_SUCCESS);
    if (inner)
      CmdExecuteCommands(outer, 1, &inner);
    EXPECT_EQ(EndCommandBuffer(outer), level <= maxNesting ? VK_SUCCESS : VK_ERROR_UNKNOWN);
    if (level <= maxNesting)
      inner = outer;
  }
  begin();
  CmdExecuteCommands(commands, 1, &inner);
  EXPECT_EQ(run(), "");
}

} // namespace
} // namespace icd
