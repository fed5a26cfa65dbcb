//===- ValueHelpers.h - what the value instruction handlers share ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Type predicates, operand errors and small builders for the handlers of value instructions
/// (Arithmetic, Bit, Conversion, Relational, Composite, GLSL.std.450, ...).
#pragma once

#include "lgc/SmallFloats.h"
#include "llpc/translate/Translator.h"
#include "llvm/IR/Intrinsics.h"
#include <optional>

namespace llpc {

using HandlerResult = llvm::Expected<llvm::Value *>;

/// Scalars and vectors of the SPIR-V kinds. Bool is i1, which no integer type may be.
bool isIntShape(const llvm::Type *type);
bool isFloatShape(const llvm::Type *type); ///< half, float or double
bool isBoolShape(const llvm::Type *type);
/// Both scalars, or vectors of equal length; the element types may differ.
bool sameShape(const llvm::Type *a, const llvm::Type *b);
/// Number of vector elements; 1 for everything else.
unsigned elementCount(const llvm::Type *type);

/// `element`, or a vector of it as long as `shape`.
llvm::Type *withShapeOf(llvm::Type *element, const llvm::Type *shape);

/// What a scalar type, or the components of a vector or cooperative matrix, are when they are
/// integers in LLVM only.
std::optional<lgc::SmallFloat> smallFloatOf(const Translator &t, Id typeId);

/// A matrix is an array of 2 to 4 vectors of 2 to 4 floats.
struct MatrixShape {
  unsigned columns;
  unsigned rows;
  llvm::Type *element;
  llvm::FixedVectorType *column;
};
std::optional<MatrixShape> matrixShape(llvm::Type *type);

std::string typeText(const llvm::Type *type);

/// "OpIAdd %12 (word 88): operand 1 has type <4 x float>, expected <expected>"
llvm::Error wrongOperand(const ValueOp &op, unsigned index, const llvm::Twine &expected);
/// "...: result has type float, expected <expected>"
llvm::Error wrongResult(const ValueOp &op, const llvm::Twine &expected);
/// Error unless operand `index` has exactly this type.
llvm::Error expectOperand(const ValueOp &op, unsigned index, llvm::Type *type);
llvm::Error expectResult(const ValueOp &op, llvm::Type *type);

/// A constant of a float scalar or vector type.
llvm::Constant *floatConstant(llvm::Type *type, double value);
/// A constant of an integer scalar or vector type (sign extended).
llvm::Constant *intConstant(llvm::Type *type, int64_t value);

/// The handler of an instruction that is one of LLVM's.
template <llvm::Instruction::BinaryOps Opcode> HandlerResult binary(ValueOp &op) {
  return op.b.CreateBinOp(Opcode, op.args[0], op.args[1]);
}

/// An intrinsic overloaded on its operand type alone.
llvm::Value *unaryIntrinsic(ValueOp &op, llvm::Intrinsic::ID id, llvm::Value *value);
llvm::Value *binaryIntrinsic(ValueOp &op, llvm::Intrinsic::ID id, llvm::Value *a, llvm::Value *b);

/// While alive, f16 and f32 operations may use the hardware's approximations (1 ULP reciprocal,
/// square root, exp2, log2; no range handling). Why regardless of NoContraction and float controls:
/// those never ask for more precision than Vulkan's "Precision of SPIR-V Instructions" does.
class ApproxScope {
public:
  /// \p isRoot: only divisions and square roots follow.
  ApproxScope(ValueOp &op, const llvm::Type *type, bool isRoot = false);

private:
  llvm::IRBuilderBase::FastMathFlagGuard guard;
};

/// While alive, operations carry no fast-math flags.
class ExactScope {
public:
  explicit ExactScope(ValueOp &op) : guard(op.b) { op.b.clearFastMathFlags(); }

private:
  llvm::IRBuilderBase::FastMathFlagGuard guard;
};

/// x / y as reciprocal and product for f16 and f32, exact for f64.
llvm::Value *divideFloat(ValueOp &op, llvm::Value *x, llvm::Value *y);
/// Sum of products of two equally long float vectors (or the product of two scalars).
llvm::Value *dotFloat(ValueOp &op, llvm::Value *a, llvm::Value *b);
/// a * b + c of its three operands, rounded once.
llvm::Value *fusedMultiplyAdd(ValueOp &op);
llvm::Value *squareRoot(ValueOp &op, llvm::Value *x);
llvm::Value *inverseSquareRoot(ValueOp &op, llvm::Value *x);
/// Copies a scalar into every element of `vectorType`, or returns it when that is a scalar type.
llvm::Value *splatTo(ValueOp &op, llvm::Value *scalar, llvm::Type *vectorType);
/// f32 or f64 to f16, or f64 to f32, rounded toward zero; scalars and vectors.
llvm::Value *truncateTowardZero(ValueOp &op, llvm::Value *value, llvm::Type *type);
/// The same in any rounding mode but to nearest.
llvm::Value *truncateDirected(ValueOp &op, llvm::Value *value, llvm::Type *type,
                              spv::FPRoundingMode rounding);
/// The next float beyond \p value, away from zero, where \p condition says so.
llvm::Value *nextOutward(ValueOp &op, llvm::Value *value, llvm::Value *condition);
/// The bits of `magnitude`, not negative, that a float of `precision` bits has: the conversion of
/// the rest is exact, whether the compiler folds it or the hardware does it in any mode.
llvm::Value *leadingBits(llvm::IRBuilder<> &b, llvm::Value *magnitude, unsigned precision);
/// A conversion from or to smallFloatOf() numbers.
HandlerResult convertSmallFloat(ValueOp &op);
/// OpDot of vectors of BF16.
HandlerResult dotSmallFloat(ValueOp &op);
/// Integer scalar or vector to 32-bit unsigned elements.
llvm::Value *toU32(ValueOp &op, llvm::Value *value);

} // namespace llpc
