// SPDX-License-Identifier: MIT
// Attachments, command buffers, resources and submissions: members that others make meaningless,
// and arrays without elements.
#include "Ignored.h"

namespace api {
namespace {

using vktest::vkStruct;

//===--- Attachments ------------------------------------------------------===//

void resolvesOfNothing(Gpu &gpu, unsigned) {
  Canvas canvas(gpu);
  auto color = vkStruct<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
  color.imageView = canvas.target.view;
  color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  color.clearValue.color.float32[1] = color.clearValue.color.float32[3] = 1;
  color.resolveImageView = garbage<VkImageView>(); // the mode is NONE
  // Without a view: all of it.
  auto nothing = color;
  nothing.imageView = VK_NULL_HANDLE;
  nothing.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  const VkRenderingAttachmentInfo colors[2] = {color, nothing};
  auto info = vkStruct<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
  info.renderArea = {{0, 0}, {Canvas::side, Canvas::side}};
  info.layerCount = 1;
  info.colorAttachmentCount = 2;
  info.pColorAttachments = colors;
  info.pDepthAttachment = info.pStencilAttachment = &nothing;
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBeginRendering(c, &info);
    gpu.vk.CmdEndRendering(c);
  });
  canvas.expectTarget(Canvas::green);
}

/// Two subpasses with one attachment, which is loaded, and garbage in all arrays without elements.
VkRenderPass loadingPass(Gpu &gpu) {
  auto description = vkStruct<VkAttachmentDescription2>(VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2);
  description.format = Canvas::format;
  description.samples = VK_SAMPLE_COUNT_1_BIT;
  description.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  description.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  description.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR; // there is no stencil
  description.initialLayout = description.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  auto reference = vkStruct<VkAttachmentReference2>(VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2);
  reference.layout = VK_IMAGE_LAYOUT_GENERAL;
  reference.aspectMask = 0x7FFFFFFF; // no input attachment
  VkSubpassDescription2 subpasses[2];
  for (VkSubpassDescription2 &subpass : subpasses) {
    subpass = vkStruct<VkSubpassDescription2>(VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2);
    subpass.pInputAttachments = garbage<const VkAttachmentReference2 *>();
    subpass.pPreserveAttachments = garbage<const uint32_t *>();
  }
  subpasses[0].colorAttachmentCount = 1;
  subpasses[0].pColorAttachments = &reference;
  subpasses[1].pColorAttachments = garbage<const VkAttachmentReference2 *>();
  subpasses[1].pResolveAttachments = garbage<const VkAttachmentReference2 *>();
  auto info = vkStruct<VkRenderPassCreateInfo2>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2);
  info.attachmentCount = 1;
  info.pAttachments = &description;
  info.subpassCount = 2;
  info.pSubpasses = subpasses;
  info.pDependencies = garbage<const VkSubpassDependency2 *>();
  info.pCorrelatedViewMasks = garbage<const uint32_t *>();
  VkRenderPass made = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateRenderPass2(gpu.device, &info, nullptr, &made));
  gpu.destroyLater(made);
  return made;
}

VkFramebuffer imageless(Gpu &gpu, VkRenderPass pass) {
  auto image = vkStruct<VkFramebufferAttachmentImageInfo>(
      VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO);
  image.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  image.width = image.height = Canvas::side;
  image.layerCount = image.viewFormatCount = 1;
  image.pViewFormats = &Canvas::format;
  auto images = vkStruct<VkFramebufferAttachmentsCreateInfo>(
      VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO);
  images.attachmentImageInfoCount = 1;
  images.pAttachmentImageInfos = &image;
  auto info = vkStruct<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, &images);
  info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
  info.renderPass = pass;
  info.attachmentCount = 1;
  info.pAttachments = garbage<const VkImageView *>();
  info.width = info.height = Canvas::side;
  info.layers = 1;
  VkFramebuffer made = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateFramebuffer(gpu.device, &info, nullptr, &made));
  gpu.destroyLater(made);
  return made;
}

