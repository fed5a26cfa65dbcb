//===- VectorIntegerTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/ops/LaneCasesForTest.h"

using namespace pal::device;
using namespace pal::device::test;

namespace {

using u64 = uint64_t;
using u32 = uint32_t;
using i32 = int32_t;
using i64 = int64_t;
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

template <class F> LaneFunction fn(F f) {
  return [f](u64 a, u64 b, u64 c) { return LaneResult{u64(f(a, b, c)), -1}; };
}
#define FN(expression)                                                                             \
  fn([](u64 a, u64 b, u64 c) -> u64 {                                                              \
    (void)a, (void)b, (void)c;                                                                     \
    return expression;                                                                             \
  })

i64 clampTo(i128 value, i128 low, i128 high) {
  return i64(value < low ? low : value > high ? high : value);
}
i64 s32(u64 a) { return i32(u32(a)); }
i64 z32(u64 a) { return i64(a & 0xFFFFFFFF); }
i64 s24(u64 a) { return (i64(a & 0xFFFFFF) ^ 0x800000) - 0x800000; }
i64 z24(u64 a) { return i64(a & 0xFFFFFF); }
/// The median by sorting.
i64 middle(i64 a, i64 b, i64 c) {
  i64 v[] = {a, b, c};
  std::sort(v, v + 3);
  return v[1];
}
u64 reversedBits(u64 a) {
  u64 r = 0;
  for (unsigned i = 0; i < 32; ++i)
    r |= (a >> i & 1) << (31 - i);
  return r;
}
u64 signedField(u64 a, u64 b, u64 c) {
  i64 shifted = s32(a) >> b % 32, width = i64(c % 32);
  if (width == 0)
    return 0;
  u64 field = u64(shifted) & ((1ull << width) - 1);
  return field >> (width - 1) & 1 ? field | ~0ull << width : field;
}
u64 permuted(u64 a, u64 b, u64 c) {
  u64 data = u64(z32(a)) << 32 | u64(z32(b)), result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    u64 select = c >> 8 * i & 0xFF;
    u64 byte = select < 8     ? data >> 8 * select & 0xFF
               : select == 8  ? (data >> 15 & 1) * 0xFF
               : select == 9  ? (data >> 31 & 1) * 0xFF
               : select == 10 ? (data >> 47 & 1) * 0xFF
               : select == 11 ? (data >> 63 & 1) * 0xFF
               : select == 12 ? 0
                              : 0xFF;
    result |= byte << 8 * i;
  }
  return result;
}
/// Position of the first one from the top or the bottom; all ones if there is none.
u64 bitLoop(u64 a, bool fromTop) {
  for (u32 i = 0; i < 32; ++i)
    if (a >> (fromTop ? 31 - i : i) & 1)
      return i;
  return ~0ull;
}

TEST(VectorInteger, MovesAndLogic) {
  checkLaneCases({
      {"v_mov_b32 v8, v0", 32, FN(a)},
      {"v_mov_b32_e64 v8, v2", 32, FN(b)},
      {"v_mov_b32 v8, 0x12345678", 32, FN(0x12345678)},
      {"v_mov_b32 v8, -16", 32, FN(u64(-16))},
      {"v_mov_b32 v8, 0.15915494", 32, FN(0x3E22F983)},
      {"v_not_b32 v8, v0", 32, FN(~a)},
      {"v_and_b32 v8, v0, v2", 32, FN(a & b)},
      {"v_or_b32 v8, v0, v2", 32, FN(a | b)},
      {"v_xor_b32 v8, v0, v2", 32, FN(a ^ b)},
      {"v_xnor_b32 v8, v0, v2", 32, FN(~(a ^ b))},
      {"v_and_or_b32 v8, v0, v2, v4", 32, FN((a & b) | c)},
      {"v_or3_b32 v8, v0, v2, v4", 32, FN(a | b | c)},
      {"v_xor3_b32 v8, v0, v2, v4", 32, FN(a ^ b ^ c), EveryTarget},
      {"v_xad_u32 v8, v0, v2, v4", 32, FN((a ^ b) + c)},
      {"v_bfi_b32 v8, v0, v2, v4", 32, FN((a & b) | (~a & c))},
      {"v_bfm_b32 v8, v0, v2", 32, FN(((1ull << a % 32) - 1) << b % 32)},
  });
}

