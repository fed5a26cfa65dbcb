//===- GlslStd450Parts.cpp - GLSL.std.450 splitting, packing, bit search --===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/GlslStd450.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace llpc::glsl {
namespace {

/// Stores the second result of Modf and Frexp through the pointer operand 1, whose pointee must
/// have the type of `value`.
Error storePart(ValueOp &op, Value *value) {
  Translator &t = op.t;
  auto pointerType = KILN_TRY(t.typeInst(t.typeIdOf(op.argIds[1])));
  if (pointerType->opcode != spv::Op::OpTypePointer || pointerType->size() < 2)
    return wrongOperand(op, 1, "pointer");
  Id pointeeId = (*pointerType)[1];
  auto pointee = KILN_TRY(t.type(pointeeId));
  if (pointee != value->getType())
    return t.invalid(op.inst, "operand 1 points to " + typeText(pointee) + ", expected " +
                                  typeText(value->getType()));
  auto storage = static_cast<spv::StorageClass>((*pointerType)[0]);
  return t.store(pointeeId, value, op.args[1], storage, t.pointerInfo(op.argIds[1]),
                 Translator::Access(), op.inst);
}

/// The integer type of an exponent that goes through the pointer operand.
Expected<Type *> pointeeIntType(ValueOp &op) {
  Id pointeeId = op.t.elementTypeId(op.t.typeIdOf(op.argIds[1]));
  if (!pointeeId)
    return wrongOperand(op, 1, "pointer");
  auto type = KILN_TRY(op.t.type(pointeeId));
  if (!isIntShape(type) || !sameShape(type, op.args[0]->getType()))
    return op.t.invalid(op.inst, "operand 1 points to " + typeText(type) +
                                     ", expected integer of " +
                                     Twine(elementCount(op.args[0]->getType())) + " component(s)");
  return type;
}

/// The two members of a *Struct instruction's result, the first of operand 0's type.
Expected<StructType *> pairType(ValueOp &op) {
  auto *type = dyn_cast<StructType>(op.type);
  if (!isFloatShape(op.args[0]->getType()))
    return wrongOperand(op, 0, "float scalar or vector");
  if (!type || type->getNumElements() != 2 || type->getElementType(0) != op.args[0]->getType())
    return wrongResult(op, "struct of " + typeText(op.args[0]->getType()) + " and another member");
  return type;
}

Value *makePair(ValueOp &op, Value *first, Value *second) {
  Value *pair = op.b.CreateInsertValue(PoisonValue::get(op.type), first, 0);
  return op.b.CreateInsertValue(pair, second, 1);
}

struct Parts {
  Value *first;
  Value *second;
};

/// Fraction and whole number, both with the sign of x; the fraction of an infinity is zero.
Parts splitModf(ValueOp &op) {
  Value *x = op.args[0];
  Value *whole = unaryIntrinsic(op, Intrinsic::trunc, x);
  Value *fraction = op.b.CreateFSub(x, whole);
  if (op.b.getFastMathFlags().noSignedZeros() && !specialValues(op).infinity)
    return {fraction, whole};
  Value *isWhole = op.b.CreateFCmpOEQ(x, whole);
  fraction = op.b.CreateSelect(isWhole, floatConstant(x->getType(), 0.0), fraction);
  return {op.b.CreateCopySign(fraction, x), whole};
}

Parts splitFrexp(ValueOp &op, Type *exponentType) {
  Value *x = op.args[0];
  Type *i32 = op.b.getInt32Ty();
  auto split = [&](Value *component) -> Parts {
    Value *both = op.b.CreateIntrinsic(Intrinsic::frexp, {component->getType(), i32}, {component});
    return {op.b.CreateExtractValue(both, 0), op.b.CreateExtractValue(both, 1)};
  };
  Parts parts = {PoisonValue::get(x->getType()), PoisonValue::get(withShapeOf(i32, x->getType()))};
  if (auto *vector = dyn_cast<FixedVectorType>(x->getType())) {
    // Why by component: LLVM 22's InstCombine swaps llvm.frexp with a shuffle of its operand, as if
    // the result were a vector, and ends (lgc/llvm22/README.md).
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      const Parts one = split(op.b.CreateExtractElement(x, i));
      parts.first = op.b.CreateInsertElement(parts.first, one.first, i);
      parts.second = op.b.CreateInsertElement(parts.second, one.second, i);
    }
  } else {
    parts = split(x);
  }
  parts.second = op.b.CreateSExtOrTrunc(parts.second, exponentType);
  return parts;
}

