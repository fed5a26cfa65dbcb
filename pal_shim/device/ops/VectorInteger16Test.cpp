//===- VectorInteger16Test.cpp - 16-bit, packed and byte operations --------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/ops/LaneCasesForTest.h"

using namespace pal::device;
using namespace pal::device::test;

namespace {

using u64 = uint64_t;
using i64 = int64_t;

#define FN(expression)                                                                             \
  LaneFunction([](u64 a, u64 b, u64 c) {                                                           \
    (void)a, (void)b, (void)c;                                                                     \
    return LaneResult{u64(expression), -1};                                                        \
  })

/// Field \p i of \p bits bits of a.
i64 zext(u64 a, unsigned bits, unsigned i = 0) { return i64(a >> bits * i & ((1ull << bits) - 1)); }
i64 sext(u64 a, unsigned bits, unsigned i = 0) {
  i64 value = zext(a, bits, i), half = i64(1) << (bits - 1);
  return value >= half ? value - 2 * half : value;
}
i64 limit(i64 value, i64 low, i64 high) { return value < low ? low : value > high ? high : value; }
i64 toU16(i64 value) { return limit(value, 0, 0xFFFF); }
i64 toI16(i64 value) { return limit(value, -0x8000, 0x7FFF); }
i64 toU32(i64 value) { return limit(value, 0, 0xFFFFFFFF); }
i64 toI32(i64 value) { return limit(value, -0x80000000ll, 0x7FFFFFFF); }
i64 middle(i64 a, i64 b, i64 c) {
  i64 v[] = {a, b, c};
  std::sort(v, v + 3);
  return v[1];
}

/// The same text with halves named as gfx11 and later do, and as before.
struct HalfCase {
  const char *name;
  unsigned sources;
  const char *suffix;
  LaneFunction expected;
};

TEST(VectorInteger16, Arithmetic) {
  const HalfCase cases[] = {
      {"v_add_nc_u16", 2, "", FN(a + b)},
      {"v_sub_nc_u16", 2, "", FN(a - b)},
      {"v_add_nc_i16", 2, "", FN(a + b)},
      {"v_sub_nc_i16", 2, "", FN(a - b)},
      {"v_add_nc_u16", 2, " clamp", FN(toU16(zext(a, 16) + zext(b, 16)))},
      {"v_sub_nc_u16", 2, " clamp", FN(toU16(zext(a, 16) - zext(b, 16)))},
      {"v_add_nc_i16", 2, " clamp", FN(toI16(sext(a, 16) + sext(b, 16)))},
      {"v_sub_nc_i16", 2, " clamp", FN(toI16(sext(a, 16) - sext(b, 16)))},
      {"v_mul_lo_u16", 2, "", FN(a * b)},
      {"v_mad_u16", 3, "", FN(a * b + c)},
      {"v_mad_i16", 3, "", FN(a * b + c)},
      {"v_mad_u16", 3, " clamp", FN(toU16(zext(a, 16) * zext(b, 16) + zext(c, 16)))},
      {"v_mad_i16", 3, " clamp", FN(toI16(sext(a, 16) * sext(b, 16) + sext(c, 16)))},
      {"v_min_u16", 2, "", FN(std::min(zext(a, 16), zext(b, 16)))},
      {"v_max_u16", 2, "", FN(std::max(zext(a, 16), zext(b, 16)))},
      {"v_min_i16", 2, "", FN(std::min(sext(a, 16), sext(b, 16)))},
      {"v_max_i16", 2, "", FN(std::max(sext(a, 16), sext(b, 16)))},
      {"v_min3_u16", 3, "", FN(std::min({zext(a, 16), zext(b, 16), zext(c, 16)}))},
      {"v_max3_u16", 3, "", FN(std::max({zext(a, 16), zext(b, 16), zext(c, 16)}))},
      {"v_med3_u16", 3, "", FN(middle(zext(a, 16), zext(b, 16), zext(c, 16)))},
      {"v_min3_i16", 3, "", FN(std::min({sext(a, 16), sext(b, 16), sext(c, 16)}))},
      {"v_max3_i16", 3, "", FN(std::max({sext(a, 16), sext(b, 16), sext(c, 16)}))},
      {"v_med3_i16", 3, "", FN(middle(sext(a, 16), sext(b, 16), sext(c, 16)))},
      {"v_lshlrev_b16", 2, "", FN(b << a % 16)},
      {"v_lshrrev_b16", 2, "", FN(zext(b, 16) >> a % 16)},
      {"v_ashrrev_i16", 2, "", FN(sext(b, 16) >> a % 16)},
  };
  for (unsigned t = 0; t < std::size(allTargets); ++t)
    for (const HalfCase &c : cases) {
      std::string half = t < 2 ? "" : ".l", text = std::string(c.name) + " v8" + half;
      for (unsigned i = 0; i < c.sources; ++i)
        text += ", v" + std::to_string(2 * i) + half;
      text += c.suffix;
      checkLaneCase({text.c_str(), 16, c.expected}, allTargets[t], t & 1 ? 32 : 64);
    }
}

TEST(VectorInteger16, HalvesOnly) {
  checkLaneCases({
      {"v_mov_b16 v8.l, v2.l", 16, FN(b), Gfx11Up},
      {"v_not_b16 v8.l, v0.l", 16, FN(~a), Gfx11Up},
      {"v_and_b16 v8.l, v0.l, v2.l", 16, FN(a & b), Gfx11Up},
      {"v_or_b16 v8.l, v0.l, v2.h", 16, FN(a | b >> 16), Gfx11Up},
      {"v_xor_b16 v8.l, v0.h, v2.l", 16, FN(a >> 16 ^ b), Gfx11Up},
      {"v_add_nc_u16 v8.l, -3, v2.l", 16, FN(b - 3), Gfx11Up},
      {"v_add_nc_u16 v8.l, 0xfff0, v2.h", 16, FN((b >> 16) - 16), Gfx11Up},
  });
}

TEST(VectorInteger16, WideningAndNarrowing) {
  LaneFunction saturated = FN(limit(sext(a, 16, 0), 0, 255) | limit(sext(a, 16, 1), 0, 255) << 8);
  checkLaneCases({
      {"v_mad_u32_u16 v8, v0, v2, v4", 32, FN(u64(zext(a, 16) * zext(b, 16)) + c), Gfx10Only},
      {"v_mad_i32_i16 v8, v0, v2, v4", 32, FN(u64(sext(a, 16) * sext(b, 16)) + c), Gfx10Only},
      {"v_mad_u32_u16 v8, v0.l, v2.h, v4", 32, FN(u64(zext(a, 16) * zext(b, 16, 1)) + c), Gfx11Up},
      {"v_mad_i32_i16 v8, v0.h, v2.l, v4", 32, FN(u64(sext(a, 16, 1) * sext(b, 16)) + c), Gfx11Up},
      {"v_mad_u32_u16 v8, v0, v2, v4 clamp", 32, FN(toU32(zext(a, 16) * zext(b, 16) + zext(c, 32))),
       Gfx10Only},
      {"v_mad_i32_i16 v8, v0, v2, v4 clamp", 32, FN(toI32(sext(a, 16) * sext(b, 16) + sext(c, 32))),
       Gfx10Only},
      {"v_cvt_u32_u16 v8, v0.h", 32, FN(zext(a, 16, 1)), Gfx11Up},
      {"v_cvt_i32_i16 v8, v0.l", 32, FN(sext(a, 16)), Gfx11Up},
      {"v_cvt_pk_u16_u32 v8, v0, v2", 32, FN(toU16(zext(a, 32)) | toU16(zext(b, 32)) << 16)},
      {"v_cvt_pk_i16_i32 v8, v0, v2", 32,
       FN((toI16(sext(a, 32)) & 0xFFFF) | (toI16(sext(b, 32)) & 0xFFFF) << 16)},
      {"v_sat_pk_u8_i16 v8, v0", 16, saturated, Gfx10Only},
      {"v_sat_pk_u8_i16 v8.l, v0", 16, saturated, Gfx11Up},
      {"v_pack_b32_f16 v8, v0, v2", 32, FN(zext(a, 16) | zext(b, 16) << 16), Gfx10Only},
      {"v_pack_b32_f16 v8, v0, v2 op_sel:[1,1,0]", 32, FN(zext(a, 16, 1) | zext(b, 16, 1) << 16),
       Gfx10Only},
      {"v_pack_b32_f16 v8, -v0.h, |v2.l|", 32,
       FN((zext(a, 16, 1) ^ 0x8000) | (zext(b, 16) & 0x7FFF) << 16), Gfx11Up},
  });
}

/// f of both halves, as a packed result.
template <class F> u64 both(F f) { return u64(f(0) & 0xFFFF) | u64(f(1) & 0xFFFF) << 16; }
#define PK(expression) FN(both([&](unsigned i) -> i64 { return expression; }))
#define ZA zext(a, 16, i)
#define ZB zext(b, 16, i)
#define ZC zext(c, 16, i)
#define SA sext(a, 16, i)
#define SB sext(b, 16, i)
#define SC sext(c, 16, i)

TEST(VectorPacked, EachHalf) {
  checkLaneCases({
      {"v_pk_add_u16 v8, v0, v2", 32, PK(ZA + ZB)},
      {"v_pk_add_i16 v8, v0, v2", 32, PK(ZA + ZB)},
      {"v_pk_sub_u16 v8, v0, v2", 32, PK(ZA - ZB)},
      {"v_pk_sub_i16 v8, v0, v2", 32, PK(ZA - ZB)},
      {"v_pk_add_u16 v8, v0, v2 clamp", 32, PK(toU16(ZA + ZB))},
      {"v_pk_add_i16 v8, v0, v2 clamp", 32, PK(toI16(SA + SB))},
      {"v_pk_sub_u16 v8, v0, v2 clamp", 32, PK(toU16(ZA - ZB))},
      {"v_pk_sub_i16 v8, v0, v2 clamp", 32, PK(toI16(SA - SB))},
      {"v_pk_mul_lo_u16 v8, v0, v2", 32, PK(ZA * ZB)},
      {"v_pk_mad_u16 v8, v0, v2, v4", 32, PK(ZA * ZB + ZC)},
      {"v_pk_mad_i16 v8, v0, v2, v4", 32, PK(ZA * ZB + ZC)},
      {"v_pk_mad_u16 v8, v0, v2, v4 clamp", 32, PK(toU16(ZA * ZB + ZC))},
      {"v_pk_mad_i16 v8, v0, v2, v4 clamp", 32, PK(toI16(SA * SB + SC))},
      {"v_pk_min_u16 v8, v0, v2", 32, PK(std::min(ZA, ZB))},
      {"v_pk_max_u16 v8, v0, v2", 32, PK(std::max(ZA, ZB))},
      {"v_pk_min_i16 v8, v0, v2", 32, PK(std::min(SA, SB))},
      {"v_pk_max_i16 v8, v0, v2", 32, PK(std::max(SA, SB))},
      {"v_pk_lshlrev_b16 v8, v0, v2", 32, PK(ZB << ZA % 16)},
      {"v_pk_lshrrev_b16 v8, v0, v2", 32, PK(ZB >> ZA % 16)},
      {"v_pk_ashrrev_i16 v8, v0, v2", 32, PK(SB >> ZA % 16)},
  });
}

TEST(VectorPacked, HalvesCanBeChosen) {
  checkLaneCases({
      {"v_pk_add_u16 v8, v0, v2 op_sel:[1,0] op_sel_hi:[0,1]", 32, PK(zext(a, 16, 1 - i) + ZB)},
      {"v_pk_add_u16 v8, v0, v2 op_sel_hi:[0,0]", 32, PK(zext(a, 16) + zext(b, 16))},
      {"v_pk_mad_u16 v8, v0, v2, v4 op_sel:[0,1,1] op_sel_hi:[1,1,0]", 32,
       PK(ZA * zext(b, 16, 1) + zext(c, 16, 1 - i))},
      // An inline integer is 32 bits wide: its high half is the sign.
      {"v_pk_add_u16 v8, v0, 3", 32, PK(ZA + (i ? 0 : 3))},
      {"v_pk_add_u16 v8, v0, 3 op_sel_hi:[1,0]", 32, PK(ZA + 3)},
      {"v_pk_add_u16 v8, v0, -3", 32, PK(ZA - (i ? 1 : 3))},
      {"v_pk_lshlrev_b16 v8, 0x00040001, v2", 32, PK(ZB << (i ? 4 : 1))},
  });
}

u64 differences(u64 a, u64 b, unsigned bits) {
  u64 sum = 0;
  for (unsigned i = 0; i < 32 / bits; ++i)
    sum += u64(std::abs(zext(a, bits, i) - zext(b, bits, i)));
  return sum;
}
u64 masked(u64 a, u64 b) {
  u64 sum = 0;
  for (unsigned i = 0; i < 4; ++i)
    if (zext(b, 8, i))
      sum += u64(std::abs(zext(a, 8, i) - zext(b, 8, i)));
  return sum;
}
u64 quads(u64 a, u64 b, u64 c, u64 (*sum)(u64, u64), bool saturate = false) {
  u64 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    i64 value = i64(sum(a >> 8 * i, b)) + zext(c, 16, i);
    result |= u64(zext(u64(saturate ? toU16(value) : value), 16)) << 16 * i;
  }
  return result;
}
u64 differences8(u64 a, u64 b) { return differences(a, b, 8); }
u64 lerp(u64 a, u64 b, u64 c) {
  u64 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= u64((zext(a, 8, i) + zext(b, 8, i) + zext(c, 8, i) % 2) / 2) << 8 * i;
  return result;
}

