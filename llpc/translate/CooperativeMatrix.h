//===- CooperativeMatrix.h - what a lane has of a cooperative matrix -------===//
// SPDX-License-Identifier: MIT
/// \file
/// A cooperative matrix consists of tiles of 16 x 16 components, which lie across a wave as
/// lgc/CooperativeMatrix.h says. A matrix of a subgroup has all of its tiles there. The waves of a
/// workgroup are a grid, and have of its matrices
///     accumulators  the rows of tiles of their row of the grid, and columns of their column,
///     A             these rows, all columns,
///     B             all rows, these columns,
/// so that products need nothing of other waves.
#pragma once

#include "lgc/CooperativeMatrix.h"
#include "lgc/SmallFloats.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "llvm/IR/DerivedTypes.h"

namespace llpc {

/// Rows, or columns, of tiles.
struct MatrixExtent {
  uint32_t all = 1;   ///< of the matrix
  uint32_t waves = 1; ///< that they are dealt to

  /// That one wave has. The last waves have the last one again, if there are not as many.
  uint32_t count() const { return llvm::divideCeil(all, waves); }
};

struct MatrixType {
  llvm::FixedVectorType *value; ///< a lane's components, tile by tile, rows of tiles first
  lgc::MatrixUse use;
  lgc::MatrixLayout layout; ///< of each tile
  std::optional<lgc::SmallFloat> small;
  MatrixExtent rows, columns;
  bool isWorkgroup = false; ///< its scope

  uint32_t tileCount() const { return rows.count() * columns.count(); }
  bool is(lgc::SmallFloat kind) const { return small == kind; }
  bool isFloat8() const { return is(lgc::SmallFloat::E4M3) || is(lgc::SmallFloat::E5M2); }
  bool isHalf() const { return value->getElementType()->isHalfTy(); }
  bool isFloat() const { return value->getElementType()->isFloatTy(); }
  bool isInteger(unsigned bits) const {
    return !small && value->getElementType()->isIntegerTy(bits);
  }
  llvm::FixedVectorType *tileType() const {
    return llvm::FixedVectorType::get(value->getElementType(), layout.components);
  }
};

/// Error: \p typeId is no cooperative matrix, or one that is not supported.
llvm::Expected<MatrixType> matrixType(Translator &t, const Inst &place, Id typeId);

inline bool isSameShape(const MatrixType &a, const MatrixType &b) {
  return a.rows.all == b.rows.all && a.columns.all == b.columns.all &&
         a.isWorkgroup == b.isWorkgroup;
}

/// A tile of those that a wave has.
struct TileIndex {
  uint32_t row, column;
};
/// \p visit (TileIndex) each tile of a wave.
template <typename Visit> void forEachTile(const MatrixType &type, Visit visit) {
  for (uint32_t row = 0; row < type.rows.count(); ++row)
    for (uint32_t column = 0; column < type.columns.count(); ++column)
      visit(TileIndex{row, column});
}
/// The lane's components of a tile of \p matrix, and \p matrix with them replaced.
llvm::Value *tileOf(Translator &t, llvm::Value *matrix, const MatrixType &type, TileIndex index);
llvm::Value *withTile(Translator &t, llvm::Value *matrix, const MatrixType &type, TileIndex index,
                      llvm::Value *tile);

/// Which waves of a workgroup have what.
class WaveGrid {
public:
  explicit WaveGrid(Translator &t) : t(t) {}
  /// Of all rows or columns of tiles, the number of the \p index-th that this wave has.
  llvm::Value *rowOfTile(const MatrixType &type, uint32_t index);
  llvm::Value *columnOfTile(const MatrixType &type, uint32_t index);
  llvm::Value *row();    ///< of this wave
  llvm::Value *column(); ///< of this wave
  llvm::Value *wave();   ///< this one, its number
  uint32_t waves() const;
  uint32_t columns() const; ///< as many as there are rows, or fewer

private:
  llvm::Value *dealt(const MatrixExtent &extent, llvm::Value *wave, uint32_t index);
  Translator &t;
};

/// Where the components of this lane are in a tile: `inner` of all, `outer` of component 0
/// (lgc::MatrixLayout).
struct LanePlace {
  llvm::Value *inner;
  llvm::Value *outer;
};
LanePlace lanePlace(Translator &t, const lgc::MatrixLayout &layout);

/// Where the lane's components of a tile are in the matrix.
class TilePlace {
public:
  TilePlace(Translator &t, const MatrixType &type, TileIndex index);
  llvm::Value *row(unsigned component) const;
  llvm::Value *column(unsigned component) const;

private:
  llvm::Value *further(llvm::Value *place, unsigned component) const;
  Translator &t;
  const MatrixType &type;
  llvm::Value *firstRow, *firstColumn;
};

/// Error: matrices are not loaded from, or stored to, pointers of \p storage.
llvm::Error checkMatrixStorage(Translator &t, const Inst &inst, spv::StorageClass storage);

/// A tile in memory, in rows or columns that are `strideBytes` apart (CooperativeMatrixAccess.cpp).
struct TileMemory {
  Translator &t;
  const Inst &inst;
  const MatrixType &type;
  Translator::Place memory; ///< where its first component is
  bool rowMajor;
  llvm::Value *strideBytes; ///< as wide as offsets are

  llvm::Value *load();
  void store(llvm::Value *tile);

private:
  struct Places;
  Places places();
  uint64_t componentBytes() const { return type.value->getScalarSizeInBits() / 8; }
  llvm::Value *offset(uint64_t value) {
    return llvm::ConstantInt::get(strideBytes->getType(), value);
  }
};

/// CooperativeMatrixLanes.cpp
/// A conversion of matrices by \p convert, from one use to another if the types have two. Errors:
/// one is no matrix, and those of \p convert.
HandlerResult convertMatrix(ValueOp &op, ValueHandler convert);

/// CooperativeMatrixWaves.cpp
/// Which rows or columns of tiles a wave wants.
struct WantedTiles {
  bool isKept = false;                          ///< those that it has
  llvm::SmallVector<llvm::Value *, 16> numbers; ///< else of all of the matrix, by index in the wave
};
/// Of \p to, of which `number` says which its wave wants, where there is \p from.
WantedTiles wantedTiles(const MatrixExtent &from, const MatrixExtent &to,
                        llvm::function_ref<llvm::Value *(uint32_t)> number);
/// The accumulator \p value of type \p from, as the waves of a workgroup want it: how tiles lie in
/// a wave, and how many there are, is that of \p to. With \p transposes, tile (i, j) and what is
/// in it is at (j, i). Errors: shared memory is too small, components are of 64 bits.
llvm::Expected<llvm::Value *> exchangeTiles(Translator &t, const Inst &inst, llvm::Value *value,
                                            const MatrixType &from, MatrixType to,
                                            const WantedTiles &rows, const WantedTiles &columns,
                                            bool transposes = false);
/// The same, as waves have \p to.
llvm::Expected<llvm::Value *> exchangeTiles(Translator &t, const Inst &inst, llvm::Value *value,
                                            const MatrixType &from, const MatrixType &to,
                                            bool transposes = false);

/// The function of components that \p inst calls. Errors: its parameters are not \p parameters, or
/// it does not return a component.
llvm::Expected<llvm::Function *> componentFunction(Translator &t, const Inst &inst,
                                                   llvm::Type *component,
                                                   llvm::ArrayRef<llvm::Type *> parameters);

/// Conversion.cpp
/// Components of a matrix in the type that \p op has: of floats to floats, or of integers to
/// integers, by the sign that the operand's have.
HandlerResult convertComponents(ValueOp &op);

} // namespace llpc
