// SPDX-License-Identifier: MIT
// Minimum, maximum, median, compares, classes, cube maps and the approximations of 32 and 64 bits:
// against their definitions in the ISA manuals and the C library.
#include "pal_shim/device/ops/FloatTesting.h"
#include <cmath>

namespace pal::device {
namespace {

/// Order of IEEE 754 numbers with -0 below +0.
template <class T> bool below(T a, T b) {
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}
template <class T> T minNum(T a, T b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : below(b, a) ? b : a;
}
template <class T> T maxNum(T a, T b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : below(a, b) ? b : a;
}
template <class T> T minNan(T a, T b) {
  return std::isnan(a) || std::isnan(b) ? NAN : minNum(a, b);
}
template <class T> T maxNan(T a, T b) {
  return std::isnan(a) || std::isnan(b) ? NAN : maxNum(a, b);
}
template <class T> T median(T a, T b, T c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c))
    return minNum(minNum(a, b), c);
  T values[3] = {a, b, c};
  std::sort(values, values + 3, below<T>);
  return values[1];
}

template <class T> void checkPairs(std::string end) {
  using B = decltype(bitsOf(T()));
  RowRunner min("v_min_" + end), max("v_max_num_" + end);
  RowRunner minimum("v_minimum_" + end), maximum("v_maximum_" + end);
  std::vector<B> edges = edgePatterns<B>();
  for (B a : edges)
    for (B b : edges) {
      T x = std::bit_cast<T>(a), y = std::bit_cast<T>(b);
      auto check = [&](RowRunner &op, T expected) {
        B result = bitsOf(op.template one<T>(x, y));
        ASSERT_PRED2(sameOrNan<B>, result, bitsOf(expected)) << std::hex << a << " " << b;
        ASSERT_FALSE(isSignalingBits(result));
      };
      check(min, minNum(x, y));
      check(max, maxNum(x, y));
      check(minimum, minNan(x, y));
      check(maximum, maxNan(x, y));
    }
}
TEST(FloatMinMax, Pairs32) { checkPairs<float>("f32"); }
TEST(FloatMinMax, Pairs64) { checkPairs<double>("f64"); }

TEST(FloatMinMax, Triples) {
  std::vector<uint32_t> edges = edgePatterns<uint32_t>();
  RowRunner min3("v_min3_f32"), max3("v_max3_f32"), med3("v_med3_num_f32"), minmax("v_minmax_f32");
  RowRunner maxmin("v_maxmin_f32"), minimum3("v_minimum3_f32"), minMax("v_minimummaximum_f32");
  for (size_t i = 0; i < edges.size(); ++i)
    for (size_t j = 0; j < edges.size(); ++j) {
      auto a = [&](size_t) { return edges[i]; };
      auto b = [&](size_t) { return edges[j]; };
      auto c = [&](size_t lane) { return edges[lane % edges.size()]; };
      for (RowRunner *op : {&min3, &max3, &med3, &minmax, &maxmin, &minimum3, &minMax})
        op->run(a, b, c);
      for (unsigned lane = 0; lane < edges.size(); ++lane) {
        float x = std::bit_cast<float>(edges[i]), y = std::bit_cast<float>(edges[j]);
        float z = std::bit_cast<float>(edges[lane]);
        auto check = [&](const RowRunner &op, float expected) {
          ASSERT_PRED2(sameOrNan<uint32_t>, uint32_t(op.lane(lane)), bitsOf(expected))
              << x << " " << y << " " << z;
        };
        check(min3, minNum(minNum(x, y), z));
        check(max3, maxNum(maxNum(x, y), z));
        check(med3, median(x, y, z));
        check(minmax, maxNum(minNum(x, y), z));
        check(maxmin, minNum(maxNum(x, y), z));
        check(minimum3, minNan(minNan(x, y), z));
        check(minMax, maxNan(minNan(x, y), z));
      }
    }
}

TEST(FloatMinMax, IeeeModeLetsSignallingNansWin) {
  float signalling = std::bit_cast<float>(0x7F800001u);
  RowRunner min("v_min_f32");
  EXPECT_EQ(min.one<float>(signalling, 1.0f), 1);
  EXPECT_EQ(bitsOf(min.one<float>(signalling, signalling)), 0x7FC00001u);
  min.ieee = true;
  EXPECT_EQ(bitsOf(min.one<float>(1.0f, signalling)), 0x7FC00001u);
  EXPECT_EQ(min.one<float>(1.0f, std::bit_cast<float>(0x7FC00000u)), 1);
}