void attachmentsElsewhere(Gpu &gpu, unsigned) {
  Canvas canvas(gpu);
  canvas.expect(0, [](VkCommandBuffer) {});
  auto attachments = vkStruct<VkRenderPassAttachmentBeginInfo>(
      VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
  attachments.attachmentCount = 1;
  attachments.pAttachments = &canvas.target.view;
  auto begin =
      vkStruct<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, &attachments);
  begin.renderPass = loadingPass(gpu);
  begin.framebuffer = imageless(gpu, begin.renderPass);
  begin.renderArea = {{0, 0}, {Canvas::side, Canvas::side}};
  begin.pClearValues = garbage<const VkClearValue *>();
  gpu.run([&](VkCommandBuffer c) {
    gpu.vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
    clear.clearValue.color.float32[1] = clear.clearValue.color.float32[3] = 1;
    const VkClearRect rect = {begin.renderArea, 0, 1};
    gpu.vk.CmdClearAttachments(c, 1, &clear, 1, &rect);
    gpu.vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
    gpu.vk.CmdEndRenderPass(c);
  });
  canvas.expectTarget(Canvas::green);
}

//===--- Command buffers --------------------------------------------------===//

VkCommandBuffer beginWith(Gpu &gpu, VkCommandBufferLevel level, VkCommandBufferUsageFlags flags,
                          const VkCommandBufferInheritanceInfo *inheritance) {
  const VkCommandBuffer c = gpu.commands(level);
  auto info = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  info.flags = flags;
  info.pInheritanceInfo = inheritance;
  VK_OK(gpu.vk.BeginCommandBuffer(c, &info));
  return c;
}

/// Formats beside a render pass; everything outside of one.
void inheritance(Gpu &gpu, unsigned) {
  Canvas canvas(gpu);
  const VkRenderPass pass = gpu.renderPass(Canvas::format);
  const VkFramebuffer framebuffer =
      gpu.framebuffer(pass, canvas.target.view, Canvas::side, Canvas::side);
  vktest::GraphicsInfo graphics(Canvas::side);
  canvas.addShaders(graphics);
  graphics.info.renderPass = pass;
  const VkPipeline pipeline = gpu.pipeline(graphics.done());
  auto formats = vkStruct<VkCommandBufferInheritanceRenderingInfo>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
  formats.colorAttachmentCount = 7;
  formats.pColorAttachmentFormats = garbage<const VkFormat *>();
  auto info = vkStruct<VkCommandBufferInheritanceInfo>(
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, &formats);
  info.renderPass = pass;
  const VkCommandBuffer inside = beginWith(gpu, VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                           VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &info);
  gpu.vk.CmdBindPipeline(inside, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  gpu.vk.CmdDraw(inside, 3, 1, 0, 0);
  VK_OK(gpu.vk.EndCommandBuffer(inside));

  info.renderPass = garbage<VkRenderPass>();
  info.framebuffer = garbage<VkFramebuffer>();
  info.subpass = 77;
  Buffer word = gpu.buffer(16);
  const VkCommandBuffer outside = beginWith(gpu, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 0, &info);
  gpu.vk.CmdFillBuffer(outside, word.handle, 0, 4, 9);
  VK_OK(gpu.vk.EndCommandBuffer(outside));

  const VkCommandBuffer primary = beginWith(gpu, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 0,
                                            garbage<const VkCommandBufferInheritanceInfo *>());
  auto begin = vkStruct<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
  const VkClearValue clear = {};
  begin.renderPass = pass;
  begin.framebuffer = framebuffer;
  begin.renderArea = {{0, 0}, {Canvas::side, Canvas::side}};
  begin.clearValueCount = 1;
  begin.pClearValues = &clear;
  gpu.vk.CmdExecuteCommands(primary, 1, &outside);
  gpu.vk.CmdBeginRenderPass(primary, &begin, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
  gpu.vk.CmdExecuteCommands(primary, 1, &inside);
  gpu.vk.CmdEndRenderPass(primary);
  VK_OK(gpu.finish(primary));
  EXPECT_EQ(word.data[0], 9u);
  canvas.expectTarget(Canvas::green);
}

void drawsOfNothing(Gpu &gpu, unsigned) {
  if (!gpu.vk.CmdDrawMultiEXT || !gpu.vk.CmdDrawMultiIndexedEXT)
    GTEST_SKIP() << "no VK_EXT_multi_draw";
  Canvas canvas(gpu);
  vktest::GraphicsInfo graphics(Canvas::side);
  canvas.addShaders(graphics);
  Buffer indices = gpu.buffer(16);
  canvas.expectGreen(gpu.pipeline(graphics.done()), [&](VkCommandBuffer c) {
    gpu.vk.CmdDrawMultiEXT(c, 0, garbage<const VkMultiDrawInfoEXT *>(), 1, 0, 0);
    gpu.vk.CmdBindIndexBuffer(c, indices.handle, 0, VK_INDEX_TYPE_UINT32);
    gpu.vk.CmdDrawMultiIndexedEXT(c, 0, garbage<const VkMultiDrawIndexedInfoEXT *>(), 1, 0, 0,
                                  nullptr);
  });
}

void countersOfNothing(Gpu &gpu, unsigned) {
  if (!gpu.hasExtension(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME))
    GTEST_SKIP();
  Canvas canvas(gpu);
  vktest::GraphicsInfo graphics(Canvas::side);
  graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, gpu.module(R"(#version 460
layout(xfb_buffer = 0, xfb_stride = 4, xfb_offset = 0, location = 0) out uint number;
void main() {
  number = gl_VertexIndex + 5;
  gl_Position = vec4(vec2(gl_VertexIndex & 2, gl_VertexIndex << 1 & 2) * 2.0 - 1.0, 0.5, 1);
})",
                                                           "vert"));
  graphics.addStage(VK_SHADER_STAGE_FRAGMENT_BIT, canvas.fragment);
  graphics.info.layout = canvas.layout;
  Buffer captured = gpu.buffer(64);
  const VkDeviceSize zero = 0;
  const VkPipeline pipeline = gpu.pipeline(graphics.done());
  canvas.expect(Canvas::green, [&](VkCommandBuffer c) {
    gpu.vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    gpu.vk.CmdBindTransformFeedbackBuffersEXT(c, 0, 1, &captured.handle, &zero, nullptr);
    // No counters; and no buffers, whose offsets are ignored.
    gpu.vk.CmdBeginTransformFeedbackEXT(c, 0, 0, garbage<const VkBuffer *>(),
                                        garbage<const VkDeviceSize *>());
    gpu.vk.CmdDraw(c, 3, 1, 0, 0);
    gpu.vk.CmdEndTransformFeedbackEXT(c, 0, 0, garbage<const VkBuffer *>(),
                                      garbage<const VkDeviceSize *>());
  });
  for (uint32_t i = 0; i < 3; ++i)
    EXPECT_EQ(captured.data[i], i + 5);
}

