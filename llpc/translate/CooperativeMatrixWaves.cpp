//===- CooperativeMatrixWaves.cpp - matrices of workgroups -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Tiles that other waves have go through shared memory, of which each wave has a tile. All waves
/// write one of theirs, and read those of the others that they want, again and again:
///   for each tile of a wave:
///     barrier, tile -> LDS[wave], barrier
///     for each wave whose tile may be wanted: LDS[that wave] -> result
/// Which tile a wave has is known but for the wave, so that loops are unrolled, and indices
/// constant.
#include "llpc/translate/Barrier.h"
#include "llpc/translate/CooperativeMatrix.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

constexpr uint32_t tileSize = lgc::matrixSide * lgc::matrixSide;

void barrier(Translator &t) {
  createWorkgroupBarrier(t, {.acquire = true, .release = true, .workgroupMemory = true});
}

class Exchange {
public:
  Exchange(Translator &t, const Inst &inst, const MatrixType &from, const MatrixType &to,
           bool transposes)
      : t(t), inst(inst), from(from), to(to), transposes(transposes), grid(t) {}

  Error allocate();
  Value *run(Value *value, const WantedTiles &rows, const WantedTiles &columns);

private:
  /// A tile that a wave has written: which one it is, and which wave.
  struct Written {
    TileIndex tile; ///< of the matrix, in a direction that is not kept
    Value *wave;
  };
  SmallVector<Written, 16> written(TileIndex step, bool keepsRows, bool keepsColumns);
  TileMemory memoryOf(Value *wave, const MatrixType &type, bool rowMajor);
  Value *add(Value *result, Value *tile, TileIndex number, const WantedTiles &rows,
             const WantedTiles &columns);

  Translator &t;
  const Inst &inst;
  const MatrixType &from, &to;
  bool transposes;
  WaveGrid grid;
  GlobalVariable *memory = nullptr;
  uint64_t tileBytes = 0;
};

/// All exchanges of a shader share the memory.
Error Exchange::allocate() {
  Translator::State &s = t.internals();
  const uint64_t componentBytes = from.value->getScalarSizeInBits() / 8;
  if (componentBytes > 4)
    return t.unsupportedOp(inst, "components of 64 bits that go to other waves");
  tileBytes = componentBytes * tileSize;
  if (!s.matrixTiles) {
    const uint64_t bytes = uint64_t(4) * tileSize * grid.waves();
    s.workgroupBytes += bytes;
    if (s.workgroupBytes > limits::maxWorkgroupBytes)
      return lgc::limitExceeded(spirv::place(inst) +
                                ": workgroup memory, with what matrices need, exceeds " +
                                Twine(limits::maxWorkgroupBytes) + " bytes");
    auto *type = ArrayType::get(t.b.getInt8Ty(), bytes);
    s.matrixTiles = new GlobalVariable(*t.module, type, false, GlobalValue::InternalLinkage,
                                       UndefValue::get(type), "matrix.tiles", nullptr,
                                       GlobalValue::NotThreadLocal, lgc::AddrSpace::Local);
    s.matrixTiles->setAlignment(Align(16));
  }
  memory = s.matrixTiles;
  return Error::success();
}

TileMemory Exchange::memoryOf(Value *wave, const MatrixType &type, bool rowMajor) {
  Value *pointer = t.b.CreateGEP(t.b.getInt8Ty(), memory, t.b.CreateMul(wave, t.i32(tileBytes)));
  return {t,        inst,
          type,     {pointer, spv::StorageClass::Workgroup, {}},
          rowMajor, t.i32(tileBytes / lgc::matrixSide)};
}

SmallVector<Exchange::Written, 16> Exchange::written(TileIndex step, bool keepsRows,
                                                     bool keepsColumns) {
  SmallVector<Written, 16> result;
  for (uint32_t row = 0; row < (keepsRows ? 1 : from.rows.waves); ++row)
    for (uint32_t column = 0; column < (keepsColumns ? 1 : from.columns.waves); ++column) {
      const TileIndex tile{row * from.rows.count() + step.row,
                           column * from.columns.count() + step.column};
      if ((!keepsRows && tile.row >= from.rows.all) ||
          (!keepsColumns && tile.column >= from.columns.all))
        continue; // the last one, which is there already
      Value *gridRow = keepsRows ? grid.row() : t.i32(row);
      Value *gridColumn = keepsColumns ? grid.column() : t.i32(column);
      Value *first = t.b.CreateMul(gridRow, t.i32(grid.columns()));
      result.push_back({tile, t.b.CreateAdd(first, gridColumn)});
    }
  return result;
}

