//===- ScratchTest.cpp - tests of the limits of scratch memory ------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/Scratch.h"
#include "pal_shim/abi/TargetInfo.h"
#include <gtest/gtest.h>

using namespace pal::abi;

namespace {

/// LLVM refuses larger frames with these numbers.
TEST(Scratch, OfALane) {
  EXPECT_EQ(maxScratchBytes(*findTarget("gfx1010"), 64), 131056u);
  EXPECT_EQ(maxScratchBytes(*findTarget("gfx1030"), 32), 262112u);
  EXPECT_EQ(maxScratchBytes(*findTarget("gfx1150"), 64), 131068u);
  EXPECT_EQ(maxScratchBytes(*findTarget("gfx1201"), 64), 1048572u);
  EXPECT_EQ(maxScratchBytes(*findTarget("gfx1201"), 32), 2097144u);
}

} // namespace