/// Result or operand `vector` of `count` 32-bit floats and the 32-bit word beside it.
Error checkPack(ValueOp &op, unsigned count) {
  KILN_TRY(expectOperand(op, 0, FixedVectorType::get(op.b.getFloatTy(), count)));
  return expectResult(op, op.b.getInt32Ty());
}

Error checkUnpack(ValueOp &op, unsigned count) {
  KILN_TRY(expectOperand(op, 0, op.b.getInt32Ty()));
  return expectResult(op, FixedVectorType::get(op.b.getFloatTy(), count));
}

/// Four bytes: clamp, scale, round to nearest even, convert, merge.
HandlerResult pack4x8(ValueOp &op, bool isSigned) {
  KILN_TRY(checkPack(op, 4));
  IRBuilder<> &b = op.b;
  Type *type = op.args[0]->getType();
  Value *x =
      binaryIntrinsic(op, Intrinsic::maxnum, op.args[0], floatConstant(type, isSigned ? -1 : 0));
  x = binaryIntrinsic(op, Intrinsic::minnum, x, floatConstant(type, 1.0));
  x = b.CreateFMul(x, floatConstant(type, isSigned ? 127 : 255));
  x = unaryIntrinsic(op, Intrinsic::roundeven, x);
  Type *words = FixedVectorType::get(b.getInt32Ty(), 4);
  Value *numbers = isSigned ? b.CreateFPToSI(x, words) : b.CreateFPToUI(x, words);
  Value *result = nullptr;
  for (unsigned i = 0; i < 4; ++i) {
    Value *byte = b.CreateExtractElement(numbers, i);
    if (isSigned && i != 3)
      byte = b.CreateAnd(byte, b.getInt32(255));
    byte = b.CreateShl(byte, b.getInt32(8 * i));
    result = result ? b.CreateOr(result, byte) : byte;
  }
  return result;
}

/// The hardware instruction clamps, scales, rounds and packs.
HandlerResult pack2x16(ValueOp &op, Intrinsic::ID id) {
  KILN_TRY(checkPack(op, 2));
  Value *x = op.b.CreateExtractElement(op.args[0], uint64_t(0));
  Value *y = op.b.CreateExtractElement(op.args[0], uint64_t(1));
  return op.b.CreateBitCast(op.b.CreateIntrinsic(id, {x, y}), op.type);
}

/// Fields of `32 / count` bits to floats, times 1 / largest. The quotients at both ends are exact.
HandlerResult unpackNorm(ValueOp &op, unsigned count, bool isSigned) {
  KILN_TRY(checkUnpack(op, count));
  IRBuilder<> &b = op.b;
  unsigned bits = 32 / count;
  double largest = (1u << (isSigned ? bits - 1 : bits)) - 1;
  Value *fields = PoisonValue::get(FixedVectorType::get(b.getInt32Ty(), count));
  for (unsigned i = 0; i < count; ++i) {
    Value *field = b.CreateShl(op.args[0], b.getInt32(32 - bits * (i + 1)));
    Constant *down = b.getInt32(32 - bits);
    field = isSigned ? b.CreateAShr(field, down) : b.CreateLShr(field, down);
    fields = b.CreateInsertElement(fields, field, i);
  }
  Value *numbers = isSigned ? b.CreateSIToFP(fields, op.type) : b.CreateUIToFP(fields, op.type);
  Value *result = b.CreateFMul(numbers, floatConstant(op.type, 1.0 / largest));
  // The most negative field goes below -1.
  return isSigned ? binaryIntrinsic(op, Intrinsic::maxnum, result, floatConstant(op.type, -1.0))
                  : result;
}

