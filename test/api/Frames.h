// SPDX-License-Identifier: MIT
// Frames through a swapchain as programs make them: acquire, clear, present, with semaphores.
#pragma once

#include "Pipelines.h"
#include <array>

namespace api {

/// A swapchain of a surface and what one frame needs.
struct Frames {
  Frames(Gpu &gpu, VkSurfaceKHR surface, VkExtent2D extent) : gpu(gpu) {
    VkBool32 supported = VK_FALSE;
    VK_OK(gpu.vk.GetPhysicalDeviceSurfaceSupportKHR(gpu.physicalDevice, 0, surface, &supported));
    EXPECT_TRUE(supported);
    VkSurfaceCapabilitiesKHR capabilities = {};
    VK_OK(
        gpu.vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(gpu.physicalDevice, surface, &capabilities));
    uint32_t count = 0;
    VK_OK(gpu.vk.GetPhysicalDeviceSurfaceFormatsKHR(gpu.physicalDevice, surface, &count, nullptr));
    std::vector<VkSurfaceFormatKHR> formats(count);
    VK_OK(gpu.vk.GetPhysicalDeviceSurfaceFormatsKHR(gpu.physicalDevice, surface, &count,
                                                    formats.data()));
    VK_OK(gpu.vk.GetPhysicalDeviceSurfacePresentModesKHR(gpu.physicalDevice, surface, &count,
                                                         nullptr));
    info.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR;
    info.surface = surface;
    info.minImageCount = capabilities.minImageCount;
    info.imageFormat = VK_FORMAT_UNDEFINED;
    for (const VkSurfaceFormatKHR &format : formats)
      if (format.format == VK_FORMAT_B8G8R8A8_UNORM)
        info.imageFormat = format.format;
    EXPECT_NE(info.imageFormat, VK_FORMAT_UNDEFINED);
    info.imageExtent = extent;
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    EXPECT_TRUE(capabilities.supportedUsageFlags & info.imageUsage);
    info.preTransform = capabilities.currentTransform;
    info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
    info.clipped = VK_TRUE;
    VkSemaphoreCreateInfo semaphoreInfo = {};
    semaphoreInfo.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    VK_OK(gpu.vk.CreateSemaphore(gpu.device, &semaphoreInfo, nullptr, &acquired));
    VK_OK(gpu.vk.CreateSemaphore(gpu.device, &semaphoreInfo, nullptr, &finished));
    recreate(extent);
  }

  ~Frames() {
    gpu.vk.DeviceWaitIdle(gpu.device);
    gpu.vk.DestroySwapchainKHR(gpu.device, swapchain, nullptr);
    gpu.vk.DestroySemaphore(gpu.device, acquired, nullptr);
    gpu.vk.DestroySemaphore(gpu.device, finished, nullptr);
    for (VkFence made : fences)
      gpu.vk.DestroyFence(gpu.device, made, nullptr);
  }

  /// One that is not signaled.
  VkFence fence() {
    auto fenceInfo = vkStruct<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
    VK_OK(gpu.vk.CreateFence(gpu.device, &fenceInfo, nullptr, &fences.emplace_back()));
    return fences.back();
  }

  void recreate(VkExtent2D extent) {
    info.imageExtent = extent;
    info.oldSwapchain = swapchain;
    VK_OK(gpu.vk.CreateSwapchainKHR(gpu.device, &info, nullptr, &swapchain));
    gpu.vk.DestroySwapchainKHR(gpu.device, info.oldSwapchain, nullptr);
    uint32_t count = 0;
    VK_OK(gpu.vk.GetSwapchainImagesKHR(gpu.device, swapchain, &count, nullptr));
    EXPECT_GE(count, info.minImageCount);
    images.resize(count);
    VK_OK(gpu.vk.GetSwapchainImagesKHR(gpu.device, swapchain, &count, images.data()));
  }

  void transition(VkCommandBuffer c, VkImage image, VkImageLayout from, VkImageLayout to) {
    VkImageMemoryBarrier barrier = {};
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.oldLayout = from;
    barrier.newLayout = to;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = wholeImage;
    gpu.vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                              VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                              &barrier);
  }

