//===- CooperativeMatrixLanes.cpp - SPV_NV_cooperative_matrix2 -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What is done to matrices beyond products: components that go to the lanes that have them in
/// another use, reductions, and calls of a function for each component.
#include "llpc/translate/CooperativeMatrixLanes.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

constexpr unsigned side = lgc::matrixSide;

/// Where an accumulator has a row: which of the groups, and which of their components.
struct RowPlace {
  unsigned group, component;
};

RowPlace rowPlace(const lgc::MatrixLayout &accumulator, unsigned row) {
  const unsigned groups = groupCount(accumulator);
  if (accumulator.first == lgc::MatrixLayout::First::Group)
    return {row % groups, row / groups};
  const unsigned group = (row >> 3 & 1) | (groups == 4 ? (row >> 2 & 1) << 1 : 0);
  return {group, row % accumulator.components};
}

} // namespace

/// A vector as dwords, if it fills them.
Value *MatrixLanes::words(Value *vector) {
  const unsigned bits = vector->getType()->getPrimitiveSizeInBits().getFixedValue();
  if (bits % 32 || !vector->getType()->isVectorTy())
    return vector;
  Type *word = b.getInt32Ty();
  return b.CreateBitCast(vector, bits == 32 ? word : FixedVectorType::get(word, bits / 32));
}

Value *MatrixLanes::from(Value *value, Value *source) {
  Value *moved = words(value);
  moved = t.op(lgc::OpId::SubgroupShuffleOp, moved->getType(), {moved, source});
  return b.CreateBitCast(moved, value->getType());
}

Value *MatrixLanes::fromFlipped(Value *value, unsigned mask) {
  return t.op(lgc::OpId::SubgroupShuffleXorOp, value->getType(), {value, t.i32(mask)});
}

MatrixLine MatrixLanes::columns(Value *accumulator, const lgc::MatrixLayout &layout) {
  SmallVector<Value *, 4> groups;
  for (unsigned i = 0; i < groupCount(layout); ++i)
    groups.push_back(from(accumulator, b.CreateOr(masked(side - 1), i * side)));
  MatrixLine line;
  for (unsigned row = 0; row < side; ++row) {
    const RowPlace place = rowPlace(layout, row);
    line[row] = b.CreateExtractElement(groups[place.group], place.component);
  }
  return line;
}

/// Bit `mask` of the index changes places with bit `laneMask` of the lane's number.
template <typename Values>
void MatrixLanes::exchange(Values &values, unsigned mask, unsigned laneMask) {
  Value *isHigh = b.CreateICmpNE(masked(laneMask), t.i32(0));
  for (unsigned i = 0; i < values.size(); ++i) {
    if (i & mask)
      continue;
    Value *&low = values[i], *&high = values[i | mask];
    Value *got = fromFlipped(b.CreateSelect(isHigh, low, high), laneMask);
    low = b.CreateSelect(isHigh, got, low);
    high = b.CreateSelect(isHigh, high, got);
  }
}

/// In each of the groups of 16 lanes that have a whole matrix. As many numbers as fill a dword move
/// together while their indices differ in no bit that is exchanged.
MatrixLine MatrixLanes::transpose(MatrixLine line) {
  Type *type = line[0]->getType();
  const unsigned bits = type->getPrimitiveSizeInBits().getFixedValue(),
                 perWord = bits < 32 ? 32 / bits : 1;
  SmallVector<Value *, side> packed;
  auto *pack = FixedVectorType::get(type, perWord);
  for (unsigned i = 0; i < side; i += perWord) {
    Value *word = PoisonValue::get(pack);
    for (unsigned j = 0; j < perWord; ++j)
      word = b.CreateInsertElement(word, line[i + j], j);
    packed.push_back(perWord > 1 ? b.CreateBitCast(word, b.getInt32Ty()) : line[i]);
  }
  for (unsigned mask = side / 2; mask >= perWord; mask /= 2)
    exchange(packed, mask / perWord, mask);
  for (unsigned i = 0; i < side; ++i) {
    Value *word = packed[i / perWord];
    line[i] = perWord > 1 ? b.CreateExtractElement(b.CreateBitCast(word, pack), i % perWord) : word;
  }
  for (unsigned mask = perWord / 2; mask; mask /= 2)
    exchange(line, mask, mask);
  return line;
}