TEST(VectorBytes, SumsOfDifferences) {
  checkLaneCases({
      {"v_sad_u8 v8, v0, v2, v4", 32, FN(differences(a, b, 8) + c)},
      {"v_sad_u16 v8, v0, v2, v4", 32, FN(differences(a, b, 16) + c)},
      {"v_sad_u32 v8, v0, v2, v4", 32, FN(differences(a, b, 32) + c)},
      {"v_sad_hi_u8 v8, v0, v2, v4", 32, FN((differences(a, b, 8) << 16) + c)},
      {"v_msad_u8 v8, v0, v2, v4", 32, FN(masked(a, b) + c)},
      {"v_sad_u8 v8, v0, v2, v4 clamp", 32, FN(toU32(i64(differences(a, b, 8)) + zext(c, 32)))},
      {"v_sad_u32 v8, v0, v2, v4 clamp", 32, FN(toU32(i64(differences(a, b, 32)) + zext(c, 32)))},
      {"v_qsad_pk_u16_u8 v[8:9], v[0:1], v2, v[4:5]", 64, FN(quads(a, b, c, differences8))},
      {"v_mqsad_pk_u16_u8 v[8:9], v[0:1], v2, v[4:5]", 64, FN(quads(a, b, c, masked))},
      {"v_qsad_pk_u16_u8 v[8:9], v[0:1], v2, v[4:5] clamp", 64,
       FN(quads(a, b, c, differences8, true))},
      {"v_lerp_u8 v8, v0, v2, v4", 32, FN(lerp(a, b, c))},
  });
}

