//===- ScalarAluTest.cpp - integer scalar operations -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Expected values are worked out by hand from the RDNA ISA manuals.
#include "pal_shim/device/core/RunForTest.h"
#include "gtest/gtest.h"

using namespace pal::device;
using pal::device::test::WaveForTest;

namespace {

constexpr uint32_t unchanged = 0xABCD0123;
constexpr uint32_t minI32 = 0x80000000, maxI32 = 0x7FFFFFFF, all = 0xFFFFFFFF;

/// s2 and s3 are the sources, s0 the destination; \p sccIn before, \p scc after.
struct Case32 {
  const char *text;
  uint32_t a, b, sccIn;
  uint32_t result, scc;
};

/// s[4:5] and s[6:7] are the sources, s[0:1] the destination, or s0 for 32-bit results.
struct Case64 {
  const char *text;
  uint64_t a, b;
  uint32_t sccIn;
  uint64_t result;
  uint32_t scc;
};

void check(const char *target, const Case32 &c) {
  WaveForTest w(target, 32, c.text);
  ASSERT_EQ(w.error(), "");
  w->s[0] = unchanged;
  w->s[1] = ~unchanged;
  w->s[2] = c.a;
  w->s[3] = c.b;
  w->scc = c.sccIn;
  ASSERT_TRUE(w.run()) << w.faultMessage();
  EXPECT_EQ(w->s[0], c.result) << target << ": " << c.text << " of " << c.a << ", " << c.b;
  EXPECT_EQ(w->s[1], ~unchanged) << c.text;
  EXPECT_EQ(w->scc, c.scc) << target << ": " << c.text << " of " << c.a << ", " << c.b;
}

void check(const char *target, const Case64 &c, bool is32BitResult = false) {
  WaveForTest w(target, 64, c.text);
  ASSERT_EQ(w.error(), "");
  w->setS64(0, unchanged);
  w->setS64(4, c.a);
  w->setS64(6, c.b);
  w->s[2] = unchanged;
  w->scc = c.sccIn;
  ASSERT_TRUE(w.run()) << w.faultMessage();
  EXPECT_EQ(is32BitResult ? w->s[0] : w->s64(0), c.result) << target << ": " << c.text;
  EXPECT_EQ(w->s[2], unchanged) << c.text;
  EXPECT_EQ(w->scc, c.scc) << target << ": " << c.text;
}

} // namespace

TEST(ScalarAlu, AddAndSubtract) {
  const Case32 cases[] = {
      {"s_add_u32 s0, s2, s3", 1, 2, 1, 3, 0},
      {"s_add_u32 s0, s2, s3", all, 1, 0, 0, 1},
      {"s_add_u32 s0, s2, s3", all, all, 0, 0xFFFFFFFE, 1},
      {"s_sub_u32 s0, s2, s3", 1, 2, 0, all, 1},
      {"s_sub_u32 s0, s2, s3", 2, 2, 1, 0, 0},
      {"s_add_i32 s0, s2, s3", maxI32, 1, 0, minI32, 1},
      {"s_add_i32 s0, s2, s3", all, 1, 1, 0, 0},
      {"s_add_i32 s0, s2, s3", minI32, minI32, 0, 0, 1},
      {"s_sub_i32 s0, s2, s3", minI32, 1, 0, maxI32, 1},
      {"s_sub_i32 s0, s2, s3", 0, minI32, 0, minI32, 1},
      {"s_sub_i32 s0, s2, s3", 1, 2, 1, all, 0},
      {"s_addc_u32 s0, s2, s3", 1, 2, 1, 4, 0},
      {"s_addc_u32 s0, s2, s3", all, 0, 1, 0, 1},
      {"s_addc_u32 s0, s2, s3", all, all, 1, all, 1},
      {"s_subb_u32 s0, s2, s3", 5, 2, 1, 2, 0},
      {"s_subb_u32 s0, s2, s3", 0, 0, 1, all, 1},
      {"s_subb_u32 s0, s2, s3", 0, all, 1, 0, 1},
      {"s_subb_u32 s0, s2, s3", all, all, 0, 0, 0},
      {"s_lshl1_add_u32 s0, s2, s3", 3, 4, 1, 10, 0},
      {"s_lshl4_add_u32 s0, s2, s3", 0x10000000, 1, 0, 1, 1},
      {"s_lshl2_add_u32 s0, s2, s3", 0x3FFFFFFF, 4, 0, 0, 1},
      {"s_lshl3_add_u32 s0, s2, s3", 1, 0xFFFFFFF7, 0, all, 0},
      {"s_absdiff_i32 s0, s2, s3", 3, 5, 0, 2, 1},
      {"s_absdiff_i32 s0, s2, s3", 5, 5, 1, 0, 0},
      {"s_absdiff_i32 s0, s2, s3", minI32, 0, 0, minI32, 1},
      {"s_abs_i32 s0, s2", all, 0, 0, 1, 1},
      {"s_abs_i32 s0, s2", minI32, 0, 0, minI32, 1},
      {"s_abs_i32 s0, s2", 0, 0, 1, 0, 0},
  };
  for (const Case32 &c : cases)
    check("gfx1100", c);
}

