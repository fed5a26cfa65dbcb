//===- PresentTiming.cpp - VK_EXT_present_timing --------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/wsi/PresentTiming.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/sync/TimeDomains.h"
#include "icd_glue/wsi/Swapchain.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

namespace icd {
namespace {

/// Their ids are their places, from 1 on. The one that must be there is the first.
constexpr std::array<VkTimeDomainKHR, 5> domains = {
    VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT, VK_TIME_DOMAIN_SWAPCHAIN_LOCAL_EXT,
    VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR, VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR,
    VK_TIME_DOMAIN_DEVICE_KHR};
constexpr VkPresentStageFlagsEXT allStages =
    presentStages | VK_PRESENT_STAGE_IMAGE_FIRST_PIXEL_VISIBLE_BIT_EXT;
/// Of properties that never change.
constexpr uint64_t onlyCounter = 1;

uint64_t idOf(VkTimeDomainKHR domain) {
  return static_cast<uint64_t>(std::find(domains.begin(), domains.end(), domain) -
                               domains.begin()) +
         1;
}

} // namespace

VkTimeDomainKHR timeDomainOf(uint64_t id) {
  return id > 0 && id <= domains.size() ? domains[id - 1] : domains.front();
}

VkResult PresentTiming::resize(uint32_t count) {
  if (count < reports.size())
    return VK_NOT_READY;
  slots = count;
  return VK_SUCCESS;
}

std::optional<uint64_t> PresentTiming::reserve(const VkPresentTimingInfoEXT &info, uint64_t id) {
  if (reports.size() >= slots)
    return std::nullopt;
  reports.push_back({++lastNumber, id, info.targetTime, timeDomainOf(info.timeDomainId),
                     info.presentStageQueries & allStages});
  return lastNumber;
}

PresentTiming::Report *PresentTiming::find(uint64_t number) {
  auto at = llvm::find_if(reports, [&](const Report &report) { return report.number == number; });
  return at == reports.end() ? nullptr : &*at;
}

void PresentTiming::reach(uint64_t number, VkPresentStageFlagBitsEXT stage) {
  Report *report = find(number);
  if (!report || !(report->asked & stage))
    return;
  report->known |= stage;
  report->times[llvm::countr_zero(uint32_t(stage))] = timeOf(report->domain);
}

void PresentTiming::complete(uint64_t number) {
  if (Report *report = find(number)) {
    report->known = report->asked;
    report->isComplete = true;
  }
}

// Valid usage is that there is room for all stages that were asked for. Programs may leave in
// presentStageCount what an earlier report, of fewer stages, has put there; so does the conformance
// suite.
void PresentTiming::write(const Report &report, VkPastPresentationTimingEXT &out) {
  out.presentId = report.presentId;
  out.targetTime = report.targetTime;
  out.presentStageCount = 0;
  for (uint32_t bit = 0; out.pPresentStages && bit < report.times.size(); ++bit)
    if (report.known & 1u << bit)
      out.pPresentStages[out.presentStageCount++] = {1u << bit, report.times[bit]};
  out.timeDomain = report.domain;
  out.timeDomainId = idOf(report.domain);
  out.reportComplete = report.isComplete;
}

VkResult PresentTiming::take(VkPastPresentationTimingFlagsEXT flags, uint32_t &count,
                             VkPastPresentationTimingEXT *out) {
  const bool isPartialAllowed = flags & VK_PAST_PRESENTATION_TIMING_ALLOW_PARTIAL_RESULTS_BIT_EXT;
  const bool isAnyOrder = flags & VK_PAST_PRESENTATION_TIMING_ALLOW_OUT_OF_ORDER_RESULTS_BIT_EXT;
  const uint32_t room = out ? count : UINT32_MAX;
  uint32_t available = 0;
  for (auto at = reports.begin(); at != reports.end();) {
    const bool isAvailable = at->isComplete || (isPartialAllowed && at->known);
    if (!isAvailable && !isAnyOrder)
      break;
    const bool isWritten = isAvailable && out && available < room;
    if (isWritten)
      write(*at, out[available]);
    available += isAvailable;
    at = isWritten && at->isComplete ? reports.erase(at) : std::next(at);
  }
  count = std::min(available, room);
  return count < available ? VK_INCOMPLETE : VK_SUCCESS;
}

//===--- Commands ---------------------------------------------------------===//

VkResult VKAPI_CALL SetSwapchainPresentTimingQueueSizeEXT(VkDevice device, VkSwapchainKHR swapchain,
                                                          uint32_t size) {
  return fromHandle<Device>(device)->sync().read(
      [&] { return fromHandle<Swapchain>(swapchain)->timing().resize(size); });
}

// Pictures are shown at any time, as by a display of a variable rate.
VkResult VKAPI_CALL GetSwapchainTimingPropertiesEXT(
    VkDevice, VkSwapchainKHR, VkSwapchainTimingPropertiesEXT *pSwapchainTimingProperties,
    uint64_t *pSwapchainTimingPropertiesCounter) {
  pSwapchainTimingProperties->refreshDuration = pacingCycle;
  pSwapchainTimingProperties->refreshInterval = UINT64_MAX;
  if (pSwapchainTimingPropertiesCounter)
    *pSwapchainTimingPropertiesCounter = onlyCounter;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL GetSwapchainTimeDomainPropertiesEXT(
    VkDevice, VkSwapchainKHR, VkSwapchainTimeDomainPropertiesEXT *pSwapchainTimeDomainProperties,
    uint64_t *pTimeDomainsCounter) {
  VkSwapchainTimeDomainPropertiesEXT &out = *pSwapchainTimeDomainProperties;
  if (pTimeDomainsCounter)
    *pTimeDomainsCounter = onlyCounter;
  const auto all = static_cast<uint32_t>(domains.size());
  const bool isCountOnly = !out.pTimeDomains && !out.pTimeDomainIds;
  out.timeDomainCount = isCountOnly ? all : std::min(all, out.timeDomainCount);
  for (uint32_t index = 0; index < out.timeDomainCount; ++index) {
    if (out.pTimeDomains)
      out.pTimeDomains[index] = domains[index];
    if (out.pTimeDomainIds)
      out.pTimeDomainIds[index] = idOf(domains[index]);
  }
  return out.timeDomainCount < all ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult VKAPI_CALL GetPastPresentationTimingEXT(
    VkDevice handle, const VkPastPresentationTimingInfoEXT *pPastPresentationTimingInfo,
    VkPastPresentationTimingPropertiesEXT *pPastPresentationTimingProperties) {
  Device *device = fromHandle<Device>(handle);
  if (device->isLost()) // reports of presents in flight will never be complete
    return device->lostResult();
  VkPastPresentationTimingPropertiesEXT &out = *pPastPresentationTimingProperties;
  out.timingPropertiesCounter = out.timeDomainsCounter = onlyCounter;
  return device->sync().read([&] {
    return fromHandle<Swapchain>(pPastPresentationTimingInfo->swapchain)
        ->timing()
        .take(pPastPresentationTimingInfo->flags, out.presentationTimingCount,
              out.pPresentationTimings);
  });
}

} // namespace icd
