// SPDX-License-Identifier: MIT
// VK_EXT_present_timing: when presents came to each stage, in which clock, and target times.
#include "Frames.h"
#include <algorithm>
#include <optional>
#include <set>
#include <thread>

namespace api {
namespace {

constexpr VkPresentStageFlagsEXT end = VK_PRESENT_STAGE_QUEUE_OPERATIONS_END_BIT_EXT;
constexpr VkPresentStageFlagsEXT dequeued = VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT;
constexpr VkPresentStageFlagsEXT out = VK_PRESENT_STAGE_IMAGE_FIRST_PIXEL_OUT_BIT_EXT;
constexpr VkPresentStageFlagsEXT visible = VK_PRESENT_STAGE_IMAGE_FIRST_PIXEL_VISIBLE_BIT_EXT;
constexpr uint64_t millisecond = 1'000'000;

struct Report {
  VkPastPresentationTimingEXT timing;
  std::vector<VkPresentStageTimeEXT> stages;
  uint64_t time(VkPresentStageFlagsEXT stage) const {
    for (const VkPresentStageTimeEXT &each : stages)
      if (each.stage == stage)
        return each.time;
    ADD_FAILURE() << "no stage " << stage;
    return 0;
  }
};

class PresentTimingApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_EXT_PRESENT_TIMING_EXTENSION_NAME) || !gpu.isKiln())
      GTEST_SKIP() << "no VK_EXT_present_timing, or of windows only";
    auto id = vkStruct<VkPhysicalDevicePresentId2FeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_2_FEATURES_KHR);
    auto wait = vkStruct<VkPhysicalDevicePresentWait2FeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_2_FEATURES_KHR, &id);
    auto features = vkStruct<VkPhysicalDevicePresentTimingFeaturesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_TIMING_FEATURES_EXT, &wait);
    own.emplace(GetParam(), &features);
    ASSERT_TRUE(features.presentTiming && features.presentAtAbsoluteTime &&
                features.presentAtRelativeTime);
    auto info = vkStruct<VkHeadlessSurfaceCreateInfoEXT>(
        VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT);
    VK_OK(vk().CreateHeadlessSurfaceEXT(own->instance, &info, nullptr, &surface));
    makeFrames();
    VK_OK(setSlots(8));
  }
  void TearDown() override {
    frames.reset();
    if (surface)
      vk().DestroySurfaceKHR(own->instance, surface, nullptr);
  }
  const Functions &vk() { return own->vk; }
  VkSwapchainKHR swapchain() { return frames->swapchain; }
  VkResult setSlots(uint32_t count) {
    return vk().SetSwapchainPresentTimingQueueSizeEXT(own->device, swapchain(), count);
  }
  /// A swapchain that has presented nothing.
  void makeFrames() {
    frames.reset();
    frames.emplace(*own, surface, VkExtent2D{16, 16});
    frames->info.flags = VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR |
                         VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR |
                         VK_SWAPCHAIN_CREATE_PRESENT_TIMING_BIT_EXT;
    frames->recreate({16, 16});
    frames->hasSecondIds = true;
    frames->timing = &timing;
    timing = vkStruct<VkPresentTimingInfoEXT>(VK_STRUCTURE_TYPE_PRESENT_TIMING_INFO_EXT);
    timing.timeDomainId = domainId(VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT);
    timing.presentStageQueries = end | dequeued | out;
    timing.targetTimeDomainPresentStage = out;
  }
  uint64_t domainId(VkTimeDomainKHR domain) {
    std::array<VkTimeDomainKHR, 16> domains = {};
    std::array<uint64_t, 16> ids = {};
    auto all = vkStruct<VkSwapchainTimeDomainPropertiesEXT>(
        VK_STRUCTURE_TYPE_SWAPCHAIN_TIME_DOMAIN_PROPERTIES_EXT);
    all.timeDomainCount = domains.size();
    all.pTimeDomains = domains.data();
    all.pTimeDomainIds = ids.data();
    VK_OK(vk().GetSwapchainTimeDomainPropertiesEXT(own->device, swapchain(), &all, nullptr));
    for (uint32_t index = 0; index < all.timeDomainCount; ++index)
      if (domains[index] == domain)
        return ids[index];
    ADD_FAILURE() << "no domain " << domain;
    return 0;
  }
  uint64_t now(VkTimeDomainKHR domain) {
    auto of = vkStruct<VkSwapchainCalibratedTimestampInfoEXT>(
        VK_STRUCTURE_TYPE_SWAPCHAIN_CALIBRATED_TIMESTAMP_INFO_EXT);
    of.swapchain = swapchain();
    of.presentStage = domain == VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT ? out : 0;
    of.timeDomainId = domainId(domain);
    auto info = vkStruct<VkCalibratedTimestampInfoKHR>(
        VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR, &of);
    info.timeDomain = domain;
    uint64_t time = 0, deviation = 0;
    VK_OK(vk().GetCalibratedTimestampsKHR(own->device, 1, &info, &time, &deviation));
    return time;
  }
  /// At most \p most of those that nobody has fetched.
  std::vector<Report> past(VkPastPresentationTimingFlagsEXT flags = 0,
                           VkResult expected = VK_SUCCESS, uint32_t most = 16) {
    std::vector<Report> reports(most);
    std::vector<VkPastPresentationTimingEXT> timings(most);
    for (uint32_t index = 0; index < most; ++index) {
      reports[index].stages.resize(4);
      timings[index] =
          vkStruct<VkPastPresentationTimingEXT>(VK_STRUCTURE_TYPE_PAST_PRESENTATION_TIMING_EXT);
      timings[index].presentStageCount = 4;
      timings[index].pPresentStages = reports[index].stages.data();
    }
    auto info = vkStruct<VkPastPresentationTimingInfoEXT>(
        VK_STRUCTURE_TYPE_PAST_PRESENTATION_TIMING_INFO_EXT);
    info.flags = flags;
    info.swapchain = swapchain();
    auto all = vkStruct<VkPastPresentationTimingPropertiesEXT>(
        VK_STRUCTURE_TYPE_PAST_PRESENTATION_TIMING_PROPERTIES_EXT);
    all.presentationTimingCount = most;
    all.pPresentationTimings = timings.data();
    EXPECT_EQ(vk().GetPastPresentationTimingEXT(own->device, &info, &all), expected);
    reports.resize(all.presentationTimingCount);
    for (size_t index = 0; index < reports.size(); ++index) {
      reports[index].timing = timings[index];
      reports[index].stages.resize(timings[index].presentStageCount);
    }
    return reports;
  }

  std::optional<Gpu> own;
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  std::optional<Frames> frames;
  VkPresentTimingInfoEXT timing = {}; ///< of the next presents
};
API_TESTS_ON_ALL_DEVICES(PresentTimingApi);

