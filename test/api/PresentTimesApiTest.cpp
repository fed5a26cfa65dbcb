// SPDX-License-Identifier: MIT
// VK_GOOGLE_display_timing: presents that are not shown before their time, and when they were.
#include "Frames.h"
#include <ctime>

namespace api {
namespace {

uint64_t now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return uint64_t(time.tv_sec) * 1'000'000'000 + uint64_t(time.tv_nsec);
}

class PresentTimesApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_GOOGLE_DISPLAY_TIMING_EXTENSION_NAME) || !gpu.isKiln())
      GTEST_SKIP() << "no VK_GOOGLE_display_timing, or of windows only";
    auto info = vkStruct<VkHeadlessSurfaceCreateInfoEXT>(
        VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT);
    VK_OK(gpu.vk.CreateHeadlessSurfaceEXT(gpu.instance, &info, nullptr, &surface));
  }
  void TearDown() override {
    if (surface)
      gpu.vk.DestroySurfaceKHR(gpu.instance, surface, nullptr);
  }
  /// At most \p most of those that nobody has asked for.
  std::vector<VkPastPresentationTimingGOOGLE> past(VkSwapchainKHR swapchain, VkResult result,
                                                   uint32_t most = 100) {
    std::vector<VkPastPresentationTimingGOOGLE> all(most);
    EXPECT_EQ(gpu.vk.GetPastPresentationTimingGOOGLE(gpu.device, swapchain, &most, all.data()),
              result);
    all.resize(most);
    return all;
  }

  VkSurfaceKHR surface = VK_NULL_HANDLE;
};
API_TESTS_ON_ALL_DEVICES(PresentTimesApi);

TEST_P(PresentTimesApi, PresentsComeWhenTheyAreWanted) {
  Frames frames(gpu, surface, {16, 16});
  VkRefreshCycleDurationGOOGLE refresh = {};
  VK_OK(gpu.vk.GetRefreshCycleDurationGOOGLE(gpu.device, frames.swapchain, &refresh));
  EXPECT_GT(refresh.refreshDuration, 1'000'000u);
  EXPECT_LT(refresh.refreshDuration, 100'000'000u);
  EXPECT_TRUE(past(frames.swapchain, VK_SUCCESS).empty());

  const uint64_t begin = now();
  VkPresentTimeGOOGLE time = {7, 0};
  VK_OK(frames.frame({1, 0, 0}, 0, VK_NULL_HANDLE, &time));
  const uint64_t wanted = now() + 400'000'000;
  time = {8, wanted};
  VK_OK(frames.frame({0, 1, 0}, 0, VK_NULL_HANDLE, &time)); // waits until it is shown
  EXPECT_GE(now(), wanted);
  time = {9, begin}; // long ago
  VK_OK(frames.frame({0, 1, 0}, 0, VK_NULL_HANDLE, &time));
  VK_OK(frames.frame({0, 0, 1})); // nobody asks when

  uint32_t count = 0;
  VK_OK(gpu.vk.GetPastPresentationTimingGOOGLE(gpu.device, frames.swapchain, &count, nullptr));
  EXPECT_EQ(count, 3u);
  auto seen = past(frames.swapchain, VK_INCOMPLETE, 2);
  ASSERT_EQ(seen.size(), 2u);
  for (const VkPastPresentationTimingGOOGLE &each : past(frames.swapchain, VK_SUCCESS))
    seen.push_back(each);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_TRUE(past(frames.swapchain, VK_SUCCESS).empty()) << "each is handed out once";
  uint64_t before = begin;
  for (uint32_t index = 0; index < 3; ++index) {
    EXPECT_EQ(seen[index].presentID, 7 + index);
    EXPECT_GE(seen[index].actualPresentTime, before);
    EXPECT_GE(seen[index].actualPresentTime, seen[index].earliestPresentTime);
    EXPECT_GE(seen[index].earliestPresentTime, begin);
    before = seen[index].actualPresentTime;
  }
  EXPECT_EQ(seen[0].desiredPresentTime, 0u);
  EXPECT_EQ(seen[1].desiredPresentTime, wanted);
  EXPECT_GE(seen[1].actualPresentTime, wanted);
  EXPECT_LT(seen[1].earliestPresentTime, wanted);
  EXPECT_LE(before, now());
}

TEST_P(PresentTimesApi, TheOldestAreForgotten) {
  Frames frames(gpu, surface, {16, 16});
  constexpr uint32_t presents = 200;
  for (uint32_t index = 0; index < presents; ++index) {
    const VkPresentTimeGOOGLE time = {index, 0};
    VK_OK(frames.frame({1, 0, 0}, 0, VK_NULL_HANDLE, &time));
  }
  const auto seen = past(frames.swapchain, VK_SUCCESS, presents);
  ASSERT_GE(seen.size(), 1u);
  EXPECT_LT(seen.size(), presents);
  for (size_t index = 0; index < seen.size(); ++index)
    EXPECT_EQ(seen[index].presentID, presents - seen.size() + index);
}

} // namespace
} // namespace api