Value *MatrixLanes::pick(const MatrixLine &line, const lgc::MatrixLayout &layout) {
  Value *result = PoisonValue::get(FixedVectorType::get(line[0]->getType(), layout.components));
  for (unsigned i = 0; i < layout.components; ++i) {
    Value *component = line[i];
    // Before gfx12 lanes have all of A and B; there these lie as accumulators do.
    for (unsigned index = 0; layout.first != lgc::MatrixLayout::First::Zero && index < side;
         ++index) {
      const RowPlace place = rowPlace(layout, index);
      if (place.component != i)
        continue;
      Value *isGroup = b.CreateICmpEQ(b.CreateLShr(lane, 4), t.i32(place.group));
      component = b.CreateSelect(isGroup, line[index], component);
    }
    result = b.CreateInsertElement(result, component, i);
  }
  return result;
}

namespace {

bool isSameLayout(const lgc::MatrixLayout &a, const lgc::MatrixLayout &b) {
  return a.components == b.components && a.step == b.step && a.first == b.first &&
         a.rotates == b.rotates;
}

/// Do waves have different parts of it?
bool isSpread(const MatrixType &type) { return type.rows.waves > 1 || type.columns.waves > 1; }

/// The tile \p value of a matrix of type \p from in the places of \p to; the components are of one
/// type, whichever that is.
Value *changeTileUse(Translator &t, Value *value, const MatrixType &from, const MatrixType &to) {
  const bool isA = to.use == lgc::MatrixUse::A;
  if (!isA && isSameLayout(from.layout, to.layout))
    return value;
  MatrixLanes lanes(t);
  MatrixLine line = lanes.columns(value, from.layout);
  if (!isA)
    return lanes.pick(line, to.layout);
  Value *result = lanes.pick(lanes.transpose(line), to.layout);
  if (!to.layout.rotates)
    return result;
  Value *inner = lanePlace(t, to.layout).inner;
  return lanes.from(result, t.b.CreateOr(lanes.masked(~(side - 1)), inner));
}

/// The accumulator \p value, of a matrix of type \p from, as \p to, which has its size.
Expected<Value *> changeMatrixUse(Translator &t, const Inst &inst, Value *value,
                                  const MatrixType &from, const MatrixType &to) {
  if (to.use == from.use)
    return value;
  if (isSpread(from))
    return exchangeTiles(t, inst, value, from, to);
  Value *result = PoisonValue::get(
      FixedVectorType::get(value->getType()->getScalarType(), to.value->getNumElements()));
  forEachTile(from, [&](TileIndex at) {
    Value *tile = changeTileUse(t, tileOf(t, value, from, at), from, to);
    result = withTile(t, result, to, at, tile);
  });
  return result;
}

Expected<std::pair<MatrixType, MatrixType>> useChange(Translator &t, const Inst &inst) {
  const MatrixType from = KILN_TRY(matrixType(t, inst, t.typeIdOf(inst[0]))),
                   to = KILN_TRY(matrixType(t, inst, inst.typeId));
  if (from.use != lgc::MatrixUse::Accumulator || to.use == lgc::MatrixUse::Accumulator)
    return t.invalid(inst, "the operand is no accumulator, or the result is one");
  return std::pair(from, to);
}

Error translateConvert(Translator &t, const Inst &inst) {
  const auto [from, to] = KILN_TRY(useChange(t, inst));
  if (!isSameComponent(from, to))
    return t.invalid(inst, "components of two types");
  if (!isSameShape(from, to))
    return t.invalid(inst, "matrices of two sizes or scopes");
  auto value = KILN_TRY(t.value(inst[0]));
  return t.setValue(inst, KILN_TRY(changeMatrixUse(t, inst, value, from, to)));
}

/// Other than OpCooperativeMatrixConvertNV it may convert the components besides.
HandlerResult translateTranspose(ValueOp &op) {
  const auto [from, to] = KILN_TRY(useChange(op.t, op.inst));
  if (to.use != lgc::MatrixUse::B)
    return op.t.invalid(op.inst, "the result is not of use B");
  if (to.rows.all != from.columns.all || to.columns.all != from.rows.all ||
      to.isWorkgroup != from.isWorkgroup)
    return op.t.invalid(op.inst, "sizes or scopes do not fit");
  Value *value = op.args[0];
  if (!isSameComponent(from, to)) {
    op.type = FixedVectorType::get(to.value->getElementType(), from.value->getNumElements());
    value = KILN_TRY(convertComponents(op));
  }
  if (isSpread(from))
    return exchangeTiles(op.t, op.inst, value, from, to, /*transposes=*/true);
  MatrixLanes lanes(op.t);
  Value *result = PoisonValue::get(to.value);
  forEachTile(from, [&](TileIndex at) {
    MatrixLine line = lanes.transpose(lanes.columns(tileOf(op.t, value, from, at), from.layout));
    result = withTile(op.t, result, to, {at.column, at.row}, lanes.pick(line, to.layout));
  });
  return result;
}

Error translatePerElement(Translator &t, const Inst &inst) {
  const Id typeId = t.typeIdOf(inst[0]);
  const MatrixType matrix = KILN_TRY(matrixType(t, inst, typeId));
  if (inst.typeId != typeId)
    return t.invalid(inst, "the result is not of the matrix' type");
  IRBuilder<> &b = t.b;
  Type *component = matrix.value->getElementType();
  SmallVector<Type *, 8> parameters{b.getInt32Ty(), b.getInt32Ty(), component};
  SmallVector<std::pair<Value *, bool>, 4> more; // and whether it is a matrix
  for (Id id : inst.operands.drop_front(2)) {
    auto value = KILN_TRY(t.value(id));
    const bool isMatrix = isCooperativeMatrix(t, t.typeIdOf(id));
    if (isMatrix && t.typeIdOf(id) != typeId)
      return t.unsupportedOp(inst, "operand %" + Twine(id) + " that is a matrix of another type");
    if (value->getType()->isPtrOrPtrVectorTy())
      return t.unsupportedOp(inst, "operand %" + Twine(id) + " that is a pointer");
    more.push_back({value, isMatrix});
    parameters.push_back(isMatrix ? component : value->getType());
  }
  Function *callee = KILN_TRY(componentFunction(t, inst, component, parameters));
  auto value = KILN_TRY(t.value(inst[0]));
  Value *result = PoisonValue::get(matrix.value);
  forEachTile(matrix, [&](TileIndex index) {
    const TilePlace place(t, matrix, index);
    Value *tile = tileOf(t, value, matrix, index);
    SmallVector<Value *, 4> operands;
    for (auto [operand, isMatrix] : more)
      operands.push_back(isMatrix ? tileOf(t, operand, matrix, index) : operand);
    for (unsigned i = 0; i < matrix.layout.components; ++i) {
      SmallVector<Value *, 8> args{place.row(i), place.column(i), b.CreateExtractElement(tile, i)};
      for (auto [operand, entry] : zip(operands, more))
        args.push_back(entry.second ? b.CreateExtractElement(operand, i) : operand);
      tile = b.CreateInsertElement(tile, b.CreateCall(callee, args), i);
    }
    result = withTile(t, result, matrix, index, tile);
  });
  return t.setValue(inst, result);
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpCooperativeMatrixConvertNV, translateConvert),
    valueOp(spv::Op::OpCooperativeMatrixTransposeNV, translateTranspose, Sig::Any, 1),
    instOp(spv::Op::OpCooperativeMatrixPerElementOpNV, translatePerElement),
};

} // namespace

