//===- TensorAddressing.h - SPV_NV_tensor_addressing -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Tensor layouts and views are vectors of 32-bit numbers, of `dims` each:
///   layout  block sizes, dimensions, strides, offsets, spans, and one clamp value behind them
///   view    dimensions, strides, and first row, rows, first column, columns of the clip region
#pragma once

#include "llpc/translate/CooperativeMatrix.h"

namespace llpc {

/// Where the component of a matrix lies in a tensor; of coordinates there are as many as the layout
/// has dimensions.
struct TensorPlace {
  llvm::Value *index = nullptr;                       ///< of the element or block
  llvm::SmallVector<llvm::Value *, 5> block, inBlock; ///< coordinates
  llvm::Value *isInside = nullptr; ///< null: always; else another value stands for what is outside
  llvm::Value *isInClip = nullptr; ///< null: always; else the component is left as it is
};

/// The operands of a load or store that say where components are.
class TensorAddress {
public:
  /// Error: \p layoutId is no layout, \p viewId (0: none) no view, or they do not fit.
  static llvm::Expected<TensorAddress> make(Translator &t, const Inst &inst, Id layoutId,
                                            Id viewId);
  /// Of component (\p row, \p column) of a matrix of \p columns. What a store may not write is
  /// neither inside nor in the clip region.
  TensorPlace place(llvm::Value *row, llvm::Value *column, uint32_t columns, bool isStore) const;
  llvm::Value *clampValue() const;
  uint32_t dims() const { return layoutDims; }

private:
  explicit TensorAddress(Translator &t) : t(t) {}
  using Coordinates = llvm::SmallVector<llvm::Value *, 5>;
  llvm::Value *layoutField(uint32_t field, uint32_t dim) const;
  llvm::Value *viewField(uint32_t field, uint32_t dim) const;
  llvm::Value *throughView(llvm::Value *row, llvm::Value *column, uint32_t columns,
                           TensorPlace &place) const;
  llvm::Value *clampCoordinate(llvm::Value *coordinate, uint32_t dim, bool isStore,
                               TensorPlace &place) const;

  Translator &t;
  llvm::Value *layout = nullptr, *view = nullptr;
  uint32_t layoutDims = 0, clampMode = 0;
  bool viewHasDimensions = false;
  llvm::SmallVector<uint32_t, 5> permutation; ///< of the view
};

} // namespace llpc