TEST(VectorInteger, BitCounts) {
  LaneFunction reversed = FN(reversedBits(a));
  LaneFunction clz = FN(bitLoop(a, true)), ctz = FN(bitLoop(a, false));
  LaneFunction cls = FN(bitLoop(a >> 31 & 1 ? ~a & 0xFFFFFFFF : a & 0xFFFFFFFF, true));
  checkLaneCases({
      {"v_bfrev_b32 v8, v0", 32, reversed},
      {"v_ffbh_u32 v8, v0", 32, clz, Gfx10Only},
      {"v_clz_i32_u32 v8, v0", 32, clz, Gfx11Up},
      {"v_ffbl_b32 v8, v0", 32, ctz, Gfx10Only},
      {"v_ctz_i32_b32 v8, v0", 32, ctz, Gfx11Up},
      {"v_ffbh_i32 v8, v0", 32, cls, Gfx10Only},
      {"v_cls_i32 v8, v0", 32, cls, Gfx11Up},
      {"v_bcnt_u32_b32 v8, v0, v2", 32, FN(u64(__builtin_popcountll(a & 0xFFFFFFFF)) + b)},
  });
}

TEST(VectorInteger, AddAndSubtract) {
  constexpr i64 maxI = 0x7FFFFFFF, minI = -maxI - 1, maxU = 0xFFFFFFFF;
  checkLaneCases({
      {"v_add_nc_u32 v8, v0, v2", 32, FN(a + b)},
      {"v_sub_nc_u32 v8, v0, v2", 32, FN(a - b)},
      {"v_subrev_nc_u32 v8, v0, v2", 32, FN(b - a)},
      {"v_add_nc_i32 v8, v0, v2", 32, FN(a + b)},
      {"v_sub_nc_i32 v8, v0, v2", 32, FN(a - b)},
      {"v_add_nc_u32_e64 v8, v0, v2 clamp", 32, FN(u64(clampTo(z32(a) + z32(b), 0, maxU)))},
      {"v_sub_nc_u32_e64 v8, v0, v2 clamp", 32, FN(u64(clampTo(z32(a) - z32(b), 0, maxU)))},
      {"v_subrev_nc_u32_e64 v8, v0, v2 clamp", 32, FN(u64(clampTo(z32(b) - z32(a), 0, maxU)))},
      {"v_add_nc_i32 v8, v0, v2 clamp", 32, FN(u64(clampTo(s32(a) + s32(b), minI, maxI)))},
      {"v_sub_nc_i32 v8, v0, v2 clamp", 32, FN(u64(clampTo(s32(a) - s32(b), minI, maxI)))},
      {"v_add3_u32 v8, v0, v2, v4", 32, FN(a + b + c)},
      {"v_add_lshl_u32 v8, v0, v2, v4", 32, FN((a + b) << c % 32)},
      {"v_lshl_add_u32 v8, v0, v2, v4", 32, FN((a << b % 32) + c)},
      {"v_lshl_or_b32 v8, v0, v2, v4", 32, FN((a << b % 32) | c)},
      {"v_add_nc_u32 v8, 0xfffffff0, v2", 32, FN(b - 16)},
  });
}

/// Lane \p i of the VCC that LaneCasesForTest sets is not known to lane functions, so the carry
/// chain gets its carry from a compare of the same instruction stream.
LaneFunction carry(i64 (*sum)(i64 a, i64 b, i64 carryIn), bool clamp = false) {
  return [=](u64 a, u64 b, u64 c) {
    i64 value = sum(z32(a), z32(b), z32(c) == 1);
    bool overflow = value < 0 || value > 0xFFFFFFFF;
    if (clamp)
      value = clampTo(value, 0, 0xFFFFFFFF);
    return LaneResult{u64(value), overflow};
  };
}

