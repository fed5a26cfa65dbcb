//===- ParametersTest.cpp - interpolation instructions ---------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/RunForTest.h"
#include "pal_shim/device/core/StagePort.h"
#include "llvm/ADT/StringExtras.h"
#include <bit>
#include <gtest/gtest.h>

using namespace pal::device;
using namespace pal::device::test;

namespace {

uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }
float value(uint32_t x) { return std::bit_cast<float>(x); }

/// Quad q: P0 = q + 1, P10 = 10, P20 = 100; 16 bits: low halves 1, 2, 4, high halves 8, 16, 32.
class Port : public StagePort {
public:
  void exportData(Wave &, const ExportData &) override { ADD_FAILURE() << "export"; }
  void message(Wave &, unsigned, uint32_t) override { ADD_FAILURE() << "message"; }
  void loadParameter(Wave &wave, unsigned attribute, unsigned channel,
                     ParameterRow *quads) override {
    lastAttribute = attribute;
    lastChannel = channel;
    for (unsigned q = 0; q < wave.lanes / 4; ++q)
      quads[q] = isHalf ? ParameterRow{0x48003C00, 0x4C004000, 0x50004400}
                        : ParameterRow{bits(float(q + 1)), bits(10), bits(100)};
  }
  bool isHalf = false;
  unsigned lastAttribute = 0, lastChannel = 0;
};

struct WaveRun : WaveForTest {
  WaveRun(const char *target, const char *text, bool isHalf = false, unsigned waveSize = 32)
      : WaveForTest(target, waveSize, text) {
    port.isHalf = isHalf;
    group.port = &port;
    EXPECT_EQ(error(), "") << target << ": " << text;
  }
  void fill(unsigned reg, float x) {
    for (uint32_t &lane : (*this)->v[reg].lane)
      lane = bits(x);
  }
  bool runs() {
    bool done = run();
    EXPECT_TRUE(done) << faultMessage();
    return done;
  }
  float lane(unsigned reg, unsigned i) { return value((*this)->v[reg].lane[i]); }
  Port port;
};

TEST(Parameters, TwoStepsOnGfx10) {
  for (const char *target : {"gfx1010", "gfx1030"})
    for (unsigned waveSize : {32u, 64u}) {
      WaveRun r(target, "v_interp_p1_f32 v2, v0, attr3.y\nv_interp_p2_f32 v2, v1, attr3.y", false,
                waveSize);
      r.fill(0, 0.5f);
      r.fill(1, 0.25f);
      ASSERT_TRUE(r.runs());
      for (unsigned lane = 0; lane < waveSize; ++lane)
        EXPECT_EQ(r.lane(2, lane), float(lane / 4 + 1) + 5 + 25);
      EXPECT_EQ(r.port.lastAttribute, 3u);
      EXPECT_EQ(r.port.lastChannel, 1u);
    }
}

TEST(Parameters, StepsKeepLanesThatAreOff) {
  WaveRun r("gfx1030", "v_interp_p1_f32 v2, v0, attr0.x");
  r.fill(0, 1);
  r.fill(2, 7);
  r->setMask(sreg::execLo, 0xFFFFFFFD);
  ASSERT_TRUE(r.runs());
  EXPECT_EQ(r.lane(2, 0), 11.0f);
  EXPECT_EQ(r.lane(2, 1), 7.0f);
}

TEST(Parameters, ModifiersOfTheLongEncoding) {
  WaveRun r("gfx1030", "v_interp_p1_f32_e64 v2, -v0, attr32.w\n"
                       "v_interp_p2_f32_e64 v2, |v1|, attr32.w\n"
                       "v_interp_p1_f32_e64 v3, v0, attr0.x clamp");
  r.fill(0, 0.5f);
  r.fill(1, -0.25f);
  ASSERT_TRUE(r.runs());
  EXPECT_EQ(r.lane(2, 0), 1.0f - 5 + 25);
  EXPECT_EQ(r.lane(3, 0), 1.0f);
}

TEST(Parameters, MovesNameTheParameter) {
  WaveRun r("gfx1010", "v_interp_mov_f32 v0, p0, attr1.z\nv_interp_mov_f32 v1, p10, attr1.z\n"
                       "v_interp_mov_f32 v2, p20, attr1.z\nv_interp_mov_f32_e64 v3, p20, attr1.z");
  ASSERT_TRUE(r.runs());
  EXPECT_EQ(r.lane(0, 9), 3.0f);
  EXPECT_EQ(r.lane(1, 9), 10.0f);
  EXPECT_EQ(r.lane(2, 9), 100.0f);
  EXPECT_EQ(r.lane(3, 9), 100.0f);
  EXPECT_EQ(r.port.lastChannel, 2u);
}

