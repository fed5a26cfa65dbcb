//===- Signature.cpp - operand checks and helpers of value instructions ---===//
// SPDX-License-Identifier: MIT
/// \file
/// checkSignature() stands between a module of unknown quality and the handlers: once it returns
/// success a handler can build LLVM IR from op.args without being able to make ill-typed IR. The
/// rules speak of LLVM types, so signedness (which SPIR-V leaves free nearly everywhere) is no
/// subject; matrices are arrays of vectors and never match a scalar or vector rule.
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace llpc {

bool isIntShape(const Type *type) {
  return type->isIntOrIntVectorTy() && type->getScalarSizeInBits() > 1;
}

bool isFloatShape(const Type *type) {
  const Type *scalar = type->getScalarType();
  return scalar->isHalfTy() || scalar->isFloatTy() || scalar->isDoubleTy();
}

bool isBoolShape(const Type *type) { return type->isIntOrIntVectorTy(1); }

unsigned elementCount(const Type *type) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

bool sameShape(const Type *a, const Type *b) {
  return a->isVectorTy() == b->isVectorTy() && elementCount(a) == elementCount(b);
}

Type *withShapeOf(Type *element, const Type *shape) {
  const auto *vector = dyn_cast<FixedVectorType>(shape);
  return vector ? FixedVectorType::get(element, vector->getNumElements()) : element;
}

std::optional<MatrixShape> matrixShape(Type *type) {
  auto *array = dyn_cast<ArrayType>(type);
  auto *column = array ? dyn_cast<FixedVectorType>(array->getElementType()) : nullptr;
  if (!column || !isFloatShape(column))
    return std::nullopt;
  uint64_t columns = array->getNumElements();
  unsigned rows = column->getNumElements();
  if (columns < 2 || columns > 4 || rows < 2 || rows > 4)
    return std::nullopt;
  return MatrixShape{static_cast<unsigned>(columns), rows, column->getElementType(), column};
}

std::string typeText(const Type *type) {
  std::string text;
  raw_string_ostream(text) << *type;
  return text;
}

Error wrongOperand(const ValueOp &op, unsigned index, const Twine &expected) {
  return op.t.invalid(op.inst, "operand " + Twine(index) + " has type " +
                                   typeText(op.args[index]->getType()) + ", expected " + expected);
}

Error wrongResult(const ValueOp &op, const Twine &expected) {
  return op.t.invalid(op.inst, "result has type " + typeText(op.type) + ", expected " + expected);
}

Error expectOperand(const ValueOp &op, unsigned index, Type *type) {
  return op.args[index]->getType() == type ? Error::success()
                                           : wrongOperand(op, index, typeText(type));
}

Error expectResult(const ValueOp &op, Type *type) {
  return op.type == type ? Error::success() : wrongResult(op, typeText(type));
}

namespace {

using Predicate = bool (*)(const Type *);

Error checkSameType(const ValueOp &op, Predicate isKind, const char *kind) {
  if (!isKind(op.type))
    return wrongResult(op, kind);
  for (unsigned i = 0; i < op.args.size(); ++i)
    KILN_TRY(expectOperand(op, i, op.type));
  return Error::success();
}

Error checkCompare(const ValueOp &op, Predicate isKind, const char *kind) {
  if (!isBoolShape(op.type))
    return wrongResult(op, "bool scalar or vector");
  for (unsigned i = 0; i < op.args.size(); ++i) {
    Type *type = op.args[i]->getType();
    if (!isKind(type) || !sameShape(type, op.type))
      return wrongOperand(op, i,
                          Twine(kind) + " of " + Twine(elementCount(op.type)) + " component(s)");
    if (i != 0)
      KILN_TRY(expectOperand(op, i, op.args[0]->getType()));
  }
  return Error::success();
}

Error checkConvert(const ValueOp &op, Predicate isFrom, const char *from, Predicate isTo,
                   const char *to) {
  if (!isTo(op.type))
    return wrongResult(op, to);
  for (unsigned i = 0; i < op.args.size(); ++i) {
    Type *type = op.args[i]->getType();
    if (!isFrom(type) || !sameShape(type, op.type))
      return wrongOperand(op, i,
                          Twine(from) + " of " + Twine(elementCount(op.type)) + " component(s)");
  }
  return Error::success();
}

Error checkShift(const ValueOp &op) {
  if (!isIntShape(op.type))
    return wrongResult(op, "integer scalar or vector");
  KILN_TRY(expectOperand(op, 0, op.type));
  Type *amount = op.args[1]->getType();
  if (!isIntShape(amount) || !sameShape(amount, op.type))
    return wrongOperand(op, 1, "integer of " + Twine(elementCount(op.type)) + " component(s)");
  return Error::success();
}

/// Integers of LLVM that are floats of SPIR-V have no arithmetic.
Error checkSmallFloats(const ValueOp &op, Sig signature) {
  const bool takesIntegers = signature == Sig::SameInt || signature == Sig::IntCompare ||
                             signature == Sig::ShiftInt || signature == Sig::IntToInt;
  if (!takesIntegers || !op.t.internals().hasSmallFloats)
    return Error::success();
  for (unsigned i = 0; i < op.argIds.size(); ++i)
    if (smallFloatOf(op.t, op.t.typeIdOf(op.argIds[i])))
      return wrongOperand(op, i, "integer");
  return smallFloatOf(op.t, op.inst.typeId) ? wrongResult(op, "integer") : Error::success();
}

} // namespace

Error checkSignature(const ValueOp &op, Sig signature) {
  constexpr const char *intKind = "integer scalar or vector";
  constexpr const char *floatKind = "float scalar or vector";
  size_t needed = signature == Sig::ShiftInt ? 2 : signature == Sig::Any ? 0 : 1;
  if (op.args.size() < needed)
    return op.t.invalid(op.inst,
                        Twine(op.args.size()) + " operand(s), expected at least " + Twine(needed));
  KILN_TRY(checkSmallFloats(op, signature));
  switch (signature) {
  case Sig::Any:
    return Error::success();
  case Sig::SameInt:
    return checkSameType(op, isIntShape, intKind);
  case Sig::SameFloat:
    return checkSameType(op, isFloatShape, floatKind);
  case Sig::SameBool:
    return checkSameType(op, isBoolShape, "bool scalar or vector");
  case Sig::IntCompare:
    return checkCompare(op, isIntShape, "integer");
  case Sig::FloatCompare:
  case Sig::FloatTest:
    return checkCompare(op, isFloatShape, "float");
  case Sig::ShiftInt:
    return checkShift(op);
  case Sig::IntToFloat:
    return checkConvert(op, isIntShape, "integer", isFloatShape, floatKind);
  case Sig::FloatToInt:
    return checkConvert(op, isFloatShape, "float", isIntShape, intKind);
  case Sig::IntToInt:
    return checkConvert(op, isIntShape, "integer", isIntShape, intKind);
  case Sig::FloatToFloat:
    return checkConvert(op, isFloatShape, "float", isFloatShape, floatKind);
  }
  KILN_ICE("unknown signature");
}

} // namespace llpc
