//===- Arithmetic.cpp - SPIR-V arithmetic instructions --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Integer and float arithmetic of scalars, vectors and matrices. Float results follow Vulkan's
/// "Precision of SPIR-V Instructions": division is a reciprocal and a product (2.5 ULP), products
/// and sums are single operations that code generation may contract.
/// Integer division must not be able to reach LLVM's undefined behaviour (a zero divisor, or the
/// quotient of the most negative value and -1), since SPIR-V producers evaluate both sides of a
/// select: such lanes get some value.
#include "llpc/spirv/Grammar.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

HandlerResult translateSNegate(ValueOp &op) { return op.b.CreateNeg(op.args[0]); }
HandlerResult translateFNegate(ValueOp &op) { return op.b.CreateFNeg(op.args[0]); }
HandlerResult translateFDiv(ValueOp &op) { return divideFloat(op, op.args[0], op.args[1]); }

/// FRem and FMod: x - y * round(x / y), as their precision is defined.
template <Intrinsic::ID Round> HandlerResult translateFloatRemainder(ValueOp &op) {
  Value *quotient = unaryIntrinsic(op, Round, divideFloat(op, op.args[0], op.args[1]));
  return op.b.CreateFSub(op.args[0], op.b.CreateFMul(op.args[1], quotient));
}

// --- Integer division

/// A divisor that LLVM may divide any value by: constant, and in no element 0 or -1.
bool isSafeDivisor(Value *divisor) {
  auto *constant = dyn_cast<Constant>(divisor);
  if (!constant)
    return false;
  for (unsigned i = 0; i < elementCount(divisor->getType()); ++i) {
    Constant *element =
        divisor->getType()->isVectorTy() ? constant->getAggregateElement(i) : constant;
    auto *number = dyn_cast_or_null<ConstantInt>(element);
    if (!number || number->isZero() || number->isMinusOne())
      return false;
  }
  return true;
}

Value *nonZero(ValueOp &op, Value *divisor) {
  return binaryIntrinsic(op, Intrinsic::umax, divisor, intConstant(divisor->getType(), 1));
}

Value *absolute(ValueOp &op, Value *value) {
  return op.b.CreateBinaryIntrinsic(Intrinsic::abs, value, op.b.getFalse());
}

/// All ones where the value is negative, otherwise zero.
Value *signMask(ValueOp &op, Value *value) {
  return op.b.CreateAShr(
      value, intConstant(value->getType(), value->getType()->getScalarSizeInBits() - 1));
}

Value *negateWhere(ValueOp &op, Value *value, Value *mask) {
  return op.b.CreateSub(op.b.CreateXor(value, mask), mask);
}

template <Instruction::BinaryOps Opcode> HandlerResult translateUnsignedDivision(ValueOp &op) {
  Value *divisor = isSafeDivisor(op.args[1]) ? op.args[1] : nonZero(op, op.args[1]);
  return op.b.CreateBinOp(Opcode, op.args[0], divisor);
}

HandlerResult translateSDiv(ValueOp &op) {
  Value *x = op.args[0], *y = op.args[1];
  if (isSafeDivisor(y))
    return op.b.CreateSDiv(x, y);
  Value *size = absolute(op, x);
  Value *quotient = op.b.CreateUDiv(size, nonZero(op, absolute(op, y)));
  return negateWhere(op, quotient, signMask(op, op.b.CreateXor(x, y)));
}

/// x - y * trunc(x / y): the sign of x.
Value *signedRemainder(ValueOp &op) {
  Value *x = op.args[0], *y = op.args[1];
  if (isSafeDivisor(y))
    return op.b.CreateSRem(x, y);
  Value *size = absolute(op, x);
  Value *remainder = op.b.CreateURem(size, nonZero(op, absolute(op, y)));
  return negateWhere(op, remainder, signMask(op, x));
}

HandlerResult translateSRem(ValueOp &op) { return signedRemainder(op); }