ArrayRef<OpEntry> cooperativeMatrixLaneOps() { return table; }

Expected<Function *> componentFunction(Translator &t, const Inst &inst, Type *component,
                                       ArrayRef<Type *> parameters) {
  Function *callee = t.internals().functions.lookup(spirv::calleeOf(inst));
  if (!callee)
    return t.invalid(inst, "callee %" + Twine(spirv::calleeOf(inst)) + " is not a function");
  if (callee->getReturnType() != component)
    return t.invalid(inst, "the function returns " + typeText(callee->getReturnType()) +
                               ", components are " + typeText(component));
  if (callee->arg_size() != parameters.size())
    return t.invalid(inst, "the function takes " + Twine(callee->arg_size()) + " arguments, not " +
                               Twine(parameters.size()));
  for (auto [i, type] : enumerate(parameters))
    if (callee->getArg(i)->getType() != type)
      return t.invalid(inst, "parameter " + Twine(i) + " of the function is " +
                                 typeText(callee->getArg(i)->getType()) + ", not " +
                                 typeText(type));
  return callee;
}

HandlerResult convertMatrix(ValueOp &op, ValueHandler convert) {
  const MatrixType from = KILN_TRY(matrixType(op.t, op.inst, op.t.typeIdOf(op.argIds[0]))),
                   to = KILN_TRY(matrixType(op.t, op.inst, op.inst.typeId));
  if (from.use != to.use && from.use != lgc::MatrixUse::Accumulator)
    return op.t.invalid(op.inst, "only accumulators become matrices of another use");
  if (!isSameShape(from, to))
    return op.t.invalid(op.inst, "matrices of two sizes or scopes");
  op.type = FixedVectorType::get(to.value->getElementType(), from.value->getNumElements());
  Value *converted = KILN_TRY(convert(op));
  return changeMatrixUse(op.t, op.inst, converted, from, to);
}

} // namespace llpc