TEST(VectorInteger, CarryChains) {
  auto add = [](i64 a, i64 b, i64) { return a + b; };
  auto sub = [](i64 a, i64 b, i64) { return a - b; };
  auto rev = [](i64 a, i64 b, i64) { return b - a; };
  auto addc = [](i64 a, i64 b, i64 c) { return a + b + c; };
  auto subc = [](i64 a, i64 b, i64 c) { return a - b - c; };
  auto revc = [](i64 a, i64 b, i64 c) { return b - a - c; };
  struct Row {
    std::string text;
    i64 (*sum)(i64, i64, i64);
    bool clamp;
  };
  // The mask operand is vcc in wave64, vcc_lo in wave32.
  for (unsigned t = 0; t < std::size(allTargets); ++t)
    for (unsigned lanes : {32u, 64u}) {
      std::string vcc = lanes == 64 ? "vcc" : "vcc_lo", sgpr = lanes == 64 ? "s[10:11]" : "s10";
      std::string compare = "v_cmp_eq_u32 " + vcc + ", 1, v4\n";
      std::string toSgpr = "v_cmp_eq_u32 " + sgpr + ", 1, v4\n";
      for (const Row &row : {
               Row{"v_add_co_u32 v8, " + vcc + ", v0, v2", add, false},
               Row{"v_sub_co_u32 v8, " + vcc + ", v0, v2", sub, false},
               Row{"v_subrev_co_u32 v8, " + vcc + ", v0, v2", rev, false},
               Row{"v_add_co_u32 v8, " + vcc + ", v0, v2 clamp", add, true},
               Row{"v_sub_co_u32 v8, " + vcc + ", v0, v2 clamp", sub, true},
               Row{compare + "v_add_co_ci_u32 v8, " + vcc + ", v0, v2, " + vcc, addc, false},
               Row{compare + "v_sub_co_ci_u32 v8, " + vcc + ", v0, v2, " + vcc, subc, false},
               Row{compare + "v_subrev_co_ci_u32 v8, " + vcc + ", v0, v2, " + vcc, revc, false},
               Row{toSgpr + "v_add_co_ci_u32_e64 v8, " + vcc + ", v0, v2, " + sgpr, addc, false},
               Row{toSgpr + "v_sub_co_ci_u32_e64 v8, " + vcc + ", v0, v2, " + sgpr + " clamp", subc,
                   true},
           })
        checkLaneCase({row.text.c_str(), 32, carry(row.sum, row.clamp)}, allTargets[t], lanes);
    }
}