/// The sign of y.
HandlerResult translateSMod(ValueOp &op) {
  Value *y = op.args[1];
  const APInt *power = nullptr;
  auto *constant = dyn_cast<Constant>(y);
  auto *splat = constant && y->getType()->isVectorTy() ? constant->getSplatValue() : constant;
  if (auto *number = dyn_cast_or_null<ConstantInt>(splat))
    power = &number->getValue();
  if (power && power->isPowerOf2() && !power->isNegative())
    return op.b.CreateAnd(op.args[0], ConstantInt::get(y->getType(), *power - 1));
  Value *remainder = signedRemainder(op);
  Value *zero = intConstant(y->getType(), 0);
  Value *isOther = op.b.CreateICmpSLT(op.b.CreateXor(remainder, y), zero);
  Value *adjust = op.b.CreateAnd(isOther, op.b.CreateICmpNE(remainder, zero));
  return op.b.CreateAdd(remainder, op.b.CreateSelect(adjust, y, zero));
}

// --- Two-part results

/// Result {T, T} and two operands of the integer type T.
Error checkPairResult(ValueOp &op) {
  Type *type = op.args[0]->getType();
  if (!isIntShape(type))
    return wrongOperand(op, 0, "integer scalar or vector");
  KILN_TRY(expectOperand(op, 1, type));
  return expectResult(op, StructType::get(op.t.context, {type, type}));
}

Value *makePair(ValueOp &op, Value *first, Value *second) {
  Value *pair = op.b.CreateInsertValue(PoisonValue::get(op.type), first, 0);
  return op.b.CreateInsertValue(pair, second, 1);
}

template <Intrinsic::ID Id> HandlerResult translateWithOverflow(ValueOp &op) {
  KILN_TRY(checkPairResult(op));
  Type *type = op.args[0]->getType();
  Value *both = op.b.CreateIntrinsic(Id, {type}, {op.args[0], op.args[1]});
  Value *overflow = op.b.CreateZExt(op.b.CreateExtractValue(both, 1), type);
  return makePair(op, op.b.CreateExtractValue(both, 0), overflow);
}

template <bool IsSigned> HandlerResult translateMulExtended(ValueOp &op) {
  KILN_TRY(checkPairResult(op));
  Type *type = op.args[0]->getType();
  unsigned bits = type->getScalarSizeInBits();
  Type *wide = withShapeOf(op.b.getIntNTy(2 * bits), type);
  Value *a = op.b.CreateIntCast(op.args[0], wide, IsSigned);
  Value *b = op.b.CreateIntCast(op.args[1], wide, IsSigned);
  Value *high = op.b.CreateLShr(op.b.CreateMul(a, b), intConstant(wide, bits));
  Value *low = op.b.CreateMul(op.args[0], op.args[1]);
  return makePair(op, low, op.b.CreateTrunc(high, type));
}

// --- Linear algebra

Error checkVector(const ValueOp &op, unsigned index) {
  Type *type = op.args[index]->getType();
  if (!isFloatShape(type) || !type->isVectorTy())
    return wrongOperand(op, index, "float vector");
  if (isCooperativeMatrix(op.t, op.t.typeIdOf(op.argIds[index])))
    return op.t.invalid(op.inst, "operand " + Twine(index) + " is a cooperative matrix");
  return Error::success();
}

Value *scaleVector(ValueOp &op, Value *vector, Value *scalar) {
  return op.b.CreateFMul(vector, splatTo(op, scalar, vector->getType()));
}

Value *column(ValueOp &op, Value *matrix, unsigned index) {
  return op.b.CreateExtractValue(matrix, index);
}

HandlerResult translateVectorTimesScalar(ValueOp &op) {
  KILN_TRY(checkVector(op, 0));
  KILN_TRY(expectOperand(op, 1, op.args[0]->getType()->getScalarType()));
  KILN_TRY(expectResult(op, op.args[0]->getType()));
  return scaleVector(op, op.args[0], op.args[1]);
}

/// Cooperative matrices may have integers.
HandlerResult scaleComponents(ValueOp &op) {
  KILN_TRY(expectOperand(op, 1, op.args[0]->getType()->getScalarType()));
  KILN_TRY(expectResult(op, op.args[0]->getType()));
  if (smallFloatOf(op.t, op.inst.typeId))
    return op.t.unsupportedOp(op.inst, "components of " + typeText(op.type->getScalarType()) +
                                           " that are floats");
  if (isFloatShape(op.type))
    return scaleVector(op, op.args[0], op.args[1]);
  return op.b.CreateMul(op.args[0], splatTo(op, op.args[1], op.type));
}

