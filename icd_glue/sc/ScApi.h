//===- ScApi.h - what Vulkan SC adds to the API ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Vulkan's own headers leave out what only Vulkan SC has; the values are those of vk.xml, feature
/// VKSC_VERSION_1_0 (extension number 299, which is not used otherwise).
#pragma once

#include <vulkan/vulkan_core.h>

namespace icd::sc {

inline constexpr auto errorInvalidCacheData = static_cast<VkResult>(-1000298000);
inline constexpr auto errorNoPipelineMatch = static_cast<VkResult>(-1000298001);

/// Of VkPipelineCacheCreateFlagBits.
inline constexpr VkPipelineCacheCreateFlags cacheReadOnly = 2;
inline constexpr VkPipelineCacheCreateFlags cacheUsesApplicationStorage = 4;

inline constexpr auto offlineInfoType = static_cast<VkStructureType>(1000298010);
/// VK_PIPELINE_MATCH_CONTROL_APPLICATION_UUID_EXACT_MATCH
inline constexpr uint32_t matchIdentifier = 0;

/// VkPipelineOfflineCreateInfo
struct OfflineInfo {
  VkStructureType sType = offlineInfoType;
  const void *pNext = nullptr;
  uint8_t pipelineIdentifier[VK_UUID_SIZE] = {};
  uint32_t matchControl = matchIdentifier; ///< VkPipelineMatchControl
  VkDeviceSize poolEntrySize = 0;
};
static_assert(sizeof(OfflineInfo) == 48, "the application's structure");

inline constexpr auto reservationType = static_cast<VkStructureType>(1000298002);

/// VkPipelinePoolSize
struct PoolSize {
  VkStructureType sType = static_cast<VkStructureType>(1000298005);
  const void *pNext = nullptr;
  VkDeviceSize poolEntrySize = 0;
  uint32_t poolEntryCount = 0;
};

/// The beginning of VkDeviceObjectReservationCreateInfo; numbers of objects follow.
struct ReservationInfo {
  VkStructureType sType = reservationType;
  const void *pNext = nullptr;
  uint32_t pipelineCacheCreateInfoCount = 0;
  const VkPipelineCacheCreateInfo *pPipelineCacheCreateInfos = nullptr;
  uint32_t pipelinePoolSizeCount = 0;
  const PoolSize *pPipelinePoolSizes = nullptr;
};

/// A device's create info may have several, which count together.
template <typename Function> void forEachReservation(const void *next, Function &&function) {
  for (auto *link = static_cast<const VkBaseInStructure *>(next); link; link = link->pNext)
    if (link->sType == reservationType)
      function(*reinterpret_cast<const ReservationInfo *>(link));
}

} // namespace icd::sc
