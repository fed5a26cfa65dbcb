// SPDX-License-Identifier: MIT
// 16-bit floats against exact integer arithmetic: every finite value is a multiple of 2^-24, every
// product one of 2^-48, and 128 bits hold any sum of a product and a value.
#include "pal_shim/device/ops/FloatTesting.h"
#include <cmath>

namespace pal::device {
namespace {

using Exact = __int128; // in units of 2^-48

bool isFinite(uint16_t h) { return (h & 0x7C00) != 0x7C00; }
/// In units of 2^-24.
int64_t unitsOf(uint16_t h) {
  int64_t exponent = h >> 10 & 31, mantissa = h & 0x3FF;
  int64_t magnitude = exponent ? (mantissa | 0x400) << (exponent - 1) : mantissa;
  return h & 0x8000 ? -magnitude : magnitude;
}
double valueOf(uint16_t h) {
  return std::copysign(double(unitsOf(h)) * 0x1p-24, h & 0x8000 ? -1.0 : 1.0);
}

/// IEEE 754 rounding, written from its definition. \p isNegativeZero: sign of an exact zero.
uint16_t roundExact(Exact value, unsigned rounding, bool isNegativeZero) {
  if (value == 0)
    return isNegativeZero ? 0x8000 : 0;
  bool negative = value < 0;
  unsigned __int128 magnitude = negative ? -(unsigned __int128)value : (unsigned __int128)value;
  int top = 127;
  while (!(magnitude >> top & 1))
    --top;
  // The last bit kept is worth 2^-24 (denormals) or 10 places below the first.
  int drop = std::max(24, top - 10);
  uint64_t kept = uint64_t(magnitude >> drop);
  unsigned __int128 rest = magnitude - ((unsigned __int128)kept << drop);
  unsigned __int128 half = (unsigned __int128)1 << (drop - 1);
  bool away = rounding == 0   ? rest > half || (rest == half && kept & 1)
              : rounding == 1 ? rest != 0 && !negative
              : rounding == 2 ? rest != 0 && negative
                              : false;
  kept += away;
  if (kept == 2048) {
    kept = 1024;
    ++drop;
  }
  uint64_t bits = kept < 1024 ? kept : (uint64_t(drop - 24 + 1) << 10) + (kept - 1024);
  if (bits >= 0x7C00) {
    bool toInf = rounding == 0 || (rounding == 1 && !negative) || (rounding == 2 && negative);
    bits = toInf ? 0x7C00 : 0x7BFF;
  }
  return uint16_t(bits | (negative ? 0x8000 : 0));
}
/// Sign of a zero sum: that of both parts, else -0 when rounding down only.
bool zeroSumIsNegative(bool a, bool b, unsigned rounding) { return a == b ? a : rounding == 2; }
bool isNegative(uint16_t h) { return h & 0x8000; }

uint16_t expectedFma(uint16_t a, uint16_t b, uint16_t c, unsigned rounding) {
  if (isFinite(a) && isFinite(b) && isFinite(c)) {
    Exact product = Exact(unitsOf(a)) * unitsOf(b), sum = product + (Exact(unitsOf(c)) << 24);
    bool productSign = isNegative(a) != isNegative(b);
    return roundExact(sum, rounding, zeroSumIsNegative(productSign, isNegative(c), rounding));
  }
  auto wide = [](uint16_t h) {
    return isNanBits(h) ? NAN : isInfBits(h) ? (isNegative(h) ? -INFINITY : INFINITY) : valueOf(h);
  };
  double result = wide(a) * wide(b) + wide(c);
  return std::isnan(result) ? 0x7E00 : result > 0 ? 0x7C00 : 0xFC00;
}
uint16_t expectedAdd(uint16_t a, uint16_t b, unsigned rounding) {
  return expectedFma(a, 0x3C00, b, rounding);
}
uint16_t expectedMul(uint16_t a, uint16_t b, unsigned rounding) {
  // Adding a zero of the product's sign changes nothing.
  return expectedFma(a, b, uint16_t((a ^ b) & 0x8000), rounding);
}

class HalfPairs : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Rounding, HalfPairs, testing::Range(0u, 4u),
                         [](const auto &info) { return std::string(roundingNames[info.param]); });

TEST_P(HalfPairs, ArithmeticIsExactlyRounded) {
  RowRunner add("v_add_f16"), sub("v_sub_f16"), subrev("v_subrev_f16"), mul("v_mul_f16");
  RowRunner fma("v_fma_f16"), pkAdd("v_pk_add_f16"), pkMul("v_pk_mul_f16"), pkFma("v_pk_fma_f16");
  std::mt19937_64 random(1);
  for (unsigned round = 0; round < 3000; ++round) {
    uint16_t a[64], b[64], c[64];
    for (unsigned i = 0; i < 64; ++i) {
      a[i] = randomPattern<uint16_t>(random);
      b[i] = randomPattern<uint16_t>(random);
      c[i] = randomPattern<uint16_t>(random);
      if (i % 4 == 0) // close to cancelling the product
        c[i] = uint16_t(expectedMul(a[i], b[i], 0) ^ 0x8000 ^ (random() & 3));
    }
    auto inA = [&](unsigned i) { return a[i]; };
    auto inB = [&](unsigned i) { return b[i]; };
    auto inC = [&](unsigned i) { return c[i]; };
    auto wideA = [&](unsigned i) { return uint32_t(a[i ^ 1]) << 16 | a[i]; };
    auto wideB = [&](unsigned i) { return uint32_t(b[i ^ 1]) << 16 | b[i]; };
    auto wideC = [&](unsigned i) { return uint32_t(c[i ^ 1]) << 16 | c[i]; };
    {
      FloatModeScope scope(FloatKind::F64F16, GetParam());
      add.run(inA, inB);
      sub.run(inA, inB);
      subrev.run(inA, inB);
      mul.run(inA, inB);
      fma.run(inA, inB, inC);
      pkAdd.run(wideA, wideB);
      pkMul.run(wideA, wideB);
      pkFma.run(wideA, wideB, wideC);
    }
    for (unsigned i = 0; i < 64; ++i) {
      uint16_t sum = expectedAdd(a[i], b[i], GetParam());
      uint16_t product = expectedMul(a[i], b[i], GetParam());
      uint16_t fused = expectedFma(a[i], b[i], c[i], GetParam());
      auto check = [&](const char *name, uint64_t actual, uint16_t expected) {
        ASSERT_PRED2(sameOrNan<uint16_t>, uint16_t(actual), expected)
            << name << std::hex << " a " << a[i] << " b " << b[i] << " c " << c[i];
      };
      check("add", add.lane(i), sum);
      check("sub", sub.lane(i), expectedAdd(a[i], b[i] ^ 0x8000, GetParam()));
      check("subrev", subrev.lane(i), expectedAdd(b[i], a[i] ^ 0x8000, GetParam()));
      check("mul", mul.lane(i), product);
      check("fma", fma.lane(i), fused);
      check("pk_add low", pkAdd.lane(i), sum);
      check("pk_add high", pkAdd.lane(i ^ 1) >> 16, sum);
      check("pk_mul low", pkMul.lane(i), product);
      check("pk_mul high", pkMul.lane(i ^ 1) >> 16, product);
      check("pk_fma low", pkFma.lane(i), fused);
      check("pk_fma high", pkFma.lane(i ^ 1) >> 16, fused);
    }
  }
}

/// Calls check(input, result) for all 65,536 inputs.
template <class Check> void forAllHalves(const char *name, unsigned rounding, Check check) {
  RowRunner op(name);
  for (unsigned base = 0; base < 0x10000; base += 64) {
    {
      FloatModeScope scope(FloatKind::F64F16, rounding);
      op.run([&](unsigned lane) { return base + lane; });
    }
    for (unsigned lane = 0; lane < 64; ++lane) {
      check(uint16_t(base + lane), op.lane(lane));
      if (testing::Test::HasFatalFailure())
        return;
    }
  }
}

TEST(FloatHalf, RoundingToIntegersOfAllValues) {
  struct {
    const char *name;
    double (*function)(double);
  } const cases[] = {{"v_ceil_f16", std::ceil},
                     {"v_floor_f16", std::floor},
                     {"v_trunc_f16", std::trunc},
                     {"v_rndne_f16", std::nearbyint}};
  for (auto &test : cases)
    for (unsigned rounding = 0; rounding < 4; ++rounding)
      forAllHalves(test.name, rounding, [&](uint16_t x, uint64_t result) {
        uint16_t expected = x;
        if (isFinite(x)) {
          double whole = test.function(valueOf(x));
          expected = roundExact(Exact(whole) << 48, 0, std::signbit(whole));
        }
        ASSERT_PRED2(sameOrNan<uint16_t>, uint16_t(result), expected) << test.name << " " << x;
      });
}

TEST(FloatHalf, FractOfAllValues) {
  forAllHalves("v_fract_f16", 0, [&](uint16_t x, uint64_t result) {
    if (!isFinite(x)) {
      ASSERT_TRUE(isNanBits(uint16_t(result))) << x;
      return;
    }
    double fract = valueOf(x) - std::floor(valueOf(x));
    uint16_t expected = roundExact(Exact(fract * 0x1p48), 0, false);
    ASSERT_EQ(result, std::min<uint16_t>(expected, 0x3BFF)) << x;
  });
}

TEST(FloatHalf, FrexpOfAllValues) {
  forAllHalves("v_frexp_mant_f16", 0, [&](uint16_t x, uint64_t result) {
    if (!isFinite(x)) {
      ASSERT_PRED2(sameOrNan<uint16_t>, uint16_t(result), x);
      return;
    }
    int exponent;
    ASSERT_EQ(valueOf(uint16_t(result)), std::frexp(valueOf(x), &exponent)) << x;
  });
  forAllHalves("v_frexp_exp_i16_f16", 0, [&](uint16_t x, uint64_t result) {
    int exponent = 0;
    if (isFinite(x))
      std::frexp(valueOf(x), &exponent);
    ASSERT_EQ(int16_t(result), exponent) << x;
  });
}

TEST(FloatHalf, LdexpRoundsOnce) {
  RowRunner op("v_ldexp_f16");
  for (unsigned rounding = 0; rounding < 4; ++rounding)
    for (uint16_t x : edgePatterns<uint16_t>())
      for (int base = -64; base < 64; base += 64) {
        {
          FloatModeScope scope(FloatKind::F64F16, rounding);
          op.run([&](unsigned) { return x; },
                 [&](unsigned lane) { return uint16_t(base + int(lane)); });
        }
        for (int lane = 0; lane < 64; ++lane) {
          uint16_t expected = x;
          int shift = base + lane;
          if (isFinite(x)) {
            // Below 2^-24 * 2^-24 only a sticky bit matters, above 2^60 nothing fits.
            int64_t units = unitsOf(x);
            Exact exact = Exact(units) << 24;
            if (shift >= 0)
              exact = Exact(units) << std::min(24 + shift, 80);
            else if (shift >= -24)
              exact = Exact(units) << (24 + shift);
            else { // bits below 2^-48 only tell that there is more
              int drop = std::min(-24 - shift, 62);
              int64_t kept = std::abs(units) >> drop;
              bool isInexact = kept << drop != std::abs(units);
              exact = Exact(kept | isInexact) * (units > 0 ? 1 : -1);
            }
            expected = roundExact(exact, rounding, isNegative(x));
          }
          ASSERT_PRED2(sameOrNan<uint16_t>, uint16_t(op.lane(unsigned(lane))), expected)
              << x << " * 2^" << shift << " " << roundingNames[rounding];
        }
      }
}

TEST(FloatHalf, ApproximationsOfAllValuesAreTheNearest) {
  const long double turn = 6.283185307179586476925286766559L;
  struct {
    const char *name;
    std::function<long double(long double)> function;
  } const cases[] = {
      {"v_rcp_f16", [](long double x) { return 1 / x; }},
      {"v_sqrt_f16", [](long double x) { return std::sqrt(x); }},
      {"v_rsq_f16", [](long double x) { return 1 / std::sqrt(x); }},
      {"v_exp_f16", [](long double x) { return std::exp2(x); }},
      {"v_log_f16", [](long double x) { return std::log2(x); }},
      {"v_sin_f16", [=](long double x) { return std::sin(std::remainder(x, 1.0L) * turn); }},
      {"v_cos_f16", [=](long double x) { return std::cos(std::remainder(x, 1.0L) * turn); }},
  };
  for (auto &test : cases)
    forAllHalves(test.name, 0, [&](uint16_t x, uint64_t result) {
      uint16_t bits = uint16_t(result);
      long double in = isNanBits(x)   ? NAN
                       : isInfBits(x) ? (isNegative(x) ? -INFINITY : INFINITY)
                                      : valueOf(x);
      long double exact = test.function(in);
      if (std::isnan(exact)) {
        ASSERT_TRUE(isNanBits(bits)) << test.name << " " << x;
        return;
      }
      if (std::fabs(exact) >= 65520) {
        ASSERT_EQ(bits, exact > 0 ? 0x7C00 : 0xFC00) << test.name << " " << x;
        return;
      }
      ASSERT_TRUE(isFinite(bits)) << test.name << " " << x;
      int exponent;
      std::frexp(exact, &exponent);
      long double ulp = std::ldexp(1.0L, std::max(exponent - 11, -24));
      ASSERT_LE(std::fabs(valueOf(bits) - exact), ulp * 0.5001L) << test.name << " " << x;
    });
}

TEST(FloatHalf, MinAndMaxKeepPatterns) {
  RowRunner min("v_min_f16"), max("v_max_f16"), minimum("v_minimum_f16");
  const uint16_t signalling = 0x7D01, quiet = 0x7E00;
  EXPECT_EQ(min.one<Half>(Half{0}, Half{0x8000}).bits, 0x8000);
  EXPECT_EQ(max.one<Half>(Half{0x8000}, Half{0}).bits, 0);
  EXPECT_EQ(min.one<Half>(Half{quiet}, Half{0x3C00}).bits, 0x3C00);
  EXPECT_EQ(max.one<Half>(Half{0xBC00}, Half{quiet}).bits, 0xBC00);
  EXPECT_EQ(min.one<Half>(Half{signalling}, Half{0x3C00}).bits, 0x3C00);
  EXPECT_EQ(minimum.one<Half>(Half{signalling}, Half{0x3C00}).bits, signalling | 0x200);
  min.ieee = true;
  EXPECT_EQ(min.one<Half>(Half{0x3C00}, Half{signalling}).bits, signalling | 0x200);
}

} // namespace
} // namespace pal::device
