//===- OfflineCache.h - pipelines that kiln-pcc has compiled --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a VkPipelineCache is whose data was compiled offline, in the format of Vulkan SC
/// (ScCache.h). Pipelines are found by their identifiers, VkPipelineOfflineCreateInfo. Such a cache
/// is read-only, and all there is: nothing is compiled, and SPIR-V is not looked at.
#pragma once

#include "icd_glue/code/CodeObject.h"
#include "icd_glue/sc/ScApi.h"
#include "icd_glue/sc/ScCache.h"

namespace icd {
class PhysicalDevice;
}

namespace icd::sc {

/// Threads: any number.
class OfflineCache {
public:
  /// The flags say that it must be such a cache.
  static bool isDemanded(const VkPipelineCacheCreateInfo &info);
  /// The data says that it is one, perhaps for another device.
  static bool isOffered(const VkPipelineCacheCreateInfo &info);
  /// Uses the data where it lies if the flags have USE_APPLICATION_STORAGE; the object must not
  /// outlive it then. Errors: VulkanError for data that is damaged, or for another device.
  static llvm::Expected<std::unique_ptr<OfflineCache>>
  create(Device &device, const VkPipelineCacheCreateInfo &info);

  /// The code of the pipeline whose create info has \p next, loaded into the device. It does not
  /// refer to the cache's data, which may go before pipelines do. \p keepsBytes: it can give its
  /// record(), for which the code object is copied. Errors: VulkanError when the cache has no such
  /// pipeline, it has other stages, or the memory that the application wants to give it is too
  /// small; and what the device says of the code.
  llvm::Expected<std::shared_ptr<const CodeObject>>
  codeOf(const void *next, VkShaderStageFlags stages, bool keepsBytes);

  llvm::ArrayRef<uint8_t> data() const { return bytes; }

private:
  OfflineCache(Device &device, std::vector<uint8_t> copy, llvm::ArrayRef<uint8_t> bytes,
               CacheView view)
      : device(device), copy(std::move(copy)), bytes(bytes), view(std::move(view)),
        loaded(this->view.entries().size()) {}
  llvm::Expected<std::shared_ptr<const CodeObject>> load(const Entry &entry, bool keepsBytes);

  Device &device;
  const std::vector<uint8_t> copy; ///< empty: the application keeps the data
  const llvm::ArrayRef<uint8_t> bytes;
  const CacheView view;
  std::mutex mutex;
  std::vector<std::weak_ptr<const CodeObject>> loaded; ///< by number of the entry
};

/// Checks the caches of each VkDeviceObjectReservationCreateInfo in \p next. Errors: those of
/// OfflineCache::create().
llvm::Error checkReservedCaches(PhysicalDevice &device, const void *next);

} // namespace icd::sc
