//===- ValuModifierTest.cpp - DPP, SDWA, halves, clamp, VOPD ---------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/RunForTest.h"
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

using namespace pal::device;
using namespace pal::device::test;

namespace {

uint32_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }

/// Register \p reg of lane i becomes f(i).
void fill(Wave &wave, unsigned reg, const std::function<uint32_t(unsigned)> &f) {
  for (unsigned lane = 0; lane < wave.lanes; ++lane)
    wave.v[reg].lane[lane] = f(lane);
}

/// Source lane by lane; -1 where the pattern leaves the row.
struct DppCase {
  const char *control;
  std::function<int(int)> from;
};
int inRow(int lane, int from) { return from >= 0 && from < 16 ? (lane & ~15) + from : -1; }
const int quad[] = {3, 1, 0, 2};
const DppCase dppCases[] = {
    {"quad_perm:[3,1,0,2]", [](int l) { return (l & ~3) + quad[l & 3]; }},
    {"row_shl:3", [](int l) { return inRow(l, l % 16 + 3); }},
    {"row_shr:5", [](int l) { return inRow(l, l % 16 - 5); }},
    {"row_shl:15", [](int l) { return inRow(l, l % 16 + 15); }},
    {"row_ror:5", [](int l) { return inRow(l, (l % 16 + 11) % 16); }},
    {"row_mirror", [](int l) { return inRow(l, 15 - l % 16); }},
    {"row_half_mirror", [](int l) { return inRow(l, l % 16 < 8 ? 7 - l % 16 : 23 - l % 16); }},
    {"row_share:9", [](int l) { return inRow(l, 9); }},
    {"row_xmask:6", [](int l) { return inRow(l, l % 16 ^ 6); }},
};

struct DppSetting {
  const char *text;
  unsigned rowMask, bankMask;
  bool boundCtrl, fi;
};
const DppSetting dppSettings[] = {
    {"row_mask:0xf bank_mask:0xf", 15, 15, false, false},
    {"row_mask:0xf bank_mask:0xf bound_ctrl:1", 15, 15, true, false},
    {"row_mask:0xf bank_mask:0xf fi:1", 15, 15, false, true},
    {"row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1", 15, 15, true, true},
    {"row_mask:0xa bank_mask:0x5 bound_ctrl:1", 10, 5, true, false},
};

constexpr uint64_t someLanes = 0xF0F0'1234'FFFF'7FFE;

/// The value a lane of v8 has after an operation on v0 = 100 + lane that moves its source: `old` if
/// the lane must not be written.
uint32_t dppExpected(const DppCase &c, const DppSetting &s, uint64_t exec, unsigned lane,
                     uint32_t old) {
  if (!(exec >> lane & 1) || !(s.rowMask >> (lane / 16) & 1) ||
      !(s.bankMask >> (lane % 16 / 4) & 1))
    return old;
  int from = c.from(int(lane));
  if (from >= 0 && (s.fi || (exec >> from & 1)))
    return 100 + uint32_t(from);
  return s.boundCtrl ? 0 : old;
}

TEST(ValuDpp, MoveInRows) {
  for (const char *target : {"gfx1010", "gfx1030", "gfx1100", "gfx1200"})
    for (unsigned lanes : {32u, 64u})
      for (const DppCase &c : dppCases)
        for (const DppSetting &s : dppSettings) {
          std::string text = std::string("v_mov_b32_dpp v8, v0 ") + c.control + " " + s.text;
          WaveForTest w(target, lanes, text);
          fill(*w, 0, [](unsigned lane) { return 100 + lane; });
          fill(*w, 8, [](unsigned) { return 7; });
          w->setMask(sreg::execLo, someLanes);
          ASSERT_TRUE(w.run()) << target << ": " << text << w.error();
          for (unsigned lane = 0; lane < lanes; ++lane)
            ASSERT_EQ(w->v[8].lane[lane], dppExpected(c, s, someLanes, lane, 7))
                << target << " wave" << lanes << ": " << text << " lane " << lane;
        }
}