template <class T> void checkCompares(std::string end) {
  using B = decltype(bitsOf(T()));
  struct {
    const char *name;
    bool less, equal, greater, unordered;
  } const conditions[] = {
      {"f", 0, 0, 0, 0},   {"lt", 1, 0, 0, 0},  {"eq", 0, 1, 0, 0},  {"le", 1, 1, 0, 0},
      {"gt", 0, 0, 1, 0},  {"lg", 1, 0, 1, 0},  {"ge", 0, 1, 1, 0},  {"o", 1, 1, 1, 0},
      {"u", 0, 0, 0, 1},   {"nge", 1, 0, 0, 1}, {"nlg", 0, 1, 0, 1}, {"ngt", 1, 1, 0, 1},
      {"nle", 0, 0, 1, 1}, {"neq", 1, 0, 1, 1}, {"nlt", 0, 1, 1, 1}, {"t", 1, 1, 1, 1}};
  std::vector<B> edges = edgePatterns<B>();
  for (auto &condition : conditions) {
    RowRunner op(std::string("v_cmp_") + condition.name + "_" + end);
    RowRunner opx(std::string("v_cmpx_") + condition.name + "_" + end);
    for (B a : edges) {
      auto inA = [&](unsigned) { return a; };
      auto inB = [&](unsigned lane) { return edges[lane % edges.size()]; };
      op.run(inA, inB);
      opx.run(inA, inB);
      for (unsigned lane = 0; lane < edges.size(); ++lane) {
        B b = edges[lane];
        bool unordered = isNanBits(a) || isNanBits(b), zeros = isZeroBits(a) && isZeroBits(b);
        // Sign and magnitude, without any floating-point comparison.
        auto key = [](B bits) -> __int128 {
          __int128 magnitude = bits & B(~signBit<B>);
          return bits & signBit<B> ? -magnitude : magnitude;
        };
        bool expected = unordered                   ? condition.unordered
                        : zeros || key(a) == key(b) ? condition.equal
                        : key(a) < key(b)           ? condition.less
                                                    : condition.greater;
        ASSERT_EQ(op.maskBit(lane), expected) << condition.name << std::hex << a << " " << b;
        ASSERT_EQ(opx.maskBit(lane), expected) << condition.name;
      }
    }
  }
}
TEST(FloatCompare, AllConditions16) { checkCompares<Half>("f16"); }
TEST(FloatCompare, AllConditions32) { checkCompares<float>("f32"); }
TEST(FloatCompare, AllConditions64) { checkCompares<double>("f64"); }

template <class T, class Mask> void checkClasses(const char *name) {
  using B = decltype(bitsOf(T()));
  RowRunner op(name);
  const B inf = exponentMask<B>, one = B(B(FloatLayout<B>::bias) << FloatLayout<B>::mantissaBits);
  // In the order of the mask's bits.
  const B values[10] = {B(inf | 1),
                        B(inf | quietBit<B>),
                        B(inf | signBit<B>),
                        B(one | signBit<B>),
                        B(signBit<B> | 1),
                        signBit<B>,
                        0,
                        quietBit<B>,
                        one,
                        inf};
  for (unsigned i = 0; i < 10; ++i)
    for (unsigned bit = 0; bit < 10; ++bit) {
      op.run([&](unsigned) { return values[i]; }, [&](unsigned) { return Mask(1u << bit); });
      EXPECT_EQ(op.maskBit(3), i == bit) << name << " value " << i << " class " << bit;
    }
}
TEST(FloatCompare, Classes) {
  checkClasses<Half, uint16_t>("v_cmp_class_f16");
  checkClasses<float, uint32_t>("v_cmp_class_f32");
  checkClasses<double, uint32_t>("v_cmpx_class_f64");
}

