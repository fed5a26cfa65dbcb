//===- PresentTiming.h - VK_EXT_present_timing ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Stages of a present, all in the queue's thread:
///
///     queue operations end   what the present waits for has been done
///     request dequeued       its target time has come
///     first pixel out        the window has taken the picture
///     first pixel visible    never known: no window tells
#pragma once

#include "icd_glue/Object.h"
#include <array>
#include <deque>
#include <optional>

namespace icd {

/// What a swapchain tells of stages.
constexpr VkPresentStageFlagsEXT presentStages = VK_PRESENT_STAGE_QUEUE_OPERATIONS_END_BIT_EXT |
                                                 VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT |
                                                 VK_PRESENT_STAGE_IMAGE_FIRST_PIXEL_OUT_BIT_EXT;
/// No window has a refresh period: this is what programs are told to pace themselves by. In
/// nanoseconds.
constexpr uint64_t pacingCycle = 1'000'000'000 / 60;

/// The domain of an id that vkGetSwapchainTimeDomainPropertiesEXT has given; of any other the one
/// that every swapchain must have.
VkTimeDomainKHR timeDomainOf(uint64_t id);

/// Times of the presents of one swapchain that asked for them, until the application has fetched
/// them. Whoever uses it has the lock of the device's SyncDomain.
class PresentTiming {
public:
  /// vkSetSwapchainPresentTimingQueueSizeEXT.
  VkResult resize(uint32_t count);
  /// Takes a slot for a present with \p id. The number of its report; none: all slots are taken.
  std::optional<uint64_t> reserve(const VkPresentTimingInfoEXT &info, uint64_t id);
  /// The stage of a present is over, now.
  void reach(uint64_t report, VkPresentStageFlagBitsEXT stage);
  /// All is known of a present; stages that it has not reached have the time 0.
  void complete(uint64_t report);
  /// vkGetPastPresentationTimingEXT: hands out each complete report once.
  VkResult take(VkPastPresentationTimingFlagsEXT flags, uint32_t &count,
                VkPastPresentationTimingEXT *out);

private:
  struct Report {
    uint64_t number;
    uint64_t presentId;
    uint64_t targetTime;
    VkTimeDomainKHR domain;
    VkPresentStageFlagsEXT asked;
    VkPresentStageFlagsEXT known = 0;
    std::array<uint64_t, 4> times = {}; ///< by bit of the stage
    bool isComplete = false;
  };
  Report *find(uint64_t number);
  static void write(const Report &report, VkPastPresentationTimingEXT &out);

  std::deque<Report> reports; ///< in the order of presents
  uint32_t slots = 0;
  uint64_t lastNumber = 0;
};

} // namespace icd
