//===- RenderForTest.h - attachments and render passes for tests ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/device/TestDevice.h"
#include "icd_glue/image/ImageView.h"
#include "icd_glue/memory/DeviceMemory.h"
#include "icd_glue/render/RenderPhase.h"
#include <deque>

namespace icd {

inline constexpr VkFormat rgba8 = VK_FORMAT_R8G8B8A8_UNORM, r32 = VK_FORMAT_R32_UINT,
                          r32f = VK_FORMAT_R32_SFLOAT, d32s8 = VK_FORMAT_D32_SFLOAT_S8_UINT;
inline constexpr VkImageAspectFlagBits color = VK_IMAGE_ASPECT_COLOR_BIT,
                                       depth = VK_IMAGE_ASPECT_DEPTH_BIT,
                                       stencil = VK_IMAGE_ASPECT_STENCIL_BIT;

inline VkClearValue clearWord(uint32_t red) {
  VkClearValue value = {};
  value.color.uint32[0] = red;
  return value;
}
inline VkClearValue clearDepth(float to, uint32_t stencilTo) {
  VkClearValue value = {};
  value.depthStencil = {to, stencilTo};
  return value;
}

/// An image of its own memory with a view of all of it.
struct Target {
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;

  const Image &object() const { return *fromHandle<Image>(image); }
  template <typename T>
  T &at(uint32_t x, uint32_t y, uint32_t slice = 0, uint32_t sample = 0, unsigned plane = 0,
        uint32_t level = 0) const {
    const ImagePlane &shape = object().shape.planes[plane];
    return *reinterpret_cast<T *>(fromHandle<DeviceMemory>(memory)->host() + shape.offset +
                                  shape.layout.offset(level, x, y, slice, sample));
  }
};

struct TargetInfo {
  VkFormat format = r32;
  uint32_t size = 4;
  uint32_t layers = 1;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  uint32_t levels = 1;
  VkImageType type = VK_IMAGE_TYPE_2D;
};

class RenderTest : public TestCommands {
protected:
  void TearDown() override {
    for (VkRenderPass pass : passes)
      DestroyRenderPass(device, pass, nullptr);
    for (VkFramebuffer framebuffer : framebuffers)
      DestroyFramebuffer(device, framebuffer, nullptr);
    for (VkImageView view : views)
      DestroyImageView(device, view, nullptr);
    for (const Target &target : targets) {
      DestroyImage(device, target.image, nullptr);
      FreeMemory(device, target.memory, nullptr);
    }
    TestCommands::TearDown();
  }

  VkImageView makeView(const Target &target, VkImageViewType type, VkFormat format,
                       VkImageSubresourceRange range) {
    auto info = vkStruct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    info.image = target.image;
    info.viewType = type;
    info.format = format;
    info.subresourceRange = range;
    VkImageView view = VK_NULL_HANDLE;
    EXPECT_EQ(CreateImageView(device, &info, nullptr, &view), VK_SUCCESS);
    views.push_back(view);
    return view;
  }

  const Target &make(const TargetInfo &want) {
    Target target;
    auto info = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.format = want.format;
    info.imageType = want.type;
    const bool volume = want.type == VK_IMAGE_TYPE_3D;
    info.flags = volume ? VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT : 0;
    info.extent = {want.size, want.size, volume ? want.layers : 1};
    info.arrayLayers = volume ? 1 : want.layers;
    info.mipLevels = want.levels;
    info.samples = want.samples;
    const VkImageAspectFlags aspects = findImageFormat(want.format)->aspects();
    info.usage = aspects == color ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                                  : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    info.usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    EXPECT_EQ(CreateImage(device, &info, nullptr, &target.image), VK_SUCCESS);
    auto memory = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    memory.allocationSize = target.object().shape.size;
    EXPECT_EQ(AllocateMemory(device, &memory, nullptr, &target.memory), VK_SUCCESS);
    EXPECT_EQ(BindImageMemory(device, target.image, target.memory, 0), VK_SUCCESS);
    target.view = makeView(target, VK_IMAGE_VIEW_TYPE_2D_ARRAY, want.format,
                           {aspects, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS});
    targets.push_back(target);
    return targets.back();
  }

