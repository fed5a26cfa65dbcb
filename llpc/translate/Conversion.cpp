//===- Conversion.cpp - SPIR-V conversion instructions --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Conversions between numeric types, bit casts, and pointer <-> integer for
/// PhysicalStorageBuffer. Float to integer beyond the integer's range is undefined in SPIR-V and
/// poison in LLVM: it is frozen, so that it stays "some value" (the hardware saturates) instead of
/// spreading. llvm.fpto*i.sat would cost four more instructions.
#include "llpc/translate/CooperativeMatrix.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

/// Kernels may say how a fraction is rounded, and that what is out of range becomes the nearest
/// number.
template <Instruction::CastOps Opcode> HandlerResult translateFloatToInt(ValueOp &op) {
  Value *x = op.args[0];
  const auto *mode = op.t.spv.findDecoration(op.inst.resultId, spv::Decoration::FPRoundingMode);
  if (mode && !mode->operands.empty()) {
    const auto rounding = static_cast<spv::FPRoundingMode>(mode->operands[0]);
    if (rounding != spv::FPRoundingMode::RTZ)
      x = unaryIntrinsic(op,
                         rounding == spv::FPRoundingMode::RTE   ? Intrinsic::roundeven
                         : rounding == spv::FPRoundingMode::RTP ? Intrinsic::ceil
                                                                : Intrinsic::floor,
                         x);
  }
  if (op.t.hasDecoration(op.inst.resultId, spv::Decoration::SaturatedConversion)) // NaN: 0
    return op.b.CreateIntrinsic(Opcode == Instruction::FPToSI ? Intrinsic::fptosi_sat
                                                              : Intrinsic::fptoui_sat,
                                {op.type, x->getType()}, {x});
  return op.b.CreateFreeze(op.b.CreateCast(Opcode, x, op.type));
}

template <bool IsSigned> HandlerResult translateIntToInt(ValueOp &op) {
  return op.b.CreateIntCast(op.args[0], op.type, IsSigned);
}

template <ValueHandler Handler, Sig Signature> HandlerResult checked(ValueOp &op) {
  KILN_TRY(checkSignature(op, Signature));
  return Handler(op);
}

/// \p Handler, unless LLVM's types do not tell what is converted.
template <ValueHandler Handler, Sig Signature> HandlerResult componentwise(ValueOp &op) {
  if (op.t.internals().hasSmallFloats &&
      (smallFloatOf(op.t, op.inst.typeId) || smallFloatOf(op.t, op.t.typeIdOf(op.argIds[0]))))
    return convertSmallFloat(op);
  return checked<Handler, Signature>(op);
}

/// \p Convert of numbers, vectors, and matrices, which may change their use.
template <ValueHandler Convert> HandlerResult ofMatrices(ValueOp &op) {
  const bool isMatrix = op.type->isVectorTy() && isCooperativeMatrix(op.t, op.inst.typeId);
  return isMatrix ? convertMatrix(op, Convert) : Convert(op);
}

template <ValueHandler Handler, Sig Signature>
constexpr ValueHandler number = ofMatrices<componentwise<Handler, Signature>>;

template <bool IsSigned>
constexpr ValueHandler integer = ofMatrices<checked<translateIntToInt<IsSigned>, Sig::IntToInt>>;

/// How a narrowing to `type` rounds. A decoration of the result comes before the entry point's
/// float controls.
spv::FPRoundingMode roundingTo(ValueOp &op, Type *type) {
  const spirv::Decoration *decoration =
      op.t.spv.findDecoration(op.inst.resultId, spv::Decoration::FPRoundingMode);
  if (!decoration || decoration->operands.empty())
    return op.t.floatMode(type->getScalarSizeInBits()).roundTowardZero ? spv::FPRoundingMode::RTZ
                                                                       : spv::FPRoundingMode::RTE;
  return static_cast<spv::FPRoundingMode>(decoration->operands[0]);
}

