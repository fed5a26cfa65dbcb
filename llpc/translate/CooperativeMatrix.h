//===- CooperativeMatrix.h - what a lane has of a cooperative matrix -------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/CooperativeMatrix.h"
#include "lgc/SmallFloats.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "llvm/IR/DerivedTypes.h"

namespace llpc {

struct MatrixType {
  llvm::FixedVectorType *value; ///< a lane's components
  lgc::MatrixUse use;
  lgc::MatrixLayout layout;
  std::optional<lgc::SmallFloat> small;

  bool is(lgc::SmallFloat kind) const { return small == kind; }
  bool isFloat8() const { return is(lgc::SmallFloat::E4M3) || is(lgc::SmallFloat::E5M2); }
  bool isHalf() const { return value->getElementType()->isHalfTy(); }
  bool isFloat() const { return value->getElementType()->isFloatTy(); }
  bool isInteger(unsigned bits) const {
    return !small && value->getElementType()->isIntegerTy(bits);
  }
};

/// Error: \p typeId is no cooperative matrix.
llvm::Expected<MatrixType> matrixType(Translator &t, const Inst &place, Id typeId);

/// Where the components of this lane are: `inner` of all, `outer` of component 0
/// (lgc::MatrixLayout).
struct LanePlace {
  llvm::Value *inner;
  llvm::Value *outer;
};
LanePlace lanePlace(Translator &t, const lgc::MatrixLayout &layout);

/// CooperativeMatrixLanes.cpp
/// The matrix \p value of type \p from in the places of \p to; the components are of one type,
/// whichever that is. \p from is an accumulator, as \p to, or `to` is A or B.
llvm::Value *changeMatrixUse(Translator &t, llvm::Value *value, const MatrixType &from,
                             const MatrixType &to);
/// A conversion of matrices by \p convert, from one use to another if the types have two. Errors:
/// one is no matrix, and those of \p convert.
HandlerResult convertMatrix(ValueOp &op, ValueHandler convert);

/// Conversion.cpp
/// Components of a matrix in the type that \p op has: of floats to floats, or of integers to
/// integers, by the sign that the operand's have.
HandlerResult convertComponents(ValueOp &op);

} // namespace llpc
