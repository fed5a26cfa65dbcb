//===- PresentTimingTest.cpp - reports of presents ------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/wsi/PresentTiming.h"
#include <gtest/gtest.h>

using namespace icd;

namespace {

constexpr VkPastPresentationTimingFlagsEXT partial =
    VK_PAST_PRESENTATION_TIMING_ALLOW_PARTIAL_RESULTS_BIT_EXT;
constexpr VkPastPresentationTimingFlagsEXT anyOrder =
    VK_PAST_PRESENTATION_TIMING_ALLOW_OUT_OF_ORDER_RESULTS_BIT_EXT;

class PresentTimingTest : public testing::Test {
protected:
  uint64_t reserve(uint64_t id, VkPresentStageFlagsEXT stages = presentStages) {
    VkPresentTimingInfoEXT info = {};
    info.presentStageQueries = stages;
    return timing.reserve(info, id).value();
  }
  /// Ids of the presents that are handed out.
  std::vector<uint64_t> take(VkPastPresentationTimingFlagsEXT flags, uint32_t room = 8,
                             VkResult expected = VK_SUCCESS) {
    std::vector<VkPastPresentationTimingEXT> out(room);
    EXPECT_EQ(timing.take(flags, room, out.data()), expected);
    std::vector<uint64_t> ids;
    for (uint32_t index = 0; index < room; ++index)
      ids.push_back(out[index].presentId);
    return ids;
  }
  PresentTiming timing;
};
using Ids = std::vector<uint64_t>;

TEST_F(PresentTimingTest, OrderOfPresents) {
  EXPECT_EQ(timing.resize(3), VK_SUCCESS);
  const uint64_t first = reserve(1), second = reserve(2), third = reserve(3);
  timing.complete(third);
  EXPECT_EQ(take(0), Ids());
  EXPECT_EQ(take(partial), Ids());
  timing.reach(second, VK_PRESENT_STAGE_QUEUE_OPERATIONS_END_BIT_EXT);
  EXPECT_EQ(take(partial), Ids()) << "nothing is known of the first";
  EXPECT_EQ(take(partial | anyOrder, 1, VK_INCOMPLETE), Ids({2}));
  EXPECT_EQ(take(partial | anyOrder), Ids({2, 3})) << "the second is not complete";
  EXPECT_EQ(take(anyOrder), Ids());
  EXPECT_EQ(timing.resize(1), VK_NOT_READY);
  timing.complete(second);
  timing.complete(first);
  timing.complete(third); // has been fetched
  EXPECT_EQ(take(0), Ids({1, 2}));
  EXPECT_EQ(timing.resize(0), VK_SUCCESS);
  EXPECT_FALSE(timing.reserve({}, 4));
}

TEST_F(PresentTimingTest, ReportsHaveTheStagesThatWereAskedFor) {
  EXPECT_EQ(timing.resize(UINT32_MAX), VK_SUCCESS);
  for (VkPresentStageFlagsEXT asked : {1u, 6u, 9u, ~0u}) {
    const uint64_t report = reserve(1, asked);
    for (uint32_t stage : {1u, 2u, 4u, 1u << 31})
      timing.reach(report, static_cast<VkPresentStageFlagBitsEXT>(stage));
    std::vector<VkPresentStageTimeEXT> stages(5, {77, 77});
    VkPastPresentationTimingEXT out = {};
    out.pPresentStages = stages.data();
    for (bool isComplete : {false, true}) {
      if (isComplete)
        timing.complete(report);
      uint32_t count = 1;
      EXPECT_EQ(timing.take(partial, count, &out), VK_SUCCESS);
      ASSERT_EQ(count, 1u);
      EXPECT_EQ(out.reportComplete, isComplete);
      uint32_t place = 0;
      for (uint32_t bit = 0; bit < 4; ++bit)
        if (asked & (isComplete ? 15u : 7u) & 1u << bit) {
          EXPECT_EQ(stages[place].stage, 1u << bit);
          EXPECT_EQ(stages[place++].time != 0, bit < 3);
        }
      EXPECT_EQ(out.presentStageCount, place);
      EXPECT_EQ(stages[4].stage, 77u);
    }
  }
}

} // namespace
