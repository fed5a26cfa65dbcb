// SPDX-License-Identifier: MIT
// 32 and 64-bit floats against x86's scalar arithmetic and the C library, in all rounding modes.
#include "pal_shim/device/ops/FloatTesting.h"
#include <cmath>

namespace pal::device {
namespace {

/// Mode for every test below.
struct ModeCase {
  unsigned rounding;
  bool keepDenormals;
};
class FloatWide : public testing::TestWithParam<ModeCase> {
protected:
  FloatModeScope enter(FloatKind kind) const {
    return FloatModeScope(kind, GetParam().rounding, GetParam().keepDenormals);
  }
};
INSTANTIATE_TEST_SUITE_P(Modes, FloatWide,
                         testing::Values(ModeCase{0, true}, ModeCase{1, true}, ModeCase{2, true},
                                         ModeCase{3, true}, ModeCase{0, false}, ModeCase{3, false}),
                         [](const auto &info) {
                           return std::string(roundingNames[info.param.rounding]) +
                                  (info.param.keepDenormals ? "" : "Flush");
                         });

// The optimiser assumes rounding to nearest, so it must neither know operands nor move these.
template <class T> T opaque(T x) {
  volatile T hidden = x;
  return hidden;
}
template <class T> [[gnu::noinline]] T hostAdd(T a, T b) { return opaque(a) + opaque(b); }
template <class T> [[gnu::noinline]] T hostMul(T a, T b) { return opaque(a) * opaque(b); }
template <class T> [[gnu::noinline]] T hostFma(T a, T b, T c) {
  return std::fma(opaque(a), opaque(b), opaque(c));
}
template <class To, class From> [[gnu::noinline]] To hostConvert(From x) { return To(opaque(x)); }

template <class T> void checkArithmetic(FloatKind kind, const char *suffix, ModeCase mode) {
  using B = decltype(bitsOf(T()));
  std::string end = suffix;
  RowRunner add("v_add_" + end), mul("v_mul_" + end), fma("v_fma_" + end);
  std::vector<B> edges = edgePatterns<B>();
  std::mt19937_64 random(2);
  for (unsigned round = 0; round < 1500; ++round) {
    B a[64], b[64], c[64];
    T expected[3][64];
    for (unsigned i = 0; i < 64; ++i) {
      bool isEdge = round < edges.size() * 2;
      a[i] = isEdge ? edges[round % edges.size()] : randomPattern<B>(random);
      b[i] = isEdge ? edges[(i + 64 * (round / edges.size())) % edges.size()]
                    : randomPattern<B>(random);
      c[i] = randomPattern<B>(random);
    }
    {
      FloatModeScope scope(kind, mode.rounding, mode.keepDenormals);
      add.run([&](unsigned i) { return a[i]; }, [&](unsigned i) { return b[i]; });
      mul.run([&](unsigned i) { return a[i]; }, [&](unsigned i) { return b[i]; });
      fma.run([&](unsigned i) { return a[i]; }, [&](unsigned i) { return b[i]; },
              [&](unsigned i) { return c[i]; });
      for (unsigned i = 0; i < 64; ++i) {
        T x = std::bit_cast<T>(a[i]), y = std::bit_cast<T>(b[i]), z = std::bit_cast<T>(c[i]);
        expected[0][i] = hostAdd(x, y);
        expected[1][i] = hostMul(x, y);
        expected[2][i] = hostFma(x, y, z);
      }
    }
    for (unsigned i = 0; i < 64; ++i) {
      const RowRunner *ops[3] = {&add, &mul, &fma};
      for (unsigned op = 0; op < 3; ++op)
        ASSERT_PRED2(sameOrNan<B>, B(ops[op]->lane(i)), bitsOf(expected[op][i]))
            << op << std::hex << " " << a[i] << " " << b[i] << " " << c[i];
    }
  }
}
TEST_P(FloatWide, Arithmetic32) { checkArithmetic<float>(FloatKind::F32, "f32", GetParam()); }
TEST_P(FloatWide, Arithmetic64) { checkArithmetic<double>(FloatKind::F64F16, "f64", GetParam()); }

TEST_P(FloatWide, NarrowingConversions) {
  RowRunner toFloat("v_cvt_f32_f64"), toHalf("v_cvt_f16_f32");
  std::mt19937_64 random(3);
  for (unsigned round = 0; round < 2000; ++round) {
    double wide[64];
    float narrow[64], expected[64];
    uint16_t expectedHalf[64];
    for (unsigned i = 0; i < 64; ++i) {
      wide[i] = std::bit_cast<double>(randomPattern<uint64_t>(random));
      if (i % 2) // in the range of the result
        wide[i] = std::ldexp(double(int64_t(random())), int(random() % 300) - 220);
      narrow[i] = std::ldexp(float(int32_t(random())), int(random() % 60) - 60);
    }
    {
      FloatModeScope scope = enter(FloatKind::F32);
      toFloat.run([&](unsigned i) { return bitsOf(wide[i]); });
      for (unsigned i = 0; i < 64; ++i)
        expected[i] = hostConvert<float>(wide[i]);
    }
    {
      FloatModeScope scope = enter(FloatKind::F64F16);
      toHalf.run([&](unsigned i) { return bitsOf(narrow[i]); });
    }
    // Reference: scaled so that the C library rounds at the last place of the result.
    FloatModeScope scope(FloatKind::F32, GetParam().rounding);
    for (unsigned i = 0; i < 64; ++i) {
      volatile double x = narrow[i];
      int exponent;
      std::frexp(x, &exponent);
      int unit = std::max(exponent - 11, -24);
      volatile double whole = std::nearbyint(std::ldexp(x, -unit));
      double rounded = std::ldexp(whole, unit);
      bool negative = std::signbit(narrow[i]);
      double limit = 65504;
      if (std::fabs(rounded) > limit) {
        bool toInf = GetParam().rounding == 0 || GetParam().rounding == (negative ? 2u : 1u);
        expectedHalf[i] = uint16_t((toInf ? 0x7C00 : 0x7BFF) | (negative ? 0x8000 : 0));
      } else {
        uint64_t units = uint64_t(std::fabs(rounded) * 0x1p24);
        unsigned drop = 0;
        for (; units >> drop >= 2048; ++drop) {
        }
        uint64_t kept = units >> drop;
        expectedHalf[i] = uint16_t((kept < 1024 ? kept : ((drop + 1) << 10) + (kept - 1024)) |
                                   (negative ? 0x8000 : 0));
      }
    }
    for (unsigned i = 0; i < 64; ++i) {
      ASSERT_PRED2(sameOrNan<uint32_t>, uint32_t(toFloat.lane(i)), bitsOf(expected[i])) << wide[i];
      ASSERT_EQ(toHalf.lane(i), expectedHalf[i]) << narrow[i];
    }
  }
}

TEST_P(FloatWide, IntegersToFloats) {
  RowRunner fromInt("v_cvt_f32_i32"), fromUint("v_cvt_f32_u32");
  RowRunner wideInt("v_cvt_f64_i32"), wideUint("v_cvt_f64_u32");
  std::mt19937_64 random(4);
  for (unsigned round = 0; round < 1000; ++round) {
    uint32_t x[64];
    float signedResult[64], unsignedResult[64];
    for (unsigned i = 0; i < 64; ++i)
      x[i] = uint32_t(random()) >> (round ? random() % 32 : 31);
    if (!round)
      x[0] = 0, x[1] = 0x80000000, x[2] = ~0u, x[3] = 0x7FFFFFFF, x[4] = 0x01000001;
    {
      FloatModeScope scope = enter(FloatKind::F32);
      fromInt.run([&](unsigned i) { return x[i]; });
      fromUint.run([&](unsigned i) { return x[i]; });
      wideInt.run([&](unsigned i) { return x[i]; });
      wideUint.run([&](unsigned i) { return x[i]; });
      for (unsigned i = 0; i < 64; ++i) {
        signedResult[i] = hostConvert<float>(int64_t(int32_t(x[i])));
        unsignedResult[i] = hostConvert<float>(int64_t(x[i]));
      }
    }
    for (unsigned i = 0; i < 64; ++i) {
      ASSERT_EQ(fromInt.lane(i), bitsOf(signedResult[i])) << x[i];
      ASSERT_EQ(fromUint.lane(i), bitsOf(unsignedResult[i])) << x[i];
      ASSERT_EQ(std::bit_cast<double>(wideInt.lane(i)), double(int32_t(x[i])));
      ASSERT_EQ(wideUint.lane(i), bitsOf(double(x[i]))) << x[i];
    }
  }
}

TEST(FloatConvert, ToIntegersTruncatesAndSaturates) {
  RowRunner toInt("v_cvt_i32_f32"), toUint("v_cvt_u32_f32");
  RowRunner wideInt("v_cvt_i32_f64"), wideUint("v_cvt_u32_f64");
  auto saturated = [](double x, double low, double high) -> int64_t {
    return std::isnan(x) ? 0 : int64_t(std::trunc(std::min(std::max(x, low), high)));
  };
  std::mt19937_64 random(5);
  std::vector<uint32_t> edges = edgePatterns<uint32_t>();
  for (unsigned round = 0; round < 2000; ++round)
    for (unsigned mode = 0; mode < 4; mode += 3) {
      float x[64];
      double wide[64];
      for (unsigned i = 0; i < 64; ++i) {
        x[i] =
            std::bit_cast<float>(round ? randomPattern<uint32_t>(random) : edges[i % edges.size()]);
        if (i % 2)
          x[i] = std::ldexp(float(int32_t(random())), int(random() % 40) - 36);
        wide[i] = i % 3 ? double(x[i]) + double(int32_t(random())) * 0x1p-32
                        : std::bit_cast<double>(randomPattern<uint64_t>(random));
      }
      {
        FloatModeScope scope(FloatKind::F32, mode);
        toInt.run([&](unsigned i) { return bitsOf(x[i]); });
        toUint.run([&](unsigned i) { return bitsOf(x[i]); });
        wideInt.run([&](unsigned i) { return bitsOf(wide[i]); });
        wideUint.run([&](unsigned i) { return bitsOf(wide[i]); });
      }
      for (unsigned i = 0; i < 64; ++i) {
        ASSERT_EQ(int32_t(toInt.lane(i)), saturated(x[i], -0x1p31, 0x1p31 - 1)) << x[i];
        ASSERT_EQ(toUint.lane(i), uint64_t(saturated(x[i], 0, 0x1p32 - 1))) << x[i];
        ASSERT_EQ(int32_t(wideInt.lane(i)), saturated(wide[i], -0x1p31, 0x1p31 - 1)) << wide[i];
        ASSERT_EQ(wideUint.lane(i), uint64_t(saturated(wide[i], 0, 0x1p32 - 1))) << wide[i];
      }
    }
}

TEST(FloatConvert, SmallFormats) {
  EXPECT_EQ(RowRunner("v_cvt_f32_ubyte0").one<float>(0x04030201u), 1);
  EXPECT_EQ(RowRunner("v_cvt_f32_ubyte2").one<float>(0x04FF0201u), 255);
  EXPECT_EQ(RowRunner("v_cvt_f32_ubyte3").one<float>(0x84FF0201u), 132);
  for (int i = -8; i < 8; ++i)
    EXPECT_EQ(RowRunner("v_cvt_off_f32_i4").one<float>(uint32_t(i) & 15), float(i) / 16);
  EXPECT_EQ(RowRunner("v_cvt_nearest_i32_f32").one<int32_t>(2.5f), 3);
  EXPECT_EQ(RowRunner("v_cvt_nearest_i32_f32").one<int32_t>(-2.5f), -2);
  EXPECT_EQ(RowRunner("v_cvt_flr_i32_f32").one<int32_t>(-2.25f), -3);
  EXPECT_EQ(RowRunner("v_cvt_pk_u8_f32").one<uint32_t>(300.0f, 2u, 0x11223344u), 0x11FF3344u);
  EXPECT_EQ(RowRunner("v_cvt_pk_u8_f32").one<uint32_t>(-1.0f, 0u, 0x11223344u), 0x11223300u);
  // Toward zero: 65535 does not reach 65536, and 1 + 2^-11 loses its end.
  EXPECT_EQ(RowRunner("v_cvt_pkrtz_f16_f32").one<uint32_t>(1e9f, 0x1.002p0f), 0x3C007BFFu);
  EXPECT_EQ(RowRunner("v_cvt_pkrtz_f16_f32").one<uint32_t>(-INFINITY, -0.0f), 0x8000FC00u);
  EXPECT_EQ(RowRunner("v_cvt_pk_norm_i16_f32").one<uint32_t>(-2.0f, 1.0f), 0x7FFF8001u);
  EXPECT_EQ(RowRunner("v_cvt_pknorm_u16_f32").one<uint32_t>(float(NAN), 0.5f), 0x80000000u);
  EXPECT_EQ(RowRunner("v_cvt_pk_norm_u16_f16").one<uint32_t>(Half{0x3C00}, Half{0xBC00}), 0xFFFFu);
  EXPECT_EQ(RowRunner("v_cvt_pk_i16_f32").one<uint32_t>(-40000.0f, 3.9f), 0x00038000u);
  EXPECT_EQ(RowRunner("v_cvt_pk_u16_f32").one<uint32_t>(-1.0f, 65535.5f), 0xFFFF0000u);
  EXPECT_EQ(RowRunner("v_cvt_i16_f16").one<int16_t>(Half{0xFC00}), -32768);
  EXPECT_EQ(RowRunner("v_cvt_u16_f16").one<uint16_t>(Half{0x7C00}), 65535);
  EXPECT_EQ(RowRunner("v_cvt_u16_f16").one<uint16_t>(Half{0x7E00}), 0);
  EXPECT_EQ(RowRunner("v_cvt_f16_u16").one<Half>(uint16_t(65535)).bits, 0x7C00);
  EXPECT_EQ(RowRunner("v_cvt_f16_i16").one<Half>(int16_t(-2049)).bits, 0xE800);
}

TEST(FloatConvert, HalvesToFloatsAreExact) {
  RowRunner op("v_cvt_f32_f16");
  for (unsigned base = 0; base < 0x10000; base += 64) {
    op.run([&](unsigned lane) { return base + lane; });
    for (unsigned lane = 0; lane < 64; ++lane) {
      unsigned h = base + lane, exponent = h >> 10 & 31, mantissa = h & 0x3FF;
      float magnitude = exponent == 31 ? (mantissa ? NAN : INFINITY)
                        : exponent     ? std::ldexp(float(mantissa | 0x400), int(exponent) - 25)
                                       : std::ldexp(float(mantissa), -24);
      uint32_t expected = bitsOf(h & 0x8000 ? -magnitude : magnitude);
      ASSERT_PRED2(sameOrNan<uint32_t>, uint32_t(op.lane(lane)), expected) << h;
    }
  }
}

TEST(FloatWideUnary, RoundingFractFrexpLdexp) {
  std::mt19937_64 random(6);
  RowRunner ceil("v_ceil_f64"), floor("v_floor_f64"), trunc("v_trunc_f64"), rndne("v_rndne_f64");
  RowRunner ceil32("v_ceil_f32"), rndne32("v_rndne_f32"), fract("v_fract_f32");
  RowRunner mant("v_frexp_mant_f64"), exponent("v_frexp_exp_i32_f64");
  RowRunner mant32("v_frexp_mant_f32"), exponent32("v_frexp_exp_i32_f32");
  RowRunner ldexp("v_ldexp_f64"), ldexp32("v_ldexp_f32");
  for (unsigned round = 0; round < 1000; ++round) {
    uint64_t x[64];
    int32_t shift[64];
    for (unsigned i = 0; i < 64; ++i) {
      x[i] = randomPattern<uint64_t>(random);
      if (i % 2)
        x[i] = bitsOf(std::ldexp(double(int64_t(random())), -int(random() % 64)));
      shift[i] = i % 4 ? int32_t(random() % 4400) - 2200 : int32_t(random());
    }
    auto in = [&](unsigned i) { return x[i]; };
    auto in32 = [&](unsigned i) { return bitsOf(float(std::bit_cast<double>(x[i]))); };
    auto by = [&](unsigned i) { return uint32_t(shift[i]); };
    auto by32 = [&](unsigned i) { return uint32_t(i % 4 ? shift[i] / 8 : shift[i]); };
    for (RowRunner *op : {&ceil, &floor, &trunc, &rndne, &mant, &exponent})
      op->run(in);
    for (RowRunner *op : {&ceil32, &rndne32, &fract, &mant32, &exponent32})
      op->run(in32);
    ldexp.run(in, by);
    ldexp32.run(in32, by32);
    for (unsigned i = 0; i < 64; ++i) {
      double value = std::bit_cast<double>(x[i]);
      float value32 = std::bit_cast<float>(uint32_t(in32(i)));
      int e = 0, e32 = 0;
      double m = std::frexp(value, &e);
      float m32 = std::frexp(value32, &e32);
      if (!std::isfinite(value))
        e = 0;
      if (!std::isfinite(value32))
        e32 = 0;
      auto check = [&](const RowRunner &op, double expected) {
        ASSERT_PRED2(sameOrNan<uint64_t>, op.lane(i), bitsOf(expected)) << value << " " << shift[i];
      };
      auto check32 = [&](const RowRunner &op, float expected) {
        ASSERT_PRED2(sameOrNan<uint32_t>, uint32_t(op.lane(i)), bitsOf(expected))
            << value32 << " " << int32_t(by32(i));
      };
      check(ceil, std::ceil(value));
      check(floor, std::floor(value));
      check(trunc, std::trunc(value));
      check(rndne, std::nearbyint(value));
      check(mant, m);
      check(ldexp, std::ldexp(value, shift[i]));
      check32(ceil32, std::ceil(value32));
      check32(rndne32, std::nearbyint(value32));
      check32(mant32, m32);
      check32(ldexp32, std::ldexp(value32, int32_t(by32(i))));
      float part = value32 - std::floor(value32);
      check32(fract, part >= 1 ? 0x1.fffffep-1f : part);
      ASSERT_EQ(int32_t(exponent.lane(i)), e) << value;
      ASSERT_EQ(int32_t(exponent32.lane(i)), e32) << value32;
    }
  }
}

TEST(FloatWideUnary, RndneIgnoresTheMode) {
  for (unsigned rounding = 0; rounding < 4; ++rounding) {
    FloatModeScope scope(FloatKind::F32, rounding);
    EXPECT_EQ(RowRunner("v_rndne_f32").one<float>(2.5f), 2);
    EXPECT_EQ(RowRunner("v_rndne_f32").one<float>(-3.5f), -4);
    EXPECT_EQ(RowRunner("v_rndne_f64").one<double>(0.75), 1);
    EXPECT_EQ(RowRunner("v_cvt_i32_f32").one<int32_t>(-1.75f), -1);
  }
}

TEST(FloatWideUnary, LegacyProducts) {
  float inf = INFINITY;
  EXPECT_EQ(bitsOf(RowRunner("v_mul_legacy_f32").one<float>(-0.0f, inf)), 0u);
  EXPECT_EQ(RowRunner("v_mul_dx9_zero_f32").one<float>(3.0f, 2.0f), 6);
  EXPECT_EQ(RowRunner("v_fma_legacy_f32").one<float>(inf, 0.0f, 5.0f), 5);
  EXPECT_EQ(RowRunner("v_mac_legacy_f32").one<float>(0.0f, float(NAN), 2.0f), 2);
  // Two roundings: (1 + 2^-23)^2 - 1 loses 2^-46, and the fused form does not.
  EXPECT_EQ(RowRunner("v_mad_f32").one<float>(0x1.000002p0f, 0x1.000002p0f, -1.0f), 0x1p-22f);
  EXPECT_EQ(RowRunner("v_fma_f32").one<float>(0x1.000002p0f, 0x1.000002p0f, -1.0f),
            0x1.000001p-22f);
  EXPECT_EQ(RowRunner("v_mac_f32").one<float>(0x1p-140f, 1.0f, 0.0f), 0);
}

TEST(FloatMix, RoundsTo32BitsThenTo16) {
  Mix one{1.0f}, a{0x1.001p0f}, tiny{0x1p-40f};
  EXPECT_EQ(RowRunner("v_fma_mix_f32").one<float>(Mix{3}, Mix{4}, Mix{5}), 17);
  // 1 + 2^-12 + 2^-40 is above a tie of 16 bits only before the first rounding.
  EXPECT_EQ(RowRunner("v_fma_mixlo_f16").one<Half>(one, Mix{0x1.002p0f}, tiny).bits, 0x3C00);
  EXPECT_EQ(RowRunner("v_fma_mixhi_f16").one<Half>(one, a, one).bits, 0x4000);
}

TEST(FloatDot, SumsBothProducts) {
  Packed a{0x3C00, 0x4000}, b{0x4200, 0x4400}; // (1, 2), (3, 4)
  EXPECT_EQ(RowRunner("v_dot2_f32_f16").one<float>(a, b, 100.0f), 111);
  EXPECT_EQ(RowRunner("v_dot2c_f32_f16").one<float>(a, b, -11.0f), 0);
}

} // namespace
} // namespace pal::device
