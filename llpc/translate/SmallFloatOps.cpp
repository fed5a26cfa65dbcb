//===- SmallFloatOps.cpp - SPV_KHR_bfloat16, SPV_EXT_float8 ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Conversions of the floats that are integers in LLVM, by way of f32, which has all their values:
/// what has more bits than f32 is rounded to odd on the way, so that it is rounded once in all.
#include "llpc/spirv/Grammar.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

Value *leadingBits(IRBuilder<> &b, Value *magnitude, unsigned precision) {
  Type *type = magnitude->getType();
  const unsigned bits = type->getScalarSizeInBits();
  Value *odd = b.CreateOr(magnitude, ConstantInt::get(type, 1)); // ctlz(0) is outside of shifts
  Value *zeros = b.CreateBinaryIntrinsic(Intrinsic::ctlz, odd, b.getFalse());
  const APInt lowest = APInt::getLowBitsSet(bits, bits - precision);
  return b.CreateAnd(magnitude, b.CreateNot(b.CreateLShr(ConstantInt::get(type, lowest), zeros)));
}

namespace {

Type *floatsLike(ValueOp &op, Type *shape) { return withShapeOf(op.b.getFloatTy(), shape); }

/// A float that was rounded toward zero, with the last bit set where that lost something.
Value *markInexact(ValueOp &op, Value *rounded, Value *isInexact) {
  Type *words = withShapeOf(op.b.getInt32Ty(), rounded->getType());
  Value *mark = op.b.CreateZExt(isInexact, words);
  return op.b.CreateBitCast(op.b.CreateOr(op.b.CreateBitCast(rounded, words), mark),
                            rounded->getType());
}

Value *integerToOdd(ValueOp &op, Value *x, bool isSigned) {
  IRBuilder<> &b = op.b;
  Type *type = x->getType(), *result = floatsLike(op, type);
  constexpr unsigned precision = 24;
  if (type->getScalarSizeInBits() <= precision)
    return isSigned ? b.CreateSIToFP(x, result) : b.CreateUIToFP(x, result);
  Value *magnitude = isSigned ? b.CreateBinaryIntrinsic(Intrinsic::abs, x, b.getFalse()) : x;
  Value *leading = leadingBits(b, magnitude, precision);
  Value *isInexact = b.CreateICmpNE(leading, magnitude);
  Value *number = markInexact(op, b.CreateUIToFP(leading, result), isInexact);
  if (!isSigned)
    return number;
  Value *isNegative = b.CreateICmpSLT(x, Constant::getNullValue(type));
  return b.CreateSelect(isNegative, b.CreateFNeg(number), number);
}

Value *doubleToOdd(ValueOp &op, Value *x) {
  Value *rounded = truncateTowardZero(op, x, floatsLike(op, x->getType()));
  return markInexact(op, rounded, op.b.CreateFCmpONE(op.b.CreateFPExt(rounded, x->getType()), x));
}

/// The operand as f32 that rounds to what it rounds to itself.
HandlerResult operand(ValueOp &op) {
  Value *x = op.args[0];
  Type *type = x->getType();
  const auto kind = smallFloatOf(op.t, op.t.typeIdOf(op.argIds[0]));
  const bool isInteger =
      op.inst.opcode == spv::Op::OpConvertSToF || op.inst.opcode == spv::Op::OpConvertUToF;
  if (isInteger) {
    if (kind || !isIntShape(type))
      return wrongOperand(op, 0, "integer scalar or vector");
    return integerToOdd(op, x, op.inst.opcode == spv::Op::OpConvertSToF);
  }
  if (kind)
    return lgc::extendSmallFloat(op.b, *kind, x, floatsLike(op, type));
  if (!isFloatShape(type))
    return wrongOperand(op, 0, "float scalar or vector");
  if (type->getScalarType()->isDoubleTy())
    return doubleToOdd(op, x);
  return type->getScalarType()->isHalfTy() ? op.b.CreateFPExt(x, floatsLike(op, type)) : x;
}

/// What FPRoundingMode asks for, in front of the rounding to nearest.
HandlerResult roundAsDecorated(ValueOp &op, lgc::SmallFloat kind, Value *x) {
  const auto *mode = op.t.spv.findDecoration(op.inst.resultId, spv::Decoration::FPRoundingMode);
  if (!mode || mode->operands.empty() ||
      static_cast<spv::FPRoundingMode>(mode->operands[0]) == spv::FPRoundingMode::RTE)
    return x;
  if (static_cast<spv::FPRoundingMode>(mode->operands[0]) != spv::FPRoundingMode::RTZ ||
      kind != lgc::SmallFloat::BF16)
    return op.t.unsupportedOp(op.inst, "FPRoundingMode " + Twine(mode->operands[0]));
  Type *words = withShapeOf(op.b.getInt32Ty(), x->getType());
  Value *kept =
      op.b.CreateAnd(op.b.CreateBitCast(x, words), intConstant(words, int32_t(0xFFFF0000)));
  kept = op.b.CreateBitCast(kept, x->getType());
  return op.b.CreateSelect(op.b.CreateFCmpUNO(x, x), x, kept);
}

HandlerResult toSmallFloat(ValueOp &op, lgc::SmallFloat kind, Value *x) {
  x = KILN_TRY(roundAsDecorated(op, kind, x));
  const bool saturates = op.t.hasDecoration(
      op.inst.resultId, spirv::newer::SaturatedToLargestFloat8NormalConversionEXT);
  if (saturates && kind == lgc::SmallFloat::BF16)
    return op.t.unsupportedOp(op.inst, "saturation of 16 bits");
  return lgc::narrowToSmallFloat(
      op.b, kind, x, saturates ? lgc::SmallOverflow::Largest : lgc::SmallOverflow::Special);
}

} // namespace

