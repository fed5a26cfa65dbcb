//===- FloatOps.cpp - references of floating-point instructions -----------===//
// SPDX-License-Identifier: MIT
#include "Family.h"
#include <cmath>

namespace exec {

namespace {

using In = const Operands &;
using Out = Accept &;

bool isHalf(In in) { return in.type(0) == ScalarType::F16; }

/// Any operand a NaN or infinity?
bool isSpecial(In in, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!std::isfinite(in.f(i)))
      return true;
  return false;
}

/// The larger of the tolerances of f32 and f64 on one side and f16 on the other.
double forType(In in, double single, double half) { return isHalf(in) ? half : single; }

// 64-bit sums and products are rounded once by the double arithmetic here; for 16 and 32 bits
// double has more than twice the digits, so that rounding twice is rounding once.
const FamilyOp binary[] = {
    {"OpFAdd", [](In in, Out out) { out.rounded(in.f(0) + in.f(1)); }},
    {"OpFSub", [](In in, Out out) { out.rounded(in.f(0) - in.f(1)); }},
    {"OpFMul", [](In in, Out out) { out.rounded(in.f(0) * in.f(1)); }},
    {"OpFDiv",
     [](In in, Out out) {
       double b = std::fabs(in.f(1)), limit = isHalf(in) ? 0x1p14 : 0x1p126;
       bool inRange = b >= 1 / limit && b <= limit;
       // Outside of that range only zeros, infinities and NaN are certain.
       if (!inRange && b != 0 && std::isfinite(b))
         return out.any();
       out.near(in.f(0) / in.f(1), 2.5);
     }},
};

const FamilyOp remainders[] = {
    {"OpFRem",
     [](In in, Out out) {
       double a = in.f(0), b = in.f(1), rest = std::fmod(a, b);
       if (isSpecial(in, 2) || b == 0 || std::fabs(a / b) > 512)
         return out.any();
       double slack = 4 * ulpOf(in.type(0), a);
       out.near(rest, 2, slack);
       out.near(rest - std::copysign(b, a), 2, slack); // the quotient may round to the next integer
       out.near(rest + std::copysign(b, a), 2, slack);
     },
     FloatMode::Relaxed},
    {"OpFMod",
     [](In in, Out out) {
       double a = in.f(0), b = in.f(1);
       // A tiny quotient may be flushed before its floor is taken; the product may overflow.
       if (isSpecial(in, 2) || b == 0 || std::fabs(a / b) > 512 || std::fabs(a / b) < 0x1p-12 ||
           (isHalf(in) && std::fabs(a) + std::fabs(b) > 65504))
         return out.any();
       double rest = a - b * std::floor(a / b), slack = 4 * ulpOf(in.type(0), a);
       out.near(rest, 2, slack);
       out.near(rest - b, 2, slack);
       out.near(rest + b, 2, slack);
     },
     FloatMode::Relaxed},
};

const FamilyOp unary[] = {
    {"OpFNegate", [](In in, Out out) { out.rounded(-in.f(0)); }},
    {"ext:FAbs", [](In in, Out out) { out.rounded(std::fabs(in.f(0))); }},
    {"ext:FSign",
     [](In in, Out out) {
       double x = in.f(0);
       if (std::isnan(x))
         return out.any();
       out.near((x > 0) - (x < 0), 0);
       if (x == 0)
         out.near(x, 0);
     }},
    {"ext:Floor", [](In in, Out out) { out.rounded(std::floor(in.f(0))); }},
    {"ext:Ceil", [](In in, Out out) { out.rounded(std::ceil(in.f(0))); }},
    {"ext:Trunc", [](In in, Out out) { out.rounded(std::trunc(in.f(0))); }},
    {"ext:RoundEven", [](In in, Out out) { out.rounded(std::nearbyint(in.f(0))); }},
    {"ext:Round",
     [](In in, Out out) { // the direction of ties is free
       out.rounded(std::round(in.f(0)));
       out.rounded(std::nearbyint(in.f(0)));
     }},
    {"ext:Fract",
     [](In in, Out out) {
       double x = in.f(0), below = std::floor(x);
       if (!std::isfinite(x))
         return out.any();
       if (x - below == 0)
         out.near(0.0, 0), out.near(-0.0, 0);
       out.near(x - below, 1);
     }},
    {"ext:Sqrt", [](In in, Out out) { out.near(std::sqrt(in.f(0)), 4.5); }},
    {"ext:InverseSqrt",
     [](In in, Out out) {
       if (std::isinf(in.f(0)) || in.f(0) < 0 || std::isnan(in.f(0)))
         return in.strict ? out.near(1 / std::sqrt(in.f(0)), 2) : out.any();
       if (in.f(0) == 0)
         return out.any(); // an infinity, of either sign
       out.near(1 / std::sqrt(in.f(0)), 2);
     }},
};

/// exp2 and friends: ulps grow with the argument.
void exponential(In in, Out out, double value) {
  double x = std::fabs(in.f(0));
  if (isSpecial(in, 1))
    return out.any();
  out.near(value, forType(in, 3 + 2 * x, 1 + 2 * x));
}
void logarithm(In in, Out out, double value) {
  double x = in.f(0);
  if (isSpecial(in, 1) || x <= 0)
    return out.any();
  bool nearOne = x >= 0.5 && x <= 2;
  out.near(value, nearOne ? 0 : 3, nearOne ? forType(in, 0x1p-21, 0x1p-7) : 0);
}
void wave(In in, Out out, double value) {
  if (isSpecial(in, 1) || std::fabs(in.f(0)) > 3.1416)
    return out.any();
  out.near(value, 0, forType(in, 0x1p-11, 0x1p-7));
}
/// Functions that the specification derives from others: what their parts may be off, rounded up.
void derived(In in, Out out, double value, double scale = 1) {
  if (isSpecial(in, 1) || std::isnan(value))
    return out.any();
  out.near(value, forType(in, 4096, 8), scale * forType(in, 0x1p-12, 0x1p-6));
}

// Defined for 16 and 32 bits only.
const FamilyOp transcendental[] = {
    {"ext:Exp", [](In in, Out out) { exponential(in, out, std::exp(in.f(0))); },
     FloatMode::Relaxed},
    {"ext:Exp2", [](In in, Out out) { exponential(in, out, std::exp2(in.f(0))); },
     FloatMode::Relaxed},
    {"ext:Log", [](In in, Out out) { logarithm(in, out, std::log(in.f(0))); }, FloatMode::Relaxed},
    {"ext:Log2", [](In in, Out out) { logarithm(in, out, std::log2(in.f(0))); },
     FloatMode::Relaxed},
    {"ext:Sin", [](In in, Out out) { wave(in, out, std::sin(in.f(0))); }, FloatMode::Relaxed},
    {"ext:Cos", [](In in, Out out) { wave(in, out, std::cos(in.f(0))); }, FloatMode::Relaxed},
    {"ext:Tan",
     [](In in, Out out) {
       double error = forType(in, 0x1p-11, 0x1p-7), c = std::fabs(std::cos(in.f(0)));
       if (isSpecial(in, 1) || std::fabs(in.f(0)) > 3.1416 || c < 8 * error)
         return out.any();
       double value = std::tan(in.f(0));
       out.near(value, 4, error * (1 + std::fabs(value)) / (c - error));
     },
     FloatMode::Relaxed},
    {"ext:Asin", [](In in, Out out) { derived(in, out, std::asin(in.f(0))); }, FloatMode::Relaxed},
    {"ext:Acos", [](In in, Out out) { derived(in, out, std::acos(in.f(0))); }, FloatMode::Relaxed},
    {"ext:Atan", [](In in, Out out) { derived(in, out, std::atan(in.f(0)), 0); },
     FloatMode::Relaxed},
    {"ext:Sinh",
     [](In in, Out out) {
       double x = std::fabs(in.f(0)), e = std::exp(x);
       isSpecial(in, 1) || x > 80
           ? out.any()
           : out.near(std::sinh(in.f(0)), 4, (4 + 2 * x) * ulpOf(in.type(0), e));
     },
     FloatMode::Relaxed},
    {"ext:Cosh",
     [](In in, Out out) {
       double x = std::fabs(in.f(0)), e = std::exp(x);
       isSpecial(in, 1) || x > 80
           ? out.any()
           : out.near(std::cosh(in.f(0)), 4, (4 + 2 * x) * ulpOf(in.type(0), e));
     },
     FloatMode::Relaxed},
    {"ext:Tanh", [](In in, Out out) { derived(in, out, std::tanh(in.f(0))); }, FloatMode::Relaxed},
    {"ext:Asinh",
     [](In in, Out out) {
       std::fabs(in.f(0)) > forType(in, 1e18, 200) ? out.any()
                                                   : derived(in, out, std::asinh(in.f(0)));
     },
     FloatMode::Relaxed},
    {"ext:Acosh",
     [](In in, Out out) {
       in.f(0) < 1 || (in.f(0) > 200 && isHalf(in)) || in.f(0) > 1e18
           ? out.any()
           : derived(in, out, std::acosh(in.f(0)), 8);
     },
     FloatMode::Relaxed},
    {"ext:Atanh",
     [](In in, Out out) {
       std::fabs(in.f(0)) >= 0.995 ? out.any() : derived(in, out, std::atanh(in.f(0)), 8);
     },
     FloatMode::Relaxed},
    {"ext:Radians", [](In in, Out out) { out.near(in.f(0) * M_PI / 180, 3); }, FloatMode::Relaxed},
    {"ext:Degrees",
     [](In in, Out out) {
       // In halves 180/pi itself is rounded.
       out.near(in.f(0) * 180 / M_PI, 3);
     },
     FloatMode::Relaxed},
};

void pickMinMax(In in, Out out, bool isMax, bool skipsNan) {
  double a = in.f(0), b = in.f(1);
  if (std::isnan(a) || std::isnan(b)) {
    if (skipsNan && !(std::isnan(a) && std::isnan(b)))
      return out.near(std::isnan(a) ? b : a, 0);
    if (!in.strict)
      return out.any();
    out.near(a, 0); // either operand
    return out.near(b, 0);
  }
  if (a == b) { // zeros of either sign
    out.near(a, 0);
    return out.near(b, 0);
  }
  out.near((a < b) != isMax ? a : b, 0);
}

const FamilyOp minMax[] = {
    {"ext:FMin", [](In in, Out out) { pickMinMax(in, out, false, false); }},
    {"ext:FMax", [](In in, Out out) { pickMinMax(in, out, true, false); }},
    {"ext:NMin", [](In in, Out out) { pickMinMax(in, out, false, true); }},
    {"ext:NMax", [](In in, Out out) { pickMinMax(in, out, true, true); }},
    {"ext:Step",
     [](In in, Out out) {
       if (isSpecial(in, 2) && !in.strict)
         return out.any();
       std::isnan(in.f(0)) || std::isnan(in.f(1)) ? out.any()
                                                  : out.near(in.f(1) < in.f(0) ? 0 : 1, 0);
     }},
};

const FamilyOp transcendentalBinary[] = {
    {"ext:Atan2",
     [](In in, Out out) {
       if (isSpecial(in, 2) || (in.f(0) == 0 && in.f(1) == 0) || in.f(1) == 0)
         return out.any();
       // The quotient may underflow or be flushed; a result near the axis jumps by two pi.
       double value = std::atan2(in.f(0), in.f(1)), q = std::fabs(in.f(0) / in.f(1));
       double limit = isHalf(in) ? 0x1p12 : 0x1p100;
       if (q > limit || q < 1 / limit || std::fabs(in.f(0)) < 1 / limit ||
           std::fabs(in.f(1)) > limit)
         return out.any();
       out.near(value, isHalf(in) ? 8 : 4096);
     },
     FloatMode::Relaxed},
    {"ext:Pow",
     [](In in, Out out) {
       double x = in.f(0), y = in.f(1);
       if (isSpecial(in, 2) || x <= 0)
         return out.any();
       double exponent = std::fabs(y * std::log2(x));
       bool nearOne = x >= 0.5 && x <= 2;
       double ulps = isHalf(in) ? 2 + 10 * exponent + (nearOne ? 6 * std::fabs(y) : 0)
                                : 4 + 12 * exponent + (nearOne ? 3 * std::fabs(y) : 0);
       if (exponent > (isHalf(in) ? 12 : 120))
         return out.any();
       out.near(std::pow(x, y), ulps);
     },
     FloatMode::Relaxed},
};

const FamilyOp ternary[] = {
    {"ext:Fma",
     [](In in, Out out) { // one rounding or two
       double product = in.f(0) * in.f(1);
       if (!in.strict && (isSpecial(in, 3) || std::fabs(product) > 1e38))
         return out.any();
       double exact = std::fma(in.f(0), in.f(1), in.f(2));
       if (!std::isfinite(exact) || !std::isfinite(product))
         return out.any();
       out.near(exact, 1, ulpOf(in.type(0), product));
     }},
    {"ext:FMix",
     [](In in, Out out) {
       double x = in.f(0), y = in.f(1), a = in.f(2);
       double largest = std::fmax(std::fabs(x * (1 - a)), std::fabs(y * a));
       largest = std::fmax(largest, std::fmax(std::fabs(x), std::fabs((y - x) * a)));
       if (isSpecial(in, 3) || largest > (isHalf(in) ? 30000 : 1e37))
         return out.any();
       out.near(x * (1 - a) + y * a, 2, 4 * ulpOf(in.type(0), largest));
     },
     FloatMode::Relaxed},
    {"ext:FClamp",
     [](In in, Out out) {
       if (isSpecial(in, 3) || in.f(1) > in.f(2))
         return out.any();
       out.near(std::fmin(std::fmax(in.f(0), in.f(1)), in.f(2)), 0);
     },
     FloatMode::Relaxed},
    {"ext:NClamp",
     [](In in, Out out) {
       if (isSpecial(in, 3) || in.f(1) > in.f(2))
         return out.any();
       out.near(std::fmin(std::fmax(in.f(0), in.f(1)), in.f(2)), 0);
     },
     FloatMode::Relaxed},
    {"ext:SmoothStep",
     [](In in, Out out) {
       double low = in.f(0), high = in.f(1);
       if (isSpecial(in, 3) || low >= high || std::fabs(in.f(2)) > 1e4)
         return out.any();
       double t = std::fmin(std::fmax((in.f(2) - low) / (high - low), 0), 1);
       double scale = (1 + (std::fabs(low) + std::fabs(in.f(2))) / (high - low));
       out.near(t * t * (3 - 2 * t), 8, scale * forType(in, 0x1p-20, 0x1p-7));
     },
     FloatMode::Relaxed},
};

#define COMPARE(name, op, nanResult)                                                               \
  {name, [](In in, Out out) {                                                                      \
     bool isNan = std::isnan(in.f(0)) || std::isnan(in.f(1));                                      \
     if (isSpecial(in, 2) && !in.strict)                                                           \
       return out.any();                                                                           \
     out.boolean(isNan ? nanResult : in.f(0) op in.f(1));                                          \
   }}
const FamilyOp compares[] = {
    COMPARE("OpFOrdEqual", ==, false),          COMPARE("OpFOrdNotEqual", !=, false),
    COMPARE("OpFOrdLessThan", <, false),        COMPARE("OpFOrdGreaterThan", >, false),
    COMPARE("OpFOrdLessThanEqual", <=, false),  COMPARE("OpFOrdGreaterThanEqual", >=, false),
    COMPARE("OpFUnordEqual", ==, true),         COMPARE("OpFUnordNotEqual", !=, true),
    COMPARE("OpFUnordLessThan", <, true),       COMPARE("OpFUnordGreaterThan", >, true),
    COMPARE("OpFUnordLessThanEqual", <=, true), COMPARE("OpFUnordGreaterThanEqual", >=, true),
};

const FamilyOp tests[] = {
    {"OpIsNan",
     [](In in, Out out) {
       isSpecial(in, 1) && !in.strict ? out.any() : out.boolean(std::isnan(in.f(0)));
     }},
    {"OpIsInf",
     [](In in, Out out) {
       isSpecial(in, 1) && !in.strict ? out.any() : out.boolean(std::isinf(in.f(0)));
     }},
};

} // namespace

std::vector<FamilySignature> floatSignatures() {
  using enum ScalarType;
  std::vector<FamilySignature> list;
  auto add = [&](llvm::SmallVector<ScalarType, 4> arguments, ScalarType result,
                 llvm::ArrayRef<FamilyOp> ops, bool isBool = false) {
    list.push_back({std::move(arguments), result, isBool, {}, ops});
  };
  for (ScalarType t : {F16, F32, F64}) {
    add({t, t}, t, binary);
    add({t, t}, t, remainders);
    add({t}, t, unary);
    add({t, t}, t, minMax);
    add({t, t, t}, t, ternary);
    add({t, t}, U32, compares, true);
    add({t}, U32, tests, true);
    if (t == F64)
      continue;
    add({t}, t, transcendental);
    add({t, t}, t, transcendentalBinary);
  }
  return list;
}

} // namespace exec