TEST(VectorInteger, Multiply) {
  checkLaneCases({
      {"v_mul_lo_u32 v8, v0, v2", 32, FN(a * b)},
      {"v_mul_lo_i32 v8, v0, v2", 32, FN(a * b), 1},
      {"v_mul_hi_u32 v8, v0, v2", 32, FN(u64(z32(a)) * u64(z32(b)) >> 32)},
      {"v_mul_hi_i32 v8, v0, v2", 32, FN(u64(s32(a) * s32(b) >> 32))},
      {"v_mul_u32_u24 v8, v0, v2", 32, FN(u64(z24(a) * z24(b)))},
      {"v_mul_i32_i24 v8, v0, v2", 32, FN(u64(s24(a) * s24(b)))},
      {"v_mul_hi_u32_u24 v8, v0, v2", 32, FN(u64(z24(a) * z24(b)) >> 32)},
      {"v_mul_hi_i32_i24 v8, v0, v2", 32, FN(u64(s24(a) * s24(b) >> 32))},
      {"v_mad_u32_u24 v8, v0, v2, v4", 32, FN(u64(z24(a) * z24(b)) + c)},
      {"v_mad_i32_i24 v8, v0, v2, v4", 32, FN(u64(s24(a) * s24(b)) + c)},
      {"v_mad_u32_u24 v8, v0, v2, v4 clamp", 32,
       FN(u64(clampTo(i128(z24(a) * z24(b)) + z32(c), 0, 0xFFFFFFFF)))},
      {"v_mad_i32_i24 v8, v0, v2, v4 clamp", 32,
       FN(u64(clampTo(i128(s24(a) * s24(b)) + s32(c), -0x80000000ll, 0x7FFFFFFF)))},
  });
  LaneFunction madU = [](u64 a, u64 b, u64 c) {
    u128 sum = u128(u64(z32(a))) * u64(z32(b)) + c;
    return LaneResult{u64(sum), int(u64(sum >> 64))};
  };
  LaneFunction madI = [](u64 a, u64 b, u64 c) {
    i128 sum = i128(s32(a)) * s32(b) + i64(c);
    return LaneResult{u64(sum), int(u64(sum >> 64) & 1)};
  };
  LaneFunction madUSat = [](u64 a, u64 b, u64 c) {
    u128 sum = u128(u64(z32(a))) * u64(z32(b)) + c;
    return LaneResult{sum >> 64 ? ~0ull : u64(sum), int(u64(sum >> 64))};
  };
  LaneFunction madISat = [](u64 a, u64 b, u64 c) {
    i128 sum = i128(s32(a)) * s32(b) + i64(c);
    i64 saturated = clampTo(sum, std::numeric_limits<i64>::min(), std::numeric_limits<i64>::max());
    return LaneResult{u64(saturated), sum < 0};
  };
  checkLaneCases({
      {"v_mad_u64_u32 v[8:9], vcc_lo, v0, v2, v[4:5] clamp", 64, madUSat, 0x5},
      {"v_mad_i64_i32 v[8:9], vcc_lo, v0, v2, v[4:5] clamp", 64, madISat, 0x5},
      {"v_mad_u64_u32 v[8:9], vcc_lo, v0, v2, v[4:5]", 64, madU, 0x5},
      {"v_mad_u64_u32 v[8:9], vcc, v0, v2, v[4:5]", 64, madU, 0xA},
      {"v_mad_i64_i32 v[8:9], vcc_lo, v0, v2, v[4:5]", 64, madI, 0x5},
      {"v_mad_i64_i32 v[8:9], vcc, v0, v2, v[4:5]", 64, madI, 0xA},
      {"v_mad_co_u64_u32 v[8:9], vcc_lo, v0, v2, v[4:5]", 64, madU, Gfx12Only},
      {"v_mad_co_i64_i32 v[8:9], vcc_lo, v0, v2, v[4:5]", 64, madI, Gfx12Only},
  });
}

TEST(VectorInteger, MinMax) {
  checkLaneCases({
      {"v_min_i32 v8, v0, v2", 32, FN(u64(std::min(s32(a), s32(b))))},
      {"v_max_i32 v8, v0, v2", 32, FN(u64(std::max(s32(a), s32(b))))},
      {"v_min_u32 v8, v0, v2", 32, FN(u64(std::min(z32(a), z32(b))))},
      {"v_max_u32 v8, v0, v2", 32, FN(u64(std::max(z32(a), z32(b))))},
      {"v_min3_i32 v8, v0, v2, v4", 32, FN(u64(std::min({s32(a), s32(b), s32(c)})))},
      {"v_max3_i32 v8, v0, v2, v4", 32, FN(u64(std::max({s32(a), s32(b), s32(c)})))},
      {"v_med3_i32 v8, v0, v2, v4", 32, FN(u64(middle(s32(a), s32(b), s32(c))))},
      {"v_min3_u32 v8, v0, v2, v4", 32, FN(u64(std::min({z32(a), z32(b), z32(c)})))},
      {"v_max3_u32 v8, v0, v2, v4", 32, FN(u64(std::max({z32(a), z32(b), z32(c)})))},
      {"v_med3_u32 v8, v0, v2, v4", 32, FN(u64(middle(z32(a), z32(b), z32(c))))},
      {"v_maxmin_i32 v8, v0, v2, v4", 32, FN(u64(std::min(std::max(s32(a), s32(b)), s32(c)))),
       Gfx11Up},
      {"v_minmax_i32 v8, v0, v2, v4", 32, FN(u64(std::max(std::min(s32(a), s32(b)), s32(c)))),
       Gfx11Up},
      {"v_maxmin_u32 v8, v0, v2, v4", 32, FN(u64(std::min(std::max(z32(a), z32(b)), z32(c)))),
       Gfx11Up},
      {"v_minmax_u32 v8, v0, v2, v4", 32, FN(u64(std::max(std::min(z32(a), z32(b)), z32(c)))),
       Gfx11Up},
  });
}