template <bool IsSigned> HandlerResult translateIntToFloat(ValueOp &op) {
  IRBuilder<> &b = op.b;
  Value *x = op.args[0];
  Type *type = x->getType();
  const fltSemantics &semantics = op.type->getScalarType()->getFltSemantics();
  const unsigned precision = APFloat::semanticsPrecision(semantics);
  const spv::FPRoundingMode rounding = roundingTo(op, op.type);
  if (rounding == spv::FPRoundingMode::RTE || type->getScalarSizeInBits() - IsSigned <= precision)
    return IsSigned ? b.CreateSIToFP(x, op.type) : b.CreateUIToFP(x, op.type);
  Value *magnitude = IsSigned ? b.CreateBinaryIntrinsic(Intrinsic::abs, x, b.getFalse()) : x;
  Value *kept = leadingBits(b, magnitude, precision);
  if (op.type->getScalarType()->isHalfTy()) // beyond the largest: that, and not infinity
    kept = b.CreateBinaryIntrinsic(Intrinsic::umin, kept, ConstantInt::get(type, 65504));
  Value *result = b.CreateUIToFP(kept, op.type);
  Value *isNegative = IsSigned ? b.CreateICmpSLT(x, Constant::getNullValue(type))
                               : Constant::getNullValue(withShapeOf(b.getInt1Ty(), type));
  if (rounding != spv::FPRoundingMode::RTZ) {
    Value *isShort = b.CreateICmpNE(kept, magnitude);
    Value *isOutward = rounding == spv::FPRoundingMode::RTN ? isNegative : b.CreateNot(isNegative);
    result = nextOutward(op, result, b.CreateAnd(isShort, isOutward));
  }
  if (!IsSigned)
    return result;
  return b.CreateSelect(isNegative, b.CreateFNeg(result), result);
}

HandlerResult translateFConvert(ValueOp &op) {
  unsigned from = op.args[0]->getType()->getScalarSizeInBits();
  unsigned to = op.type->getScalarSizeInBits();
  if (from == to)
    return op.args[0];
  if (from < to)
    return op.b.CreateFPExt(op.args[0], op.type);
  const spv::FPRoundingMode rounding = roundingTo(op, op.type);
  if (rounding != spv::FPRoundingMode::RTE)
    return truncateDirected(op, op.args[0], op.type, rounding);
  return op.b.CreateFPTrunc(op.args[0], op.type);
}

/// To half and back; results below the smallest normal half become zero with the value's sign.
HandlerResult translateQuantizeToF16(ValueOp &op) {
  Value *x = op.args[0];
  Type *type = x->getType();
  if (!type->getScalarType()->isFloatTy())
    return wrongOperand(op, 0, "32-bit float scalar or vector");
  KILN_TRY(expectResult(op, type));
  // Why: contraction would remove the pair of conversions.
  ExactScope exact(op);
  Value *half = op.b.CreateFPTrunc(x, withShapeOf(op.b.getHalfTy(), type));
  Value *back = op.b.CreateFPExt(half, type);
  Value *isTiny =
      op.b.CreateFCmpOLT(unaryIntrinsic(op, Intrinsic::fabs, x), floatConstant(type, 0x1p-14));
  Value *zero = op.b.CreateCopySign(floatConstant(type, 0.0), x);
  return op.b.CreateSelect(isTiny, zero, back);
}

// --- Bit casts and pointers

/// Only these pointers have an integer representation.
bool isPhysicalPointer(const Translator &t, const Type *type) {
  const auto *pointer = dyn_cast<PointerType>(type);
  return pointer && (pointer->getAddressSpace() == lgc::AddrSpace::Global || isKernel(t));
}

/// What is known about a pointer that was a number: nothing.
void setUnknownPointer(ValueOp &op) {
  PointerInfo info;
  info.alignBytes = 1; // accesses carry an Aligned operand
  op.t.setPointerInfo(op.inst.resultId, info);
}

/// Total bits of a numeric scalar or vector type; 0 for other types.
unsigned numericBits(const Type *type) {
  return isIntShape(type) || isFloatShape(type) ? type->getScalarSizeInBits() * elementCount(type)
                                                : 0;
}