/// \p tile in all places of \p result where tile \p number is wanted.
Value *Exchange::add(Value *result, Value *tile, TileIndex number, const WantedTiles &rows,
                     const WantedTiles &columns) {
  IRBuilder<> &b = t.b;
  auto isWanted = [&](const WantedTiles &wanted, uint32_t index, uint32_t which) -> Value * {
    if (wanted.isKept)
      return b.getInt1(index == which);
    return b.CreateICmpEQ(wanted.numbers[index], t.i32(which));
  };
  forEachTile(to, [&](TileIndex at) {
    Value *hasRow = isWanted(rows, at.row, number.row);
    Value *hasColumn = isWanted(columns, at.column, number.column);
    if (hasRow == b.getFalse() || hasColumn == b.getFalse())
      return;
    Value *old = tileOf(t, result, to, at);
    Value *isHere = b.CreateAnd(hasRow, hasColumn);
    result = withTile(t, result, to, at, b.CreateSelect(isHere, tile, old));
  });
  return result;
}

Value *Exchange::run(Value *value, const WantedTiles &rows, const WantedTiles &columns) {
  Value *result = PoisonValue::get(to.value);
  forEachTile(from, [&](TileIndex step) {
    barrier(t);
    memoryOf(grid.wave(), from, /*rowMajor=*/true).store(tileOf(t, value, from, step));
    barrier(t);
    for (auto [tile, wave] : written(step, rows.isKept, columns.isKept)) {
      TileIndex number{rows.isKept ? step.row : tile.row,
                       columns.isKept ? step.column : tile.column};
      if (transposes)
        std::swap(number.row, number.column);
      result = add(result, memoryOf(wave, to, !transposes).load(), number, rows, columns);
    }
  });
  return result;
}

} // namespace

WantedTiles wantedTiles(const MatrixExtent &from, const MatrixExtent &to,
                        function_ref<Value *(uint32_t)> number) {
  WantedTiles wanted;
  wanted.isKept = from.waves == to.waves && from.all == to.all;
  for (uint32_t i = 0; !wanted.isKept && i < to.count(); ++i)
    wanted.numbers.push_back(number(i));
  return wanted;
}

Expected<Value *> exchangeTiles(Translator &t, const Inst &inst, Value *value,
                                const MatrixType &from, MatrixType to, const WantedTiles &rows,
                                const WantedTiles &columns, bool transposes) {
  to.value = FixedVectorType::get(value->getType()->getScalarType(),
                                  to.layout.components * to.tileCount());
  MatrixType source = from;
  source.value = cast<FixedVectorType>(value->getType());
  Exchange exchange(t, inst, source, to, transposes);
  KILN_TRY(exchange.allocate());
  return exchange.run(value, rows, columns);
}

Expected<Value *> exchangeTiles(Translator &t, const Inst &inst, Value *value,
                                const MatrixType &from, const MatrixType &to, bool transposes) {
  WaveGrid grid(t);
  WantedTiles rows =
      wantedTiles(from.rows, to.rows, [&](uint32_t i) { return grid.rowOfTile(to, i); });
  WantedTiles columns =
      wantedTiles(from.columns, to.columns, [&](uint32_t i) { return grid.columnOfTile(to, i); });
  if (transposes) { // nobody has what it had
    const MatrixExtent none{0, 0};
    rows = wantedTiles(none, to.rows, [&](uint32_t i) { return grid.rowOfTile(to, i); });
    columns = wantedTiles(none, to.columns, [&](uint32_t i) { return grid.columnOfTile(to, i); });
  }
  return exchangeTiles(t, inst, value, from, to, rows, columns, transposes);
}

} // namespace llpc