TEST(ScalarAlu, NamesOfGfx12) {
  check("gfx1200", Case32{"s_add_co_u32 s0, s2, s3", all, 1, 0, 0, 1});
  check("gfx1200", Case32{"s_sub_co_i32 s0, s2, s3", minI32, 1, 0, maxI32, 1});
  check("gfx1200", Case32{"s_add_co_ci_u32 s0, s2, s3", all, 0, 1, 0, 1});
  check("gfx1200", Case64{"s_add_nc_u64 s[0:1], s[4:5], s[6:7]", ~0ull, 2, 1, 1, 1});
  check("gfx1200", Case64{"s_sub_nc_u64 s[0:1], s[4:5], s[6:7]", 0, 1, 0, ~0ull, 0});
  check("gfx1200",
        Case64{"s_mul_u64 s[0:1], s[4:5], s[6:7]", 0x100000001, 0x100000001, 1, 0x200000001, 1});
}

TEST(ScalarAlu, Multiply) {
  const Case32 cases[] = {
      {"s_mul_i32 s0, s2, s3", all, 5, 1, 0xFFFFFFFB, 1},
      {"s_mul_hi_u32 s0, s2, s3", all, all, 1, 0xFFFFFFFE, 1},
      {"s_mul_hi_i32 s0, s2, s3", all, all, 0, 0, 0},
      {"s_mul_hi_i32 s0, s2, s3", minI32, 2, 0, all, 0},
      {"s_mul_hi_i32 s0, s2, s3", minI32, minI32, 0, 0x40000000, 0},
  };
  for (const Case32 &c : cases)
    check("gfx1030", c);
}

TEST(ScalarAlu, MinAndMax) {
  const Case32 cases[] = {
      {"s_min_i32 s0, s2, s3", all, 1, 0, all, 1}, {"s_min_i32 s0, s2, s3", 1, all, 1, all, 0},
      {"s_min_i32 s0, s2, s3", 7, 7, 1, 7, 0},     {"s_min_u32 s0, s2, s3", all, 1, 1, 1, 0},
      {"s_max_i32 s0, s2, s3", all, 1, 1, 1, 0},   {"s_max_u32 s0, s2, s3", all, 1, 0, all, 1},
      {"s_max_u32 s0, s2, s3", 7, 7, 1, 7, 0}, // hardware: strictly greater
  };
  for (const Case32 &c : cases)
    check("gfx1100", c);
}

TEST(ScalarAlu, Logic) {
  constexpr uint32_t a = 0xFF00FF00, b = 0xF0F0F0F0;
  const Case32 cases[] = {
      {"s_and_b32 s0, s2, s3", a, b, 0, 0xF000F000, 1},
      {"s_or_b32 s0, s2, s3", a, b, 0, 0xFFF0FFF0, 1},
      {"s_xor_b32 s0, s2, s3", a, b, 0, 0x0FF00FF0, 1},
      {"s_xor_b32 s0, s2, s3", a, a, 1, 0, 0},
      {"s_nand_b32 s0, s2, s3", a, b, 0, 0x0FFF0FFF, 1},
      {"s_nand_b32 s0, s2, s3", all, all, 1, 0, 0},
      {"s_nor_b32 s0, s2, s3", a, b, 0, 0x000F000F, 1},
      {"s_xnor_b32 s0, s2, s3", a, b, 0, 0xF00FF00F, 1},
      {"s_andn2_b32 s0, s2, s3", a, b, 0, 0x0F000F00, 1},
      {"s_orn2_b32 s0, s2, s3", a, b, 0, 0xFF0FFF0F, 1},
      {"s_not_b32 s0, s2", all, 0, 1, 0, 0},
  };
  for (const Case32 &c : cases)
    check("gfx1030", c);
  check("gfx1100", Case32{"s_and_not1_b32 s0, s2, s3", a, b, 0, 0x0F000F00, 1});
  check("gfx1100",
        Case64{"s_and_b64 s[0:1], s[4:5], s[6:7]", 0xF00000000, 0x300000001, 0, 0x300000000, 1});
  // A 32-bit literal of a b64 operation is zero-extended, an inline constant sign-extended.
  check("gfx1100", Case64{"s_and_b64 s[0:1], s[4:5], 0x80000001", ~0ull, 0, 0, 0x80000001, 1});
  check("gfx1100", Case64{"s_and_b64 s[0:1], s[4:5], -2", ~0ull, 0, 0, ~1ull, 1});
  check("gfx1100", Case64{"s_not_b64 s[0:1], s[4:5]", ~0ull, 0, 1, 0, 0});
}