HandlerResult convertSmallFloat(ValueOp &op) {
  ExactScope exact(op);
  if (!sameShape(op.args[0]->getType(), op.type))
    return wrongOperand(op, 0, Twine(elementCount(op.type)) + " component(s)");
  const auto kind = smallFloatOf(op.t, op.inst.typeId);
  Value *x = KILN_TRY(operand(op));
  if (op.inst.opcode == spv::Op::OpConvertFToS || op.inst.opcode == spv::Op::OpConvertFToU) {
    if (kind || !isIntShape(op.type))
      return wrongResult(op, "integer scalar or vector");
    const auto cast =
        op.inst.opcode == spv::Op::OpConvertFToS ? Instruction::FPToSI : Instruction::FPToUI;
    return op.b.CreateFreeze(op.b.CreateCast(cast, x, op.type));
  }
  if (kind)
    return toSmallFloat(op, *kind, x);
  if (!isFloatShape(op.type))
    return wrongResult(op, "float scalar or vector");
  return op.b.CreateFPCast(x, op.type);
}

HandlerResult dotSmallFloat(ValueOp &op) {
  Type *type = op.args[0]->getType();
  for (Id id : op.argIds)
    if (smallFloatOf(op.t, op.t.typeIdOf(id)) != lgc::SmallFloat::BF16)
      return op.t.invalid(op.inst, "operand %" + Twine(id) + " is no vector of bfloat16");
  if (!type->isVectorTy() || isCooperativeMatrix(op.t, op.t.typeIdOf(op.argIds[0])))
    return wrongOperand(op, 0, "vector");
  KILN_TRY(expectOperand(op, 1, type));
  KILN_TRY(expectResult(op, type->getScalarType()));
  Value *factors[2];
  for (unsigned i = 0; i < 2; ++i)
    factors[i] =
        lgc::extendSmallFloat(op.b, lgc::SmallFloat::BF16, op.args[i], floatsLike(op, type));
  return lgc::narrowToSmallFloat(op.b, lgc::SmallFloat::BF16, dotFloat(op, factors[0], factors[1]),
                                 lgc::SmallOverflow::Special);
}

} // namespace llpc
