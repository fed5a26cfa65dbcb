//===- GlslStd450Exp.cpp - GLSL.std.450 trigonometry and exponentials -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Sin, cos, exp2 and log2 are hardware instructions (through LLVM's intrinsics with `afn`); the
/// rest is built from them and from polynomials. Only the arc functions' polynomials are ours:
///   asin(s) ~ s + s * z * P(z), z = s * s <= 1/4: |relative error| < 2e-6
///   atan(t) ~ t + t * z * Q(z), z = t * t <= 1:   |relative error| < 5e-6
/// (weighted least squares; Vulkan asks for 4096 ULP = 5e-4). 16-bit arc and hyperbolic functions
/// are computed in 32 bits.
#include "llpc/translate/GlslStd450.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"
#include <cmath>

using namespace llvm;

namespace llpc::glsl {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double log2OfE = 1.44269504088896340736;
constexpr double ln2 = 0.69314718055994530942;

/// The instructions of this file exist for 16 and 32 bits only.
Error checkNarrow(const ValueOp &op) {
  return op.type->getScalarType()->isDoubleTy() ? wrongResult(op, "16- or 32-bit float")
                                                : Error::success();
}

/// Expressions on values of one type, to write formulas as formulas.
class Formula {
public:
  Formula(ValueOp &op, Type *type) : op(op), b(op.b), type(type), scope(op, type) {}

  Constant *num(double value) { return floatConstant(type, value); }
  Value *add(Value *x, Value *y) { return b.CreateFAdd(x, y); }
  Value *sub(Value *x, Value *y) { return b.CreateFSub(x, y); }
  Value *mul(Value *x, Value *y) { return b.CreateFMul(x, y); }
  Value *div(Value *x, Value *y) { return divideFloat(op, x, y); }
  Value *call(Intrinsic::ID id, Value *x) { return b.CreateUnaryIntrinsic(id, x); }
  Value *abs(Value *x) { return call(Intrinsic::fabs, x); }
  Value *sqrt(Value *x) { return squareRoot(op, x); }
  Value *exp2(Value *x) { return call(Intrinsic::exp2, x); }
  Value *log2(Value *x) { return call(Intrinsic::log2, x); }
  Value *less(Value *x, Value *y) { return b.CreateFCmpOLT(x, y); }
  Value *select(Value *c, Value *x, Value *y) { return b.CreateSelect(c, x, y); }
  Value *copySign(Value *x, Value *sign) { return b.CreateCopySign(x, sign); }
  /// Horner's scheme, constant term first.
  Value *polynomial(Value *x, ArrayRef<double> coefficients) {
    Value *sum = num(coefficients.back());
    for (double c : reverse(coefficients.drop_back()))
      sum = add(mul(sum, x), num(c));
    return sum;
  }