  /// One frame of one colour. \returns the result of the present. \p id: VkPresentIdKHR; 0: none.
  /// \p done: of VK_EXT_swapchain_maintenance1; null: none.
  /// \p time: of VK_GOOGLE_display_timing; null: none.
  VkResult frame(std::array<float, 3> color, uint64_t id = 0, VkFence done = VK_NULL_HANDLE,
                 const VkPresentTimeGOOGLE *time = nullptr) {
    const VkResult result = gpu.vk.AcquireNextImageKHR(gpu.device, swapchain, UINT64_MAX, acquired,
                                                       VK_NULL_HANDLE, &index);
    if (result)
      return result;
    VkCommandBuffer c = gpu.begin();
    transition(c, images[index], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    VkClearColorValue value = {{color[0], color[1], color[2], 0}};
    gpu.vk.CmdClearColorImage(c, images[index], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &value, 1,
                              &wholeImage);
    transition(c, images[index], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
               VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    VK_OK(gpu.vk.EndCommandBuffer(c));
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo submit = {};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.waitSemaphoreCount = submit.signalSemaphoreCount = submit.commandBufferCount = 1;
    submit.pWaitSemaphores = &acquired;
    submit.pWaitDstStageMask = &stage;
    submit.pCommandBuffers = &c;
    submit.pSignalSemaphores = &finished;
    VK_OK(gpu.vk.QueueSubmit(gpu.queue, 1, &submit, VK_NULL_HANDLE));
    return present(1, id, done, time);
  }

  /// Of the image that was acquired last, behind \p waits semaphores, none or one.
  VkResult present(uint32_t waits, uint64_t id, VkFence done, const VkPresentTimeGOOGLE *time) {
    VkPresentInfoKHR present = {};
    present.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR;
    present.waitSemaphoreCount = waits;
    present.swapchainCount = 1;
    present.pWaitSemaphores = &finished;
    present.pSwapchains = &swapchain;
    present.pImageIndices = &index;
    VkPresentIdKHR ids = {};
    ids.sType = VK_STRUCTURE_TYPE_PRESENT_ID_KHR;
    ids.swapchainCount = 1;
    ids.pPresentIds = &id;
    auto ids2 = vkStruct<VkPresentId2KHR>(VK_STRUCTURE_TYPE_PRESENT_ID_2_KHR);
    ids2.swapchainCount = 1;
    ids2.pPresentIds = &id;
    if (id)
      present.pNext = hasSecondIds ? static_cast<void *>(&ids2) : &ids;
    auto presentFence = vkStruct<VkSwapchainPresentFenceInfoEXT>(
        VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT, present.pNext);
    presentFence.swapchainCount = 1;
    presentFence.pFences = &done;
    if (done)
      present.pNext = &presentFence;
    auto times = vkStruct<VkPresentTimesInfoGOOGLE>(VK_STRUCTURE_TYPE_PRESENT_TIMES_INFO_GOOGLE,
                                                    present.pNext);
    times.swapchainCount = 1;
    times.pTimes = time;
    if (time)
      present.pNext = &times;
    auto timings = vkStruct<VkPresentTimingsInfoEXT>(VK_STRUCTURE_TYPE_PRESENT_TIMINGS_INFO_EXT,
                                                     present.pNext);
    timings.swapchainCount = 1;
    timings.pTimingInfos = timing;
    if (timing)
      present.pNext = &timings;
    const VkResult presented = gpu.vk.QueuePresentKHR(gpu.queue, &present);
    if (id && !presented)
      VK_OK(waitForPresent(id, UINT64_MAX));
    VK_OK(gpu.vk.QueueWaitIdle(gpu.queue));
    return presented;
  }

  VkResult waitForPresent(uint64_t id, uint64_t timeout) {
    if (!hasSecondIds)
      return gpu.vk.WaitForPresentKHR(gpu.device, swapchain, id, timeout);
    auto wait = vkStruct<VkPresentWait2InfoKHR>(VK_STRUCTURE_TYPE_PRESENT_WAIT_2_INFO_KHR);
    wait.presentId = id;
    wait.timeout = timeout;
    return gpu.vk.WaitForPresent2KHR(gpu.device, swapchain, &wait);
  }

  bool hasSecondIds = false;                      ///< VK_KHR_present_id2, VK_KHR_present_wait2
  const VkPresentTimingInfoEXT *timing = nullptr; ///< VK_EXT_present_timing, of all presents
  uint32_t index = UINT32_MAX;                    ///< of the image that was acquired last
  static constexpr VkImageSubresourceRange wholeImage = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  Gpu &gpu;
  VkSwapchainCreateInfoKHR info = {};
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  VkSemaphore acquired = VK_NULL_HANDLE, finished = VK_NULL_HANDLE;
  std::vector<VkImage> images;
  std::vector<VkFence> fences;
};

} // namespace api