HandlerResult translateBitcast(ValueOp &op) {
  Value *x = op.args[0];
  Type *from = x->getType();
  IRBuilder<> &b = op.b;
  if (from == op.type) {
    if (from->isPointerTy())
      op.t.setPointerInfo(op.inst.resultId, op.t.pointerInfo(op.argIds[0]));
    else if (!numericBits(from))
      return wrongOperand(op, 0, "numeric scalar or vector, or pointer");
    return x;
  }
  if (isPhysicalPointer(op.t, op.type) && numericBits(from) == 64) {
    setUnknownPointer(op);
    return b.CreateIntToPtr(b.CreateBitCast(x, b.getInt64Ty()), op.type);
  }
  if (isPhysicalPointer(op.t, from) && numericBits(op.type) == 64)
    return b.CreateBitCast(b.CreatePtrToInt(x, b.getInt64Ty()), op.type);
  unsigned bits = numericBits(from);
  if (!bits || bits != numericBits(op.type))
    return wrongOperand(op, 0, "a type as wide as " + typeText(op.type));
  return b.CreateBitCast(x, op.type);
}

HandlerResult translateConvertPtrToU(ValueOp &op) {
  if (!isPhysicalPointer(op.t, op.args[0]->getType()))
    return wrongOperand(op, 0, "PhysicalStorageBuffer pointer");
  if (!op.type->isIntegerTy() || op.type->isIntegerTy(1))
    return wrongResult(op, "integer scalar");
  return op.b.CreateZExtOrTrunc(op.b.CreatePtrToInt(op.args[0], op.b.getInt64Ty()), op.type);
}

HandlerResult translateConvertUToPtr(ValueOp &op) {
  Type *from = op.args[0]->getType();
  if (!from->isIntegerTy() || from->isIntegerTy(1))
    return wrongOperand(op, 0, "integer scalar");
  if (!isPhysicalPointer(op.t, op.type))
    return wrongResult(op, "PhysicalStorageBuffer pointer");
  setUnknownPointer(op);
  return op.b.CreateIntToPtr(op.b.CreateZExtOrTrunc(op.args[0], op.b.getInt64Ty()), op.type);
}

constexpr OpEntry table[] = {
    valueOp(spv::Op::OpConvertFToU,
            number<translateFloatToInt<Instruction::FPToUI>, Sig::FloatToInt>, Sig::Any, 1),
    valueOp(spv::Op::OpConvertFToS,
            number<translateFloatToInt<Instruction::FPToSI>, Sig::FloatToInt>, Sig::Any, 1),
    valueOp(spv::Op::OpConvertSToF, number<translateIntToFloat<true>, Sig::IntToFloat>, Sig::Any,
            1),
    valueOp(spv::Op::OpConvertUToF, number<translateIntToFloat<false>, Sig::IntToFloat>, Sig::Any,
            1),
    valueOp(spv::Op::OpUConvert, integer<false>, Sig::Any, 1),
    valueOp(spv::Op::OpSConvert, integer<true>, Sig::Any, 1),
    valueOp(spv::Op::OpFConvert, number<translateFConvert, Sig::FloatToFloat>, Sig::Any, 1),
    valueOp(spv::Op::OpQuantizeToF16, translateQuantizeToF16, Sig::SameFloat, 1),
    valueOp(spv::Op::OpConvertPtrToU, translateConvertPtrToU, Sig::Any, 1),
    valueOp(spv::Op::OpConvertUToPtr, translateConvertUToPtr, Sig::Any, 1),
    valueOp(spv::Op::OpBitcast, translateBitcast, Sig::Any, 1),
};

} // namespace

ArrayRef<OpEntry> conversionOps() { return table; }

HandlerResult convertComponents(ValueOp &op) {
  const Inst *matrix = op.t.spv.definition(op.t.typeIdOf(op.argIds[0]));
  const Inst *component = op.t.spv.definition((*matrix)[0]);
  if (component->opcode != spv::Op::OpTypeInt)
    return componentwise<translateFConvert, Sig::FloatToFloat>(op);
  return (*component)[1] ? checked<translateIntToInt<true>, Sig::IntToInt>(op)
                         : checked<translateIntToInt<false>, Sig::IntToInt>(op);
}

} // namespace llpc
