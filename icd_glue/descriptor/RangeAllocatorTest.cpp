// SPDX-License-Identifier: MIT
#include "icd_glue/descriptor/RangeAllocator.h"
#include <gtest/gtest.h>

namespace icd {
namespace {

TEST(RangeAllocator, GivesOutEverythingOnce) {
  RangeAllocator range(10);
  EXPECT_EQ(range.allocate(4), 0u);
  EXPECT_EQ(range.allocate(6), 4u);
  EXPECT_EQ(range.allocate(1), std::nullopt);
  EXPECT_EQ(range.freeUnits(), 0u);
  EXPECT_EQ(range.allocate(0), 0u);
}

TEST(RangeAllocator, FreedNeighboursGrowTogether) {
  RangeAllocator range(9);
  for (uint64_t at : {0, 3, 6})
    EXPECT_EQ(range.allocate(3), at);
  range.free(0, 3);
  range.free(6, 3);
  EXPECT_EQ(range.freeUnits(), 6u);
  EXPECT_EQ(range.allocate(4), std::nullopt); // two gaps of 3
  range.free(3, 3);                           // closes the hole between them
  EXPECT_EQ(range.allocate(9), 0u);
}

TEST(RangeAllocator, ResetForgetsEverything) {
  RangeAllocator range(4);
  EXPECT_EQ(range.allocate(4), 0u);
  range.reset(8);
  EXPECT_EQ(range.allocate(8), 0u);
}

} // namespace
} // namespace icd
