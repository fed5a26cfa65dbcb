//===- CooperativeMatrixReduce.cpp - reductions of matrices ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// OpCooperativeMatrixReduceNV: of the tiles that a wave has, then across its lanes. Waves of a
/// workgroup get all tiles first that they combine.
#include "llpc/translate/CooperativeMatrixLanes.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

constexpr unsigned side = lgc::matrixSide;

/// Combines components pairwise. Which lane has which one of a pair is not the same for both, so
/// in the end one of them gives all what it has: the function may be commutative but for rounding.
struct Reduction {
  Translator &t;
  MatrixLanes lanes;
  Function *combine;

  Value *pair(Value *a, Value *b) { return t.b.CreateCall(combine, {a, b}); }
  /// Of lanes whose numbers differ in bits from \p first to \p last.
  Value *across(Value *value, unsigned first, unsigned last) {
    for (unsigned mask = first; mask <= last; mask *= 2)
      value = pair(value, lanes.fromFlipped(value, mask));
    return value;
  }
  /// Of each row of a row of tiles, in all components of the row. \p areAlike: all rows are.
  Value *row(ArrayRef<Value *> tiles, const lgc::MatrixLayout &layout, bool areAlike) {
    Value *result = PoisonValue::get(tiles[0]->getType());
    for (unsigned i = 0; i < layout.components; ++i) {
      Value *all = t.b.CreateExtractElement(tiles[0], i);
      for (Value *tile : tiles.drop_front())
        all = pair(all, t.b.CreateExtractElement(tile, i));
      all = lanes.from(across(all, 1, side / 2), lanes.masked(~(side - 1)));
      if (areAlike)
        return t.b.CreateVectorSplat(layout.components, all);
      result = t.b.CreateInsertElement(result, all, i);
    }
    return result;
  }
  /// Of each column of a column of tiles.
  Value *column(ArrayRef<Value *> tiles, const lgc::MatrixLayout &layout) {
    Value *all = nullptr;
    for (Value *tile : tiles)
      for (unsigned i = 0; i < layout.components; ++i) {
        Value *component = t.b.CreateExtractElement(tile, i);
        all = all ? pair(all, component) : component;
      }
    all = lanes.from(across(all, side, side * groupCount(layout) / 2), lanes.masked(side - 1));
    return t.b.CreateVectorSplat(layout.components, all);
  }
  /// Of squares of 2 x 2 in a square of 2 x 2 tiles, rows of tiles first.
  Value *squares(ArrayRef<Value *> tiles, const lgc::MatrixLayout &layout) {
    MatrixLine halves[2]; // the left and right half of the result
    for (unsigned half = 0; half < 2; ++half) {
      const MatrixLine upper = lanes.columns(tiles[half], layout),
                       lower = lanes.columns(tiles[2 + half], layout);
      for (unsigned i = 0; i < side; ++i) {
        const MatrixLine &source = i < side / 2 ? upper : lower;
        Value *both = pair(source[2 * i % side], source[2 * i % side + 1]);
        halves[half][i] = pair(both, lanes.fromFlipped(both, 1));
      }
    }
    Value *column = lanes.masked(side - 1);
    Value *isRight = t.b.CreateICmpUGE(column, t.i32(side / 2));
    Value *source =
        t.b.CreateOr(lanes.masked(~(side - 1)), t.b.CreateAnd(t.b.CreateShl(column, 1), side - 1));
    MatrixLine line;
    for (unsigned i = 0; i < side; ++i)
      line[i] = t.b.CreateSelect(isRight, lanes.from(halves[1][i], source),
                                 lanes.from(halves[0][i], source));
    return lanes.pick(line, layout);
  }
};

/// An accumulator and what it is.
struct Accumulator {
  Value *value;
  MatrixType type;

  Value *tile(Translator &t, uint32_t row, uint32_t column) const {
    return tileOf(t, value, type, {row, column});
  }
};

/// Each tile of a matrix of \p type is what \p make gives for its place.
template <typename Make> Value *makeTiles(Translator &t, const MatrixType &type, Make make) {
  Value *result = PoisonValue::get(type.value);
  forEachTile(type, [&](TileIndex at) { result = withTile(t, result, type, at, make(at)); });
  return result;
}

/// \p matrix, with whole rows, or columns, of tiles in each wave.
Expected<Accumulator> gathered(Translator &t, const Inst &inst, const Accumulator &matrix,
                               bool wholeRows) {
  Accumulator result = matrix;
  MatrixExtent &extent = wholeRows ? result.type.columns : result.type.rows;
  if (extent.waves == 1)
    return result;
  extent.waves = 1;
  result.value = KILN_TRY(exchangeTiles(t, inst, matrix.value, matrix.type, result.type));
  result.type.value = cast<FixedVectorType>(result.value->getType());
  return result;
}

/// One column of tiles, of whose components each has what its row has. \p areAlike: all rows are.
Expected<Accumulator> reduceRows(Reduction &r, const Inst &inst, const Accumulator &matrix,
                                 bool areAlike) {
  const Accumulator from = KILN_TRY(gathered(r.t, inst, matrix, /*wholeRows=*/true));
  MatrixType type = from.type;
  type.columns = {};
  type.value =
      FixedVectorType::get(type.value->getElementType(), type.layout.components * type.tileCount());
  Value *result = makeTiles(r.t, type, [&](TileIndex at) {
    SmallVector<Value *, 16> tiles;
    for (uint32_t i = 0; i < from.type.columns.count(); ++i)
      tiles.push_back(from.tile(r.t, at.row, i));
    return r.row(tiles, type.layout, areAlike);
  });
  return Accumulator{result, type};
}