/// Bit searches return the operand's width; the result type may have another.
HandlerResult asResult(ValueOp &op, Value *value) { return op.b.CreateSExtOrTrunc(value, op.type); }

/// The operand, with at least 32 bits.
Value *widened(ValueOp &op, bool isSigned) {
  Type *type = op.args[0]->getType();
  unsigned bits = std::max(32u, type->getScalarSizeInBits());
  return op.b.CreateIntCast(op.args[0], withShapeOf(op.b.getIntNTy(bits), type), isSigned);
}

/// Number of leading zeros to the highest bit's number; the width (no bit) becomes -1.
Value *fromLeadingZeros(ValueOp &op, Value *x) {
  Value *zeros = op.b.CreateBinaryIntrinsic(Intrinsic::ctlz, x, op.b.getFalse());
  return op.b.CreateSub(intConstant(x->getType(), x->getType()->getScalarSizeInBits() - 1), zeros);
}

} // namespace

HandlerResult modf(ValueOp &op) {
  if (!isFloatShape(op.type))
    return wrongResult(op, "float scalar or vector");
  KILN_TRY(expectOperand(op, 0, op.type));
  Parts parts = splitModf(op);
  KILN_TRY(storePart(op, parts.second));
  return parts.first;
}

HandlerResult modfStruct(ValueOp &op) {
  auto type = KILN_TRY(pairType(op));
  if (type->getElementType(1) != op.args[0]->getType())
    return wrongResult(op, "struct of two members of type " + typeText(op.args[0]->getType()));
  Parts parts = splitModf(op);
  return makePair(op, parts.first, parts.second);
}

HandlerResult frexp(ValueOp &op) {
  if (!isFloatShape(op.type))
    return wrongResult(op, "float scalar or vector");
  KILN_TRY(expectOperand(op, 0, op.type));
  auto exponentType = KILN_TRY(pointeeIntType(op));
  Parts parts = splitFrexp(op, exponentType);
  KILN_TRY(storePart(op, parts.second));
  return parts.first;
}

HandlerResult frexpStruct(ValueOp &op) {
  auto type = KILN_TRY(pairType(op));
  Type *exponentType = type->getElementType(1);
  if (!isIntShape(exponentType) || !sameShape(exponentType, op.args[0]->getType()))
    return wrongResult(op, "struct with an integer member of operand 0's shape");
  Parts parts = splitFrexp(op, exponentType);
  return makePair(op, parts.first, parts.second);
}

HandlerResult ldexp(ValueOp &op) {
  if (!isFloatShape(op.type))
    return wrongResult(op, "float scalar or vector");
  KILN_TRY(expectOperand(op, 0, op.type));
  Value *exponent = op.args[1];
  if (!isIntShape(exponent->getType()) || !sameShape(exponent->getType(), op.type))
    return wrongOperand(op, 1, "integer of " + Twine(elementCount(op.type)) + " component(s)");
  Type *i32 = withShapeOf(op.b.getInt32Ty(), op.type);
  if (exponent->getType()->getScalarSizeInBits() > 32) {
    exponent =
        binaryIntrinsic(op, Intrinsic::smax, exponent, intConstant(exponent->getType(), -4096));
    exponent =
        binaryIntrinsic(op, Intrinsic::smin, exponent, intConstant(exponent->getType(), 4096));
  }
  exponent = op.b.CreateSExtOrTrunc(exponent, i32);
  return op.b.CreateIntrinsic(Intrinsic::ldexp, {op.type, i32}, {op.args[0], exponent});
}

