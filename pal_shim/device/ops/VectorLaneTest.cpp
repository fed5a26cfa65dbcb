//===- VectorLaneTest.cpp - operations across lanes and registers ----------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/RunForTest.h"
#include <functional>
#include <gtest/gtest.h>

using namespace pal::device;
using namespace pal::device::test;

namespace {

constexpr const char *everyTarget[] = {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};

void fill(Wave &wave, unsigned reg, const std::function<uint32_t(unsigned)> &f) {
  for (unsigned lane = 0; lane < wave.lanes; ++lane)
    wave.v[reg].lane[lane] = f(lane);
}

TEST(VectorLane, ReadFirstLane) {
  for (const char *target : everyTarget) {
    WaveForTest w(target, 64, "v_readfirstlane_b32 s5, v0");
    fill(*w, 0, [](unsigned lane) { return 100 + lane; });
    w->setMask(sreg::execLo, 0xFF00'0000'0000'0000);
    ASSERT_TRUE(w.run()) << w.error();
    EXPECT_EQ(w->s[5], 156u);
    w->setMask(sreg::execLo, 0);
    ASSERT_TRUE(w.run());
    EXPECT_EQ(w->s[5], 100u) << "lane 0 when no lane is enabled";
  }
}

TEST(VectorLane, ReadLaneAndWriteLane) {
  for (const char *target : everyTarget)
    for (unsigned lanes : {32u, 64u}) {
      WaveForTest w(target, lanes,
                    "v_readlane_b32 s5, v0, 7\nv_readlane_b32 s6, v0, s2\n"
                    "v_writelane_b32 v1, s3, 9\nv_writelane_b32 v1, 5, s2");
      fill(*w, 0, [](unsigned lane) { return 100 + lane; });
      fill(*w, 1, [](unsigned) { return 1; });
      w->s[2] = 0x123 + lanes; // the selector wraps at the wave size: 0x123 is lane 35 or 3
      w->s[3] = 77;
      w->setMask(sreg::execLo, 0);
      ASSERT_TRUE(w.run()) << w.error();
      unsigned wrapped = 0x123 % lanes;
      EXPECT_EQ(w->s[5], 107u);
      EXPECT_EQ(w->s[6], 100 + wrapped);
      for (unsigned lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(w->v[1].lane[lane], lane == 9 ? 77u : lane == wrapped ? 5u : 1u);
    }
}

TEST(VectorLane, PermLane16) {
  const unsigned select[] = {15, 0, 3, 3, 9, 8, 1, 2, 4, 5, 6, 7, 10, 11, 14, 13};
  constexpr uint64_t exec = 0xFFF0'0FFF'FFFF'00FE;
  for (const char *target : everyTarget)
    for (bool cross : {false, true})
      for (unsigned modifiers = 0; modifiers < 4; ++modifiers) {
        bool fi = modifiers & 1, bound = modifiers & 2;
        std::string text = cross ? "v_permlanex16_b32" : "v_permlane16_b32";
        text += " v1, v0, s2, s3 op_sel:[" + std::to_string(fi) + "," + std::to_string(bound) + "]";
        WaveForTest w(target, 64, text);
        for (unsigned i = 0; i < 16; ++i)
          w->s[2 + i / 8] |= select[i] << 4 * (i % 8);
        fill(*w, 0, [](unsigned lane) { return 100 + lane; });
        fill(*w, 1, [](unsigned) { return 1; });
        w->setMask(sreg::execLo, exec);
        ASSERT_TRUE(w.run()) << text << w.error();
        for (unsigned lane = 0; lane < 64; ++lane) {
          unsigned row = lane / 16;
          unsigned from = (cross ? row ^ 1 : row) * 16 + select[lane % 16];
          uint32_t expected = !(exec >> lane & 1)      ? 1
                              : fi || exec >> from & 1 ? 100 + from
                              : bound                  ? 0
                                                       : 1;
          ASSERT_EQ(w->v[1].lane[lane], expected) << target << ": " << text << " lane " << lane;
        }
      }
}

TEST(VectorLane, PermLane16WithSelectorsInLanes) {
  WaveForTest w("gfx1200", 64, "v_permlane16_var_b32 v2, v0, v1\nv_permlanex16_var_b32 v3, v0, v1");
  fill(*w, 0, [](unsigned lane) { return 100 + lane; });
  fill(*w, 1, [](unsigned lane) { return 0xF0 + (lane * 7 + 3) % 16; });
  ASSERT_TRUE(w.run()) << w.error();
  for (unsigned lane = 0; lane < 64; ++lane) {
    unsigned select = (lane * 7 + 3) % 16;
    EXPECT_EQ(w->v[2].lane[lane], 100 + lane / 16 * 16 + select);
    EXPECT_EQ(w->v[3].lane[lane], 100 + (lane / 16 ^ 1) * 16 + select);
  }
}

TEST(VectorLane, PermLane64) {
  for (const char *target : {"gfx1100", "gfx1200"})
    for (unsigned lanes : {32u, 64u}) {
      WaveForTest w(target, lanes, "v_permlane64_b32 v1, v0");
      fill(*w, 0, [](unsigned lane) { return 100 + lane; });
      fill(*w, 1, [](unsigned) { return 1; });
      w->setMask(sreg::execLo, 0x0000'FFFF'FFFF'00FF);
      ASSERT_TRUE(w.run()) << w.error();
      for (unsigned lane = 0; lane < lanes; ++lane) {
        bool active = 0x0000'FFFF'FFFF'00FFull >> lane & 1;
        EXPECT_EQ(w->v[1].lane[lane], lanes == 64 && active ? 100 + (lane + 32) % 64 : 1u);
      }
    }
}

TEST(VectorLane, Swap) {
  for (const char *target : everyTarget) {
    WaveForTest w(target, 32, "v_swap_b32 v0, v1");
    fill(*w, 0, [](unsigned lane) { return lane; });
    fill(*w, 1, [](unsigned lane) { return 100 + lane; });
    w->setMask(sreg::execLo, 0x0000FFFF);
    ASSERT_TRUE(w.run()) << w.error();
    EXPECT_EQ(w->v[0].lane[3], 103u);
    EXPECT_EQ(w->v[1].lane[3], 3u);
    EXPECT_EQ(w->v[0].lane[20], 20u);
    EXPECT_EQ(w->v[1].lane[20], 120u);
  }
  for (const char *text : {"v_swap_b16 v0.h, v1.l", "v_swap_b16 v0.h, v0.l"}) {
    WaveForTest w("gfx1100", 32, text);
    fill(*w, 0, [](unsigned) { return 0x11112222; });
    fill(*w, 1, [](unsigned) { return 0x33334444; });
    w->setMask(sreg::execLo, 1);
    ASSERT_TRUE(w.run()) << w.error();
    bool same = llvm::StringRef(text).ends_with("v0.l");
    EXPECT_EQ(w->v[0].lane[0], same ? 0x22221111u : 0x44442222u);
    EXPECT_EQ(w->v[1].lane[0], same ? 0x33334444u : 0x33331111u);
    EXPECT_EQ(w->v[0].lane[1], 0x11112222u);
  }
}

TEST(VectorLane, IndexedMoves) {
  struct Case {
    const char *text;
    uint32_t m0;
    unsigned to, from;
  };
  const Case cases[] = {
      {"v_movreld_b32 v20, v3", 5, 25, 3},
      {"v_movrels_b32 v20, v3", 5, 20, 8},
      {"v_movrelsd_b32 v20, v3", 5, 25, 8},
      {"v_movrelsd_2_b32 v20, v3", 4 << 16 | 6, 24, 9},
  };
  for (const char *target : everyTarget)
    for (const Case &c : cases) {
      WaveForTest w(target, 32, c.text);
      for (unsigned reg = 0; reg < 32; ++reg)
        fill(*w, reg, [&](unsigned lane) { return 1000 * reg + lane; });
      w->s[sreg::m0] = c.m0;
      w->setMask(sreg::execLo, 0xFFFF);
      ASSERT_TRUE(w.run()) << c.text << w.error();
      for (unsigned reg = 0; reg < 32; ++reg) {
        EXPECT_EQ(w->v[reg].lane[7], 1000 * (reg == c.to ? c.from : reg) + 7) << c.text;
        EXPECT_EQ(w->v[reg].lane[17], 1000 * reg + 17) << c.text;
      }
    }
  WaveForTest swap("gfx1030", 32, "v_swaprel_b32 v20, v3");
  fill(*swap, 24, [](unsigned) { return 24; });
  fill(*swap, 9, [](unsigned) { return 9; });
  swap->s[sreg::m0] = 4 << 16 | 6;
  ASSERT_TRUE(swap.run()) << swap.error();
  EXPECT_EQ(swap->v[24].lane[0], 9u);
  EXPECT_EQ(swap->v[9].lane[0], 24u);
}

TEST(VectorLane, IndexBeyondTheRegistersFaults) {
  for (uint32_t m0 : {250u, 0xFFFFFFFFu}) {
    WaveForTest w("gfx1100", 32, "v_movrels_b32 v20, v9");
    w->s[sreg::m0] = m0;
    EXPECT_FALSE(w.run());
    EXPECT_NE(w.faultMessage().find("v9 indexed by"), std::string::npos) << w.faultMessage();
  }
}

TEST(VectorLane, CountBitsBelow) {
  for (const char *target : everyTarget)
    for (unsigned lanes : {32u, 64u}) {
      WaveForTest w(target, lanes,
                    "v_mbcnt_lo_u32_b32 v1, s2, v0\nv_mbcnt_hi_u32_b32 v2, s3, v1\n"
                    "v_mbcnt_lo_u32_b32 v3, -1, 0\nv_mbcnt_hi_u32_b32 v3, -1, v3");
      fill(*w, 0, [](unsigned) { return 1000; });
      uint64_t bits = 0x8F0F'3355'0000'FFF3 ^ 0x1111'0000'8000'0000;
      w->s[2] = uint32_t(bits);
      w->s[3] = uint32_t(bits >> 32);
      ASSERT_TRUE(w.run()) << w.error();
      unsigned below = 0;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        EXPECT_EQ(w->v[2].lane[lane], 1000 + below) << lane;
        EXPECT_EQ(w->v[3].lane[lane], lane);
        below += bits >> lane & 1;
      }
    }
}

TEST(VectorLane, FormsWithoutMeaningDoNotLoad) {
  WaveForTest dpp("gfx1100", 32, "v_movrels_b32_dpp v1, v0 row_shl:1 row_mask:0xf bank_mask:0xf");
  EXPECT_NE(dpp.error().find("DPP or SDWA form"), std::string::npos) << dpp.error();
}

} // namespace