//===--- Resources and submissions ----------------------------------------===//

void familiesOfExclusiveResources(Gpu &gpu, unsigned) {
  auto bufferInfo = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  bufferInfo.size = 16;
  bufferInfo.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  bufferInfo.queueFamilyIndexCount = 3;
  bufferInfo.pQueueFamilyIndices = garbage<const uint32_t *>();
  VkBuffer buffer = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateBuffer(gpu.device, &bufferInfo, nullptr, &buffer));
  gpu.vk.DestroyBuffer(gpu.device, buffer, nullptr);
  auto formats =
      vkStruct<VkImageFormatListCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
  formats.pViewFormats = garbage<const VkFormat *>(); // of none
  auto imageInfo = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, &formats);
  imageInfo.imageType = VK_IMAGE_TYPE_2D;
  imageInfo.format = Canvas::format;
  imageInfo.extent = {4, 4, 1};
  imageInfo.mipLevels = imageInfo.arrayLayers = 1;
  imageInfo.samples = VK_SAMPLE_COUNT_1_BIT;
  imageInfo.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  imageInfo.queueFamilyIndexCount = 3;
  imageInfo.pQueueFamilyIndices = garbage<const uint32_t *>();
  VkImage image = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateImage(gpu.device, &imageInfo, nullptr, &image));
  gpu.vk.DestroyImage(gpu.device, image, nullptr);
}

void familiesOfExclusiveSwapchains(Gpu &gpu, unsigned) {
  auto surfaceInfo =
      vkStruct<VkHeadlessSurfaceCreateInfoEXT>(VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT);
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateHeadlessSurfaceEXT(gpu.instance, &surfaceInfo, nullptr, &surface));
  auto info = vkStruct<VkSwapchainCreateInfoKHR>(VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR);
  info.surface = surface;
  info.minImageCount = 4;
  info.imageFormat = VK_FORMAT_B8G8R8A8_UNORM;
  info.imageExtent = {16, 16};
  info.imageArrayLayers = 1;
  info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  info.queueFamilyIndexCount = 3;
  info.pQueueFamilyIndices = garbage<const uint32_t *>();
  info.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
  info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateSwapchainKHR(gpu.device, &info, nullptr, &swapchain));
  gpu.vk.DestroySwapchainKHR(gpu.device, swapchain, nullptr);
  gpu.vk.DestroySurfaceKHR(gpu.instance, surface, nullptr);
}

