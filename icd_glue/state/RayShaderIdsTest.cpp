//===- RayShaderIdsTest.cpp - ids of ray tracing shaders ------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/state/RayShaderIds.h"
#include <gtest/gtest.h>

namespace icd {
namespace {

TEST(RayShaderIds, AreHashes) {
  RayShaderIds ids;
  EXPECT_EQ(ids.idOf({7, 1, 2, 3}), 7u);
  EXPECT_EQ(ids.idOf({9, 1, 2, 3}), 9u);
  EXPECT_EQ(ids.idOf({7, 1, 2, 3}), 7u);
}

TEST(RayShaderIds, ZeroIsNone) {
  RayShaderIds ids;
  EXPECT_EQ(ids.idOf({0, 1, 2, 3}), 1u);
  EXPECT_EQ(ids.idOf({1, 1, 2, 3}), 2u);
}

TEST(RayShaderIds, EqualHashesHaveOtherIds) {
  RayShaderIds ids;
  EXPECT_EQ(ids.idOf({0xFFFFFFFF, 1, 2, 3}), 0xFFFFFFFFu);
  EXPECT_EQ(ids.idOf({0xFFFFFFFF, 4, 5, 6}), 1u); // past the end, and 0 is none
  EXPECT_EQ(ids.idOf({0xFFFFFFFF, 1, 2, 3}), 0xFFFFFFFFu);
}

TEST(RayShaderIds, CapturedIdsAreGivenAgain) {
  RayShaderIds ids;
  EXPECT_TRUE(ids.claim({{{7, 4, 5, 6}, 8}})); // as it was behind another one
  EXPECT_TRUE(ids.claim({{{7, 4, 5, 6}, 8}}));
  EXPECT_EQ(ids.idOf({7, 4, 5, 6}), 8u);
  EXPECT_EQ(ids.idOf({8, 1, 2, 3}), 9u);
  EXPECT_FALSE(ids.claim({{{7, 4, 5, 6}, 7}}));
  EXPECT_FALSE(ids.claim({{{1, 2, 3, 4}, 9}}));
  EXPECT_FALSE(ids.claim({{{1, 2, 3, 4}, 0}}));
}

TEST(RayShaderIds, RefusedClaimsLeaveNothing) {
  RayShaderIds ids;
  EXPECT_EQ(ids.idOf({5, 0, 0, 0}), 5u);
  EXPECT_FALSE(ids.claim({{{1, 2, 3, 4}, 20}, {{2, 2, 3, 4}, 5}}));  // another shader's
  EXPECT_FALSE(ids.claim({{{1, 2, 3, 4}, 20}, {{2, 2, 3, 4}, 20}})); // twice
  EXPECT_FALSE(ids.claim({{{1, 2, 3, 4}, 20}, {{1, 2, 3, 4}, 21}})); // one shader, two ids
  EXPECT_TRUE(ids.claim({{{3, 2, 3, 4}, 20}, {{3, 2, 3, 4}, 20}}));
  EXPECT_EQ(ids.idOf({1, 2, 3, 4}), 1u);
  EXPECT_EQ(ids.idOf({20, 2, 3, 4}), 21u);
}

} // namespace
} // namespace icd