  ValueOp &op;
  IRBuilder<> &b;
  Type *type;

private:
  ApproxScope scope;
};

/// Runs `body` on the operands, widened to 32 bits when they have 16.
HandlerResult inF32(ValueOp &op, function_ref<Value *(Formula &, ArrayRef<Value *>)> body) {
  KILN_TRY(checkNarrow(op));
  Type *wide = withShapeOf(op.b.getFloatTy(), op.type);
  SmallVector<Value *, 2> args;
  for (Value *arg : op.args)
    args.push_back(arg->getType() == wide ? arg : op.b.CreateFPExt(arg, wide));
  Formula formula(op, wide);
  Value *result = body(formula, args);
  return op.type == wide ? result : op.b.CreateFPTrunc(result, op.type);
}

/// Runs `body` on the operands as they are.
HandlerResult narrow(ValueOp &op, function_ref<Value *(Formula &, ArrayRef<Value *>)> body) {
  KILN_TRY(checkNarrow(op));
  Formula formula(op, op.type);
  return body(formula, op.args);
}

Value *expOf(Formula &f, Value *x) { return f.exp2(f.mul(x, f.num(log2OfE))); }
Value *logOf(Formula &f, Value *x) { return f.mul(f.log2(x), f.num(ln2)); }

/// asin(|x|) pieces: below one half the series in x; above, asin(x) = pi/2 - 2 asin(s) with
/// s = sqrt((1 - x) / 2), which is the series in s.
struct AsinParts {
  Value *isSmall; ///< |x| <= 1/2
  Value *series;  ///< asin of |x| or of s
};

AsinParts asinParts(Formula &f, Value *magnitude) {
  Value *isSmall = f.b.CreateFCmpOLE(magnitude, f.num(0.5));
  Value *half = f.sub(f.num(0.5), f.mul(magnitude, f.num(0.5)));
  Value *s = f.select(isSmall, magnitude, f.sqrt(half));
  Value *z = f.select(isSmall, f.mul(magnitude, magnitude), half);
  Value *p = f.polynomial(z, {0.16680288990913592, 0.07187859785935224, 0.06416838753755041});
  return {isSmall, f.add(f.mul(f.mul(s, z), p), s)};
}

/// atan of values in [0, 1].
Value *atanSeries(Formula &f, Value *t) {
  Value *z = f.mul(t, t);
  Value *q = f.polynomial(z, {-0.333105679420266, 0.1963451385564318, -0.12300460602580171,
                              0.05935326821279807, -0.014194419505377542});
  return f.add(f.mul(f.mul(t, z), q), t);
}

/// \p special: as for C's atan2, with two infinities as a diagonal.
Value *atan2Of(Formula &f, Value *y, Value *x, SpecialValues special) {
  Value *ay = f.abs(y), *ax = f.abs(x);
  Value *least = f.b.CreateMinNum(ay, ax), *most = f.b.CreateMaxNum(ay, ax);
  // Why scale: the reciprocal of a large value would be a denormal, flushed to zero. Why the lower
  // bound: 0 / 0 then gives 0, so that atan2(0, 0) is 0 or pi as in C and no NaN.
  Value *scale = f.select(f.b.CreateFCmpOGT(most, f.num(0x1p96)), f.num(0x1p-32), f.num(1.0));
  most = f.b.CreateMaxNum(f.mul(most, scale), f.num(0x1p-126));
  Value *ratio = f.div(f.mul(least, scale), most);
  if (special.infinity)
    ratio = f.select(f.b.CreateFCmpOEQ(least, f.num(INFINITY)), f.num(1.0), ratio);
  Value *angle = atanSeries(f, ratio);
  Value *isSteep = f.less(ax, ay);
  angle = f.select(isSteep, f.sub(f.num(pi / 2), angle), angle);
  Value *isLeft = f.less(x, f.num(0.0));
  angle = f.select(isLeft, f.sub(f.num(pi), angle), angle);
  angle = f.copySign(angle, y);
  if (special.nan) // least and most are the number beside it
    angle = f.select(f.b.CreateFCmpUNO(y, x), f.num(NAN), angle);
  return angle;
}

} // namespace

HandlerResult radians(ValueOp &op) {
  KILN_TRY(checkNarrow(op));
  return op.b.CreateFMul(op.args[0], floatConstant(op.type, pi / 180));
}

HandlerResult degrees(ValueOp &op) {
  KILN_TRY(checkNarrow(op));
  return op.b.CreateFMul(op.args[0], floatConstant(op.type, 180 / pi));
}

HandlerResult sin(ValueOp &op) {
  return narrow(op, [](Formula &f, ArrayRef<Value *> a) { return f.call(Intrinsic::sin, a[0]); });
}

HandlerResult cos(ValueOp &op) {
  return narrow(op, [](Formula &f, ArrayRef<Value *> a) { return f.call(Intrinsic::cos, a[0]); });
}

HandlerResult tan(ValueOp &op) {
  return narrow(op, [](Formula &f, ArrayRef<Value *> a) {
    Value *sine = f.call(Intrinsic::sin, a[0]);
    return f.div(sine, f.call(Intrinsic::cos, a[0]));
  });
}

HandlerResult asin(ValueOp &op) {
  return inF32(op, [](Formula &f, ArrayRef<Value *> a) {
    AsinParts parts = asinParts(f, f.abs(a[0]));
    Value *upper = f.sub(f.num(pi / 2), f.mul(parts.series, f.num(2.0)));
    return f.copySign(f.select(parts.isSmall, parts.series, upper), a[0]);
  });
}

HandlerResult acos(ValueOp &op) {
  return inF32(op, [](Formula &f, ArrayRef<Value *> a) {
    Value *x = a[0];
    AsinParts parts = asinParts(f, f.abs(x));
    Value *inner = f.sub(f.num(pi / 2), f.copySign(parts.series, x));
    Value *twice = f.mul(parts.series, f.num(2.0));
    Value *isLeft = f.less(x, f.num(0.0));
    Value *outer = f.select(isLeft, f.sub(f.num(pi), twice), twice);
    return f.select(parts.isSmall, inner, outer);
  });
}