Expected<Accumulator> reduceColumns(Reduction &r, const Inst &inst, const Accumulator &matrix) {
  const Accumulator from = KILN_TRY(gathered(r.t, inst, matrix, /*wholeRows=*/false));
  MatrixType type = from.type;
  type.rows = {};
  type.value =
      FixedVectorType::get(type.value->getElementType(), type.layout.components * type.tileCount());
  Value *result = makeTiles(r.t, type, [&](TileIndex at) {
    SmallVector<Value *, 16> tiles;
    for (uint32_t i = 0; i < from.type.rows.count(); ++i)
      tiles.push_back(from.tile(r.t, i, at.column));
    return r.column(tiles, type.layout);
  });
  return Accumulator{result, type};
}

/// \p matrix, with those tiles in a wave of which \p result has what they become.
Expected<Accumulator> withSquares(Translator &t, const Inst &inst, const Accumulator &matrix,
                                  const MatrixType &result) {
  WaveGrid grid(t);
  auto wanted = [&](const MatrixExtent &from, const MatrixExtent &to, auto number) {
    WantedTiles tiles =
        wantedTiles(from, {2 * to.all, to.waves}, [&](uint32_t) { return nullptr; });
    if (from.count() == 2 * to.count() && from.all % from.waves == 0)
      return tiles;
    tiles = {};
    for (uint32_t i = 0; i < 2 * to.count(); ++i)
      tiles.numbers.push_back(t.b.CreateAdd(t.b.CreateShl(number(i / 2), 1), t.i32(i % 2)));
    return tiles;
  };
  const WantedTiles rows = wanted(matrix.type.rows, result.rows,
                                  [&](uint32_t i) { return grid.rowOfTile(result, i); }),
                    columns = wanted(matrix.type.columns, result.columns,
                                     [&](uint32_t i) { return grid.columnOfTile(result, i); });
  if (rows.isKept && columns.isKept)
    return matrix;
  Accumulator squares = matrix;
  squares.type.rows = {2 * result.rows.count()};
  squares.type.columns = {2 * result.columns.count()};
  squares.value =
      KILN_TRY(exchangeTiles(t, inst, matrix.value, matrix.type, squares.type, rows, columns));
  return squares;
}

Expected<Value *> reduceSquares(Reduction &r, const Inst &inst, const Accumulator &matrix,
                                const MatrixType &result) {
  if (matrix.type.rows.all != 2 * result.rows.all ||
      matrix.type.columns.all != 2 * result.columns.all)
    return r.t.invalid(inst, "the result is not half as large");
  const Accumulator from = KILN_TRY(withSquares(r.t, inst, matrix, result));
  return makeTiles(r.t, result, [&](TileIndex at) {
    SmallVector<Value *, 4> tiles;
    for (uint32_t i = 0; i < 4; ++i)
      tiles.push_back(from.tile(r.t, 2 * at.row + i / 2, 2 * at.column + i % 2));
    return r.squares(tiles, result.layout);
  });
}

Error translateReduce(Translator &t, const Inst &inst) {
  constexpr uint32_t row = 1, column = 2, square = 4;
  const MatrixType from = KILN_TRY(matrixType(t, inst, t.typeIdOf(inst[0]))),
                   to = KILN_TRY(matrixType(t, inst, inst.typeId));
  if (from.use != lgc::MatrixUse::Accumulator || to.use != lgc::MatrixUse::Accumulator ||
      !isSameComponent(from, to) || from.isWorkgroup != to.isWorkgroup)
    return t.invalid(inst, "operand and result are not accumulators of one type and scope");
  const uint32_t reduce = inst[1];
  if (!reduce || (reduce != square && reduce & ~(row | column)))
    return t.invalid(inst, "reduction " + Twine(reduce));
  if ((reduce == row && from.rows.all != to.rows.all) ||
      (reduce == column && from.columns.all != to.columns.all))
    return t.invalid(inst, "the result has other rows or columns");
  Type *component = from.value->getElementType();
  auto combine = KILN_TRY(componentFunction(t, inst, component, {component, component}));
  Accumulator matrix{KILN_TRY(t.value(inst[0])), from};
  Reduction r{t, MatrixLanes(t), combine};
  if (reduce == square)
    return t.setValue(inst, KILN_TRY(reduceSquares(r, inst, matrix, to)));
  if (reduce & column)
    matrix = KILN_TRY(reduceColumns(r, inst, matrix));
  if (reduce & row)
    matrix = KILN_TRY(reduceRows(r, inst, matrix, /*areAlike=*/reduce & column));
  return t.setValue(inst, makeTiles(t, to, [&](TileIndex at) {
                      return matrix.tile(t, reduce & column ? 0 : at.row,
                                         reduce & row ? 0 : at.column);
                    }));
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpCooperativeMatrixReduceNV, translateReduce),
};

} // namespace

ArrayRef<OpEntry> cooperativeMatrixReduceOps() { return table; }

} // namespace llpc