TEST(VectorInteger, Shifts) {
  checkLaneCases({
      {"v_lshlrev_b32 v8, v0, v2", 32, FN(b << a % 32)},
      {"v_lshrrev_b32 v8, v0, v2", 32, FN(u64(z32(b)) >> a % 32)},
      {"v_ashrrev_i32 v8, v0, v2", 32, FN(u64(s32(b) >> a % 32))},
      {"v_lshlrev_b64 v[8:9], v0, v[2:3]", 64, FN(b << a % 64)},
      {"v_lshrrev_b64 v[8:9], v0, v[2:3]", 64, FN(b >> a % 64)},
      {"v_ashrrev_i64 v[8:9], v0, v[2:3]", 64, FN(u64(i64(b) >> a % 64))},
      {"v_lshlrev_b64 v[8:9], 4, v[2:3]", 64, FN(b << 4)},
      {"v_lshrrev_b64 v[8:9], v0, -5", 64, FN(u64(-5) >> a % 64)},
      {"v_ashrrev_i64 v[8:9], v0, 0x80000001", 64, FN(u64(i64(i32(0x80000001)) >> a % 64))},
      {"v_lshrrev_b64 v[8:9], v0, 0x80000001", 64, FN(0x80000001ull >> a % 64)},
      // Destinations that overlap sources.
      {"v_mov_b32 v8, v2\nv_mov_b32 v9, v3\nv_lshlrev_b64 v[8:9], v0, v[8:9]", 64, FN(b << a % 64)},
      {"v_mov_b32 v9, v2\nv_mov_b32 v10, v3\nv_lshrrev_b64 v[8:9], v0, v[9:10]", 64,
       FN(b >> a % 64)},
      {"v_mov_b32 v8, v0\nv_lshlrev_b64 v[8:9], v8, v[2:3]", 64, FN(b << a % 64)},
  });
}

TEST(VectorInteger, Fields) {
  checkLaneCases({
      {"v_bfe_u32 v8, v0, v2, v4", 32, FN(u64(z32(a)) >> b % 32 & ((1ull << c % 32) - 1))},
      {"v_bfe_i32 v8, v0, v2, v4", 32, FN(signedField(a, b, c))},
      {"v_alignbit_b32 v8, v0, v2, v4", 32, FN((u64(z32(a)) << 32 | u64(z32(b))) >> c % 32)},
      {"v_alignbit_b32 v8, v0, v2, v4.h", 32,
       FN((u64(z32(a)) << 32 | u64(z32(b))) >> (c >> 16) % 32), Gfx11Up},
      {"v_alignbyte_b32 v8, v0, v2, v4", 32, FN((u64(z32(a)) << 32 | u64(z32(b))) >> 8 * (c % 4))},
      {"v_perm_b32 v8, v0, v2, v4", 32, FN(permuted(a, b, c))},
      {"v_perm_b32 v8, v0, v2, 0x0c0a0805", 32,
       FN(u64(b >> 15 & 1 ? 0xFF00 : 0) | (a >> 15 & 1 ? 0xFF0000 : 0) | (a >> 8 & 0xFF))},
  });
}

TEST(VectorInteger, Select) {
  for (const char *target : allTargets) {
    checkLaneCase({"v_cmp_gt_i32 vcc, v0, v2\nv_cndmask_b32 v8, v2, v0, vcc", 32,
                   FN(u64(std::max(s32(a), s32(b))))},
                  target, 64);
    // As a float, the operand takes neg and abs.
    checkLaneCase({"v_cmp_gt_i32 s10, v0, v2\nv_cndmask_b32_e64 v8, -v2, |v0|, s10", 32,
                   FN(s32(a) > s32(b) ? a & 0x7FFFFFFF : b ^ 0x80000000)},
                  target, 32);
  }
}

} // namespace
