//===- CodeObjectTest.cpp - registers and waves ---------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/CodeObject.h"
#include "gtest/gtest.h"

namespace report {
namespace {

/// gfx1100: 1536 registers of a lane in wave32, in granules of 24; at most 16 waves.
TEST(CodeObject, WaveSteps) {
  const pal::abi::GpuTarget &target = *pal::abi::findTarget("gfx1100");
  StageCode stage;
  stage.vgprs = 120; // 12 waves, and 120 is the most with which they fit
  EXPECT_EQ(vgprGranule(target, 32), 24u);
  EXPECT_EQ(vgprGranule(target, 64), 12u);
  const std::vector<WaveStep> steps = waveSteps(target, stage, 3);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].vgprs, 96u);
  EXPECT_EQ(steps[0].waves, 16u);
  EXPECT_EQ(steps[1].vgprs, 144u);
  EXPECT_EQ(steps[1].waves, 10u);
  stage.vgprs = 24;
  ASSERT_EQ(waveSteps(target, stage, 3).size(), 1u);
  EXPECT_EQ(waveSteps(target, stage, 3)[0].vgprs, 120u);
  stage.vgprs = 256;
  EXPECT_EQ(waveSteps(target, stage, 2).size(), 2u);
  EXPECT_EQ(waveSteps(target, stage, 2)[0].vgprs, 216u); // 7 waves
  EXPECT_EQ(waveSteps(target, stage, 2)[1].vgprs, 240u); // 6
}

} // namespace
} // namespace report
