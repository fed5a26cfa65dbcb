//===- ValueHelpers.cpp - small builders for value instructions -----------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/ValueHelpers.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace llpc {

Constant *floatConstant(Type *type, double value) { return ConstantFP::get(type, value); }

Constant *intConstant(Type *type, int64_t value) {
  return ConstantInt::get(type, static_cast<uint64_t>(value), /*IsSigned=*/true,
                          /*ImplicitTrunc=*/true);
}

Value *unaryIntrinsic(ValueOp &op, Intrinsic::ID id, Value *value) {
  return op.b.CreateUnaryIntrinsic(id, value);
}

Value *binaryIntrinsic(ValueOp &op, Intrinsic::ID id, Value *a, Value *b) {
  return op.b.CreateBinaryIntrinsic(id, a, b);
}

ApproxScope::ApproxScope(ValueOp &op, const Type *type, bool isRoot) : guard(op.b) {
  const Type *scalar = type->getScalarType();
  if (scalar->isDoubleTy())
    return;
  FastMathFlags flags = op.b.getFastMathFlags();
  // Where 32-bit denormals count, the plain instructions would flush them: 2.5 ULP asks code
  // generation for the same instructions with scaling around them.
  bool keepsDenormals = scalar->isFloatTy() && !op.t.floatMode(32).flushDenorms;
  flags.setApproxFunc(!keepsDenormals);
  flags.setAllowReciprocal(!keepsDenormals);
  op.b.setFastMathFlags(flags);
  if (keepsDenormals && isRoot)
    op.b.setDefaultFPMathTag(MDBuilder(op.t.context).createFPMath(2.5f));
}

Value *divideFloat(ValueOp &op, Value *x, Value *y) {
  ApproxScope scope(op, x->getType(), true);
  return op.b.CreateFDiv(x, y);
}

Value *fusedMultiplyAdd(ValueOp &op) {
  return op.b.CreateIntrinsic(Intrinsic::fma, {op.type}, {op.args[0], op.args[1], op.args[2]});
}

Value *squareRoot(ValueOp &op, Value *x) {
  ApproxScope scope(op, x->getType(), true);
  return unaryIntrinsic(op, Intrinsic::sqrt, x);
}

Value *inverseSquareRoot(ValueOp &op, Value *x) {
  // Why contract: with it code generation makes one v_rsq of the pair, in any denormal mode.
  ApproxScope scope(op, x->getType(), true);
  if (!x->getType()->getScalarType()->isDoubleTy()) {
    FastMathFlags flags = op.b.getFastMathFlags();
    flags.setAllowContract();
    op.b.setFastMathFlags(flags);
  }
  return op.b.CreateFDiv(floatConstant(x->getType(), 1.0), unaryIntrinsic(op, Intrinsic::sqrt, x));
}

Value *dotFloat(ValueOp &op, Value *a, Value *b) {
  if (!a->getType()->isVectorTy())
    return op.b.CreateFMul(a, b);
  Value *sum = nullptr;
  for (unsigned i = 0; i < elementCount(a->getType()); ++i) {
    Value *left = op.b.CreateExtractElement(a, i), *right = op.b.CreateExtractElement(b, i);
    Value *product = op.b.CreateFMul(left, right);
    sum = sum ? op.b.CreateFAdd(product, sum) : product;
  }
  return sum;
}

Value *splatTo(ValueOp &op, Value *scalar, Type *vectorType) {
  if (!vectorType->isVectorTy())
    return scalar;
  return op.b.CreateVectorSplat(elementCount(vectorType), scalar);
}

/// One f64 to f32: the nearest value, moved one step toward zero when it went past the input.
static Value *truncateDouble(IRBuilder<> &b, Value *value) {
  Type *f32 = b.getFloatTy();
  Value *nearest = b.CreateFPTrunc(value, f32);
  Value *back = b.CreateFPExt(nearest, value->getType());
  Value *backSize = b.CreateUnaryIntrinsic(Intrinsic::fabs, back);
  Value *past = b.CreateFCmpOGT(backSize, b.CreateUnaryIntrinsic(Intrinsic::fabs, value));
  Value *bits = b.CreateBitCast(nearest, b.getInt32Ty());
  return b.CreateBitCast(b.CreateSub(bits, b.CreateZExt(past, b.getInt32Ty())), f32);
}

Value *truncateTowardZero(ValueOp &op, Value *value, Type *type) {
  ExactScope exact(op);
  IRBuilder<> &b = op.b;
  return op.t.mapElements({value}, [&](ArrayRef<Value *> element) -> Value * {
    Value *source = element[0];
    if (source->getType()->isDoubleTy())
      source = truncateDouble(b, source);
    if (!type->getScalarType()->isHalfTy())
      return source;
    Value *pair = b.CreateIntrinsic(Intrinsic::amdgcn_cvt_pkrtz, {source, source});
    return b.CreateExtractElement(pair, uint64_t(0));
  });
}

Value *nextOutward(ValueOp &op, Value *value, Value *condition) {
  Type *type = value->getType();
  Type *bits = withShapeOf(op.b.getIntNTy(type->getScalarSizeInBits()), type);
  Value *number = op.b.CreateBitCast(value, bits);
  return op.b.CreateBitCast(op.b.CreateAdd(number, op.b.CreateZExt(condition, bits)), type);
}

Value *truncateDirected(ValueOp &op, Value *value, Type *type, spv::FPRoundingMode rounding) {
  Value *result = truncateTowardZero(op, value, type);
  if (rounding == spv::FPRoundingMode::RTZ)
    return result;
  Value *back = op.b.CreateFPExt(result, value->getType());
  Value *isShort = rounding == spv::FPRoundingMode::RTP ? op.b.CreateFCmpOLT(back, value)
                                                        : op.b.CreateFCmpOGT(back, value);
  return nextOutward(op, result, isShort);
}

Value *toU32(ValueOp &op, Value *value) {
  return op.b.CreateZExtOrTrunc(value, withShapeOf(op.b.getInt32Ty(), value->getType()));
}

} // namespace llpc