TEST(ValuDpp, ScalarAdditionReadsItsOwnDestination) {
  // Reductions use this form: the destination is also the moved source.
  WaveForTest w("gfx1030", 32, "v_add_nc_u32_dpp v0, v0, v0 row_shr:1 row_mask:0xf bank_mask:0xf");
  fill(*w, 0, [](unsigned lane) { return lane * lane; });
  ASSERT_TRUE(w.run()) << w.error();
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(w->v[0].lane[lane], lane % 16 ? lane * lane + (lane - 1) * (lane - 1) : lane * lane);
}

TEST(ValuDpp, CompareGivesZeroForMaskedLanes) {
  for (const char *target : {"gfx1100", "gfx1200"})
    for (const char *text : {"v_cmp_ge_u32_dpp vcc, v0, v1 row_shl:1 row_mask:0xd bank_mask:0xf",
                             "v_cmp_ge_u32_e64_dpp vcc, v0, v1 row_shl:1 row_mask:0xd "
                             "bank_mask:0xf"}) {
      WaveForTest w(target, 64, text);
      fill(*w, 0, [](unsigned) { return 1; }); // v1 is 0: true wherever the lane takes part
      w->setMask(sreg::vccLo, ~0ull);
      w->setMask(sreg::execLo, ~0ull);
      ASSERT_TRUE(w.run()) << w.error();
      EXPECT_EQ(w->vcc(), 0x7FFF'7FFF'0000'7FFFu) << text;
    }
}

TEST(ValuDpp, LongEncodingAndModifiers) {
  for (const char *target : {"gfx1100", "gfx1150", "gfx1200"}) {
    WaveForTest w(target, 32,
                  "v_add3_u32_e64_dpp v8, v0, v1, v2 quad_perm:[1,0,3,2] row_mask:0xf "
                  "bank_mask:0xf\n"
                  "v_add_f32_dpp v9, -|v3|, v4 row_ror:1 row_mask:0xf bank_mask:0xf");
    fill(*w, 0, [](unsigned lane) { return lane; });
    fill(*w, 1, [](unsigned) { return 1000; });
    fill(*w, 2, [](unsigned) { return 50000; });
    fill(*w, 3, [](unsigned lane) { return bitsOf(lane % 2 ? float(lane) : -float(lane)); });
    fill(*w, 4, [](unsigned) { return bitsOf(0.5f); });
    ASSERT_TRUE(w.run()) << w.error();
    for (unsigned lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(w->v[8].lane[lane], (lane ^ 1) + 51000) << target;
      float moved = float((lane & 16) + (lane + 15) % 16);
      EXPECT_EQ(w->v[9].lane[lane], bitsOf(0.5f - moved)) << target;
    }
  }
}

TEST(ValuDpp, EightLanes) {
  const unsigned selectors[] = {7, 0, 5, 2, 2, 1, 6, 3};
  for (const char *target : {"gfx1010", "gfx1100", "gfx1200"})
    for (bool fi : {false, true}) {
      std::string text = "v_mov_b32_dpp v8, v0 dpp8:[7,0,5,2,2,1,6,3]";
      WaveForTest w(target, 64, text + (fi ? " fi:1" : ""));
      fill(*w, 0, [](unsigned lane) { return 100 + lane; });
      fill(*w, 8, [](unsigned) { return 7; });
      w->setMask(sreg::execLo, someLanes);
      ASSERT_TRUE(w.run()) << w.error();
      for (unsigned lane = 0; lane < 64; ++lane) {
        unsigned from = (lane & ~7u) + selectors[lane & 7];
        bool readable = fi || (someLanes >> from & 1);
        uint32_t expected = !(someLanes >> lane & 1) ? 7 : readable ? 100 + from : 0;
        ASSERT_EQ(w->v[8].lane[lane], expected) << target << " fi " << fi << " lane " << lane;
      }
    }
}

TEST(ValuSdwa, SelectsSourcesAndDestination) {
  struct Case {
    const char *text;
    uint32_t expected;
  };
  // v0 = 0x87654321, v1 = 0x0A0B8C0D, v8 = 0xDEADBEEF before.
  const Case cases[] = {
      {"v_mov_b32_sdwa v8, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2", 0x65},
      {"v_mov_b32_sdwa v8, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", 0x8765},
      {"v_mov_b32_sdwa v8, sext(v0) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1",
       0xFFFF8765},
      {"v_mov_b32_sdwa v8, sext(v0) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1", 0x43},
      {"v_mov_b32_sdwa v8, v0 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:DWORD", 0x2100},
      {"v_mov_b32_sdwa v8, v0 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3",
       0xDE87BEEF},
      {"v_mov_b32_sdwa v8, v0 dst_sel:BYTE_2 dst_unused:UNUSED_SEXT src0_sel:BYTE_3", 0xFF870000},
      {"v_mov_b32_sdwa v8, v0 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:WORD_1", 0xFFFF8765},
      {"v_mov_b32_sdwa v8, v0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD",
       0x4321BEEF},
      {"v_add_nc_u32_sdwa v8, v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 "
       "src1_sel:WORD_0",
       0x8C0D + 0x21},
      {"v_add_nc_u32_sdwa v8, sext(v0), sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD "
       "src0_sel:BYTE_3 src1_sel:WORD_0",
       0xFFFFFF87 + 0xFFFF8C0D},
      {"v_add_nc_u32_sdwa v8, s3, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 "
       "src1_sel:BYTE_3",
       0x1234 + 0x0A},
      {"v_add_nc_u32_sdwa v8, v1, s3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 "
       "src1_sel:BYTE_0",
       0x78 + 0x0A},
      // 1.5 in the high half times -2.0 as negated f16 2.0: word selection comes before neg.
      {"v_mul_f16_sdwa v8, v2, -v3 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 "
       "src1_sel:WORD_0",
       0xC200BEEF},
  };
  for (const char *target : {"gfx1010", "gfx1030"})
    for (const Case &c : cases) {
      WaveForTest w(target, 32, c.text);
      w->modeBits = mode::denormF32 | mode::denormF64F16;
      fill(*w, 0, [](unsigned) { return 0x87654321; });
      fill(*w, 1, [](unsigned) { return 0x0A0B8C0D; });
      fill(*w, 2, [](unsigned) { return 0x3E001111; });
      fill(*w, 3, [](unsigned) { return 0x77774000; });
      fill(*w, 8, [](unsigned) { return 0xDEADBEEF; });
      w->s[3] = 0x12345678;
      w->setMask(sreg::execLo, 0xFFFF7FFF);
      ASSERT_TRUE(w.run()) << c.text << w.error();
      EXPECT_EQ(w->v[8].lane[4], c.expected) << c.text;
      EXPECT_EQ(w->v[8].lane[15], 0xDEADBEEF) << c.text;
    }
}

TEST(ValuSdwa, Compare) {
  for (const char *target : {"gfx1010", "gfx1030"}) {
    WaveForTest w(target, 32,
                  "v_cmp_eq_u32_sdwa s9, v0, v1 src0_sel:BYTE_1 src1_sel:DWORD\n"
                  "v_cmp_lt_i32_sdwa vcc_lo, sext(v0), v1 src0_sel:BYTE_0 src1_sel:DWORD");
    fill(*w, 0, [](unsigned lane) { return lane << 8 | (lane & 1 ? 0x80 : 0x7F); });
    fill(*w, 1, [](unsigned) { return 5; });
    w->setMask(sreg::execLo, 0x0000FFFF);
    ASSERT_TRUE(w.run()) << w.error();
    EXPECT_EQ(w->s[9], 1u << 5);
    EXPECT_EQ(w->s[sreg::vccLo], 0xAAAAu);
  }
}

TEST(ValuHalves, SelectedByEncoding) {
  struct Case {
    const char *target, *text;
    uint32_t expected;
  };
  // v0 = 0x00070005, v1 = 0x00300020, v8 = 0xAAAABBBB before.
  const Case cases[] = {
      {"gfx1030", "v_add_nc_u16 v8, v0, v1", 0xAAAA0025},
      {"gfx1030", "v_add_nc_u16 v8, v0, v1 op_sel:[1,0,0]", 0xAAAA0027},
      {"gfx1030", "v_add_nc_u16 v8, v0, v1 op_sel:[0,1,1]", 0x0035BBBB},
      {"gfx1030", "v_mad_u32_u16 v8, v0, v1, v0 op_sel:[1,1,0,0]", 7 * 0x30 + 0x00070005},
      {"gfx1100", "v_add_nc_u16 v8.l, v0.l, v1.h", 0xAAAA0035},
      {"gfx1100", "v_add_nc_u16 v8.h, v0.h, v1.h", 0x0037BBBB},
      {"gfx1100", "v_mov_b16_e32 v8.h, v0.h", 0x0007BBBB},
      {"gfx1100", "v_mov_b16_e32 v8.l, v1.h", 0xAAAA0030},
      {"gfx1100", "v_mov_b16_e64 v8.h, v1.l", 0x0020BBBB},
      {"gfx1100", "v_not_b16_e32 v8.h, v0.l", 0xFFFABBBB},
      {"gfx1100", "v_cvt_u32_u16_e32 v8, v0.h", 7},
      {"gfx1200", "v_and_b16 v8.h, v1.h, v1.h", 0x0030BBBB},
      {"gfx1200", "v_xor_b16 v8.l, v0.h, v0.l", 0xAAAA0002},
      {"gfx1200", "v_cndmask_b16 v8.h, v0.h, v1.l, s4", 0x0020BBBB},
      {"gfx1200", "v_mad_u16 v8.h, v0.h, v1.h, v0.l", 0x0155BBBB},
      {"gfx1100", "v_fma_f16 v8.h, v2.h, v2.l, -v2.l", 0x3C00BBBB}, // 1.5 * 2 - 2
      {"gfx1100", "v_fmac_f16_e32 v8.h, v2.h, v2.l", 0xC5D0BBBB},
  };
  for (const Case &c : cases) {
    WaveForTest w(c.target, 32, c.text);
    w->modeBits = mode::denormF32 | mode::denormF64F16;
    fill(*w, 0, [](unsigned) { return 0x00070005; });
    fill(*w, 1, [](unsigned) { return 0x00300020; });
    fill(*w, 2, [](unsigned) { return 0x3E004000; }); // 1.5, 2.0
    fill(*w, 8, [](unsigned) { return 0xAAAABBBB; });
    w->s[4] = ~0u;
    bool isFmac = llvm::StringRef(c.text).starts_with("v_fmac");
    if (isFmac) // -8.8125 in the high half: plus 3 is -5.8125
      fill(*w, 8, [](unsigned) { return 0xC868BBBB; });
    ASSERT_TRUE(w.run()) << c.text << ": " << w.error();
    EXPECT_EQ(w->v[8].lane[3], c.expected) << c.target << ": " << c.text << std::hex;
  }
}

TEST(ValuResult, FloatClamp) {
  struct Case {
    uint32_t in, dx10, legacy;
  };
  const Case cases[] = {
      {bitsOf(0.25f), bitsOf(0.25f), bitsOf(0.25f)},
      {bitsOf(1.5f), bitsOf(1.0f), bitsOf(1.0f)},
      {bitsOf(-3.0f), 0, 0},
      {0x80000000, 0, 0},
      {0x7F800000, bitsOf(1.0f), bitsOf(1.0f)},
      {0xFF800000, 0, 0},
      {0x7FC00000, 0, 0x7FC00000},
  };
  for (const char *target : {"gfx1030", "gfx1100", "gfx1200"})
    for (bool dx10 : {false, true})
      for (const Case &c : cases) {
        WaveForTest w(target, 32, "v_mul_f32_e64 v8, v0, 1.0 clamp");
        w->modeBits = mode::denormF32 | mode::denormF64F16 | (dx10 ? mode::dx10Clamp : 0);
        fill(*w, 0, [&](unsigned) { return c.in; });
        ASSERT_TRUE(w.run()) << w.error();
        bool nanIsZero = dx10 || llvm::StringRef(target) == "gfx1200";
        EXPECT_EQ(w->v[8].lane[0], nanIsZero ? c.dx10 : c.legacy) << target << std::hex << c.in;
      }
}

TEST(ValuResult, PackedClampAndHalfClamp) {
  WaveForTest w("gfx1100", 32,
                "v_pk_mul_f16 v8, v0, v1 clamp\nv_mul_f16_e64 v9.l, v0.h, v1.l clamp");
  w->modeBits = mode::denormF32 | mode::denormF64F16 | mode::dx10Clamp;
  fill(*w, 0, [](unsigned) { return 0xC0003800; }); // -2, 0.5
  fill(*w, 1, [](unsigned) { return 0x3C003C00; });
  fill(*w, 9, [](unsigned) { return 0x12345678; });
  ASSERT_TRUE(w.run()) << w.error();
  EXPECT_EQ(w->v[8].lane[0], 0x00003800u);
  EXPECT_EQ(w->v[9].lane[0], 0x12340000u);
}

TEST(ValuResult, OmodNeedsFlushedResultsAndNoIeee) {
  struct Case {
    const char *modifier;
    uint32_t modeBits;
    float in, out;
  };
  const Case cases[] = {
      {"mul:2", 0, 3.0f, 6.0f},          {"mul:4", 0, 3.0f, 12.0f},
      {"div:2", 0, -3.0f, -1.5f},        {"mul:2", mode::denormF32, 3.0f, 3.0f},
      {"mul:2", mode::ieee, 3.0f, 3.0f}, {"mul:2", 0, -0.0f, 0.0f},
      {"div:2", 0, 0x1p-126f, 0.0f},     {"mul:4", 0, 0x1p127f, INFINITY},
  };
  for (const Case &c : cases) {
    WaveForTest w("gfx1100", 32, std::string("v_mul_f32_e64 v8, v0, 1.0 ") + c.modifier);
    w->modeBits = c.modeBits | mode::denormF64F16;
    fill(*w, 0, [&](unsigned) { return bitsOf(c.in); });
    ASSERT_TRUE(w.run()) << w.error();
    EXPECT_EQ(w->v[8].lane[0], bitsOf(c.out)) << c.modifier << " of " << c.in;
  }
}

TEST(ValuResult, DenormalsByMode) {
  struct Case {
    const char *text;
    uint32_t in, kept, flushed;
  };
  const Case cases[] = {
      {"v_mul_f32 v8, 1.0, v0", 0x80000123, 0x80000123, 0x80000000},
      {"v_max_f32 v8, v0, v0", 0x00000123, 0x00000123, 0},
      {"v_mov_b32 v8, v0", 0x00000123, 0x00000123, 0x00000123},
      {"v_mul_f16 v8, 1.0, v0", 0x8012, 0x8012, 0x8000},
      {"v_add_f16 v8, 0, v0", 0x0012, 0x0012, 0},
      // A flushed operand is -0, and 0 + -0 is +0.
      {"v_pk_add_f16 v8, 0, v0 op_sel_hi:[0,1]", 0x80013C00, 0x80013C00, 0x00003C00},
      {"v_pack_b32_f16 v8, v0, v0", 0x0012, 0x00120012, 0x00120012},
  };
  for (const Case &c : cases)
    for (bool flush : {false, true}) {
      WaveForTest w("gfx1030", 32, c.text);
      w->modeBits = flush ? 0 : mode::denormF32 | mode::denormF64F16;
      fill(*w, 0, [&](unsigned) { return c.in; });
      ASSERT_TRUE(w.run()) << w.error();
      EXPECT_EQ(w->v[8].lane[0], flush ? c.flushed : c.kept) << c.text << " flush " << flush;
    }
}

TEST(ValuResult, PerturbationIsRepeatable) {
  auto results = [](bool perturb, uint64_t seed) {
    WaveForTest w("gfx1100", 64, "v_rcp_f32 v8, v0");
    w.options.perturbApproximate = perturb;
    w.options.seed = seed;
    w->modeBits = mode::denormF32 | mode::denormF64F16;
    fill(*w, 0, [](unsigned lane) { return bitsOf(3.0f + float(lane)); });
    EXPECT_TRUE(w.run()) << w.error();
    return std::vector<uint32_t>(w->v[8].lane, w->v[8].lane + 64);
  };
  std::vector<uint32_t> exact = results(false, 1), a = results(true, 1), b = results(true, 2);
  EXPECT_EQ(a, results(true, 1));
  EXPECT_NE(a, b);
  unsigned changed = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_LE(std::abs(int(a[lane] - exact[lane])), 1);
    changed += a[lane] != exact[lane];
  }
  EXPECT_GT(changed, 16u);
  EXPECT_LT(changed, 48u);
}