constexpr VkTimeDomainKHR allDomains[] = {
    VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT, VK_TIME_DOMAIN_SWAPCHAIN_LOCAL_EXT,
    VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR, VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR,
    VK_TIME_DOMAIN_DEVICE_KHR};

TEST_P(PresentTimingApi, SurfacesSwapchainsAndDomains) {
  auto can = vkStruct<VkPresentTimingSurfaceCapabilitiesEXT>(
      VK_STRUCTURE_TYPE_PRESENT_TIMING_SURFACE_CAPABILITIES_EXT);
  auto capabilities =
      vkStruct<VkSurfaceCapabilities2KHR>(VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, &can);
  auto of = vkStruct<VkPhysicalDeviceSurfaceInfo2KHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR);
  of.surface = surface;
  VK_OK(vk().GetPhysicalDeviceSurfaceCapabilities2KHR(own->physicalDevice, &of, &capabilities));
  EXPECT_TRUE(can.presentTimingSupported && can.presentAtAbsoluteTimeSupported &&
              can.presentAtRelativeTimeSupported);
  EXPECT_EQ(can.presentStageQueries, end | dequeued | out);

  auto properties =
      vkStruct<VkSwapchainTimingPropertiesEXT>(VK_STRUCTURE_TYPE_SWAPCHAIN_TIMING_PROPERTIES_EXT);
  uint64_t counter = 0;
  VK_OK(vk().GetSwapchainTimingPropertiesEXT(own->device, swapchain(), &properties, &counter));
  EXPECT_GT(properties.refreshDuration, millisecond);
  EXPECT_EQ(properties.refreshInterval, UINT64_MAX) << "at any time";

  std::set<uint64_t> ids;
  for (VkTimeDomainKHR domain : allDomains)
    ids.insert(domainId(domain));
  EXPECT_EQ(ids.size(), std::size(allDomains));
  auto some = vkStruct<VkSwapchainTimeDomainPropertiesEXT>(
      VK_STRUCTURE_TYPE_SWAPCHAIN_TIME_DOMAIN_PROPERTIES_EXT);
  VK_OK(vk().GetSwapchainTimeDomainPropertiesEXT(own->device, swapchain(), &some, &counter));
  EXPECT_EQ(some.timeDomainCount, std::size(allDomains));
  VkTimeDomainKHR domains[2] = {VK_TIME_DOMAIN_MAX_ENUM_KHR, VK_TIME_DOMAIN_MAX_ENUM_KHR};
  uint64_t two[2] = {};
  some.timeDomainCount = 1;
  some.pTimeDomains = domains;
  some.pTimeDomainIds = two;
  EXPECT_EQ(vk().GetSwapchainTimeDomainPropertiesEXT(own->device, swapchain(), &some, nullptr),
            VK_INCOMPLETE);
  EXPECT_EQ(some.timeDomainCount, 1u);
  EXPECT_EQ(domains[1], VK_TIME_DOMAIN_MAX_ENUM_KHR);

  uint32_t count = 0;
  VK_OK(vk().GetPhysicalDeviceCalibrateableTimeDomainsKHR(own->physicalDevice, &count, nullptr));
  std::vector<VkTimeDomainKHR> calibrateable(count);
  VK_OK(vk().GetPhysicalDeviceCalibrateableTimeDomainsKHR(own->physicalDevice, &count,
                                                          calibrateable.data()));
  for (VkTimeDomainKHR domain : allDomains)
    EXPECT_TRUE(std::find(calibrateable.begin(), calibrateable.end(), domain) !=
                calibrateable.end())
        << domain;
}

