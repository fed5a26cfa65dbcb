// SPDX-License-Identifier: MIT
// Render passes, dynamic rendering and queries, without draws: load operations, clears, resolves.
#include "Gpu.h"
#include <cstring>

namespace api {
namespace {

constexpr uint32_t size = 8;
constexpr VkRect2D all = {{0, 0}, {size, size}};
constexpr VkImageAspectFlags color = VK_IMAGE_ASPECT_COLOR_BIT, depth = VK_IMAGE_ASPECT_DEPTH_BIT,
                             stencil = VK_IMAGE_ASPECT_STENCIL_BIT;
constexpr VkFormat rgba8 = VK_FORMAT_R8G8B8A8_UNORM, r32 = VK_FORMAT_R32_UINT,
                   d32s8 = VK_FORMAT_D32_SFLOAT_S8_UINT;

template <typename T> T vkStruct(VkStructureType sType) {
  T result = {};
  result.sType = sType;
  return result;
}

VkClearValue clearColor(float red, float green, float blue, float alpha) {
  VkClearValue value = {};
  value.color = {{red, green, blue, alpha}};
  return value;
}
VkClearValue clearWord(uint32_t word) {
  VkClearValue value = {};
  value.color.uint32[0] = word;
  return value;
}
VkClearValue clearDepth(float to, uint32_t stencilTo) {
  VkClearValue value = {};
  value.depthStencil = {to, stencilTo};
  return value;
}

struct Target {
  VkFormat format = rgba8;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  uint32_t layers = 1;
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;

  VkImageAspectFlags aspects() const { return format == d32s8 ? depth | stencil : color; }
};

class RenderApi : public ApiTest {
protected:
  void TearDown() override {
    for (const Target &target : targets) {
      gpu.vk.DestroyImageView(gpu.device, target.view, nullptr);
      gpu.vk.DestroyImage(gpu.device, target.image, nullptr);
      gpu.vk.FreeMemory(gpu.device, target.memory, nullptr);
    }
    gpu.vk.DestroyFramebuffer(gpu.device, framebuffer, nullptr);
    gpu.vk.DestroyRenderPass(gpu.device, pass, nullptr);
    gpu.vk.DestroyQueryPool(gpu.device, queries, nullptr);
    ApiTest::TearDown();
  }

  /// In GENERAL layout.
  Target make(Target target) {
    auto info = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = target.format;
    info.extent = {size, size, 1};
    info.mipLevels = 1;
    info.arrayLayers = target.layers;
    info.samples = target.samples;
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 (target.format == d32s8 ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                         : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    VK_OK(gpu.vk.CreateImage(gpu.device, &info, nullptr, &target.image));
    VkMemoryRequirements requirements;
    gpu.vk.GetImageMemoryRequirements(gpu.device, target.image, &requirements);
    auto allocate = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocate.allocationSize = requirements.size;
    while (!(requirements.memoryTypeBits >> allocate.memoryTypeIndex & 1))
      ++allocate.memoryTypeIndex;
    VK_OK(gpu.vk.AllocateMemory(gpu.device, &allocate, nullptr, &target.memory));
    VK_OK(gpu.vk.BindImageMemory(gpu.device, target.image, target.memory, 0));
    auto view = vkStruct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    view.image = target.image;
    view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    view.format = target.format;
    view.subresourceRange = {target.aspects(), 0, 1, 0, target.layers};
    VK_OK(gpu.vk.CreateImageView(gpu.device, &view, nullptr, &target.view));
    gpu.run([&](VkCommandBuffer c) {
      auto barrier = vkStruct<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
      barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
      barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
      barrier.image = target.image;
      barrier.subresourceRange = view.subresourceRange;
      gpu.vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                                &barrier);
    });
    targets.push_back(target);
    return target;
  }

  /// The texels of an aspect of a layer.
  template <typename T>
  std::vector<T> read(const Target &target, VkImageAspectFlags aspect, uint32_t layer = 0) {
    Buffer buffer = gpu.buffer(size * size * sizeof(T));
    gpu.run([&](VkCommandBuffer c) {
      gpu.barrier(c);
      VkBufferImageCopy region = {};
      region.imageSubresource = {aspect, 0, layer, 1};
      region.imageExtent = {size, size, 1};
      gpu.vk.CmdCopyImageToBuffer(c, target.image, VK_IMAGE_LAYOUT_GENERAL, buffer.handle, 1,
                                  &region);
      gpu.barrier(c);
    });
    std::vector<T> texels(size * size);
    std::memcpy(texels.data(), buffer.data, texels.size() * sizeof(T));
    return texels;
  }