TEST(ValuResult, PerturbedResultsStayWithinAnUlpOfTheExactValue) {
  using Wide = long double;
  struct Case {
    const char *text;
    Wide (*exact)(Wide);
  };
  const Case cases[] = {
      {"v_rcp_f32 v8, v0", [](Wide x) { return 1 / x; }},
      {"v_rcp_iflag_f32 v8, v0", [](Wide x) { return 1 / x; }},
      {"v_sqrt_f32 v8, v0", [](Wide x) { return std::sqrt(x); }},
      {"v_rsq_f32 v8, v0", [](Wide x) { return 1 / std::sqrt(x); }},
      {"v_exp_f32 v8, v0", [](Wide x) { return std::exp2(x); }},
      {"v_log_f32 v8, v0", [](Wide x) { return std::log2(x); }},
  };
  for (const Case &c : cases)
    for (uint64_t seed = 1; seed < 20; ++seed) {
      WaveForTest w("gfx1100", 64, c.text);
      w.options.perturbApproximate = true;
      w.options.seed = seed;
      fill(*w, 0,
           [&](unsigned lane) { return bitsOf(1.0f + float(lane) / 7 + float(seed * seed) / 97); });
      ASSERT_TRUE(w.run()) << w.error();
      for (unsigned lane = 0; lane < 64; ++lane) {
        float result = std::bit_cast<float>(w->v[8].lane[lane]);
        Wide exact = c.exact(std::bit_cast<float>(w->v[0].lane[lane]));
        float ulp = std::nextafter(result, INFINITY) - result;
        EXPECT_LE(std::fabs(Wide(result) - exact), Wide(ulp)) << c.text << " seed " << seed;
      }
    }
}

