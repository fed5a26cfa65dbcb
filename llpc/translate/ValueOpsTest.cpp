//===- ValueOpsTest.cpp - value instructions against their definitions ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Runs handlers of value instructions (core and GLSL.std.450) on an interpreter and compares with
/// the C library or with bit-by-bit definitions. The interpreter computes sin, exp2, ... exactly,
/// so what is measured is our formulas and polynomials, not the hardware's approximations.
#include "llpc/translate/ValueOpsTest.h"
#include <numbers>
#include <spirv/unified1/GLSL.std.450.h>

using namespace llpc;
using namespace llpc::test;

namespace {

// --- Functions of one float ---

struct UnaryCase {
  GLSLstd450 number;
  double (*reference)(double);
  double low, high;
  double absolute, relative; ///< for 32 bits
};

double fractOf(double x) { return x - std::floor(x); }
double signOf(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
double radiansOf(double x) { return x * std::numbers::pi / 180; }
double degreesOf(double x) { return x * 180 / std::numbers::pi; }
double inverseSqrtOf(double x) { return 1 / std::sqrt(x); }

constexpr UnaryCase unaryCases[] = {
    {GLSLstd450Round, [](double x) { return std::nearbyint(x); }, -9, 9, 0, 0},
    {GLSLstd450RoundEven, [](double x) { return std::nearbyint(x); }, -9, 9, 0, 0},
    {GLSLstd450Trunc, [](double x) { return std::trunc(x); }, -9, 9, 0, 0},
    {GLSLstd450FAbs, [](double x) { return std::fabs(x); }, -9, 9, 0, 0},
    {GLSLstd450FSign, signOf, -2, 2, 0, 0},
    {GLSLstd450Floor, [](double x) { return std::floor(x); }, -9, 9, 0, 0},
    {GLSLstd450Ceil, [](double x) { return std::ceil(x); }, -9, 9, 0, 0},
    {GLSLstd450Fract, fractOf, -9, 9, 1e-7, 0},
    {GLSLstd450Radians, radiansOf, -720, 720, 0, 2e-7},
    {GLSLstd450Degrees, degreesOf, -7, 7, 0, 2e-7},
    {GLSLstd450Sin, [](double x) { return std::sin(x); }, -3, 3, 1e-6, 0},
    {GLSLstd450Cos, [](double x) { return std::cos(x); }, -3, 3, 1e-6, 0},
    {GLSLstd450Tan, [](double x) { return std::tan(x); }, -1.5, 1.5, 1e-6, 1e-6},
    {GLSLstd450Asin, [](double x) { return std::asin(x); }, -1, 1, 1e-12, 4e-6},
    {GLSLstd450Acos, [](double x) { return std::acos(x); }, -1, 1, 1e-12, 4e-6},
    {GLSLstd450Atan, [](double x) { return std::atan(x); }, -20, 20, 1e-12, 6e-6},
    {GLSLstd450Sinh, [](double x) { return std::sinh(x); }, -5, 5, 2e-7, 4e-6},
    {GLSLstd450Cosh, [](double x) { return std::cosh(x); }, -5, 5, 2e-7, 4e-6},
    {GLSLstd450Tanh, [](double x) { return std::tanh(x); }, -20, 20, 3e-7, 3e-6},
    {GLSLstd450Asinh, [](double x) { return std::asinh(x); }, -9, 9, 3e-7, 1e-6},
    {GLSLstd450Acosh, [](double x) { return std::acosh(x); }, 1.01, 9, 1e-5, 1e-6},
    {GLSLstd450Atanh, [](double x) { return std::atanh(x); }, -0.99, 0.99, 3e-7, 1e-5},
    {GLSLstd450Exp, [](double x) { return std::exp(x); }, -20, 20, 0, 3e-6},
    {GLSLstd450Log, [](double x) { return std::log(x); }, 0.01, 99, 2e-7, 3e-7},
    {GLSLstd450Exp2, [](double x) { return std::exp2(x); }, -20, 20, 0, 1e-7},
    {GLSLstd450Log2, [](double x) { return std::log2(x); }, 0.01, 99, 1e-7, 1e-7},
    {GLSLstd450Sqrt, [](double x) { return std::sqrt(x); }, 0, 99, 0, 1e-7},
    {GLSLstd450InverseSqrt, inverseSqrtOf, 0.01, 99, 0, 3e-7},
};

TEST_F(ValueOpsTest, UnaryFloat) {
  for (const UnaryCase &c : unaryCases)
    for (unsigned part = 0; part < 8; ++part) {
      auto input = [&](unsigned lane) {
        return c.low + (c.high - c.low) * (part * lanes + lane) / (8 * lanes - 1);
      };
      for (Type *type : {f32, f16}) {
        bool isHalf = type == f16;
        WaveValue operand = wave(type, input);
        WaveValue result = glsl(c.number, type, {type}, {operand});
        ASSERT_EQ(error, "");
        for (unsigned lane = 0; lane < lanes; ++lane) {
          double x = toDouble(operand[lane][0].bits, type);
          if (isHalf && std::fabs(c.reference(x)) > 60000)
            continue;
          // Half: a few units in the last place of operand and result.
          expectNear(result[lane][0], type, c.reference(x), c.absolute + (isHalf ? 4e-3 : 0),
                     c.relative + (isHalf ? 2e-2 : 0),
                     std::to_string(c.number) + "(" + std::to_string(x) + ")");
        }
      }
    }
}

TEST_F(ValueOpsTest, SmallArgumentsKeepRelativePrecision) {
  for (auto [number, reference] : {std::pair<GLSLstd450, double (*)(double)>{
                                       GLSLstd450Asin, [](double x) { return std::asin(x); }},
                                   {GLSLstd450Atan, [](double x) { return std::atan(x); }}}) {
    WaveValue operand =
        wave(f32, [](unsigned lane) { return std::ldexp(1.3, -static_cast<int>(lane)); });
    for (LaneValue &value : operand)
      if (toDouble(value[0].bits, f32) > 1)
        value[0].bits = fromDouble(1, f32);
    WaveValue result = glsl(number, f32, {f32}, {operand});
    for (unsigned lane = 0; lane < lanes; ++lane)
      expectNear(result[lane][0], f32, reference(toDouble(operand[lane][0].bits, f32)), 0, 6e-6,
                 "small");
  }
}

TEST_F(ValueOpsTest, SpecialValues) {
  auto at = [&](GLSLstd450 number, double x) {
    return toDouble(glsl(number, f32, {f32}, {wave(f32, [&](unsigned) { return x; })})[0][0].bits,
                    f32);
  };
  EXPECT_EQ(at(GLSLstd450Tanh, INFINITY), 1);
  EXPECT_EQ(at(GLSLstd450Tanh, -INFINITY), -1);
  EXPECT_EQ(at(GLSLstd450Tanh, 80), 1);
  EXPECT_NEAR(at(GLSLstd450Atan, INFINITY), std::numbers::pi / 2, 1e-6);
  EXPECT_NEAR(at(GLSLstd450Atan, -1e30), -std::numbers::pi / 2, 1e-6);
  EXPECT_TRUE(std::isnan(at(GLSLstd450Atan, NAN)));
  EXPECT_TRUE(std::isnan(at(GLSLstd450Asin, 1.5)));
  EXPECT_EQ(at(GLSLstd450Acos, 1), 0);
  EXPECT_EQ(at(GLSLstd450Exp, -INFINITY), 0);
}

TEST_F(ValueOpsTest, Atan2) {
  const double values[] = {-1e38, -3, -1, -1e-30, 0, 1e-30, 0.5, 1, 7, 1e38};
  for (double y : values)
    for (double x : values) {
      WaveValue result =
          glsl(GLSLstd450Atan2, f32, {f32, f32},
               {wave(f32, [&](unsigned) { return y; }), wave(f32, [&](unsigned) { return x; })});
      expectNear(result[0][0], f32, std::atan2(y, x), 1e-37, 6e-6,
                 "atan2(" + std::to_string(y) + ", " + std::to_string(x) + ")");
    }
}

TEST_F(ValueOpsTest, DoublesOnlyWhereAllowed) {
  WaveValue x = wave(f64, [](unsigned lane) { return lane + 0.5; });
  WaveValue root = glsl(GLSLstd450InverseSqrt, f64, {f64}, {x});
  for (unsigned lane = 0; lane < lanes; ++lane)
    expectNear(root[lane][0], f64, 1 / std::sqrt(lane + 0.5), 0, 1e-15, "inversesqrt");
  glsl(GLSLstd450Sin, f64, {f64}, {x});
  EXPECT_EQ(error, "OpExtInst %1 (word 0): result has type double, expected 16- or 32-bit float");
}

// --- Geometry and matrices ---

TEST_F(ValueOpsTest, Refract) {
  auto *v2 = FixedVectorType::get(f32, 2);
  for (double eta : {0.5, 1.0, 1.6}) {
    double ix = 0.6, iy = -0.8, d = iy;
    double k = 1 - eta * eta * (1 - d * d);
    WaveValue result =
        glsl(GLSLstd450Refract, v2, {v2, v2, f32},
             {broadcast(floats({ix, iy})), broadcast(floats({0, 1})), broadcast(floats({eta}))});
    expectNear(result[0][0], f32, k < 0 ? 0 : eta * ix, 1e-6, 0, "refract x");
    expectNear(result[0][1], f32, k < 0 ? 0 : eta * iy - (eta * d + std::sqrt(k)), 1e-6, 0,
               "refract y");
  }
}

TEST_F(ValueOpsTest, Vectors) {
  auto *v3 = FixedVectorType::get(f32, 3);
  WaveValue a = broadcast(floats({1, 2, 3})), c = broadcast(floats({4, -5, 6}));
  auto expectAll = [&](const WaveValue &got, std::initializer_list<double> want, const char *what) {
    unsigned i = 0;
    for (double value : want)
      expectNear(got[0][i++], f32, value, 1e-6, 1e-6, what);
  };
  expectAll(glsl(GLSLstd450Cross, v3, {v3, v3}, {a, c}), {27, 6, -13}, "cross");
  expectAll(glsl(GLSLstd450Length, f32, {v3}, {a}), {std::sqrt(14.0)}, "length");
  expectAll(glsl(GLSLstd450Distance, f32, {v3, v3}, {a, c}), {std::sqrt(67.0)}, "distance");
  double n = std::sqrt(14.0);
  expectAll(glsl(GLSLstd450Normalize, v3, {v3}, {a}), {1 / n, 2 / n, 3 / n}, "normalize");
  expectAll(glsl(GLSLstd450Reflect, v3, {v3, v3}, {a, broadcast(floats({0, 1, 0}))}), {1, -2, 3},
            "reflect");
  expectAll(glsl(GLSLstd450FaceForward, v3, {v3, v3, v3}, {a, c, a}), {-1, -2, -3}, "faceforward");
  expectAll(glsl(GLSLstd450FMix, v3, {v3, v3, v3}, {a, c, broadcast(floats({0, 0.5, 1}))}),
            {1, -1.5, 6}, "mix");
  expectAll(glsl(GLSLstd450SmoothStep, v3, {v3, v3, v3},
                 {broadcast(floats({0, 0, 0})), broadcast(floats({2, 2, 2})),
                  broadcast(floats({-1, 1, 3}))}),
            {0, 0.5, 1}, "smoothstep");
  expectAll(core(spv::Op::OpDot, f32, {v3, v3}, {a, c}), {12}, "dot");
}

/// Determinant by permutations.
double determinantOf(const std::vector<double> &m, unsigned size) {
  std::vector<unsigned> order(size);
  for (unsigned i = 0; i < size; ++i)
    order[i] = i;
  double sum = 0;
  do {
    double product = 1;
    for (unsigned i = 0; i < size; ++i) {
      product *= m[i * size + order[i]];
      for (unsigned j = 0; j < i; ++j)
        product *= order[j] > order[i] ? -1 : 1;
    }
    sum += product;
  } while (std::next_permutation(order.begin(), order.end()));
  return sum;
}

TEST_F(ValueOpsTest, DeterminantAndInverse) {
  for (unsigned size = 2; size <= 4; ++size)
    for (Type *type : {f32, f64}) {
      std::vector<double> m;
      LaneValue flat;
      for (unsigned i = 0; i < size * size; ++i) {
        m.push_back(static_cast<int>(i * 7 % 11) - 4 + (i % (size + 1) == 0 ? 5 : 0));
        flat.push_back({fromDouble(m.back(), type), true});
      }
      Type *matrix = ArrayType::get(FixedVectorType::get(type, size), size);
      WaveValue det = glsl(GLSLstd450Determinant, type, {matrix}, {broadcast(flat)});
      expectNear(det[0][0], type, determinantOf(m, size), 1e-3, 1e-5, "determinant");
      WaveValue inverse = glsl(GLSLstd450MatrixInverse, matrix, {matrix}, {broadcast(flat)});
      WaveValue product = core(spv::Op::OpMatrixTimesMatrix, matrix, {matrix, matrix},
                               {broadcast(flat), broadcast(inverse[0])});
      for (unsigned i = 0; i < size * size; ++i)
        expectNear(product[0][i], type, i % (size + 1) == 0 ? 1 : 0, 2e-5, 0,
                   "m * inverse(m) of " + std::to_string(size));
    }
}

TEST_F(ValueOpsTest, MatrixProducts) {
  auto *v2 = FixedVectorType::get(f32, 2), *v3 = FixedVectorType::get(f32, 3);
  Type *m = ArrayType::get(v3, 2); // 2 columns of 3
  WaveValue matrix = broadcast(floats({1, 2, 3, 4, 5, 6}));
  WaveValue r =
      core(spv::Op::OpMatrixTimesVector, v3, {m, v2}, {matrix, broadcast(floats({10, 1}))});
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(toDouble(r[0][i].bits, f32), 10 * (i + 1) + i + 4);
  r = core(spv::Op::OpVectorTimesMatrix, v2, {v3, m}, {broadcast(floats({1, 10, 100})), matrix});
  EXPECT_EQ(toDouble(r[0][0].bits, f32), 321);
  EXPECT_EQ(toDouble(r[0][1].bits, f32), 654);
  r = core(spv::Op::OpTranspose, ArrayType::get(v2, 3), {m}, {matrix});
  for (unsigned i = 0; i < 6; ++i)
    EXPECT_EQ(toDouble(r[0][i].bits, f32), 1 + i / 2 + 3 * (i % 2));
  r = core(spv::Op::OpOuterProduct, m, {v3, v2},
           {broadcast(floats({1, 2, 3})), broadcast(floats({1, 10}))});
  EXPECT_EQ(toDouble(r[0][5].bits, f32), 30);
  core(spv::Op::OpMatrixTimesVector, v3, {m, v3}, {matrix, broadcast(floats({1, 2, 3}))});
  EXPECT_EQ(error, "OpExtInst %1 (word 0): operand 1 has type <3 x float>, expected <2 x float>");
}

// --- Taking apart, packing ---

TEST_F(ValueOpsTest, FrexpModfLdexp) {
  auto input = [](unsigned lane) {
    return (lane % 2 ? -1 : 1) * std::ldexp(1.2 + lane, static_cast<int>(lane) - 15);
  };
  WaveValue x = wave(f32, input);
  WaveValue parts = glsl(GLSLstd450FrexpStruct, StructType::get(f32, i32), {f32}, {x});
  WaveValue whole = glsl(GLSLstd450ModfStruct, StructType::get(f32, f32), {f32}, {x});
  WaveValue scaled = glsl(GLSLstd450Ldexp, f32, {f32, i32},
                          {x, waveBits([](unsigned lane) { return (lane - 16) & 0xFFFFFFFFu; })});
  for (unsigned lane = 0; lane < lanes; ++lane) {
    double value = toDouble(x[lane][0].bits, f32);
    int exponent = 0;
    EXPECT_EQ(toDouble(parts[lane][0].bits, f32), std::frexp(value, &exponent));
    EXPECT_EQ(static_cast<int32_t>(parts[lane][1].bits), exponent);
    EXPECT_EQ(toDouble(whole[lane][1].bits, f32), std::trunc(value));
    EXPECT_EQ(toDouble(whole[lane][0].bits, f32), value - std::trunc(value));
    EXPECT_EQ(toDouble(scaled[lane][0].bits, f32), std::ldexp(value, static_cast<int>(lane) - 16));
  }
}

TEST_F(ValueOpsTest, PackAndUnpack) {
  struct Row {
    GLSLstd450 pack, unpack;
    unsigned count;
    bool isSigned;
  };
  for (const Row &row : {Row{GLSLstd450PackSnorm4x8, GLSLstd450UnpackSnorm4x8, 4, true},
                         Row{GLSLstd450PackUnorm4x8, GLSLstd450UnpackUnorm4x8, 4, false},
                         Row{GLSLstd450PackSnorm2x16, GLSLstd450UnpackSnorm2x16, 2, true},
                         Row{GLSLstd450PackUnorm2x16, GLSLstd450UnpackUnorm2x16, 2, false}}) {
    auto *vector = FixedVectorType::get(f32, row.count);
    unsigned bits = 32 / row.count;
    double largest = (1u << (row.isSigned ? bits - 1 : bits)) - 1;
    WaveValue input;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      input.emplace_back();
      for (unsigned i = 0; i < row.count; ++i) // beyond the range at both ends
        input.back().push_back({fromDouble((lane * 4 + i) / 50.0 - 1.2, f32), true});
    }
    WaveValue packed = glsl(row.pack, i32, {vector}, {input});
    WaveValue unpacked = glsl(row.unpack, vector, {i32}, {packed});
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned i = 0; i < row.count; ++i) {
        double x = toDouble(input[lane][i].bits, f32);
        x = std::fmin(std::fmax(x, row.isSigned ? -1 : 0), 1);
        // The product may be rounded to 32 bits before it is rounded to a whole number.
        uint64_t field = packed[lane][0].bits >> (bits * i) & ((1u << bits) - 1);
        double number = row.isSigned ? static_cast<double>(SignExtend64(field, bits))
                                     : static_cast<double>(field);
        EXPECT_LE(std::fabs(number - x * largest), 0.5 + largest * 1e-7) << row.pack << " of " << x;
        expectNear(unpacked[lane][i], f32, x, 0.51 / largest, 0, "unpack");
        if (x == 1 || x == -1 || x == 0) {
          EXPECT_EQ(toDouble(unpacked[lane][i].bits, f32), x) << row.unpack;
        }
      }
  }
  // The most negative field is -1 as well.
  auto *v4 = FixedVectorType::get(f32, 4);
  WaveValue low =
      glsl(GLSLstd450UnpackSnorm4x8, v4, {i32}, {waveBits([](unsigned) { return 0x80; })});
  EXPECT_EQ(toDouble(low[0][0].bits, f32), -1);
}

