//===- CooperativeMatrixLanes.h - components that go to other lanes --------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/translate/CooperativeMatrix.h"
#include <array>

namespace llpc {

/// All rows of a column in each lane, that of l % 16; or all columns of a row.
using MatrixLine = std::array<llvm::Value *, lgc::matrixSide>;

/// Lanes of 16 that share a tile of an accumulator.
inline unsigned groupCount(const lgc::MatrixLayout &accumulator) {
  return lgc::matrixSide / accumulator.components;
}

class MatrixLanes {
public:
  explicit MatrixLanes(Translator &t) : t(t), b(t.b) {
    lane = t.op(lgc::OpId::BuiltinOp, b.getInt32Ty(),
                {t.i32(static_cast<uint32_t>(lgc::BuiltIn::SubgroupLocalInvocationId))});
  }

  /// The columns of a tile of an accumulator.
  MatrixLine columns(llvm::Value *accumulator, const lgc::MatrixLayout &layout);
  MatrixLine transpose(MatrixLine line);
  /// The components of \p layout that a lane has, of a line of all.
  llvm::Value *pick(const MatrixLine &line, const lgc::MatrixLayout &layout);
  llvm::Value *from(llvm::Value *value, llvm::Value *source);
  llvm::Value *fromFlipped(llvm::Value *value, unsigned mask);
  /// The lane's number, masked.
  llvm::Value *masked(unsigned mask) { return b.CreateAnd(lane, mask); }

private:
  llvm::Value *words(llvm::Value *vector);
  template <typename Values> void exchange(Values &values, unsigned mask, unsigned laneMask);

  Translator &t;
  llvm::IRBuilder<> &b;
  llvm::Value *lane;
};

/// Are components of one type?
inline bool isSameComponent(const MatrixType &a, const MatrixType &b) {
  return a.value->getElementType() == b.value->getElementType() && a.small == b.small;
}

} // namespace llpc