// What LLVM makes of a 32-bit udiv; it relies on v_rcp_iflag_f32 to be within an ulp.
TEST(ValuResult, IntegerDivisionSurvivesPerturbation) {
  const char *step = "v_sub_nc_u32 v5, v3, v1\nv_cmp_ge_u32 vcc_lo, v3, v1\n"
                     "v_add_nc_u32 v4, 1, v2\nv_cndmask_b32 v2, v2, v4, vcc_lo\n"
                     "v_cndmask_b32 v3, v3, v5, vcc_lo\n";
  std::string text = std::string("v_cvt_f32_u32 v2, v1\nv_rcp_iflag_f32 v2, v2\n"
                                 "v_mul_f32 v2, 0x4f7ffffe, v2\nv_cvt_u32_f32 v2, v2\n"
                                 "v_sub_nc_u32 v3, 0, v1\nv_mul_lo_u32 v3, v3, v2\n"
                                 "v_mul_hi_u32 v3, v2, v3\nv_add_nc_u32 v2, v2, v3\n"
                                 "v_mul_hi_u32 v2, v0, v2\nv_mul_lo_u32 v3, v2, v1\n"
                                 "v_sub_nc_u32 v3, v0, v3\n") +
                     step + step;
  WaveForTest w("gfx1100", 32, text);
  w.options.perturbApproximate = true;
  uint32_t random = 1;
  for (uint64_t seed = 1; seed < 3000; ++seed) {
    w.options.seed = seed;
    fill(*w, 0,
         [&](unsigned lane) { return lane % 4 ? ~0u - lane : random = random * 1664525 + 1; });
    fill(*w, 1, [&](unsigned) {
      random = random * 1664525 + 1013904223;
      return std::max(random >> (random >> 4 & 31), 1u);
    });
    ASSERT_TRUE(w.run()) << w.error();
    for (unsigned lane = 0; lane < 32; ++lane)
      ASSERT_EQ(w->v[2].lane[lane], w->v[0].lane[lane] / w->v[1].lane[lane])
          << w->v[0].lane[lane] << " / " << w->v[1].lane[lane] << " seed " << seed;
  }
}