/// Semaphores of nothing, and values of binary semaphores.
void submissionsOfNothing(Gpu &gpu, unsigned) {
  auto semaphoreInfo = vkStruct<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
  VkSemaphore semaphore = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreateSemaphore(gpu.device, &semaphoreInfo, nullptr, &semaphore));
  auto values =
      vkStruct<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  values.pWaitSemaphoreValues = values.pSignalSemaphoreValues = garbage<const uint64_t *>();
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  auto submit = vkStruct<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO, &values);
  submit.pWaitSemaphores = garbage<const VkSemaphore *>();
  submit.pWaitDstStageMask = garbage<const VkPipelineStageFlags *>();
  submit.pCommandBuffers = garbage<const VkCommandBuffer *>();
  submit.signalSemaphoreCount = 1;
  submit.pSignalSemaphores = &semaphore;
  VK_OK(gpu.vk.QueueSubmit(gpu.queue, 1, &submit, VK_NULL_HANDLE));
  const uint64_t value = ~0ull;
  values.waitSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &value;
  submit.waitSemaphoreCount = 1;
  submit.pWaitSemaphores = &semaphore;
  submit.pWaitDstStageMask = &stage;
  submit.signalSemaphoreCount = 0;
  submit.pSignalSemaphores = garbage<const VkSemaphore *>();
  VK_OK(gpu.vk.QueueSubmit(gpu.queue, 1, &submit, VK_NULL_HANDLE));
  VK_OK(gpu.vk.QueueSubmit(gpu.queue, 0, garbage<const VkSubmitInfo *>(), VK_NULL_HANDLE));
  VK_OK(gpu.vk.QueueWaitIdle(gpu.queue));
  gpu.vk.DestroySemaphore(gpu.device, semaphore, nullptr);
}

void formatsOfAreas(Gpu &gpu, unsigned) {
  if (!gpu.hasExtension(VK_KHR_MAINTENANCE_5_EXTENSION_NAME))
    GTEST_SKIP();
  auto info = vkStruct<VkRenderingAreaInfo>(VK_STRUCTURE_TYPE_RENDERING_AREA_INFO_KHR);
  info.pColorAttachmentFormats = garbage<const VkFormat *>();
  info.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
  VkExtent2D granularity = {};
  gpu.vk.GetRenderingAreaGranularityKHR(gpu.device, &info, &granularity);
  EXPECT_GT(granularity.width * granularity.height, 0u);
}

/// Of queries: who shares an image that one queue has, rates that are not chosen here.
void modifiersAndRates(Gpu &gpu, unsigned) {
  auto info = vkStruct<VkPhysicalDeviceImageFormatInfo2>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2);
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.type = VK_IMAGE_TYPE_2D;
  info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  auto properties = vkStruct<VkImageFormatProperties2>(VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2);
  auto rates =
      vkStruct<VkImageCompressionControlEXT>(VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_CONTROL_EXT);
  rates.compressionControlPlaneCount = 1;
  rates.pFixedRateFlags = garbage<VkImageCompressionFixedRateFlagsEXT *>();
  if (gpu.hasExtension(VK_EXT_IMAGE_COMPRESSION_CONTROL_EXTENSION_NAME)) {
    info.pNext = &rates;
    VK_OK(gpu.vk.GetPhysicalDeviceImageFormatProperties2(gpu.physicalDevice, &info, &properties));
  }
  auto modifier = vkStruct<VkPhysicalDeviceImageDrmFormatModifierInfoEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT);
  modifier.queueFamilyIndexCount = 3;
  modifier.pQueueFamilyIndices = garbage<const uint32_t *>();
  if (gpu.hasExtension(VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME)) {
    info.pNext = &modifier;
    info.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    VK_OK(gpu.vk.GetPhysicalDeviceImageFormatProperties2(gpu.physicalDevice, &info, &properties));
  }
}

/// Where nothing is to be placed.
void mappingsAnywhere(Gpu &gpu, unsigned) {
  if (!gpu.hasExtension(VK_EXT_MAP_MEMORY_PLACED_EXTENSION_NAME) || !gpu.canExecute())
    return;
  auto allocation = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocation.allocationSize = 65536;
  VkPhysicalDeviceMemoryProperties types;
  gpu.vk.GetPhysicalDeviceMemoryProperties(gpu.physicalDevice, &types);
  while (!(types.memoryTypes[allocation.memoryTypeIndex].propertyFlags &
           VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT))
    ++allocation.memoryTypeIndex;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VK_OK(gpu.vk.AllocateMemory(gpu.device, &allocation, nullptr, &memory));
  auto placed = vkStruct<VkMemoryMapPlacedInfoEXT>(VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT);
  placed.pPlacedAddress = garbage<void *>();
  auto info = vkStruct<VkMemoryMapInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR, &placed);
  info.memory = memory;
  info.size = VK_WHOLE_SIZE;
  void *data = nullptr;
  VK_OK(gpu.vk.MapMemory2KHR(gpu.device, &info, &data));
  EXPECT_NE(data, placed.pPlacedAddress);
  static_cast<uint32_t *>(data)[0] = 1;
  gpu.vk.FreeMemory(gpu.device, memory, nullptr);
}

