// SPDX-License-Identifier: MIT
// Division and square root as LLVM 22 expands them (output of llc for gfx1030), against x86's own,
// bit for bit; also with every approximate result moved by up to an ulp, which the expansions must
// survive. Denormals are kept, rounding is to nearest even.
#include "pal_shim/device/ops/FloatTesting.h"
#include <cmath>

namespace pal::device {
namespace {

/// 64 values of a register, with the operations of the expansions.
template <class T> struct Lanes {
  using B = decltype(bitsOf(T()));
  B bits[64];
  Lanes operator-() const {
    Lanes result = *this;
    for (B &b : result.bits)
      b ^= signBit<B>;
    return result;
  }
};

template <class T> class Expansion {
public:
  using B = typename Lanes<T>::B;
  explicit Expansion(const char *suffix, bool perturbs)
      : end(suffix), rcp("v_rcp_" + end), rsq("v_rsq_" + end), sqrt("v_sqrt_" + end),
        fmaOp("v_fma_" + end), mulOp("v_mul_" + end), scaleOp("v_div_scale_" + end),
        fmasOp("v_div_fmas_" + end), fixupOp("v_div_fixup_" + end), perturbs(perturbs) {}

  Lanes<T> approximate(RowRunner &op, const Lanes<T> &x) {
    op.run([&](unsigned i) { return x.bits[i]; });
    Lanes<T> result = read(op);
    if (perturbs)
      for (B &b : result.bits)
        if (exponentOf(b) > 1 && !isNanBits(b) && !isInfBits(b))
          b = B(b + random() % 3 - 1);
    return result;
  }
  Lanes<T> fma(const Lanes<T> &a, const Lanes<T> &b, const Lanes<T> &c) {
    fmaOp.run([&](unsigned i) { return a.bits[i]; }, [&](unsigned i) { return b.bits[i]; },
              [&](unsigned i) { return c.bits[i]; });
    return read(fmaOp);
  }
  Lanes<T> mul(const Lanes<T> &a, const Lanes<T> &b) {
    mulOp.run([&](unsigned i) { return a.bits[i]; }, [&](unsigned i) { return b.bits[i]; });
    return read(mulOp);
  }
  Lanes<T> constant(T value) {
    Lanes<T> result;
    std::fill(std::begin(result.bits), std::end(result.bits), bitsOf(value));
    return result;
  }
  Lanes<T> scale(const Lanes<T> &x, const Lanes<T> &d, const Lanes<T> &n, uint64_t &mask) {
    scaleOp.run([&](unsigned i) { return x.bits[i]; }, [&](unsigned i) { return d.bits[i]; },
                [&](unsigned i) { return n.bits[i]; });
    mask = 0;
    for (unsigned i = 0; i < 64; ++i)
      mask |= uint64_t(scaleOp.maskBit(i)) << i;
    return read(scaleOp);
  }
  Lanes<T> finish(const Lanes<T> &a, const Lanes<T> &b, const Lanes<T> &c, uint64_t mask,
                  const Lanes<T> &d, const Lanes<T> &n) {
    fmasOp.run([&](unsigned i) { return a.bits[i]; }, [&](unsigned i) { return b.bits[i]; },
               [&](unsigned i) { return c.bits[i]; }, [&](unsigned i) { return mask >> i & 1; });
    Lanes<T> quotient = read(fmasOp);
    fixupOp.run([&](unsigned i) { return quotient.bits[i]; }, [&](unsigned i) { return d.bits[i]; },
                [&](unsigned i) { return n.bits[i]; });
    return read(fixupOp);
  }

  Lanes<T> divide(const Lanes<T> &n, const Lanes<T> &d) {
    uint64_t mask;
    Lanes<T> one = constant(1);
    Lanes<T> den = scale(d, d, n, mask), r = approximate(rcp, den);
    Lanes<T> num = scale(n, d, n, mask);
    r = fma(fma(-den, r, one), r, r);
    if (sizeof(T) == 8) {
      r = fma(r, fma(-den, r, one), r);
      Lanes<T> q = mul(num, r);
      return finish(fma(-den, q, num), r, q, mask, d, n);
    }
    Lanes<T> q = mul(num, r);
    q = fma(fma(-den, q, num), r, q);
    return finish(fma(-den, q, num), r, q, mask, d, n);
  }

  std::string end;
  RowRunner rcp, rsq, sqrt, fmaOp, mulOp, scaleOp, fmasOp, fixupOp;
  bool perturbs;
  std::mt19937_64 random{7};

private:
  Lanes<T> read(const RowRunner &op) {
    Lanes<T> result;
    for (unsigned i = 0; i < 64; ++i)
      result.bits[i] = B(op.lane(i));
    return result;
  }
};

/// Random operands, some with quotients close to the ends of the range.
template <class T> void fillOperands(Lanes<T> &n, Lanes<T> &d, std::mt19937_64 &random) {
  using B = decltype(bitsOf(T()));
  for (unsigned i = 0; i < 64; ++i) {
    n.bits[i] = randomPattern<B>(random);
    d.bits[i] = randomPattern<B>(random);
    if (i % 4 == 0) { // quotient about the smallest normal number
      int bias = int(FloatLayout<B>::bias), exponent = int(random() % unsigned(bias));
      auto withExponent = [](B bits, int e) {
        return B((bits & ~exponentMask<B>) | B(B(e) << FloatLayout<B>::mantissaBits));
      };
      n.bits[i] = withExponent(n.bits[i], exponent);
      int other = exponent + bias + int(random() % (FloatLayout<B>::mantissaBits + 4)) - 2;
      d.bits[i] = withExponent(d.bits[i], std::min(other, 2 * bias));
    }
  }
}

template <class T> void checkDivision(const char *suffix, bool perturbs, unsigned rounds) {
  using B = decltype(bitsOf(T()));
  Expansion<T> expansion(suffix, perturbs);
  std::mt19937_64 random(8);
  std::vector<B> edges = edgePatterns<B>();
  unsigned edgeRounds = unsigned(edges.size() * edges.size() / 64 + 1);
  for (unsigned round = 0; round < rounds + edgeRounds; ++round) {
    Lanes<T> n, d;
    fillOperands(n, d, random);
    for (unsigned i = 0; i < 64 && round < edgeRounds; ++i) {
      size_t pair = (round * 64 + i) % (edges.size() * edges.size());
      n.bits[i] = edges[pair / edges.size()];
      d.bits[i] = edges[pair % edges.size()];
    }
    Lanes<T> result = expansion.divide(n, d);
    for (unsigned i = 0; i < 64; ++i) {
      // Newton's step needs the nearest reciprocal if the mantissa is all ones (Markstein 1990).
      if (perturbs && (d.bits[i] & mantissaMask<B>) == mantissaMask<B>)
        continue;
      T expected = std::bit_cast<T>(n.bits[i]) / std::bit_cast<T>(d.bits[i]);
      ASSERT_PRED2(sameOrNan<B>, result.bits[i], bitsOf(expected))
          << std::hex << n.bits[i] << " / " << d.bits[i];
    }
  }
}

TEST(FloatDivide, Division32IsExact) { checkDivision<float>("f32", false, 6000); }
TEST(FloatDivide, Division32SurvivesPerturbation) { checkDivision<float>("f32", true, 4000); }
TEST(FloatDivide, Division64IsExact) { checkDivision<double>("f64", false, 6000); }
TEST(FloatDivide, Division64SurvivesPerturbation) { checkDivision<double>("f64", true, 4000); }

/// v_sqrt_f32, then the better of the results an ulp below and above.
Lanes<float> expandSqrt(Expansion<float> &e, const Lanes<float> &input) {
  Lanes<float> x = input, up = e.mul(input, e.constant(0x1p32f));
  bool scaled[64];
  for (unsigned i = 0; i < 64; ++i) {
    scaled[i] = std::bit_cast<float>(input.bits[i]) < 0x1p-96f;
    if (scaled[i])
      x.bits[i] = up.bits[i];
  }
  Lanes<float> root = e.approximate(e.sqrt, x), below = root, above = root;
  for (unsigned i = 0; i < 64; ++i) {
    --below.bits[i];
    ++above.bits[i];
  }
  Lanes<float> ofBelow = e.fma(-below, root, x), ofAbove = e.fma(-above, root, x);
  for (unsigned i = 0; i < 64; ++i) {
    if (0 >= std::bit_cast<float>(ofBelow.bits[i]))
      root.bits[i] = below.bits[i];
    if (0 < std::bit_cast<float>(ofAbove.bits[i]))
      root.bits[i] = above.bits[i];
  }
  Lanes<float> down = e.mul(root, e.constant(0x1p-16f));
  for (unsigned i = 0; i < 64; ++i) {
    if (scaled[i])
      root.bits[i] = down.bits[i];
    if (isZeroBits(x.bits[i]) || x.bits[i] == exponentMask<uint32_t>)
      root.bits[i] = x.bits[i];
  }
  return root;
}

TEST(FloatDivide, SquareRoot32IsExact) {
  for (bool perturbs : {false, true}) {
    Expansion<float> expansion("f32", perturbs);
    std::mt19937_64 random(9);
    for (unsigned round = 0; round < 3000; ++round) {
      Lanes<float> x;
      for (uint32_t &bits : x.bits)
        bits = randomPattern<uint32_t>(random) & (random() % 4 ? 0x7FFFFFFF : ~0u);
      Lanes<float> result = expandSqrt(expansion, x);
      for (unsigned i = 0; i < 64; ++i)
        ASSERT_PRED2(sameOrNan<uint32_t>, result.bits[i],
                     bitsOf(std::sqrt(std::bit_cast<float>(x.bits[i]))))
            << std::hex << x.bits[i];
    }
  }
}

/// Goldschmidt's iteration from v_rsq_f64, after scaling by 2^256 (and back by 2^-128).
TEST(FloatDivide, SquareRoot64IsExact) {
  for (bool perturbs : {false, true}) {
    Expansion<double> e("f64", perturbs);
    std::mt19937_64 random(10);
    for (unsigned round = 0; round < 3000; ++round) {
      Lanes<double> input, x;
      for (unsigned i = 0; i < 64; ++i) {
        input.bits[i] = randomPattern<uint64_t>(random) & ~signBit<uint64_t>;
        double value = std::bit_cast<double>(input.bits[i]);
        x.bits[i] = bitsOf(value < 0x1p-767 ? std::ldexp(value, 256) : value);
      }
      Lanes<double> half = e.constant(0.5), r = e.approximate(e.rsq, x);
      Lanes<double> s = e.mul(x, r), h = e.mul(r, half), error = e.fma(-h, s, half);
      s = e.fma(s, error, s);
      h = e.fma(h, error, h);
      s = e.fma(e.fma(-s, s, x), h, s);
      s = e.fma(e.fma(-s, s, x), h, s);
      for (unsigned i = 0; i < 64; ++i) {
        double value = std::bit_cast<double>(input.bits[i]),
               root = std::bit_cast<double>(s.bits[i]);
        if (value < 0x1p-767)
          root = std::ldexp(root, -128);
        if (value == 0 || std::isinf(value))
          root = value;
        ASSERT_PRED2(sameOrNan<uint64_t>, bitsOf(root), bitsOf(std::sqrt(value))) << value;
      }
    }
  }
}

TEST(FloatDivide, ScaleRefusesZeros) {
  RowRunner scale("v_div_scale_f32");
  EXPECT_EQ(scale.one<uint32_t>(1.0f, 0.0f, 1.0f), 0xFFC00000u);
  EXPECT_EQ(scale.one<uint32_t>(0.0f, 1.0f, 0.0f), 0xFFC00000u);
  EXPECT_FALSE(scale.maskBit(0));
}

TEST(FloatDivide, FixupFollowsTheRoundingMode) {
  // An infinite estimate stands for overflow.
  RowRunner fixup("v_div_fixup_f32");
  float big = 0x1.fffffep127f, small = 0x1p-100f, inf = INFINITY;
  const uint32_t positive[4] = {0x7F800000, 0x7F800000, 0x7F7FFFFF, 0x7F7FFFFF};
  const uint32_t negative[4] = {0xFF800000, 0xFF7FFFFF, 0xFF800000, 0xFF7FFFFF};
  const uint32_t tiny[4] = {0, 1, 0, 0};
  for (unsigned rounding = 0; rounding < 4; ++rounding) {
    FloatModeScope scope(FloatKind::F32, rounding);
    EXPECT_EQ(fixup.one<uint32_t>(inf, small, big), positive[rounding]);
    EXPECT_EQ(fixup.one<uint32_t>(inf, small, -big), negative[rounding]);
    EXPECT_EQ(fixup.one<uint32_t>(1.0f, big, small), tiny[rounding]);
  }
  EXPECT_EQ(fixup.one<uint32_t>(1.0f, -inf, 2.0f), 0x80000000u);
  EXPECT_EQ(fixup.one<uint32_t>(1.0f, inf, inf), 0xFFC00000u);
}

TEST(FloatDivide, FixupOf16Bits) {
  RowRunner fixup("v_div_fixup_f16");
  EXPECT_EQ(fixup.one<Half>(Half{0xBC00}, Half{0x4000}, Half{0x4000}).bits, 0x3C00);
  EXPECT_EQ(fixup.one<Half>(Half{0x3C00}, Half{0}, Half{0xBC00}).bits, 0xFC00);
  EXPECT_EQ(fixup.one<Half>(Half{0x3C00}, Half{0}, Half{0}).bits, 0xFE00);
  EXPECT_EQ(fixup.one<Half>(Half{0x3C00}, Half{0x3C00}, Half{0x7D00}).bits, 0x7F00);
}

} // namespace
} // namespace pal::device