HandlerResult translateMatrixTimesScalar(ValueOp &op) {
  if (isCooperativeMatrix(op.t, op.inst.typeId))
    return scaleComponents(op);
  auto shape = matrixShape(op.args[0]->getType());
  if (!shape)
    return wrongOperand(op, 0, "float matrix");
  KILN_TRY(expectOperand(op, 1, shape->element));
  KILN_TRY(expectResult(op, op.args[0]->getType()));
  Value *result = PoisonValue::get(op.type);
  for (unsigned i = 0; i < shape->columns; ++i)
    result =
        op.b.CreateInsertValue(result, scaleVector(op, column(op, op.args[0], i), op.args[1]), i);
  return result;
}

HandlerResult translateVectorTimesMatrix(ValueOp &op) {
  auto shape = matrixShape(op.args[1]->getType());
  if (!shape)
    return wrongOperand(op, 1, "float matrix");
  KILN_TRY(expectOperand(op, 0, shape->column));
  KILN_TRY(expectResult(op, FixedVectorType::get(shape->element, shape->columns)));
  Value *result = PoisonValue::get(op.type);
  for (unsigned i = 0; i < shape->columns; ++i)
    result =
        op.b.CreateInsertElement(result, dotFloat(op, op.args[0], column(op, op.args[1], i)), i);
  return result;
}

/// Sum of the columns weighted by the vector's elements.
Value *transformVector(ValueOp &op, Value *matrix, unsigned columns, Value *vector) {
  Value *sum = nullptr;
  for (unsigned i = 0; i < columns; ++i) {
    Value *part = column(op, matrix, i);
    part = scaleVector(op, part, op.b.CreateExtractElement(vector, i));
    sum = sum ? op.b.CreateFAdd(part, sum) : part;
  }
  return sum;
}

HandlerResult translateMatrixTimesVector(ValueOp &op) {
  auto shape = matrixShape(op.args[0]->getType());
  if (!shape)
    return wrongOperand(op, 0, "float matrix");
  KILN_TRY(expectOperand(op, 1, FixedVectorType::get(shape->element, shape->columns)));
  KILN_TRY(expectResult(op, shape->column));
  return transformVector(op, op.args[0], shape->columns, op.args[1]);
}

HandlerResult translateMatrixTimesMatrix(ValueOp &op) {
  auto left = matrixShape(op.args[0]->getType());
  if (!left)
    return wrongOperand(op, 0, "float matrix");
  auto right = matrixShape(op.args[1]->getType());
  if (!right || right->rows != left->columns || right->element != left->element)
    return wrongOperand(
        op, 1, "matrix of " + Twine(left->columns) + " rows of " + typeText(left->element));
  KILN_TRY(expectResult(op, ArrayType::get(left->column, right->columns)));
  Value *result = PoisonValue::get(op.type);
  for (unsigned i = 0; i < right->columns; ++i) {
    Value *part = transformVector(op, op.args[0], left->columns, column(op, op.args[1], i));
    result = op.b.CreateInsertValue(result, part, i);
  }
  return result;
}

HandlerResult translateOuterProduct(ValueOp &op) {
  KILN_TRY(checkVector(op, 0));
  KILN_TRY(checkVector(op, 1));
  unsigned columns = elementCount(op.args[1]->getType());
  if (op.args[1]->getType()->getScalarType() != op.args[0]->getType()->getScalarType())
    return wrongOperand(op, 1, "vector of " + typeText(op.args[0]->getType()->getScalarType()));
  KILN_TRY(expectResult(op, ArrayType::get(op.args[0]->getType(), columns)));
  Value *result = PoisonValue::get(op.type);
  for (unsigned i = 0; i < columns; ++i) {
    Value *part = scaleVector(op, op.args[0], op.b.CreateExtractElement(op.args[1], i));
    result = op.b.CreateInsertValue(result, part, i);
  }
  return result;
}

