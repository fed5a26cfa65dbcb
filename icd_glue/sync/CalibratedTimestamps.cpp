//===- CalibratedTimestamps.cpp - device time beside host clocks ----------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Entrypoints.h"
#include "icd_glue/sync/QueryPool.h"
#include "icd_glue/sync/TimeDomains.h"
#include <array>
#include <ctime>

namespace icd {
namespace {

constexpr std::array<VkTimeDomainKHR, 5> domains = {
    VK_TIME_DOMAIN_DEVICE_KHR, VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR,
    VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR, VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT,
    VK_TIME_DOMAIN_SWAPCHAIN_LOCAL_EXT};

} // namespace

uint64_t timeOf(VkTimeDomainKHR domain) {
  if (domain != VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR)
    return QueryPool::now();
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC_RAW, &time);
  return uint64_t(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

VkResult VKAPI_CALL GetPhysicalDeviceCalibrateableTimeDomainsKHR(VkPhysicalDevice,
                                                                 uint32_t *pTimeDomainCount,
                                                                 VkTimeDomainKHR *pTimeDomains) {
  return writeList(domains, pTimeDomainCount, pTimeDomains,
                   [](VkTimeDomainKHR domain, VkTimeDomainKHR &out) { out = domain; });
}

// Swapchains and their stages have one clock, so that nobody has to look which of them is meant.
VkResult VKAPI_CALL GetCalibratedTimestampsKHR(VkDevice, uint32_t timestampCount,
                                               const VkCalibratedTimestampInfoKHR *pTimestampInfos,
                                               uint64_t *pTimestamps, uint64_t *pMaxDeviation) {
  const uint64_t begin = QueryPool::now();
  for (uint32_t index = 0; index < timestampCount; ++index)
    pTimestamps[index] = timeOf(pTimestampInfos[index].timeDomain);
  // All were taken in this interval; one more for the resolution of the clocks.
  *pMaxDeviation = QueryPool::now() - begin + 1;
  return VK_SUCCESS;
}

} // namespace icd