/// Sizes of a structure follow from numbers alone.
void sizesOfStructures(Gpu &gpu, unsigned) {
  if (!gpu.vk.GetAccelerationStructureBuildSizesKHR)
    return;
  auto geometry = vkStruct<VkAccelerationStructureGeometryKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR);
  geometry.geometryType = VK_GEOMETRY_TYPE_AABBS_KHR;
  auto &aabbs = geometry.geometry.aabbs;
  aabbs.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR;
  aabbs.stride = sizeof(VkAabbPositionsKHR);
  auto info = vkStruct<VkAccelerationStructureBuildGeometryInfoKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR);
  info.type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
  info.geometryCount = 1;
  info.pGeometries = &geometry;
  auto sizesOf = [&] {
    const uint32_t count = 100;
    auto sizes = vkStruct<VkAccelerationStructureBuildSizesInfoKHR>(
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR);
    gpu.vk.GetAccelerationStructureBuildSizesKHR(
        gpu.device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info, &count, &sizes);
    return std::pair(sizes.accelerationStructureSize, sizes.buildScratchSize);
  };
  const auto plain = sizesOf();
  info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_MAX_ENUM_KHR;
  info.srcAccelerationStructure = garbage<VkAccelerationStructureKHR>();
  info.dstAccelerationStructure = garbage<VkAccelerationStructureKHR>();
  info.scratchData.deviceAddress = aabbs.data.deviceAddress = 0xDEADBEEF;
  EXPECT_EQ(sizesOf(), plain);
}

} // namespace

std::vector<IgnoredCase> ignoredByCommands() {
  return {
      {"ModifiersAndRates",
       "VkPhysicalDeviceImageDrmFormatModifierInfoEXT::pQueueFamilyIndices "
       "VkImageCompressionControlEXT::pFixedRateFlags",
       modifiersAndRates},
      {"MappingsAnywhere", "VkMemoryMapPlacedInfoEXT::pPlacedAddress", mappingsAnywhere},
      {"ResolvesOfNothing", "VkRenderingAttachmentInfo::resolveImageView", resolvesOfNothing},
      {"AttachmentsElsewhere",
       "VkRenderPassBeginInfo::pClearValues VkFramebufferCreateInfo::pAttachments "
       "VkSubpassDescription2::pResolveAttachments",
       attachmentsElsewhere},
      {"Inheritance",
       "VkCommandBufferBeginInfo::pInheritanceInfo VkCommandBufferInheritanceInfo::renderPass "
       "VkCommandBufferInheritanceInfo::framebuffer "
       "VkCommandBufferInheritanceRenderingInfo::pColorAttachmentFormats",
       inheritance},
      {"DrawsOfNothing", "vkCmdDrawMultiEXT::pVertexInfo vkCmdDrawMultiIndexedEXT::pIndexInfo",
       drawsOfNothing},
      {"CountersOfNothing",
       "vkCmdBeginTransformFeedbackEXT::pCounterBuffers "
       "vkCmdEndTransformFeedbackEXT::pCounterBuffers",
       countersOfNothing},
      {"FamiliesOfExclusiveResources",
       "VkBufferCreateInfo::pQueueFamilyIndices VkImageCreateInfo::pQueueFamilyIndices",
       familiesOfExclusiveResources},
      {"FamiliesOfExclusiveSwapchains", "VkSwapchainCreateInfoKHR::pQueueFamilyIndices",
       familiesOfExclusiveSwapchains},
      {"SubmissionsOfNothing", "VkTimelineSemaphoreSubmitInfo::pWaitSemaphoreValues",
       submissionsOfNothing},
      {"SizesOfStructures",
       "VkAccelerationStructureBuildGeometryInfoKHR::srcAccelerationStructure "
       "VkAccelerationStructureBuildGeometryInfoKHR::dstAccelerationStructure",
       sizesOfStructures},
      {"FormatsOfAreas", "VkRenderingAreaInfo::pColorAttachmentFormats", formatsOfAreas},
  };
}

} // namespace api