HandlerResult translateDot(ValueOp &op) {
  if (smallFloatOf(op.t, op.inst.typeId))
    return dotSmallFloat(op);
  KILN_TRY(checkVector(op, 0));
  KILN_TRY(expectOperand(op, 1, op.args[0]->getType()));
  KILN_TRY(expectResult(op, op.args[0]->getType()->getScalarType()));
  if (op.t.options.noContractOpDot) {
    FastMathFlags flags = op.b.getFastMathFlags();
    flags.setAllowContract(false);
    op.b.setFastMathFlags(flags);
  }
  return dotFloat(op, op.args[0], op.args[1]);
}

/// Whatever options say of GLSL's.
HandlerResult translateFma(ValueOp &op) { return fusedMultiplyAdd(op); }

constexpr OpEntry table[] = {
    valueOp(spv::Op::OpSNegate, translateSNegate, Sig::SameInt, 1),
    valueOp(spv::Op::OpFNegate, translateFNegate, Sig::SameFloat, 1),
    valueOp(spv::Op::OpIAdd, binary<Instruction::Add>, Sig::SameInt, 2),
    valueOp(spv::Op::OpFAdd, binary<Instruction::FAdd>, Sig::SameFloat, 2),
    valueOp(spirv::newer::OpFmaKHR, translateFma, Sig::SameFloat, 3),
    valueOp(spv::Op::OpISub, binary<Instruction::Sub>, Sig::SameInt, 2),
    valueOp(spv::Op::OpFSub, binary<Instruction::FSub>, Sig::SameFloat, 2),
    valueOp(spv::Op::OpIMul, binary<Instruction::Mul>, Sig::SameInt, 2),
    valueOp(spv::Op::OpFMul, binary<Instruction::FMul>, Sig::SameFloat, 2),
    valueOp(spv::Op::OpUDiv, translateUnsignedDivision<Instruction::UDiv>, Sig::SameInt, 2),
    valueOp(spv::Op::OpSDiv, translateSDiv, Sig::SameInt, 2),
    valueOp(spv::Op::OpFDiv, translateFDiv, Sig::SameFloat, 2),
    valueOp(spv::Op::OpUMod, translateUnsignedDivision<Instruction::URem>, Sig::SameInt, 2),
    valueOp(spv::Op::OpSRem, translateSRem, Sig::SameInt, 2),
    valueOp(spv::Op::OpSMod, translateSMod, Sig::SameInt, 2),
    valueOp(spv::Op::OpFRem, translateFloatRemainder<Intrinsic::trunc>, Sig::SameFloat, 2),
    valueOp(spv::Op::OpFMod, translateFloatRemainder<Intrinsic::floor>, Sig::SameFloat, 2),
    valueOp(spv::Op::OpVectorTimesScalar, translateVectorTimesScalar, Sig::Any, 2),
    valueOp(spv::Op::OpMatrixTimesScalar, translateMatrixTimesScalar, Sig::Any, 2),
    valueOp(spv::Op::OpVectorTimesMatrix, translateVectorTimesMatrix, Sig::Any, 2),
    valueOp(spv::Op::OpMatrixTimesVector, translateMatrixTimesVector, Sig::Any, 2),
    valueOp(spv::Op::OpMatrixTimesMatrix, translateMatrixTimesMatrix, Sig::Any, 2),
    valueOp(spv::Op::OpOuterProduct, translateOuterProduct, Sig::Any, 2),
    valueOp(spv::Op::OpDot, translateDot, Sig::Any, 2),
    valueOp(spv::Op::OpIAddCarry, translateWithOverflow<Intrinsic::uadd_with_overflow>, Sig::Any,
            2),
    valueOp(spv::Op::OpISubBorrow, translateWithOverflow<Intrinsic::usub_with_overflow>, Sig::Any,
            2),
    valueOp(spv::Op::OpUMulExtended, translateMulExtended<false>, Sig::Any, 2),
    valueOp(spv::Op::OpSMulExtended, translateMulExtended<true>, Sig::Any, 2),
};

} // namespace

ArrayRef<OpEntry> arithmeticOps() { return table; }

} // namespace llpc
