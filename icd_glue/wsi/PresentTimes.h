//===- PresentTimes.h - VK_GOOGLE_display_timing --------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <vulkan/vulkan_core.h>

namespace icd {

/// When pictures of one swapchain were shown, until the application has asked. In nanoseconds of
/// CLOCK_MONOTONIC. Whoever uses it has the lock of the device's SyncDomain.
class PresentTimes {
public:
  /// A picture that was ready at \p ready and is shown at \p shown. Of many that nobody asks for
  /// the oldest are forgotten.
  void add(const VkPresentTimeGOOGLE &wanted, uint64_t ready, uint64_t shown);
  /// vkGetPastPresentationTimingGOOGLE: hands out each once.
  VkResult take(uint32_t &count, VkPastPresentationTimingGOOGLE *out);

private:
  std::deque<VkPastPresentationTimingGOOGLE> past;
};

} // namespace icd
