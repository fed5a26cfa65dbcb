//===- PresentTimes.cpp - VK_GOOGLE_display_timing ------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/wsi/PresentTimes.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/wsi/Swapchain.h"
#include <algorithm>

namespace icd {

void PresentTimes::add(const VkPresentTimeGOOGLE &wanted, uint64_t ready, uint64_t shown) {
  constexpr size_t most = 64;
  if (past.size() == most)
    past.pop_front();
  // Nothing but the wish was between ready and shown: no present could have come later and still
  // have been shown as early as it could be.
  past.push_back({wanted.presentID, wanted.desiredPresentTime, shown, ready, /*presentMargin=*/0});
}

VkResult PresentTimes::take(uint32_t &count, VkPastPresentationTimingGOOGLE *out) {
  const auto have = static_cast<uint32_t>(past.size());
  if (!out) {
    count = have;
    return VK_SUCCESS;
  }
  count = std::min(count, have);
  std::copy_n(past.begin(), count, out);
  past.erase(past.begin(), past.begin() + count);
  return count < have ? VK_INCOMPLETE : VK_SUCCESS;
}

//===--- Commands ---------------------------------------------------------===//

VkResult VKAPI_CALL GetRefreshCycleDurationGOOGLE(
    VkDevice, VkSwapchainKHR, VkRefreshCycleDurationGOOGLE *pDisplayTimingProperties) {
  pDisplayTimingProperties->refreshDuration = pacingCycle;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL GetPastPresentationTimingGOOGLE(
    VkDevice device, VkSwapchainKHR swapchain, uint32_t *pPresentationTimingCount,
    VkPastPresentationTimingGOOGLE *pPresentationTimings) {
  return fromHandle<Device>(device)->sync().read([&] {
    return fromHandle<Swapchain>(swapchain)->times().take(*pPresentationTimingCount,
                                                          pPresentationTimings);
  });
}

} // namespace icd
