//===- PipelineCache.cpp - VkPipelineCache --------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineCache.h"
#include "icd_glue/VulkanError.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/Deserialize.h"
#include <algorithm>
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

/// Null: not compiled offline, or, with an error in \p result, of no use although it must be.
static std::unique_ptr<sc::OfflineCache>
openOffline(Device &device, const VkPipelineCacheCreateInfo &info, VkResult &result) {
  const bool isDemanded = sc::OfflineCache::isDemanded(info);
  if (!isDemanded && !sc::OfflineCache::isOffered(info))
    return nullptr;
  auto opened = sc::OfflineCache::create(device, info);
  if (opened)
    return std::move(*opened);
  const Failure failure = failureOf(opened.takeError());
  const std::string message = "vkCreatePipelineCache: " + failure.message;
  if (isDemanded) {
    device.reportError("KILN-pipeline-cache", message);
    result = failure.result;
  } else {
    // To Vulkan, data that does not fit is none.
    device.reportWarning("KILN-pipeline-cache", message + "; the data is ignored");
  }
  return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL CreatePipelineCache(VkDevice deviceHandle,
                                                   const VkPipelineCacheCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator,
                                                   VkPipelineCache *pipelineCache) {
  auto *device = fromHandle<Device>(deviceHandle);
  *pipelineCache = VK_NULL_HANDLE;
  VkResult result = VK_SUCCESS;
  auto offline = openOffline(*device, *info, result);
  if (result != VK_SUCCESS)
    return result;
  auto content = std::make_shared<CacheContent>(
      deserializerFor(device->target()),
      info->flags & VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT);
  // Data of another driver, build or GPU is none.
  const VkPipelineCacheHeaderVersionOne header = headerOf(*device);
  const llvm::ArrayRef<uint8_t> data(static_cast<const uint8_t *>(info->pInitialData),
                                     info->pInitialData ? info->initialDataSize : 0);
  if (data.size() > sizeof(header) && std::memcmp(data.data(), &header, sizeof(header)) == 0)
    content->read(data.drop_front(sizeof(header)));
  auto *made = device->create<PipelineCache>(allocator, std::move(content), std::move(offline));
  *pipelineCache = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyPipelineCache(VkDevice device, VkPipelineCache pipelineCache,
                                                const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<PipelineCache>(pipelineCache), allocator);
}

/// All or nothing.
static VkResult giveData(llvm::ArrayRef<uint8_t> from, size_t *size, void *data) {
  const bool fits = !data || *size >= from.size();
  *size = fits ? from.size() : 0;
  if (data && fits)
    std::memcpy(data, from.data(), from.size());
  return fits ? VK_SUCCESS : VK_INCOMPLETE;
}

VKAPI_ATTR VkResult VKAPI_CALL GetPipelineCacheData(VkDevice device, VkPipelineCache pipelineCache,
                                                    size_t *size, void *data) {
  if (const auto &offline = fromHandle<PipelineCache>(pipelineCache)->offline)
    return giveData(offline->data(), size, data);
  const VkPipelineCacheHeaderVersionOne header = headerOf(*fromHandle<Device>(device));
  CacheContent &content = *fromHandle<PipelineCache>(pipelineCache)->content;
  if (!data) {
    *size = sizeof(header) + content.dataBytes();
    return VK_SUCCESS;
  }
  // Half a header is of no use.
  if (*size < sizeof(header)) {
    *size = 0;
    return VK_INCOMPLETE;
  }
  bool isComplete = false;
  const std::vector<uint8_t> bytes = content.write(*size - sizeof(header), isComplete);
  std::memcpy(data, &header, sizeof(header));
  if (!bytes.empty())
    std::memcpy(static_cast<uint8_t *>(data) + sizeof(header), bytes.data(), bytes.size());
  *size = sizeof(header) + bytes.size();
  return isComplete ? VK_SUCCESS : VK_INCOMPLETE;
}

VKAPI_ATTR VkResult VKAPI_CALL MergePipelineCaches(VkDevice device, VkPipelineCache to,
                                                   uint32_t count, const VkPipelineCache *from) {
  const auto isOffline = [](VkPipelineCache cache) {
    return fromHandle<PipelineCache>(cache)->offline != nullptr;
  };
  if (isOffline(to) || std::any_of(from, from + count, isOffline)) {
    fromHandle<Device>(device)->reportError(
        "KILN-pipeline-cache",
        "vkMergePipelineCaches: a cache that was compiled offline cannot be merged");
    return VK_ERROR_UNKNOWN;
  }
  for (uint32_t i = 0; i < count; ++i)
    fromHandle<PipelineCache>(to)->content->merge(*fromHandle<PipelineCache>(from[i])->content);
  return VK_SUCCESS;
}

} // namespace icd