  VkRenderingAttachmentInfo attachmentOf(const Target &target, VkClearValue value) {
    auto info = vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    info.imageView = target.view;
    info.imageLayout = info.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    info.clearValue = value;
    return info;
  }
  void clearWithin(VkCommandBuffer c, VkImageAspectFlags aspects, uint32_t index,
                   VkClearValue value, VkRect2D rect, uint32_t layer = 0, uint32_t layers = 1) {
    const VkClearAttachment attachment = {aspects, index, value};
    const VkClearRect clearRect = {rect, layer, layers};
    gpu.vk.CmdClearAttachments(c, 1, &attachment, 1, &clearRect);
  }
  void makePass(const std::vector<VkAttachmentDescription2> &attachments,
                const std::vector<VkSubpassDescription2> &subpasses,
                const std::vector<VkSubpassDependency2> &dependencies) {
    auto info = vkStruct<VkRenderPassCreateInfo2>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2);
    info.attachmentCount = static_cast<uint32_t>(attachments.size());
    info.pAttachments = attachments.data();
    info.subpassCount = static_cast<uint32_t>(subpasses.size());
    info.pSubpasses = subpasses.data();
    info.dependencyCount = static_cast<uint32_t>(dependencies.size());
    info.pDependencies = dependencies.data();
    VK_OK(gpu.vk.CreateRenderPass2(gpu.device, &info, nullptr, &pass));
  }
  void makeFramebuffer(const std::vector<VkImageView> &attachments) {
    auto info = vkStruct<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
    info.renderPass = pass;
    info.attachmentCount = static_cast<uint32_t>(attachments.size());
    info.pAttachments = attachments.data();
    info.width = info.height = size;
    info.layers = 1;
    VK_OK(gpu.vk.CreateFramebuffer(gpu.device, &info, nullptr, &framebuffer));
  }
  void beginPass(VkCommandBuffer c, const std::vector<VkClearValue> &values,
                 VkSubpassContents contents) {
    auto info = vkStruct<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    info.renderPass = pass;
    info.framebuffer = framebuffer;
    info.renderArea = all;
    info.clearValueCount = static_cast<uint32_t>(values.size());
    info.pClearValues = values.data();
    gpu.vk.CmdBeginRenderPass(c, &info, contents);
  }
  void makeQueries(VkQueryType type, VkQueryPipelineStatisticFlags statistics = 0) {
    auto info = vkStruct<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = type;
    info.queryCount = 2;
    info.pipelineStatistics = statistics;
    VK_OK(gpu.vk.CreateQueryPool(gpu.device, &info, nullptr, &queries));
  }

  std::vector<Target> targets;
  VkRenderPass pass = VK_NULL_HANDLE;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  VkQueryPool queries = VK_NULL_HANDLE;
};
API_TESTS_ON_ALL_DEVICES(RenderApi);

VkAttachmentDescription2 clearedAttachment(VkFormat format) {
  auto info = vkStruct<VkAttachmentDescription2>(VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2);
  info.format = format;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.loadOp = info.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  info.initialLayout = info.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  return info;
}
VkAttachmentReference2 reference(uint32_t attachment) {
  auto info = vkStruct<VkAttachmentReference2>(VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2);
  info.attachment = attachment;
  info.layout = VK_IMAGE_LAYOUT_GENERAL;
  return info;
}
VkSubpassDescription2 subpassOf(const VkAttachmentReference2 *colorReference, uint32_t viewMask) {
  auto info = vkStruct<VkSubpassDescription2>(VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2);
  info.viewMask = viewMask;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = colorReference;
  return info;
}
VkSubpassDependency2 dependency(uint32_t from, uint32_t to, VkDependencyFlags flags) {
  auto info = vkStruct<VkSubpassDependency2>(VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2);
  info.srcSubpass = from;
  info.dstSubpass = to;
  info.srcStageMask = info.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  info.srcAccessMask = info.dstAccessMask =
      VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  info.dependencyFlags = flags;
  return info;
}

TEST_P(RenderApi, DynamicRenderingClearsAndResolves) {
  const Target samples = make({rgba8, VK_SAMPLE_COUNT_4_BIT});
  const Target resolved = make({});
  auto attachment = attachmentOf(samples, clearColor(1, 0, 0.2f, 1));
  attachment.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  attachment.resolveImageView = resolved.view;
  auto info = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
  info.renderArea = all;
  info.layerCount = info.colorAttachmentCount = 1;
  info.pColorAttachments = &attachment;
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBeginRendering(c, &info);
    clearWithin(c, color, 0, clearColor(0, 1, 0, 0), {{2, 3}, {4, 1}});
    gpu.vk.CmdEndRendering(c);
  });
  const std::vector<uint32_t> texels = read<uint32_t>(resolved, color);
  for (uint32_t y = 0; y < size; ++y)
    for (uint32_t x = 0; x < size; ++x)
      EXPECT_EQ(texels[y * size + x], y == 3 && x >= 2 && x < 6 ? 0x0000ff00u : 0xff3300ffu);
}