TEST(ValuDual, BothHalvesReadBeforeEitherWrites) {
  for (const char *target : {"gfx1100", "gfx1150", "gfx1200"})
    for (uint32_t exec : {0xFFFFFFFFu, 0x00FFFF01u}) {
      WaveForTest w(target, 32, "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0");
      fill(*w, 0, [](unsigned lane) { return lane; });
      fill(*w, 1, [](unsigned lane) { return 100 + lane; });
      w->setMask(sreg::execLo, exec);
      ASSERT_TRUE(w.run()) << w.error();
      for (unsigned lane = 0; lane < 32; ++lane) {
        bool active = exec >> lane & 1;
        EXPECT_EQ(w->v[0].lane[lane], active ? 100 + lane : lane);
        EXPECT_EQ(w->v[1].lane[lane], active ? lane : 100 + lane);
      }
    }
}

TEST(ValuDual, EveryOperation) {
  struct Case {
    const char *x, *y;
    float expectedX;
    uint32_t expectedY;
  };
  // v0 = 3, v2 = 5 (floats), v3 = 7 and v4 = 10 in bits of integers, v8 = 100.0, vcc even lanes
  // off.
  const Case cases[] = {
      {"v_dual_fmac_f32 v8, v0, v2", "v_dual_add_nc_u32 v9, v3, v4", 115, 17},
      {"v_dual_fmaak_f32 v8, v0, v2, 0x3f800000", "v_dual_lshlrev_b32 v9, v3, v4", 16, 10 << 7},
      {"v_dual_fmamk_f32 v8, v0, 0x40000000, v2", "v_dual_and_b32 v9, v3, v4", 11, 2},
      {"v_dual_mul_f32 v8, v0, v2", "v_dual_mov_b32 v9, v3", 15, 7},
      {"v_dual_add_f32 v8, v0, v2", "v_dual_mov_b32 v9, 0x12345", 8, 0x12345},
      {"v_dual_sub_f32 v8, v0, v2", "v_dual_cndmask_b32 v9, v3, v4", -2, 10},
      {"v_dual_subrev_f32 v8, v0, v2", "v_dual_and_b32 v9, 3, v4", 2, 2},
      {"v_dual_mul_dx9_zero_f32 v8, v0, v2", "v_dual_mov_b32 v9, s5", 15, 55},
      {"v_dual_mov_b32 v8, v0", "v_dual_mov_b32 v9, v3", 3, 7},
      {"v_dual_cndmask_b32 v8, v0, v2", "v_dual_mov_b32 v9, v3", 5, 7},
      {"v_dual_max_f32 v8, v0, v2", "v_dual_mov_b32 v9, v3", 5, 7},
      {"v_dual_min_f32 v8, v0, v2", "v_dual_add_nc_u32 v9, v3, v4", 3, 17},
  };
  for (const char *target : {"gfx1100", "gfx1200"})
    for (const Case &c : cases) {
      std::string text = std::string(c.x) + " :: " + c.y;
      if (llvm::StringRef(target) == "gfx1200")
        for (llvm::StringRef name : {"v_dual_max_f32", "v_dual_min_f32"})
          if (text.starts_with(name.str()))
            text.insert(10, "_num");
      WaveForTest w(target, 32, text);
      w->modeBits = mode::denormF32 | mode::denormF64F16;
      fill(*w, 0, [](unsigned) { return bitsOf(3); });
      fill(*w, 2, [](unsigned) { return bitsOf(5); });
      fill(*w, 3, [](unsigned) { return 7; });
      fill(*w, 4, [](unsigned) { return 10; });
      fill(*w, 8, [](unsigned) { return bitsOf(100); });
      w->s[5] = 55;
      w->setMask(sreg::vccLo, 0xAAAAAAAA);
      ASSERT_TRUE(w.run()) << text << ": " << w.error();
      EXPECT_EQ(w->v[8].lane[1], bitsOf(c.expectedX)) << target << ": " << text;
      EXPECT_EQ(w->v[9].lane[1], c.expectedY) << target << ": " << text;
    }
}

} // namespace