TEST(Parameters, HalvesOnGfx10) {
  WaveRun r("gfx1030",
            "v_interp_p1ll_f16 v2, v0, attr0.x\n"
            "v_interp_p2_f16 v3, v1, attr0.x, v2\n"
            "v_interp_p1ll_f16 v4, v0, attr0.x high\n"
            "v_interp_p2_f16 v5, v1, attr0.x, v4 high\n"
            "v_interp_p1lv_f16 v6, v0, attr0.x, v7 high",
            /*isHalf=*/true);
  r.fill(0, 0.5f);
  r.fill(1, 0.25f);
  for (unsigned i = 0; i < 32; ++i) {
    r->v[3].lane[i] = 0xABCD0000;
    r->v[7].lane[i] = 0x3C004900; // 1, 10
  }
  ASSERT_TRUE(r.runs());
  EXPECT_EQ(r.lane(2, 0), 1 + 0.5f * 2);
  EXPECT_EQ(r->v[3].lane[0], 0xABCD4200u); // 3; the other half stays
  EXPECT_EQ(r.lane(4, 0), 8 + 0.5f * 16);
  EXPECT_EQ(r->v[5].lane[0] & 0xFFFF, 0x4E00u); // 24
  EXPECT_EQ(r.lane(6, 0), 1 + 0.5f * 16);
}

std::string loadText(const char *target, const char *operands) {
  return std::string(llvm::StringRef(target).starts_with("gfx12") ? "ds" : "lds") + "_param_load " +
         operands + "\n";
}

TEST(Parameters, LoadsFillQuadsWithAnyLaneOn) {
  for (const char *target : {"gfx1100", "gfx1150", "gfx1201"}) {
    WaveRun r(target, loadText(target, "v3, attr5.w").c_str());
    r.fill(3, 7);
    r->setMask(sreg::execLo, 0xFFFFFF0F & ~7u);
    ASSERT_TRUE(r.runs());
    EXPECT_EQ(r.lane(3, 0), 1.0f);
    EXPECT_EQ(r.lane(3, 1), 10.0f);
    EXPECT_EQ(r.lane(3, 2), 100.0f);
    for (unsigned lane = 4; lane < 8; ++lane)
      EXPECT_EQ(r.lane(3, lane), 7.0f);
    EXPECT_EQ(r.lane(3, 28), 8.0f);
    EXPECT_EQ(r.port.lastAttribute, 5u);
    EXPECT_EQ(r.port.lastChannel, 3u);
  }
}

TEST(Parameters, TwoStepsInRegisters) {
  for (const char *target : {"gfx1100", "gfx1150", "gfx1201"})
    for (unsigned waveSize : {32u, 64u}) {
      WaveRun r(target,
                (loadText(target, "v3, attr0.x") + "v_interp_p10_f32 v2, v3, v0, v3 wait_exp:0\n"
                                                   "v_interp_p2_f32 v2, v3, v1, v2 wait_exp:7\n"
                                                   "v_interp_p2_f32 v4, -v3, v1, v2 clamp")
                    .c_str(),
                false, waveSize);
      r.fill(0, 0.5f);
      r.fill(1, 0.25f);
      ASSERT_TRUE(r.runs());
      for (unsigned lane = 0; lane < waveSize; ++lane)
        EXPECT_EQ(r.lane(2, lane), float(lane / 4 + 1) + 5 + 25);
      EXPECT_EQ(r.lane(4, 0), 1.0f);
    }
}

TEST(Parameters, ParametersInLanesThatAreOff) {
  WaveRun r("gfx1100", "lds_param_load v3, attr0.x\nv_interp_p10_f32 v2, v3, v0, v3");
  r.fill(0, 0.5f);
  r.fill(2, 7);
  r->setMask(sreg::execLo, 8);
  ASSERT_TRUE(r.runs());
  EXPECT_EQ(r.lane(2, 3), 6.0f);
  EXPECT_EQ(r.lane(2, 0), 7.0f);
}

