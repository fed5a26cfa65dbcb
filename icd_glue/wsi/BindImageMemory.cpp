//===- BindImageMemory.cpp - memory of images, of swapchains too ----------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/image/Image.h"
#include "icd_glue/wsi/Swapchain.h"

namespace icd {

static void bindImage(VkDevice device, VkImage image, DeviceMemory *memory, VkDeviceSize offset) {
  auto *object = fromHandle<Image>(image);
  object->bind(memory, offset);
  fromHandle<Device>(device)->reportBinding(*object, object->lastBinding(),
                                            VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
}

VKAPI_ATTR VkResult VKAPI_CALL BindImageMemory2(VkDevice device, uint32_t bindInfoCount,
                                                const VkBindImageMemoryInfo *pBindInfos) {
  for (uint32_t i = 0; i < bindInfoCount; ++i) {
    const auto *shared = findInChain<VkBindImageMemorySwapchainInfoKHR>(
        pBindInfos[i].pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR);
    auto *memory = fromHandle<DeviceMemory>(pBindInfos[i].memory);
    if (shared && shared->swapchain)
      memory = fromHandle<Swapchain>(shared->swapchain)->memory(shared->imageIndex);
    bindImage(device, pBindInfos[i].image, memory, pBindInfos[i].memoryOffset);
    noteBound(pBindInfos[i].pNext);
  }
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL BindImageMemory(VkDevice device, VkImage image,
                                               VkDeviceMemory memory, VkDeviceSize memoryOffset) {
  bindImage(device, image, fromHandle<DeviceMemory>(memory), memoryOffset);
  return VK_SUCCESS;
}

} // namespace icd