TEST_F(ValueOpsTest, HalfConversions) {
  const double values[] = {0,       1,           -2.5, 65504,   65519, 1e-8,
                           0x1p-14, 0x1.ffcp-15, 0.1,  3.14159, 2049,  -1e30};
  auto *v2 = FixedVectorType::get(f32, 2);
  for (double value : values) {
    WaveValue x = broadcast(floats({value}));
    double single = static_cast<float>(value);
    WaveValue packed = glsl(GLSLstd450PackHalf2x16, i32, {v2}, {broadcast(floats({value, 1}))});
    EXPECT_EQ(packed[0][0].bits & 0xFFFF, fromDouble(single, f16));
    EXPECT_EQ(packed[0][0].bits >> 16, 0x3C00u);
    WaveValue back = glsl(GLSLstd450UnpackHalf2x16, v2, {i32}, {packed});
    EXPECT_EQ(toDouble(back[0][0].bits, f32), toDouble(packed[0][0].bits & 0xFFFF, f16));
    double quantized = toDouble(core(spv::Op::OpQuantizeToF16, f32, {f32}, {x})[0][0].bits, f32);
    EXPECT_EQ(quantized, std::fabs(single) < 0x1p-14 ? 0 : toDouble(fromDouble(single, f16), f16))
        << value;
    // Toward zero, from 32 and from 64 bits.
    for (Type *from : {f32, f64}) {
      auto convert = [](ValueOp &op) -> HandlerResult {
        return truncateTowardZero(op, op.args[0], op.type);
      };
      double source = from == f64 ? value : single;
      WaveValue r = call(convert, Sig::FloatToFloat, f16, {from},
                         {wave(from, [&](unsigned) { return source; })});
      EXPECT_EQ(r[0][0].bits, fromDouble(source, f16, APFloat::rmTowardZero)) << value;
    }
  }
  // Just below a half: rounding to 32 bits first must not reach it.
  auto convert = [](ValueOp &op) -> HandlerResult {
    return truncateTowardZero(op, op.args[0], op.type);
  };
  double below = std::nextafter(1.5, 0);
  WaveValue r =
      call(convert, Sig::FloatToFloat, f16, {f64}, {wave(f64, [&](unsigned) { return below; })});
  EXPECT_LT(toDouble(r[0][0].bits, f16), 1.5);
}

} // namespace