TEST_P(PresentTimingApi, StagesHaveTimesOfTheDomain) {
  uint64_t id = 40;
  for (VkTimeDomainKHR domain : allDomains) {
    SCOPED_TRACE(domain);
    timing.timeDomainId = domainId(domain);
    timing.presentStageQueries = end | dequeued | out | visible;
    const uint64_t before = now(domain);
    VK_OK(frames->frame({1, 0, 0}, ++id));
    const uint64_t after = now(domain);
    const auto reports = past();
    ASSERT_EQ(reports.size(), 1u);
    const Report &report = reports[0];
    EXPECT_EQ(report.timing.presentId, id);
    EXPECT_EQ(report.timing.timeDomain, domain);
    EXPECT_EQ(report.timing.timeDomainId, timing.timeDomainId);
    EXPECT_TRUE(report.timing.reportComplete);
    ASSERT_EQ(report.stages.size(), 4u);
    EXPECT_LE(before, report.time(end));
    EXPECT_LE(report.time(end), report.time(dequeued));
    EXPECT_LT(report.time(dequeued), report.time(out));
    EXPECT_LE(report.time(out), after);
    EXPECT_EQ(report.time(visible), 0u) << "nothing tells when a picture is seen";
    EXPECT_TRUE(past().empty()) << "each is handed out once";
  }
  // Of a domain that nobody knows: the one that is always there.
  timing.timeDomainId = 0;
  timing.presentStageQueries = out;
  VK_OK(frames->frame({0, 1, 0}));
  const auto reports = past();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].timing.timeDomain, VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT);
  EXPECT_EQ(reports[0].timing.timeDomainId, domainId(VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT));
  EXPECT_EQ(reports[0].timing.presentId, 0u);
  EXPECT_EQ(reports[0].stages.size(), 1u);
}

TEST_P(PresentTimingApi, AbsoluteTargetsOfEachDomain) {
  for (VkTimeDomainKHR domain : allDomains) {
    SCOPED_TRACE(domain);
    timing.timeDomainId = domainId(domain);
    timing.targetTime = now(domain) + 40 * millisecond;
    VK_OK(frames->frame({1, 0, 0}));
    const auto reports = past();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].timing.targetTime, timing.targetTime);
    // One microsecond: the raw clock runs at another rate than the one that waits.
    EXPECT_GE(reports[0].time(out) + 1000, timing.targetTime);
  }
  timing.targetTime = 1; // long ago
  VK_OK(frames->frame({1, 0, 0}));
  EXPECT_EQ(past().size(), 1u);
}