HandlerResult atan(ValueOp &op) {
  return inF32(op, [](Formula &f, ArrayRef<Value *> a) {
    Value *magnitude = f.abs(a[0]);
    Value *isLarge = f.less(f.num(1.0), magnitude);
    Value *t = f.select(isLarge, f.div(f.num(1.0), magnitude), magnitude);
    Value *angle = atanSeries(f, t);
    return f.copySign(f.select(isLarge, f.sub(f.num(pi / 2), angle), angle), a[0]);
  });
}

HandlerResult atan2(ValueOp &op) {
  return inF32(op, [special = specialValues(op)](Formula &f, ArrayRef<Value *> a) {
    return atan2Of(f, a[0], a[1], special);
  });
}

HandlerResult sinh(ValueOp &op) {
  return inF32(op, [](Formula &f, ArrayRef<Value *> a) {
    Value *t = f.mul(a[0], f.num(log2OfE));
    Value *growing = f.exp2(t);
    Value *difference = f.sub(growing, f.exp2(f.b.CreateFNeg(t)));
    return f.mul(difference, f.num(0.5));
  });
}

HandlerResult cosh(ValueOp &op) {
  return inF32(op, [](Formula &f, ArrayRef<Value *> a) {
    Value *t = f.mul(a[0], f.num(log2OfE));
    Value *growing = f.exp2(t);
    Value *sum = f.add(growing, f.exp2(f.b.CreateFNeg(t)));
    return f.mul(sum, f.num(0.5));
  });
}

/// 1 - 2 / (exp(2 x) + 1): no infinity over infinity at either end.
HandlerResult tanh(ValueOp &op) {
  return inF32(op, [](Formula &f, ArrayRef<Value *> a) {
    Value *e = f.exp2(f.mul(a[0], f.num(2 * log2OfE)));
    Value *part = f.mul(f.div(f.num(1.0), f.add(e, f.num(1.0))), f.num(2.0));
    return f.sub(f.num(1.0), part);
  });
}

/// On |x|, since x + sqrt(x * x + 1) cancels for negative x.
HandlerResult asinh(ValueOp &op) {
  return inF32(op, [](Formula &f, ArrayRef<Value *> a) {
    Value *x = f.abs(a[0]);
    Value *root = f.sqrt(f.add(f.mul(x, x), f.num(1.0)));
    return f.copySign(logOf(f, f.add(x, root)), a[0]);
  });
}

HandlerResult acosh(ValueOp &op) {
  return inF32(op, [](Formula &f, ArrayRef<Value *> a) {
    Value *root = f.sqrt(f.sub(f.mul(a[0], a[0]), f.num(1.0)));
    return logOf(f, f.add(a[0], root));
  });
}

HandlerResult atanh(ValueOp &op) {
  return inF32(op, [](Formula &f, ArrayRef<Value *> a) {
    Value *above = f.add(f.num(1.0), a[0]);
    Value *ratio = f.div(above, f.sub(f.num(1.0), a[0]));
    return f.mul(f.log2(ratio), f.num(0.5 * ln2));
  });
}

/// LLVM makes exp2(y * log2(x)) of it, with a product in which 0 * infinity is 0.
HandlerResult pow(ValueOp &op) {
  return narrow(op, [](Formula &f, ArrayRef<Value *> a) -> Value * {
    return f.b.CreateBinaryIntrinsic(Intrinsic::pow, a[0], a[1]);
  });
}

HandlerResult exp(ValueOp &op) {
  return narrow(op, [](Formula &f, ArrayRef<Value *> a) { return expOf(f, a[0]); });
}

HandlerResult log(ValueOp &op) {
  return narrow(op, [](Formula &f, ArrayRef<Value *> a) { return logOf(f, a[0]); });
}

HandlerResult exp2(ValueOp &op) {
  return narrow(op, [](Formula &f, ArrayRef<Value *> a) { return f.exp2(a[0]); });
}

HandlerResult log2(ValueOp &op) {
  return narrow(op, [](Formula &f, ArrayRef<Value *> a) { return f.log2(a[0]); });
}

} // namespace llpc::glsl
