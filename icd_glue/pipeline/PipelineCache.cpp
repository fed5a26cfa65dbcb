//===- PipelineCache.cpp - VkPipelineCache --------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineCache.h"
#include "icd_glue/device/Device.h"
#include <cstring>

namespace icd {

static VkPipelineCacheHeaderVersionOne headerOf(Device &device) {
  const VkPhysicalDeviceProperties &properties = device.physicalDevice().coreProperties();
  VkPipelineCacheHeaderVersionOne header = {};
  header.headerSize = sizeof(header);
  header.headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
  header.vendorID = properties.vendorID;
  header.deviceID = properties.deviceID;
  std::memcpy(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE);
  return header;
}

VKAPI_ATTR VkResult VKAPI_CALL CreatePipelineCache(VkDevice deviceHandle,
                                                   const VkPipelineCacheCreateInfo *,
                                                   const VkAllocationCallbacks *allocator,
                                                   VkPipelineCache *pipelineCache) {
  auto *made = fromHandle<Device>(deviceHandle)->create<PipelineCache>(allocator);
  *pipelineCache = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyPipelineCache(VkDevice device, VkPipelineCache pipelineCache,
                                                const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<PipelineCache>(pipelineCache), allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL GetPipelineCacheData(VkDevice device, VkPipelineCache, size_t *size,
                                                    void *data) {
  VkPipelineCacheHeaderVersionOne header = headerOf(*fromHandle<Device>(device));
  if (!data) {
    *size = sizeof(header);
    return VK_SUCCESS;
  }
  // Why all or nothing: half a header is of no use.
  if (*size < sizeof(header)) {
    *size = 0;
    return VK_INCOMPLETE;
  }
  std::memcpy(data, &header, sizeof(header));
  *size = sizeof(header);
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL MergePipelineCaches(VkDevice, VkPipelineCache, uint32_t,
                                                   const VkPipelineCache *) {
  return VK_SUCCESS;
}

} // namespace icd