template <unsigned bits> i64 dot(u64 a, u64 b, bool signedA, bool signedB) {
  i64 sum = 0;
  for (unsigned i = 0; i < 32 / bits; ++i)
    sum += (signedA ? sext(a, bits, i) : zext(a, bits, i)) *
           (signedB ? sext(b, bits, i) : zext(b, bits, i));
  return sum;
}

TEST(VectorBytes, DotProducts) {
  constexpr unsigned gfx103 = 2;
  checkLaneCases({
      {"v_dot2_i32_i16 v8, v0, v2, v4", 32, FN(u64(dot<16>(a, b, true, true)) + c), gfx103},
      {"v_dot2_u32_u16 v8, v0, v2, v4", 32, FN(u64(dot<16>(a, b, false, false)) + c), gfx103},
      {"v_dot4_i32_i8 v8, v0, v2, v4", 32, FN(u64(dot<8>(a, b, true, true)) + c), gfx103},
      {"v_dot4_u32_u8 v8, v0, v2, v4", 32, FN(u64(dot<8>(a, b, false, false)) + c), 0x1E},
      {"v_dot8_i32_i4 v8, v0, v2, v4", 32, FN(u64(dot<4>(a, b, true, true)) + c), gfx103},
      {"v_dot8_u32_u4 v8, v0, v2, v4", 32, FN(u64(dot<4>(a, b, false, false)) + c), 0x1E},
      {"v_dot2_i32_i16 v8, v0, v2, v4 clamp", 32,
       FN(toI32(dot<16>(a, b, true, true) + sext(c, 32))), gfx103},
      {"v_dot4_i32_i8 v8, v0, v2, v4 clamp", 32, FN(toI32(dot<8>(a, b, true, true) + sext(c, 32))),
       gfx103},
      {"v_dot4_u32_u8 v8, v0, v2, v4 clamp", 32,
       FN(toU32(dot<8>(a, b, false, false) + zext(c, 32))), 0x1E},
      {"v_mov_b32 v8, v4\nv_dot4c_i32_i8 v8, v0, v2", 32, FN(u64(dot<8>(a, b, true, true)) + c),
       gfx103},
      {"v_dot4_i32_iu8 v8, v0, v2, v4", 32, FN(u64(dot<8>(a, b, false, false)) + c), Gfx11Up},
      {"v_dot4_i32_iu8 v8, v0, v2, v4 neg_lo:[1,0,0]", 32, FN(u64(dot<8>(a, b, true, false)) + c),
       Gfx11Up},
      {"v_dot4_i32_iu8 v8, v0, v2, v4 neg_lo:[0,1,0]", 32, FN(u64(dot<8>(a, b, false, true)) + c),
       Gfx11Up},
      {"v_dot4_i32_iu8 v8, v0, v2, v4 neg_lo:[1,1,0]", 32, FN(u64(dot<8>(a, b, true, true)) + c),
       Gfx11Up},
      {"v_dot4_i32_iu8 v8, v0, v2, v4 neg_lo:[1,1,0] clamp", 32,
       FN(toI32(dot<8>(a, b, true, true) + sext(c, 32))), Gfx11Up},
      {"v_dot8_i32_iu4 v8, v0, v2, v4 neg_lo:[0,1,0]", 32, FN(u64(dot<4>(a, b, false, true)) + c),
       Gfx11Up},
  });
}

} // namespace