TEST(ScalarAlu, Shifts) {
  const Case32 cases[] = {
      {"s_lshl_b32 s0, s2, s3", 1, 31, 0, minI32, 1},
      {"s_lshl_b32 s0, s2, s3", 1, 33, 0, 2, 1},
      {"s_lshl_b32 s0, s2, s3", minI32, 1, 1, 0, 0},
      {"s_lshr_b32 s0, s2, s3", minI32, 31, 0, 1, 1},
      {"s_ashr_i32 s0, s2, s3", minI32, 31, 0, all, 1},
      {"s_ashr_i32 s0, s2, s3", maxI32, 31, 1, 0, 0},
  };
  for (const Case32 &c : cases)
    check("gfx1100", c);
  check("gfx1100", Case64{"s_lshl_b64 s[0:1], s[4:5], s6", 1, 63, 0, 1ull << 63, 1});
  check("gfx1100", Case64{"s_lshl_b64 s[0:1], s[4:5], s6", 1, 65, 0, 2, 1});
  check("gfx1100", Case64{"s_lshr_b64 s[0:1], s[4:5], s6", 1ull << 63, 63, 0, 1, 1});
  check("gfx1100", Case64{"s_ashr_i64 s[0:1], s[4:5], s6", 1ull << 63, 63, 0, ~0ull, 1});
  // Signed operations sign-extend a literal.
  check("gfx1100", Case64{"s_ashr_i64 s[0:1], 0x80000000, s6", 0, 4, 0, 0xFFFFFFFFF8000000, 1});
}

TEST(ScalarAlu, BitFields) {
  auto field = [](uint32_t offset, uint32_t width) { return width << 16 | offset; };
  const Case32 cases[] = {
      {"s_bfe_u32 s0, s2, s3", 0x12345678, field(8, 8), 0, 0x56, 1},
      {"s_bfe_u32 s0, s2, s3", all, field(8, 0), 1, 0, 0},
      {"s_bfe_u32 s0, s2, s3", all, field(0, 32), 0, all, 1},
      {"s_bfe_u32 s0, s2, s3", all, field(28, 32), 0, 0xF, 1},
      {"s_bfe_u32 s0, s2, s3", all, field(0, 127), 0, all, 1},
      {"s_bfe_i32 s0, s2, s3", 0x0000F000, field(12, 4), 0, all, 1},
      {"s_bfe_i32 s0, s2, s3", 0x00007000, field(12, 4), 0, 7, 1},
      {"s_bfe_i32 s0, s2, s3", all, field(4, 0), 1, 0, 0},
      {"s_bfe_i32 s0, s2, s3", minI32, field(28, 8), 0, 0xFFFFFFF8, 1},
      {"s_bfe_i32 s0, s2, s3", 0x12345678, field(0, 32), 0, 0x12345678, 1},
      {"s_bfm_b32 s0, s2, s3", 4, 8, 1, 0xF00, 1},
      {"s_bfm_b32 s0, s2, s3", 0, 8, 0, 0, 0},
      {"s_bfm_b32 s0, s2, s3", 32, 0, 0, 0, 0}, // five bits of the width count
      {"s_bitset1_b32 s0, s2", 37, 0, 1, unchanged | 1 << 5, 1},
      {"s_bitset0_b32 s0, s2", 0, 0, 0, unchanged & ~1u, 0},
  };
  for (const Case32 &c : cases)
    check("gfx1100", c);
  check("gfx1100",
        Case64{"s_bfe_u64 s[0:1], s[4:5], s6", 0x123456789ABCDEF0, field(32, 16), 0, 0x5678, 1});
  check("gfx1100", Case64{"s_bfe_i64 s[0:1], s[4:5], s6", 0x8000000000000000, field(60, 4), 0,
                          0xFFFFFFFFFFFFFFF8, 1});
  check("gfx1100", Case64{"s_bfe_u64 s[0:1], s[4:5], s6", ~0ull, field(0, 64), 0, ~0ull, 1});
  check("gfx1100", Case64{"s_bfm_b64 s[0:1], s4, s6", 40, 8, 0, 0x0000FFFFFFFFFF00, 0});
  check("gfx1100", Case64{"s_bitset1_b64 s[0:1], s4", 63, 0, 0, unchanged | 1ull << 63, 0});
}

