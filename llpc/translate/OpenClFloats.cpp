//===- OpenClFloats.cpp - OpenCL.std: functions of floats -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// "OpenCL C", 6.13.2 "Math Functions": what is exact and needs no library, and native_ functions.
#include "llpc/translate/OpenClStd.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc::opencl {

namespace {

Type *bitsLike(ValueOp &op, Type *type) {
  return withShapeOf(op.b.getIntNTy(type->getScalarSizeInBits()), type);
}

/// The operand whose magnitude compares so to the other's; \p Equal if neither's does.
template <CmpInst::Predicate Predicate, Intrinsic::ID Equal>
HandlerResult byMagnitude(ValueOp &op) {
  Value *x = op.args[0], *y = op.args[1];
  Value *first = unaryIntrinsic(op, Intrinsic::fabs, x);
  Value *second = unaryIntrinsic(op, Intrinsic::fabs, y);
  Value *isFirst = op.b.CreateFCmp(Predicate, first, second);
  Value *isSecond = op.b.CreateFCmp(Predicate, second, first);
  Value *other = op.b.CreateSelect(isSecond, y, binaryIntrinsic(op, Equal, x, y));
  return op.b.CreateSelect(isFirst, x, other);
}

} // namespace

HandlerResult maxMagnitude(ValueOp &op) {
  return byMagnitude<CmpInst::FCMP_OGT, Intrinsic::maxnum>(op);
}
HandlerResult minMagnitude(ValueOp &op) {
  return byMagnitude<CmpInst::FCMP_OLT, Intrinsic::minnum>(op);
}

/// "a quiet NaN. The nancode may be placed in the significand"
HandlerResult nan(ValueOp &op) {
  Type *type = op.args[0]->getType();
  if (!isFloatShape(op.type) || type != bitsLike(op, op.type))
    return wrongOperand(op, 0, "integers as wide as the result");
  const fltSemantics &semantics = op.type->getScalarType()->getFltSemantics();
  const APInt quiet = APFloat::getQNaN(semantics).bitcastToAPInt();
  const unsigned fraction = APFloat::semanticsPrecision(semantics) - 1;
  Value *code = op.b.CreateAnd(
      op.args[0], ConstantInt::get(type, APInt::getLowBitsSet(quiet.getBitWidth(), fraction)));
  return op.b.CreateBitCast(op.b.CreateOr(code, ConstantInt::get(type, quiet)), op.type);
}

/// The neighbour of x toward y: its bits, as a number, one more or less. From zero it is the
/// smallest denormal with y's sign; of equal ones y; NaN if one of them is.
HandlerResult nextAfter(ValueOp &op) {
  IRBuilder<> &b = op.b;
  Value *x = op.args[0], *y = op.args[1], *zero = floatConstant(op.type, 0.0);
  Type *type = bitsLike(op, op.type);
  Value *bits = b.CreateBitCast(x, type);
  Value *rises = b.CreateFCmpOLT(x, y);
  Value *isPositive = b.CreateFCmpOGT(x, zero);
  Value *isOutward = b.CreateICmpEQ(rises, isPositive);
  Value *step = b.CreateSelect(isOutward, intConstant(type, 1), intConstant(type, -1));
  Value *next = b.CreateAdd(bits, step);
  Constant *sign = ConstantInt::get(type, APInt::getSignMask(type->getScalarSizeInBits()));
  Value *smallest = b.CreateOr(b.CreateAnd(b.CreateBitCast(y, type), sign), intConstant(type, 1));
  next = b.CreateSelect(b.CreateFCmpOEQ(x, zero), smallest, next);
  Value *neighbour = b.CreateBitCast(next, op.type);
  Value *result = b.CreateSelect(b.CreateFCmpOEQ(x, y), y, neighbour);
  Value *isNan = b.CreateFCmpUNO(x, y);
  Value *anyNan = floatConstant(op.type, std::numeric_limits<double>::quiet_NaN());
  return b.CreateSelect(isNan, anyNan, result);
}

/// 2 ^ (y * log2(x))
HandlerResult nativePower(ValueOp &op) {
  if (!op.type->getScalarType()->isFloatTy())
    return wrongResult(op, "32-bit floats");
  ApproxScope approx(op, op.type);
  Value *logarithm = unaryIntrinsic(op, Intrinsic::log2, op.args[0]);
  return unaryIntrinsic(op, Intrinsic::exp2, op.b.CreateFMul(op.args[1], logarithm));
}

HandlerResult nativeTangent(ValueOp &op) {
  if (!op.type->getScalarType()->isFloatTy())
    return wrongResult(op, "32-bit floats");
  ApproxScope approx(op, op.type);
  Value *sine = unaryIntrinsic(op, Intrinsic::sin, op.args[0]);
  Value *cosine = unaryIntrinsic(op, Intrinsic::cos, op.args[0]);
  return op.b.CreateFDiv(sine, cosine);
}

/// "fast_length(p0 - p1)"
HandlerResult fastDistance(ValueOp &op) {
  Type *type = op.args[0]->getType();
  if (!isFloatShape(type))
    return wrongOperand(op, 0, "floats");
  KILN_TRY(expectOperand(op, 1, type));
  KILN_TRY(expectResult(op, type->getScalarType()));
  Value *difference = op.b.CreateFSub(op.args[0], op.args[1]);
  return squareRoot(op, dotFloat(op, difference, difference));
}

} // namespace llpc::opencl