/// Vulkan specification, "Cube Map Face Selection": sc, tc, 2 * ma by the largest component.
TEST(FloatCube, FacesFollowTheLargestComponent) {
  RowRunner id("v_cubeid_f32"), sc("v_cubesc_f32"), tc("v_cubetc_f32"), ma("v_cubema_f32");
  struct {
    float x, y, z, face, s, t;
  } const cases[] = {
      {3, 1, 2, 0, -2, -1}, {-3, 1, 2, 1, 2, -1},  {1, 3, 2, 2, 1, 2},  {1, -3, 2, 3, 1, -2},
      {1, 2, 3, 4, 1, -2},  {1, 2, -3, 5, -1, -2}, {2, 2, 2, 4, 2, -2}, {2, -2, 1, 3, 2, -1},
  };
  for (auto &c : cases) {
    EXPECT_EQ(id.one<float>(c.x, c.y, c.z), c.face);
    EXPECT_EQ(sc.one<float>(c.x, c.y, c.z), c.s) << c.face;
    EXPECT_EQ(tc.one<float>(c.x, c.y, c.z), c.t) << c.face;
    float major = c.face < 2 ? c.x : c.face < 4 ? c.y : c.z;
    EXPECT_EQ(ma.one<float>(c.x, c.y, c.z), 2 * major);
  }
}

TEST(FloatApprox, WithinAnUlpAndFlushed) {
  struct {
    const char *name;
    long double (*function)(long double);
  } const cases[] = {
      {"v_rcp_f32", [](long double x) { return 1 / x; }},
      {"v_rcp_iflag_f32", [](long double x) { return 1 / x; }},
      {"v_rsq_f32", [](long double x) { return 1 / std::sqrt(x); }},
      {"v_sqrt_f32", [](long double x) { return std::sqrt(x); }},
      {"v_exp_f32", [](long double x) { return std::exp2(x); }},
      {"v_log_f32", [](long double x) { return std::log2(x); }},
  };
  std::mt19937_64 random(11);
  for (auto &test : cases) {
    RowRunner op(test.name);
    for (unsigned round = 0; round < 300; ++round) {
      uint32_t x[64];
      for (unsigned i = 0; i < 64; ++i) {
        x[i] = randomPattern<uint32_t>(random);
        if (i % 2) // exponents of exp2 that matter
          x[i] = bitsOf(std::ldexp(float(int32_t(random())), -24));
      }
      op.run([&](unsigned i) { return x[i]; });
      for (unsigned i = 0; i < 64; ++i) {
        float in = std::bit_cast<float>(flushBits(x[i]));
        long double exact = test.function(in);
        float result = std::bit_cast<float>(uint32_t(op.lane(i)));
        if (std::isnan(exact)) {
          ASSERT_TRUE(std::isnan(result)) << test.name << " " << in;
        } else if (std::fabs(exact) < 0x1p-126L) {
          ASSERT_EQ(std::fabs(result), std::fabs(exact) > 0x1.fffffep-127L ? 0x1p-126f : 0)
              << test.name << " " << in;
        } else if (std::fabs(exact) > 0x1.ffffffp127L) {
          ASSERT_EQ(result, exact > 0 ? INFINITY : -INFINITY) << test.name << " " << in;
        } else {
          float nearest = float(exact);
          ASSERT_LE(std::abs(int64_t(bitsOf(result)) - int64_t(bitsOf(nearest))), 1)
              << test.name << " " << in;
        }
      }
    }
  }
}

TEST(FloatApprox, SinesOfTurns) {
  RowRunner sin("v_sin_f32"), cos("v_cos_f32");
  EXPECT_EQ(sin.one<float>(0.25f), 1);
  EXPECT_EQ(sin.one<float>(-1000.75f), 1);
  EXPECT_EQ(cos.one<float>(0.5f), -1);
  EXPECT_EQ(sin.one<float>(0x1p24f), 0);
  EXPECT_EQ(cos.one<float>(0x1p24f), 1);
  EXPECT_EQ(bitsOf(sin.one<float>(INFINITY)), 0xFFC00000u);
  EXPECT_NEAR(sin.one<float>(1.0f / 12), 0.5f, 1e-7);
}

TEST(FloatApprox, TrigPreopGivesPartsOfTwoOverPi) {
  RowRunner op("v_trig_preop_f64");
  // Two parts of 53 bits are 2/pi to long double precision.
  long double sum = (long double)op.one<double>(1.0, 0u) + op.one<double>(1.0, 1u);
  EXPECT_EQ(sum, 0.636619772367581343075535053490057448L);
  // For large arguments the parts begin further behind.
  double third = op.one<double>(1.0, 2u), later = op.one<double>(0x1p160, 0u);
  EXPECT_GT(third, 0);
  EXPECT_LT(later, 0x1p-80);
  EXPECT_EQ(op.one<double>(1.0, 31u), 0);
}

} // namespace
} // namespace pal::device