TEST(ScalarAlu, Counting) {
  const Case32 cases[] = {
      {"s_brev_b32 s0, s2", 0x80000001, 0, 1, 0x80000001, 1},
      {"s_brev_b32 s0, s2", 0x00000006, 0, 0, 0x60000000, 0},
      {"s_bcnt1_i32_b32 s0, s2", 0xF0F0, 0, 0, 8, 1},
      {"s_bcnt1_i32_b32 s0, s2", 0, 0, 1, 0, 0},
      {"s_bcnt0_i32_b32 s0, s2", 0, 0, 0, 32, 1},
      {"s_bcnt0_i32_b32 s0, s2", all, 0, 1, 0, 0},
      {"s_ff1_i32_b32 s0, s2", 0x50, 0, 1, 4, 1},
      {"s_ff1_i32_b32 s0, s2", 0, 0, 0, all, 0},
      {"s_ff0_i32_b32 s0, s2", 0x0F, 0, 0, 4, 0},
      {"s_ff0_i32_b32 s0, s2", all, 0, 0, all, 0},
      {"s_flbit_i32_b32 s0, s2", 0x00010000, 0, 0, 15, 0},
      {"s_flbit_i32_b32 s0, s2", 0, 0, 0, all, 0},
      {"s_flbit_i32 s0, s2", 0x00010000, 0, 0, 15, 0},
      {"s_flbit_i32 s0, s2", 0xFFFEFFFF, 0, 0, 15, 0},
      {"s_flbit_i32 s0, s2", maxI32, 0, 0, 1, 0},
      {"s_flbit_i32 s0, s2", all, 0, 0, all, 0},
      {"s_flbit_i32 s0, s2", 0, 0, 0, all, 0},
      {"s_sext_i32_i8 s0, s2", 0x12345680, 0, 1, 0xFFFFFF80, 1},
      {"s_sext_i32_i16 s0, s2", 0x12348000, 0, 1, 0xFFFF8000, 1},
  };
  for (const Case32 &c : cases)
    check("gfx1030", c);
  check("gfx1100", Case32{"s_ctz_i32_b32 s0, s2", 0x50, 0, 1, 4, 1});
  check("gfx1100", Case32{"s_clz_i32_u32 s0, s2", 0x00010000, 0, 0, 15, 0});
  check("gfx1100", Case32{"s_cls_i32 s0, s2", 0xFFFEFFFF, 0, 0, 15, 0});
  check("gfx1100", Case64{"s_brev_b64 s[0:1], s[4:5]", 6, 0, 0, 0x6000000000000000, 0});
  const Case64 to32[] = {
      {"s_bcnt1_i32_b64 s0, s[4:5]", ~0ull, 0, 0, 64, 1},
      {"s_ctz_i32_b64 s0, s[4:5]", 1ull << 40, 0, 0, 40, 0},
      {"s_clz_i32_u64 s0, s[4:5]", 1ull << 40, 0, 0, 23, 0},
      {"s_cls_i32_i64 s0, s[4:5]", ~0ull ^ 1ull << 40, 0, 0, 23, 0},
      {"s_cls_i32_i64 s0, s[4:5]", ~0ull, 0, 0, all, 0},
  };
  for (const Case64 &c : to32)
    check("gfx1100", c, /*is32BitResult=*/true);
}