TEST_P(RenderApi, DepthAndStencilAreClearedAndResolved) {
  const Target samples = make({d32s8, VK_SAMPLE_COUNT_4_BIT});
  const Target resolved = make({d32s8});
  auto attachment = attachmentOf(samples, clearDepth(0.25f, 0x11));
  attachment.resolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  attachment.resolveImageView = resolved.view;
  auto info = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
  info.renderArea = all;
  info.layerCount = 1;
  info.pDepthAttachment = info.pStencilAttachment = &attachment;
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBeginRendering(c, &info);
    clearWithin(c, depth, 0, clearDepth(0.75f, 0xff), {{0, 0}, {size, 1}});
    clearWithin(c, stencil, 0, clearDepth(1, 0x22), {{0, 0}, {1, size}});
    gpu.vk.CmdEndRendering(c);
  });
  const std::vector<float> depths = read<float>(resolved, depth);
  const std::vector<uint8_t> stencils = read<uint8_t>(resolved, stencil);
  for (uint32_t y = 0; y < size; ++y)
    for (uint32_t x = 0; x < size; ++x) {
      EXPECT_EQ(depths[y * size + x], y == 0 ? 0.75f : 0.25f);
      EXPECT_EQ(stencils[y * size + x], x == 0 ? 0x22 : 0x11);
    }
}

TEST_P(RenderApi, SubpassesWithViewsAndSecondaryCommandBuffers) {
  const Target target = make({r32, VK_SAMPLE_COUNT_1_BIT, 3});
  const VkAttachmentReference2 colorReference = reference(0);
  makePass({clearedAttachment(r32)},
           {subpassOf(&colorReference, 0b011), subpassOf(&colorReference, 0b110)},
           {dependency(0, 1, VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT)});
  makeFramebuffer({target.view});
  VkCommandBuffer secondary = gpu.commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  auto inheritance =
      vkStruct<VkCommandBufferInheritanceInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO);
  inheritance.renderPass = pass;
  inheritance.subpass = 1;
  auto info = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  info.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
  info.pInheritanceInfo = &inheritance;
  VK_OK(gpu.vk.BeginCommandBuffer(secondary, &info));
  clearWithin(secondary, color, 0, clearWord(7), {{1, 0}, {1, 1}});
  VK_OK(gpu.vk.EndCommandBuffer(secondary));
  gpu.run([&](VkCommandBuffer c) {
    beginPass(c, {clearWord(1)}, VK_SUBPASS_CONTENTS_INLINE);
    clearWithin(c, color, 0, clearWord(5), {{0, 0}, {1, 1}});
    gpu.vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    gpu.vk.CmdExecuteCommands(c, 1, &secondary);
    gpu.vk.CmdEndRenderPass(c);
  });
  const uint32_t expected[3][3] = {{5, 1, 1}, {5, 7, 1}, {1, 7, 1}};
  for (uint32_t layer = 0; layer < 3; ++layer) {
    const std::vector<uint32_t> texels = read<uint32_t>(target, color, layer);
    for (uint32_t x = 0; x < 3; ++x)
      EXPECT_EQ(texels[x], expected[layer][x]) << layer << " " << x;
  }
}