TEST_P(PresentTimingApi, RelativeTargetsAreBehindThePresentBefore) {
  timing.flags = VK_PRESENT_TIMING_INFO_PRESENT_AT_RELATIVE_TIME_BIT_EXT;
  timing.targetTime = 60'000 * millisecond; // without a picture before it means nothing
  const uint64_t begin = now(VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR);
  VK_OK(frames->frame({1, 0, 0}));
  EXPECT_LT(now(VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR) - begin, 9'000 * millisecond);
  timing.targetTime = 40 * millisecond;
  VK_OK(frames->frame({0, 1, 0}));
  VK_OK(frames->frame({0, 0, 1}));
  const auto reports = past();
  ASSERT_EQ(reports.size(), 3u);
  for (size_t index = 1; index < 3; ++index)
    EXPECT_GE(reports[index].time(out), reports[index - 1].time(out) + timing.targetTime);
}

TEST_P(PresentTimingApi, FullQueues) {
  makeFrames();
  EXPECT_EQ(frames->frame({1, 0, 0}), VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT) << "no slots";
  timing.presentStageQueries = 0;
  VK_OK(frames->present(0, 0, VK_NULL_HANDLE, nullptr)); // the image is still acquired
  timing.presentStageQueries = out;
  VK_OK(setSlots(2));
  for (uint64_t id = 1; id <= 2; ++id)
    VK_OK(frames->frame({0, 1, 0}, id));
  const VkFence fence = frames->fence();
  EXPECT_EQ(frames->frame({0, 0, 1}, 3, fence), VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT);
  VK_OK(own->vk.WaitForFences(own->device, 1, &fence, VK_TRUE, UINT64_MAX));
  EXPECT_EQ(setSlots(1), VK_NOT_READY);
  VK_OK(setSlots(2));

  auto info = vkStruct<VkPastPresentationTimingInfoEXT>(
      VK_STRUCTURE_TYPE_PAST_PRESENTATION_TIMING_INFO_EXT);
  info.swapchain = swapchain();
  auto count = vkStruct<VkPastPresentationTimingPropertiesEXT>(
      VK_STRUCTURE_TYPE_PAST_PRESENTATION_TIMING_PROPERTIES_EXT);
  VK_OK(vk().GetPastPresentationTimingEXT(own->device, &info, &count));
  EXPECT_EQ(count.presentationTimingCount, 2u);
  auto first = past(0, VK_INCOMPLETE, 1);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].timing.presentId, 1u);
  VK_OK(setSlots(1));
  VK_OK(setSlots(2));
  VK_OK(frames->present(0, 3, VK_NULL_HANDLE, nullptr));
  const auto rest = past();
  ASSERT_EQ(rest.size(), 2u);
  EXPECT_EQ(rest[0].timing.presentId, 2u);
  EXPECT_EQ(rest[1].timing.presentId, 3u);
  VK_OK(setSlots(0));
}

TEST_P(PresentTimingApi, OneOfTwoQueuesIsFull) {
  auto info =
      vkStruct<VkHeadlessSurfaceCreateInfoEXT>(VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT);
  VkSurfaceKHR other = VK_NULL_HANDLE;
  VK_OK(vk().CreateHeadlessSurfaceEXT(own->instance, &info, nullptr, &other));
  {
    Frames second(*own, other, {16, 16});
    second.info.flags = frames->info.flags;
    second.recreate({16, 16}); // without slots
    const VkSwapchainKHR both[2] = {swapchain(), second.swapchain};
    const VkFence fence = frames->fence();
    uint32_t indices[2] = {};
    for (uint32_t i = 0; i < 2; ++i) {
      VK_OK(vk().AcquireNextImageKHR(own->device, both[i], UINT64_MAX, VK_NULL_HANDLE, fence,
                                     &indices[i]));
      VK_OK(vk().WaitForFences(own->device, 1, &fence, VK_TRUE, UINT64_MAX));
      VK_OK(vk().ResetFences(own->device, 1, &fence));
    }
    const VkPresentTimingInfoEXT infos[2] = {timing, timing};
    auto timings = vkStruct<VkPresentTimingsInfoEXT>(VK_STRUCTURE_TYPE_PRESENT_TIMINGS_INFO_EXT);
    timings.swapchainCount = 2;
    timings.pTimingInfos = infos;
    VkResult results[2] = {VK_NOT_READY, VK_NOT_READY};
    auto present = vkStruct<VkPresentInfoKHR>(VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, &timings);
    present.swapchainCount = 2;
    present.pSwapchains = both;
    present.pImageIndices = indices;
    present.pResults = results;
    EXPECT_EQ(vk().QueuePresentKHR(own->queue, &present), VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT);
    VK_OK(results[0]);
    EXPECT_EQ(results[1], VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT);
    VK_OK(vk().QueueWaitIdle(own->queue));
    EXPECT_EQ(past().size(), 1u);
  }
  vk().DestroySurfaceKHR(own->instance, other, nullptr);
}

TEST_P(PresentTimingApi, PartsOfReportsAreThereBefore) {
  timing.targetTime = now(VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT) + 1500 * millisecond;
  std::thread presents([&] { VK_OK(frames->frame({1, 0, 0}, 5)); });
  std::vector<Report> reports;
  while (reports.empty()) {
    reports = past(VK_PAST_PRESENTATION_TIMING_ALLOW_PARTIAL_RESULTS_BIT_EXT);
    std::this_thread::yield();
  }
  EXPECT_TRUE(past().empty());
  EXPECT_EQ(reports[0].timing.presentId, 5u);
  EXPECT_FALSE(reports[0].timing.reportComplete);
  ASSERT_EQ(reports[0].stages.size(), 1u);
  EXPECT_LT(reports[0].time(end), timing.targetTime);
  presents.join();
  const auto complete = past();
  ASSERT_EQ(complete.size(), 1u);
  EXPECT_TRUE(complete[0].timing.reportComplete);
  EXPECT_EQ(complete[0].time(end), reports[0].time(end));
  EXPECT_GE(complete[0].time(out), timing.targetTime);
}

} // namespace
} // namespace api