TEST(ScalarAlu, QuadsAndPacking) {
  const Case32 cases[] = {
      {"s_wqm_b32 s0, s2", 0x10000020, 0, 0, 0xF00000F0, 1},
      {"s_wqm_b32 s0, s2", 0, 0, 1, 0, 0},
      {"s_quadmask_b32 s0, s2", 0x10000020, 0, 0, 0x82, 1},
      {"s_pack_ll_b32_b16 s0, s2, s3", 0x11112222, 0x33334444, 1, 0x44442222, 1},
      {"s_pack_lh_b32_b16 s0, s2, s3", 0x11112222, 0x33334444, 0, 0x33332222, 0},
      {"s_pack_hh_b32_b16 s0, s2, s3", 0x11112222, 0x33334444, 0, 0x33331111, 0},
      {"s_pack_hl_b32_b16 s0, s2, s3", 0x11112222, 0x33334444, 0, 0x44441111, 0},
  };
  for (const Case32 &c : cases)
    check("gfx1100", c);
  check("gfx1100", Case64{"s_wqm_b64 s[0:1], s[4:5]", 1ull << 63 | 1, 0, 0, 0xF00000000000000F, 1});
  check("gfx1100", Case64{"s_quadmask_b64 s[0:1], s[4:5]", 1ull << 63 | 1, 0, 0, 0x8001, 1});
  check("gfx1100",
        Case64{"s_bitreplicate_b64_b32 s[0:1], s4", 0x80000005, 0, 0, 0xC000000000000033, 0});
}

TEST(ScalarAlu, Moves) {
  const Case32 cases[] = {
      {"s_mov_b32 s0, s2", 5, 0, 1, 5, 1},
      {"s_mov_b32 s0, 0x12345678", 0, 0, 0, 0x12345678, 0},
      {"s_mov_b32 s0, 1.0", 0, 0, 0, 0x3F800000, 0},
      {"s_mov_b32 s0, src_scc", 0, 0, 1, 1, 1},
      {"s_mov_b32 s0, null", 0, 0, 1, 0, 1},
      {"s_mov_b32 null, s2", 5, 0, 1, unchanged, 1},
      {"s_movk_i32 s0, 0x8000", 0, 0, 0, 0xFFFF8000, 0},
      {"s_cmov_b32 s0, s2", 5, 0, 0, unchanged, 0},
      {"s_cmov_b32 s0, s2", 5, 0, 1, 5, 1},
      {"s_cmovk_i32 s0, 0xfffe", 0, 0, 1, 0xFFFFFFFE, 1},
      {"s_cmovk_i32 s0, 0xfffe", 0, 0, 0, unchanged, 0},
      {"s_cselect_b32 s0, s2, s3", 5, 6, 1, 5, 1},
      {"s_cselect_b32 s0, s2, s3", 5, 6, 0, 6, 0},
      {"s_addk_i32 s0, 0x8000", 0, 0, 0, unchanged - 0x8000, 0},
      {"s_mulk_i32 s0, 0xffff", 0, 0, 1, 0u - unchanged, 1},
  };
  for (const char *target : {"gfx1030", "gfx1100"})
    for (const Case32 &c : cases)
      check(target, c);
  check("gfx1100", Case64{"s_mov_b64 s[0:1], s[4:5]", 1ull << 40, 0, 1, 1ull << 40, 1});
  check("gfx1100", Case64{"s_cselect_b64 s[0:1], s[4:5], s[6:7]", 1, 2, 0, 2, 0});
  check("gfx1100", Case64{"s_cmov_b64 s[0:1], s[4:5]", 1, 2, 0, unchanged, 0});
  WaveForTest w("gfx1100", 32, "s_addk_i32 s0, 1");
  w->s[0] = maxI32;
  ASSERT_TRUE(w.run());
  EXPECT_EQ(w->scc, 1u);
}

TEST(ScalarAlu, RelativeMoves) {
  WaveForTest w("gfx1100", 32,
                "s_movrels_b32 s0, s2\ns_movreld_b32 s4, s0\n"
                "s_mov_b32 m0, 0x30002\ns_movrelsd_2_b32 s8, s2");
  w->s[sreg::m0] = 5;
  w->s[7] = 77; // s2 + 5
  w->s[4] = 44; // s2 + 2
  ASSERT_TRUE(w.run()) << w.error() << w.faultMessage();
  EXPECT_EQ(w->s[0], 77u);
  EXPECT_EQ(w->s[9], 77u);  // s4 + 5
  EXPECT_EQ(w->s[11], 44u); // s8 + 3
  WaveForTest bad("gfx1100", 32, "s_movrels_b32 s0, s2");
  bad->s[sreg::m0] = 0xFFFFFFFF;
  bad->s[1] = 1;
  EXPECT_TRUE(bad.run()); // s2 - 1
  EXPECT_EQ(bad->s[0], 1u);
  bad->s[sreg::m0] = 104;
  EXPECT_FALSE(bad.run());
  EXPECT_EQ(bad.faultMessage(), "source s2 + 104 is not an SGPR");
}