TEST(Parameters, HalvesInRegisters) {
  for (const char *target : {"gfx1100", "gfx1201"}) {
    WaveRun r(target,
              (loadText(target, "v3, attr0.x") + "v_interp_p10_f16_f32 v2, v3.l, v0, v3.l\n"
                                                 "v_interp_p2_f16_f32 v4.l, v3.l, v1, v2\n"
                                                 "v_interp_p10_f16_f32 v5, v3.h, v0, v3.h\n"
                                                 "v_interp_p2_f16_f32 v4.h, v3.h, v1, v5\n"
                                                 "v_interp_p10_f16_f32 v6, v3.h, v0, v3.l")
                  .c_str(),
              /*isHalf=*/true);
    r.fill(0, 0.5f);
    r.fill(1, 0.25f);
    ASSERT_TRUE(r.runs());
    EXPECT_EQ(r.lane(2, 0), 2.0f);
    EXPECT_EQ(r.lane(5, 0), 16.0f);
    EXPECT_EQ(r->v[4].lane[5], 0x4E004200u); // 24, 3
    EXPECT_EQ(r.lane(6, 0), 1 + 0.5f * 16);
  }
}

TEST(Parameters, RoundingTowardZero) {
  WaveRun r("gfx1100",
            "lds_param_load v3, attr0.x\n"
            "v_interp_p10_rtz_f16_f32 v2, v3.l, v0, v3.l\nv_interp_p10_f16_f32 v4, v3.l, v0, v3.l\n"
            "v_interp_p2_rtz_f16_f32 v5.l, v3.l, v1, v6\nv_interp_p2_f16_f32 v7.l, v3.l, v1, v6",
            /*isHalf=*/true);
  r.fill(0, 0x1.8p-24f); // 1 + 2 * this is 1 + 1.5 ulp
  r.fill(1, 0);
  r.fill(6, 1 + 0x1.8p-10f); // between two 16-bit floats, nearer to none: ties to even is up
  ASSERT_TRUE(r.runs());
  EXPECT_EQ(r.lane(2, 0), 1 + 0x1p-23f);
  EXPECT_EQ(r.lane(4, 0), 1 + 0x1p-22f);
  EXPECT_EQ(r->v[5].lane[0] & 0xFFFF, 0x3C01u);
  EXPECT_EQ(r->v[7].lane[0] & 0xFFFF, 0x3C02u);
}

TEST(Parameters, DirectLoads) {
  for (const char *target : {"gfx1100", "gfx1201"}) {
    const char *name = std::string(target) == "gfx1100" ? "lds_direct_load" : "ds_direct_load";
    std::string text = std::string(name) + " v1";
    for (auto [m0, expected] :
         {std::pair(0x20004u, 0x84838281u), std::pair(0x00004u, 0x81u),
          std::pair(0x10004u, 0x8281u), std::pair(0x40005u, 0xFFFFFF82u),
          std::pair(0x50006u, 0xFFFF8483u), std::pair(0x20006u, 0x00008483u)}) {
      WaveRun r(target, text.c_str());
      r.group.lds = {0, 0, 0, 0, 0x81, 0x82, 0x83, 0x84};
      r->s[sreg::m0] = m0;
      r->setMask(sreg::execLo, 1);
      ASSERT_TRUE(r.runs());
      EXPECT_EQ(r->v[1].lane[0], expected);
      EXPECT_EQ(r->v[1].lane[1], 0u);
    }
    WaveRun r(target, text.c_str());
    r->s[sreg::m0] = 0x30000;
    EXPECT_FALSE(r.run());
    EXPECT_NE(r.faultMessage().find("type 3"), std::string::npos);
  }
}

TEST(Parameters, ComputeHasNone) {
  WaveRun r("gfx1100", "lds_param_load v3, attr0.x");
  r.group.port = nullptr;
  EXPECT_FALSE(r.run());
  EXPECT_EQ(r.faultMessage(), "parameter load in a stage without hardware that takes it");
}

TEST(Parameters, TheExitingWaveIsASourceOfItsOwn) {
  WaveRun r("gfx1030", "s_add_i32 s0, src_pops_exiting_wave_id, s1");
  r->s[sreg::popsExiting] = 1023;
  r->s[1] = 7;
  ASSERT_TRUE(r.runs());
  EXPECT_EQ(r->s[0], 1030u);
}

} // namespace