HandlerResult findILsb(ValueOp &op) {
  Value *x = widened(op, false);
  Type *type = x->getType();
  // The form in which code generation uses the instruction's own -1 for zero.
  Value *zeros = op.b.CreateBinaryIntrinsic(Intrinsic::cttz, x, op.b.getTrue());
  Value *isZero = op.b.CreateICmpEQ(x, intConstant(type, 0));
  return asResult(op, op.b.CreateSelect(isZero, intConstant(type, -1), zeros));
}

HandlerResult findUMsb(ValueOp &op) {
  return asResult(op, fromLeadingZeros(op, widened(op, false)));
}

/// The highest bit that differs from the sign.
HandlerResult findSMsb(ValueOp &op) {
  Value *x = widened(op, true);
  Type *type = x->getType();
  if (type->getScalarSizeInBits() == 64) {
    Value *sign = op.b.CreateAShr(x, intConstant(type, 63));
    return asResult(op, fromLeadingZeros(op, op.b.CreateXor(x, sign)));
  }
  Value *count = op.t.mapElements({x}, [&](ArrayRef<Value *> e) -> Value * {
    return op.b.CreateIntrinsic(Intrinsic::amdgcn_sffbh, {op.b.getInt32Ty()}, {e[0]});
  });
  // HW: counts from the top, -1 when all bits are equal; 31 ^ -1 is less than -1.
  Value *bit = op.b.CreateXor(count, intConstant(type, 31));
  return asResult(op, binaryIntrinsic(op, Intrinsic::smax, bit, intConstant(type, -1)));
}

HandlerResult packSnorm4x8(ValueOp &op) { return pack4x8(op, true); }
HandlerResult packUnorm4x8(ValueOp &op) { return pack4x8(op, false); }
HandlerResult packSnorm2x16(ValueOp &op) { return pack2x16(op, Intrinsic::amdgcn_cvt_pknorm_i16); }
HandlerResult packUnorm2x16(ValueOp &op) { return pack2x16(op, Intrinsic::amdgcn_cvt_pknorm_u16); }

HandlerResult packHalf2x16(ValueOp &op) {
  KILN_TRY(checkPack(op, 2));
  Value *halves = nullptr;
  if (op.t.floatMode(16).roundTowardZero)
    halves = op.b.CreateIntrinsic(Intrinsic::amdgcn_cvt_pkrtz,
                                  {op.b.CreateExtractElement(op.args[0], uint64_t(0)),
                                   op.b.CreateExtractElement(op.args[0], uint64_t(1))});
  else
    halves = op.b.CreateFPTrunc(op.args[0], FixedVectorType::get(op.b.getHalfTy(), 2));
  return op.b.CreateBitCast(flushValue(op.t, halves), op.type);
}

HandlerResult packDouble2x32(ValueOp &op) {
  KILN_TRY(expectOperand(op, 0, FixedVectorType::get(op.b.getInt32Ty(), 2)));
  KILN_TRY(expectResult(op, op.b.getDoubleTy()));
  return op.b.CreateBitCast(op.args[0], op.type);
}

HandlerResult unpackSnorm2x16(ValueOp &op) { return unpackNorm(op, 2, true); }
HandlerResult unpackUnorm2x16(ValueOp &op) { return unpackNorm(op, 2, false); }
HandlerResult unpackSnorm4x8(ValueOp &op) { return unpackNorm(op, 4, true); }
HandlerResult unpackUnorm4x8(ValueOp &op) { return unpackNorm(op, 4, false); }

HandlerResult unpackHalf2x16(ValueOp &op) {
  KILN_TRY(checkUnpack(op, 2));
  Type *halves = FixedVectorType::get(op.b.getHalfTy(), 2);
  return op.b.CreateFPExt(flushValue(op.t, op.b.CreateBitCast(op.args[0], halves)), op.type);
}

HandlerResult unpackDouble2x32(ValueOp &op) {
  KILN_TRY(expectOperand(op, 0, op.b.getDoubleTy()));
  KILN_TRY(expectResult(op, FixedVectorType::get(op.b.getInt32Ty(), 2)));
  return op.b.CreateBitCast(op.args[0], op.type);
}

} // namespace llpc::glsl