TEST(ScalarAlu, Compares) {
  struct {
    const char *text;
    uint32_t a, b, scc;
  } cases[] = {
      {"s_cmp_eq_i32 s2, s3", 5, 5, 1},           {"s_cmp_lg_i32 s2, s3", 5, 5, 0},
      {"s_cmp_gt_i32 s2, s3", 1, all, 1},         {"s_cmp_gt_u32 s2, s3", 1, all, 0},
      {"s_cmp_ge_i32 s2, s3", all, all, 1},       {"s_cmp_lt_i32 s2, s3", minI32, maxI32, 1},
      {"s_cmp_lt_u32 s2, s3", minI32, maxI32, 0}, {"s_cmp_le_u32 s2, s3", 3, 3, 1},
      {"s_cmp_ge_u32 s2, s3", 2, 3, 0},           {"s_cmp_le_i32 s2, s3", 0, all, 0},
      {"s_cmpk_eq_i32 s2, 0xffff", all, 0, 1},    {"s_cmpk_eq_u32 s2, 0xffff", all, 0, 0},
      {"s_cmpk_eq_u32 s2, 0xffff", 0xFFFF, 0, 1}, {"s_cmpk_gt_i32 s2, 0x8000", 0, 0, 1},
      {"s_cmpk_gt_u32 s2, 0x8000", 0, 0, 0},      {"s_cmpk_lt_u32 s2, 0x8000", 1, 0, 1},
      {"s_bitcmp0_b32 s2, s3", 4, 34, 0},         {"s_bitcmp1_b32 s2, s3", 4, 34, 1},
  };
  for (const auto &c : cases)
    for (uint32_t before : {0u, 1u})
      check("gfx1100", Case32{c.text, c.a, c.b, before, unchanged, c.scc});
  check("gfx1100", Case64{"s_cmp_eq_u64 s[4:5], s[6:7]", 1ull << 40, 0, 1, unchanged, 0});
  check("gfx1100", Case64{"s_cmp_lg_u64 s[4:5], s[6:7]", 1ull << 40, 0, 0, unchanged, 1});
  check("gfx1100", Case64{"s_bitcmp1_b64 s[4:5], s6", 1ull << 40, 40, 0, unchanged, 1});
}

TEST(ScalarAlu, ExecMasks) {
  struct {
    const char *name;
    uint32_t result; ///< for source 0b1100 and EXEC 0b1010, in the low four bits
    bool isWrite;
  } cases[] = {
      {"s_and_saveexec", 0b1000, false},      {"s_or_saveexec", 0b1110, false},
      {"s_xor_saveexec", 0b0110, false},      {"s_nand_saveexec", ~0b1000u, false},
      {"s_nor_saveexec", ~0b1110u, false},    {"s_xnor_saveexec", ~0b0110u, false},
      {"s_and_not0_saveexec", 0b0010, false}, {"s_or_not0_saveexec", ~0b1100u | 0b1010, false},
      {"s_and_not1_saveexec", 0b0100, false}, {"s_or_not1_saveexec", ~0b1010u | 0b1100, false},
      {"s_and_not0_wrexec", 0b0010, true},    {"s_and_not1_wrexec", 0b0100, true},
  };
  for (const auto &c : cases) {
    WaveForTest narrow("gfx1100", 32, std::string(c.name) + "_b32 s0, s2");
    narrow->s[2] = 0b1100;
    narrow->setS64(sreg::execLo, 0x77777777'0000000A);
    ASSERT_TRUE(narrow.run()) << narrow.error();
    EXPECT_EQ(narrow->s[0], c.isWrite ? c.result : 0b1010u) << c.name;
    EXPECT_EQ(narrow->s[sreg::execLo], c.result) << c.name;
    EXPECT_EQ(narrow->s[sreg::execHi], 0x77777777u) << c.name;
    EXPECT_EQ(narrow->scc, 1u) << c.name;

    WaveForTest wide("gfx1100", 64, std::string(c.name) + "_b64 s[0:1], s[2:3]");
    wide->setS64(2, 0b1100ull << 32);
    wide->setS64(sreg::execLo, 0b1010ull << 32);
    ASSERT_TRUE(wide.run()) << wide.error();
    EXPECT_EQ(wide->s[sreg::execHi], c.result) << c.name;
    EXPECT_EQ(wide->s[1], c.isWrite ? c.result : 0b1010u) << c.name;
  }
  WaveForTest none("gfx1030", 32, "s_andn2_saveexec_b32 exec_lo, s2");
  none->s[2] = 0;
  none->scc = 1;
  ASSERT_TRUE(none.run());
  EXPECT_EQ(none->scc, 0u);
}
