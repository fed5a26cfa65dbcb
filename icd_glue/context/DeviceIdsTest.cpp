//===- DeviceIdsTest.cpp - one real part of each target -------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/DeviceIds.h"
#include "pal_shim/abi/TargetInfo.h"
#include <gtest/gtest.h>
#include <map>

using namespace icd;

namespace {

TEST(DeviceIds, everyTargetHasAChip) {
  // Compute units, from AMD's product pages: RX 5700 XT, Navi 12 (Pro 5600M), Navi 14 (Pro 5500 XT
  // of iMacs), RX 6900 XT, RX 6700 XT, RX 6600 XT, Steam Deck, RX 6500 XT, 680M, Ryzen 7000; RX
  // 7900 XTX, 7800 XT, 7600, 780M; 890M, 8060S, 860M, 840M; RX 9060 XT, 9070 XT.
  const std::map<std::string, unsigned> units = {
      {"gfx1010", 40}, {"gfx1011", 40}, {"gfx1012", 24}, {"gfx1030", 80}, {"gfx1031", 40},
      {"gfx1032", 32}, {"gfx1033", 8},  {"gfx1034", 16}, {"gfx1035", 12}, {"gfx1036", 2},
      {"gfx1100", 96}, {"gfx1101", 60}, {"gfx1102", 32}, {"gfx1103", 12}, {"gfx1150", 16},
      {"gfx1151", 40}, {"gfx1152", 8},  {"gfx1153", 4},  {"gfx1200", 32}, {"gfx1201", 64}};
  for (const pal::abi::GpuTarget &target : pal::abi::allTargets()) {
    const std::string name = target.name.str();
    const ChipShape shape = chipShapeOf(name);
    ASSERT_TRUE(units.count(name)) << name;
    EXPECT_EQ(shape.cus(), units.at(name)) << name;
    EXPECT_EQ(shape.cusPerArray % 2, 0u) << name; // two of them are a WGP
    EXPECT_EQ(targetOfDevice(deviceIdOf(name)), target.name);
  }
}

TEST(DeviceIds, whatIsUnknown) {
  EXPECT_EQ(deviceIdOf("gfx906"), 0u);
  EXPECT_EQ(targetOfDevice(0), "");
  EXPECT_EQ(chipShapeOf("gfx906").cus(), 2u);
}

} // namespace
