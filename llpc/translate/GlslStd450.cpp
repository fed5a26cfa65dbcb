//===- GlslStd450.cpp - GLSL.std.450: table and common functions ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// The dispatch table, and the instructions that are a few operations each: rounding, absolute
/// value, minimum and maximum, interpolation.
#include "llpc/translate/GlslStd450.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include <spirv/unified1/GLSL.std.450.h>

using namespace llvm;

namespace llpc {
namespace {

template <Intrinsic::ID Id> HandlerResult intrinsicOfOne(ValueOp &op) {
  return unaryIntrinsic(op, Id, op.args[0]);
}
template <Intrinsic::ID Id> HandlerResult intrinsicOfTwo(ValueOp &op) {
  return binaryIntrinsic(op, Id, op.args[0], op.args[1]);
}

HandlerResult translateSAbs(ValueOp &op) {
  return op.b.CreateBinaryIntrinsic(Intrinsic::abs, op.args[0], op.b.getFalse());
}

/// +-1 with the value's sign, and 0 where it is zero: not the value itself, because the compare
/// also holds for a denormal that the float mode flushes.
HandlerResult translateFSign(ValueOp &op) {
  Value *x = op.args[0];
  Value *one = op.b.CreateCopySign(floatConstant(op.type, 1.0), x);
  return op.b.CreateSelect(op.b.CreateFCmpUNE(x, floatConstant(op.type, 0.0)), one,
                           floatConstant(op.type, 0.0));
}

HandlerResult translateSSign(ValueOp &op) {
  Value *low = binaryIntrinsic(op, Intrinsic::smax, op.args[0], intConstant(op.type, -1));
  return binaryIntrinsic(op, Intrinsic::smin, low, intConstant(op.type, 1));
}

/// The hardware's fract stays below 1 where x - floor(x) would round up to it.
HandlerResult translateFract(ValueOp &op) {
  return op.t.mapElements({op.args[0]}, [&](ArrayRef<Value *> e) -> Value * {
    return unaryIntrinsic(op, Intrinsic::amdgcn_fract, e[0]);
  });
}

// FMin, FMax, NMin and NMax: the hardware returns the other operand for a NaN, as NMin demands.

/// NaN becomes the lower bound, as NClamp demands; FClamp leaves it open.
HandlerResult translateClampFloat(ValueOp &op) {
  Value *low = binaryIntrinsic(op, Intrinsic::maxnum, op.args[0], op.args[1]);
  return binaryIntrinsic(op, Intrinsic::minnum, low, op.args[2]);
}

template <Intrinsic::ID Max, Intrinsic::ID Min> HandlerResult translateClampInt(ValueOp &op) {
  return binaryIntrinsic(op, Min, binaryIntrinsic(op, Max, op.args[0], op.args[1]), op.args[2]);
}

/// x * (1 - a) + y * a, as two operations when contracted: exact at a = 0 and a = 1.
HandlerResult translateFMix(ValueOp &op) {
  Value *x = op.args[0], *y = op.args[1], *a = op.args[2];
  Value *rest = op.b.CreateFSub(x, op.b.CreateFMul(x, a));
  return op.b.CreateFAdd(op.b.CreateFMul(y, a), rest);
}

HandlerResult translateStep(ValueOp &op) {
  Value *isBelow = op.b.CreateFCmpOLT(op.args[1], op.args[0]);
  return op.b.CreateSelect(isBelow, floatConstant(op.type, 0.0), floatConstant(op.type, 1.0));
}

HandlerResult translateSmoothStep(ValueOp &op) {
  Value *low = op.args[0], *high = op.args[1], *x = op.args[2];
  IRBuilder<> &b = op.b;
  Value *above = b.CreateFSub(x, low), *range = b.CreateFSub(high, low);
  Value *t = divideFloat(op, above, range);
  t = binaryIntrinsic(op, Intrinsic::maxnum, t, floatConstant(op.type, 0.0));
  t = binaryIntrinsic(op, Intrinsic::minnum, t, floatConstant(op.type, 1.0));
  Value *slope =
      b.CreateFSub(floatConstant(op.type, 3.0), b.CreateFMul(t, floatConstant(op.type, 2.0)));
  return b.CreateFMul(b.CreateFMul(t, t), slope);
}

HandlerResult translateFma(ValueOp &op) {
  if (op.t.options.disableFMA) {
    FastMathFlags flags = op.b.getFastMathFlags();
    flags.setAllowContract(false);
    op.b.setFastMathFlags(flags);
    return op.b.CreateFAdd(op.b.CreateFMul(op.args[0], op.args[1]), op.args[2]);
  }
  return fusedMultiplyAdd(op);
}

HandlerResult translateSqrt(ValueOp &op) { return squareRoot(op, op.args[0]); }
HandlerResult translateInverseSqrt(ValueOp &op) { return inverseSquareRoot(op, op.args[0]); }

constexpr ExtEntry table[] = {
    {GLSLstd450Round, "Round", intrinsicOfOne<Intrinsic::roundeven>, Sig::SameFloat, 1},
    {GLSLstd450RoundEven, "RoundEven", intrinsicOfOne<Intrinsic::roundeven>, Sig::SameFloat, 1},
    {GLSLstd450Trunc, "Trunc", intrinsicOfOne<Intrinsic::trunc>, Sig::SameFloat, 1},
    {GLSLstd450FAbs, "FAbs", intrinsicOfOne<Intrinsic::fabs>, Sig::SameFloat, 1},
    {GLSLstd450SAbs, "SAbs", translateSAbs, Sig::SameInt, 1},
    {GLSLstd450FSign, "FSign", translateFSign, Sig::SameFloat, 1},
    {GLSLstd450SSign, "SSign", translateSSign, Sig::SameInt, 1},
    {GLSLstd450Floor, "Floor", intrinsicOfOne<Intrinsic::floor>, Sig::SameFloat, 1},
    {GLSLstd450Ceil, "Ceil", intrinsicOfOne<Intrinsic::ceil>, Sig::SameFloat, 1},
    {GLSLstd450Fract, "Fract", translateFract, Sig::SameFloat, 1},
    {GLSLstd450Radians, "Radians", glsl::radians, Sig::SameFloat, 1},
    {GLSLstd450Degrees, "Degrees", glsl::degrees, Sig::SameFloat, 1},
    {GLSLstd450Sin, "Sin", glsl::sin, Sig::SameFloat, 1},
    {GLSLstd450Cos, "Cos", glsl::cos, Sig::SameFloat, 1},
    {GLSLstd450Tan, "Tan", glsl::tan, Sig::SameFloat, 1},
    {GLSLstd450Asin, "Asin", glsl::asin, Sig::SameFloat, 1},
    {GLSLstd450Acos, "Acos", glsl::acos, Sig::SameFloat, 1},
    {GLSLstd450Atan, "Atan", glsl::atan, Sig::SameFloat, 1},
    {GLSLstd450Sinh, "Sinh", glsl::sinh, Sig::SameFloat, 1},
    {GLSLstd450Cosh, "Cosh", glsl::cosh, Sig::SameFloat, 1},
    {GLSLstd450Tanh, "Tanh", glsl::tanh, Sig::SameFloat, 1},
    {GLSLstd450Asinh, "Asinh", glsl::asinh, Sig::SameFloat, 1},
    {GLSLstd450Acosh, "Acosh", glsl::acosh, Sig::SameFloat, 1},
    {GLSLstd450Atanh, "Atanh", glsl::atanh, Sig::SameFloat, 1},
    {GLSLstd450Atan2, "Atan2", glsl::atan2, Sig::SameFloat, 2},
    {GLSLstd450Pow, "Pow", glsl::pow, Sig::SameFloat, 2},
    {GLSLstd450Exp, "Exp", glsl::exp, Sig::SameFloat, 1},
    {GLSLstd450Log, "Log", glsl::log, Sig::SameFloat, 1},
    {GLSLstd450Exp2, "Exp2", glsl::exp2, Sig::SameFloat, 1},
    {GLSLstd450Log2, "Log2", glsl::log2, Sig::SameFloat, 1},
    {GLSLstd450Sqrt, "Sqrt", translateSqrt, Sig::SameFloat, 1},
    {GLSLstd450InverseSqrt, "InverseSqrt", translateInverseSqrt, Sig::SameFloat, 1},
    {GLSLstd450Determinant, "Determinant", glsl::determinant, Sig::Any, 1},
    {GLSLstd450MatrixInverse, "MatrixInverse", glsl::matrixInverse, Sig::Any, 1},
    {GLSLstd450Modf, "Modf", glsl::modf, Sig::Any, 2},
    {GLSLstd450ModfStruct, "ModfStruct", glsl::modfStruct, Sig::Any, 1},
    {GLSLstd450FMin, "FMin", intrinsicOfTwo<Intrinsic::minnum>, Sig::SameFloat, 2},
    {GLSLstd450UMin, "UMin", intrinsicOfTwo<Intrinsic::umin>, Sig::SameInt, 2},
    {GLSLstd450SMin, "SMin", intrinsicOfTwo<Intrinsic::smin>, Sig::SameInt, 2},
    {GLSLstd450FMax, "FMax", intrinsicOfTwo<Intrinsic::maxnum>, Sig::SameFloat, 2},
    {GLSLstd450UMax, "UMax", intrinsicOfTwo<Intrinsic::umax>, Sig::SameInt, 2},
    {GLSLstd450SMax, "SMax", intrinsicOfTwo<Intrinsic::smax>, Sig::SameInt, 2},
    {GLSLstd450FClamp, "FClamp", translateClampFloat, Sig::SameFloat, 3},
    {GLSLstd450UClamp, "UClamp", translateClampInt<Intrinsic::umax, Intrinsic::umin>, Sig::SameInt,
     3},
    {GLSLstd450SClamp, "SClamp", translateClampInt<Intrinsic::smax, Intrinsic::smin>, Sig::SameInt,
     3},
    {GLSLstd450FMix, "FMix", translateFMix, Sig::SameFloat, 3},
    {GLSLstd450Step, "Step", translateStep, Sig::SameFloat, 2},
    {GLSLstd450SmoothStep, "SmoothStep", translateSmoothStep, Sig::SameFloat, 3},
    {GLSLstd450Fma, "Fma", translateFma, Sig::SameFloat, 3},
    {GLSLstd450Frexp, "Frexp", glsl::frexp, Sig::Any, 2},
    {GLSLstd450FrexpStruct, "FrexpStruct", glsl::frexpStruct, Sig::Any, 1},
    {GLSLstd450Ldexp, "Ldexp", glsl::ldexp, Sig::Any, 2},
    {GLSLstd450PackSnorm4x8, "PackSnorm4x8", glsl::packSnorm4x8, Sig::Any, 1},
    {GLSLstd450PackUnorm4x8, "PackUnorm4x8", glsl::packUnorm4x8, Sig::Any, 1},
    {GLSLstd450PackSnorm2x16, "PackSnorm2x16", glsl::packSnorm2x16, Sig::Any, 1},
    {GLSLstd450PackUnorm2x16, "PackUnorm2x16", glsl::packUnorm2x16, Sig::Any, 1},
    {GLSLstd450PackHalf2x16, "PackHalf2x16", glsl::packHalf2x16, Sig::Any, 1},
    {GLSLstd450PackDouble2x32, "PackDouble2x32", glsl::packDouble2x32, Sig::Any, 1},
    {GLSLstd450UnpackSnorm2x16, "UnpackSnorm2x16", glsl::unpackSnorm2x16, Sig::Any, 1},
    {GLSLstd450UnpackUnorm2x16, "UnpackUnorm2x16", glsl::unpackUnorm2x16, Sig::Any, 1},
    {GLSLstd450UnpackHalf2x16, "UnpackHalf2x16", glsl::unpackHalf2x16, Sig::Any, 1},
    {GLSLstd450UnpackSnorm4x8, "UnpackSnorm4x8", glsl::unpackSnorm4x8, Sig::Any, 1},
    {GLSLstd450UnpackUnorm4x8, "UnpackUnorm4x8", glsl::unpackUnorm4x8, Sig::Any, 1},
    {GLSLstd450UnpackDouble2x32, "UnpackDouble2x32", glsl::unpackDouble2x32, Sig::Any, 1},
    {GLSLstd450Length, "Length", glsl::length, Sig::Any, 1},
    {GLSLstd450Distance, "Distance", glsl::distance, Sig::Any, 2},
    {GLSLstd450Cross, "Cross", glsl::cross, Sig::SameFloat, 2},
    {GLSLstd450Normalize, "Normalize", glsl::normalize, Sig::SameFloat, 1},
    {GLSLstd450FaceForward, "FaceForward", glsl::faceForward, Sig::SameFloat, 3},
    {GLSLstd450Reflect, "Reflect", glsl::reflect, Sig::SameFloat, 2},
    {GLSLstd450Refract, "Refract", glsl::refract, Sig::Any, 3},
    {GLSLstd450FindILsb, "FindILsb", glsl::findILsb, Sig::IntToInt, 1},
    {GLSLstd450FindSMsb, "FindSMsb", glsl::findSMsb, Sig::IntToInt, 1},
    {GLSLstd450FindUMsb, "FindUMsb", glsl::findUMsb, Sig::IntToInt, 1},
    {GLSLstd450InterpolateAtCentroid, "InterpolateAtCentroid", glsl::interpolateAtCentroid,
     Sig::Any, 1},
    {GLSLstd450InterpolateAtSample, "InterpolateAtSample", glsl::interpolateAtSample, Sig::Any, 2},
    {GLSLstd450InterpolateAtOffset, "InterpolateAtOffset", glsl::interpolateAtOffset, Sig::Any, 2},
    {GLSLstd450NMin, "NMin", intrinsicOfTwo<Intrinsic::minnum>, Sig::SameFloat, 2},
    {GLSLstd450NMax, "NMax", intrinsicOfTwo<Intrinsic::maxnum>, Sig::SameFloat, 2},
    {GLSLstd450NClamp, "NClamp", translateClampFloat, Sig::SameFloat, 3},
};

} // namespace

ArrayRef<ExtEntry> glslStd450Ops() { return table; }

} // namespace llpc