  void begin() {
    auto info = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    EXPECT_EQ(BeginCommandBuffer(commands, &info), VK_SUCCESS);
  }
  /// Runs what has been recorded; the message of the fault, if any.
  std::string run() {
    EXPECT_EQ(EndCommandBuffer(commands), VK_SUCCESS);
    Execution execution{object()};
    return llvm::toString(fromHandle<CommandBuffer>(commands)->recorded()->execute(execution));
  }

  void clearWithin(VkCommandBuffer to, VkImageAspectFlags aspects, uint32_t index,
                   VkClearValue value, VkRect2D rect, uint32_t layer = 0, uint32_t layers = 1) {
    const VkClearAttachment attachment = {aspects, index, value};
    const VkClearRect clearRect = {rect, layer, layers};
    CmdClearAttachments(to, 1, &attachment, 1, &clearRect);
  }

  /// Two-version tests would say the same twice: render passes are made with version 2, except one.
  VkRenderPass makePass(llvm::ArrayRef<VkAttachmentDescription2> attachments,
                        llvm::ArrayRef<VkSubpassDescription2> subpasses) {
    auto info = vkStruct<VkRenderPassCreateInfo2>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2);
    info.attachmentCount = static_cast<uint32_t>(attachments.size());
    info.pAttachments = attachments.data();
    info.subpassCount = static_cast<uint32_t>(subpasses.size());
    info.pSubpasses = subpasses.data();
    passes.push_back(VK_NULL_HANDLE);
    EXPECT_EQ(CreateRenderPass2(device, &info, nullptr, &passes.back()), VK_SUCCESS);
    return passes.back();
  }
  VkFramebuffer makeFramebuffer(VkRenderPass pass, std::vector<VkImageView> attachments,
                                uint32_t layers = 1) {
    auto info = vkStruct<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
    info.renderPass = pass;
    info.attachmentCount = static_cast<uint32_t>(attachments.size());
    info.pAttachments = attachments.data();
    info.width = info.height = 4;
    info.layers = layers;
    framebuffers.push_back(VK_NULL_HANDLE);
    EXPECT_EQ(CreateFramebuffer(device, &info, nullptr, &framebuffers.back()), VK_SUCCESS);
    return framebuffers.back();
  }
  void beginPass(VkRenderPass pass, VkFramebuffer framebuffer, std::vector<VkClearValue> values,
                 const void *next = nullptr) {
    auto info = vkStruct<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    info.pNext = next;
    info.renderPass = pass;
    info.framebuffer = framebuffer;
    info.renderArea = all;
    info.clearValueCount = static_cast<uint32_t>(values.size());
    info.pClearValues = values.data();
    CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  }

  static constexpr VkRect2D all = {{0, 0}, {4, 4}};
  std::deque<Target> targets; // references stay valid
  std::vector<VkImageView> views;
  std::vector<VkRenderPass> passes;
  std::vector<VkFramebuffer> framebuffers;
};

inline VkAttachmentDescription2
clearedAttachment(VkFormat format, VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) {
  auto info = vkStruct<VkAttachmentDescription2>(VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2);
  info.format = format;
  info.samples = samples;
  info.loadOp = info.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  return info;
}
inline VkAttachmentReference2 reference(uint32_t attachment) {
  auto info = vkStruct<VkAttachmentReference2>(VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2);
  info.attachment = attachment;
  return info;
}
inline VkSubpassDescription2 subpassOf(const VkAttachmentReference2 *colorReference,
                                       uint32_t viewMask = 0) {
  auto info = vkStruct<VkSubpassDescription2>(VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2);
  info.viewMask = viewMask;
  info.colorAttachmentCount = colorReference ? 1 : 0;
  info.pColorAttachments = colorReference;
  return info;
}
inline VkRenderingAttachmentInfo attachmentOf(const Target &target, VkClearValue value) {
  auto info = vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
  info.imageView = target.view;
  info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  info.clearValue = value;
  return info;
}
inline VkRenderingInfo renderingOf(const VkRenderingAttachmentInfo *attachment, VkRect2D area,
                                   uint32_t layers = 1, uint32_t viewMask = 0) {
  auto info = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
  info.renderArea = area;
  info.layerCount = layers;
  info.viewMask = viewMask;
  info.colorAttachmentCount = attachment ? 1 : 0;
  info.pColorAttachments = attachment;
  return info;
}

} // namespace icd