TEST_P(RenderApi, DepthAndStencilAreCopiedAndBlitted) {
  const Target from = make({d32s8}), to = make({d32s8}), scaled = make({d32s8});
  gpu.run([&](VkCommandBuffer c) {
    const VkClearDepthStencilValue value = {0.5f, 0x42}, zero = {};
    const VkImageSubresourceRange range = {depth | stencil, 0, 1, 0, 1};
    gpu.vk.CmdClearDepthStencilImage(c, from.image, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
    for (const Target *target : {&to, &scaled})
      gpu.vk.CmdClearDepthStencilImage(c, target->image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &range);
    gpu.barrier(c);
    VkImageCopy copy = {};
    copy.srcSubresource = copy.dstSubresource = {depth | stencil, 0, 0, 1};
    copy.dstOffset = {2, 1, 0};
    copy.extent = {3, 3, 1};
    gpu.vk.CmdCopyImage(c, from.image, VK_IMAGE_LAYOUT_GENERAL, to.image, VK_IMAGE_LAYOUT_GENERAL,
                        1, &copy);
    gpu.barrier(c);
    VkImageBlit blit = {};
    blit.srcSubresource = blit.dstSubresource = {depth | stencil, 0, 0, 1};
    blit.srcOffsets[0] = {2, 1, 0};
    blit.srcOffsets[1] = {4, 2, 1};
    blit.dstOffsets[1] = {4, 2, 1};
    gpu.vk.CmdBlitImage(c, to.image, VK_IMAGE_LAYOUT_GENERAL, scaled.image, VK_IMAGE_LAYOUT_GENERAL,
                        1, &blit, VK_FILTER_NEAREST);
  });
  const std::vector<float> depths = read<float>(to, depth), blitted = read<float>(scaled, depth);
  const std::vector<uint8_t> stencils = read<uint8_t>(to, stencil),
                             blittedStencils = read<uint8_t>(scaled, stencil);
  for (uint32_t y = 0; y < size; ++y)
    for (uint32_t x = 0; x < size; ++x) {
      const bool copied = x >= 2 && x < 5 && y >= 1 && y < 4, drawn = x < 4 && y < 2;
      EXPECT_EQ(depths[y * size + x], copied ? 0.5f : 0);
      EXPECT_EQ(stencils[y * size + x], copied ? 0x42 : 0);
      EXPECT_EQ(blitted[y * size + x], drawn ? 0.5f : 0);
      EXPECT_EQ(blittedStencils[y * size + x], drawn ? 0x42 : 0);
    }
}

TEST_P(RenderApi, StatisticsCountComputeInvocations) {
  makeQueries(VK_QUERY_TYPE_PIPELINE_STATISTICS,
              VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
  const VkPipelineLayout layout = gpu.pipelineLayout({});
  const VkPipeline pipeline = gpu.pipeline(
      "#version 450\nlayout(local_size_x = 8, local_size_y = 4) in;\nvoid main() {}", layout);
  Buffer results = gpu.buffer(32);
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdResetQueryPool(c, queries, 0, 2);
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    gpu.vk.CmdDispatch(c, 1, 1, 1);
    gpu.vk.CmdBeginQuery(c, queries, 1, 0);
    gpu.vk.CmdDispatch(c, 3, 2, 1);
    gpu.vk.CmdEndQuery(c, queries, 1);
    gpu.barrier(c);
    gpu.vk.CmdCopyQueryPoolResults(c, queries, 1, 1, results.handle, 8, 16,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  });
  EXPECT_EQ(results.data[2], 3u * 2 * 32);
}

TEST_P(RenderApi, OcclusionOfNothingIsZero) {
  makeQueries(VK_QUERY_TYPE_OCCLUSION);
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdResetQueryPool(c, queries, 0, 2);
    gpu.vk.CmdBeginQuery(c, queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
    gpu.vk.CmdEndQuery(c, queries, 0);
  });
  uint32_t result[4] = {9, 9, 9, 9};
  EXPECT_EQ(gpu.vk.GetQueryPoolResults(gpu.device, queries, 0, 2, sizeof(result), result, 8,
                                       VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
            VK_NOT_READY);
  EXPECT_EQ(result[0], 0u);
  EXPECT_EQ(result[1], 1u);
  EXPECT_EQ(result[3], 0u);
}

} // namespace
} // namespace api
