//===- CooperativeMatrixLanes.cpp - SPV_NV_cooperative_matrix2 -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What is done to matrices beyond products: components that go to the lanes that have them in
/// another use, reductions, and calls of a function for each component.
#include "llpc/translate/CooperativeMatrix.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

constexpr unsigned side = lgc::matrixSide;
/// All rows of a column in each lane, that of l % 16; or all columns of a row.
using Line = std::array<Value *, side>;

/// Lanes of 16 that share an accumulator.
unsigned groupCount(const lgc::MatrixLayout &accumulator) { return side / accumulator.components; }

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

class Lanes {
public:
  explicit Lanes(Translator &t) : t(t), b(t.b) {
    lane = t.op(lgc::OpId::BuiltinOp, b.getInt32Ty(),
                {t.i32(static_cast<uint32_t>(lgc::BuiltIn::SubgroupLocalInvocationId))});
  }

  Line columns(Value *accumulator, const lgc::MatrixLayout &layout);
  Line transpose(Line line);
  Value *pick(const Line &line, const lgc::MatrixLayout &layout);
  Value *from(Value *value, Value *source);
  Value *fromFlipped(Value *value, unsigned mask);
  Value *masked(unsigned mask) { return b.CreateAnd(lane, mask); }

private:
  Value *words(Value *vector);
  template <typename Values> void exchange(Values &values, unsigned mask, unsigned laneMask);

  Translator &t;
  IRBuilder<> &b;
  Value *lane;
};

/// A vector as dwords, if it fills them.
Value *Lanes::words(Value *vector) {
  const unsigned bits = vector->getType()->getPrimitiveSizeInBits().getFixedValue();
  if (bits % 32 || !vector->getType()->isVectorTy())
    return vector;
  Type *word = b.getInt32Ty();
  return b.CreateBitCast(vector, bits == 32 ? word : FixedVectorType::get(word, bits / 32));
}

Value *Lanes::from(Value *value, Value *source) {
  Value *moved = words(value);
  moved = t.op(lgc::OpId::SubgroupShuffleOp, moved->getType(), {moved, source});
  return b.CreateBitCast(moved, value->getType());
}

Value *Lanes::fromFlipped(Value *value, unsigned mask) {
  return t.op(lgc::OpId::SubgroupShuffleXorOp, value->getType(), {value, t.i32(mask)});
}

Line Lanes::columns(Value *accumulator, const lgc::MatrixLayout &layout) {
  SmallVector<Value *, 4> groups;
  for (unsigned i = 0; i < groupCount(layout); ++i)
    groups.push_back(from(accumulator, b.CreateOr(masked(side - 1), i * side)));
  Line line;
  for (unsigned row = 0; row < side; ++row) {
    const RowPlace place = rowPlace(layout, row);
    line[row] = b.CreateExtractElement(groups[place.group], place.component);
  }
  return line;
}

/// Bit `mask` of the index changes places with bit `laneMask` of the lane's number.
template <typename Values> void Lanes::exchange(Values &values, unsigned mask, unsigned laneMask) {
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
Line Lanes::transpose(Line line) {
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

/// The components of \p layout that a lane has, of a line of all.
Value *Lanes::pick(const Line &line, const lgc::MatrixLayout &layout) {
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

bool isSameLayout(const lgc::MatrixLayout &a, const lgc::MatrixLayout &b) {
  return a.components == b.components && a.step == b.step && a.first == b.first &&
         a.rotates == b.rotates;
}

/// The function of components that \p inst calls. Errors: its parameters are not \p parameters, or
/// it does not return a component.
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

Expected<std::pair<MatrixType, MatrixType>> useChange(Translator &t, const Inst &inst) {
  const MatrixType from = KILN_TRY(matrixType(t, inst, t.typeIdOf(inst[0]))),
                   to = KILN_TRY(matrixType(t, inst, inst.typeId));
  if (from.use != lgc::MatrixUse::Accumulator || to.use == lgc::MatrixUse::Accumulator)
    return t.invalid(inst, "the operand is no accumulator, or the result is one");
  return std::pair(from, to);
}

bool isSameComponent(const MatrixType &a, const MatrixType &b) {
  return a.value->getElementType() == b.value->getElementType() && a.small == b.small;
}

Error translateConvert(Translator &t, const Inst &inst) {
  const auto [from, to] = KILN_TRY(useChange(t, inst));
  if (!isSameComponent(from, to))
    return t.invalid(inst, "components of two types");
  auto value = KILN_TRY(t.value(inst[0]));
  return t.setValue(inst, changeMatrixUse(t, value, from, to));
}

/// Other than OpCooperativeMatrixConvertNV it may convert the components besides.
HandlerResult translateTranspose(ValueOp &op) {
  const auto [from, to] = KILN_TRY(useChange(op.t, op.inst));
  if (to.use != lgc::MatrixUse::B)
    return op.t.invalid(op.inst, "the result is not of use B");
  Value *value = op.args[0];
  if (!isSameComponent(from, to)) {
    op.type = FixedVectorType::get(to.value->getElementType(), from.layout.components);
    value = KILN_TRY(convertComponents(op));
  }
  Lanes lanes(op.t);
  return lanes.pick(lanes.transpose(lanes.columns(value, from.layout)), to.layout);
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
  const auto [inner, outer] = lanePlace(t, matrix.layout);
  Value *result = PoisonValue::get(matrix.value);
  for (unsigned i = 0; i < matrix.layout.components; ++i) {
    Value *at = b.CreateAdd(outer, t.i32(i * matrix.layout.step));
    SmallVector<Value *, 8> args{at, inner, b.CreateExtractElement(value, i)};
    if (matrix.use == lgc::MatrixUse::A)
      std::swap(args[0], args[1]);
    for (auto [operand, isMatrix] : more)
      args.push_back(isMatrix ? b.CreateExtractElement(operand, i) : operand);
    result = b.CreateInsertElement(result, b.CreateCall(callee, args), i);
  }
  return t.setValue(inst, result);
}

/// Combines components pairwise. Which lane has which one of a pair is not the same for both, so
/// in the end one of them gives all what it has: the function may be commutative but for rounding.
struct Reduction {
  Translator &t;
  Lanes lanes;
  Function *combine;

  Value *pair(Value *a, Value *b) { return t.b.CreateCall(combine, {a, b}); }
  /// Of lanes whose numbers differ in bits from \p first to \p last.
  Value *across(Value *value, unsigned first, unsigned last) {
    for (unsigned mask = first; mask <= last; mask *= 2)
      value = pair(value, lanes.fromFlipped(value, mask));
    return value;
  }
  Value *column(Value *value, const lgc::MatrixLayout &layout) {
    Value *result = t.b.CreateExtractElement(value, uint64_t(0));
    for (unsigned i = 1; i < layout.components; ++i)
      result = pair(result, t.b.CreateExtractElement(value, i));
    return across(result, side, side * groupCount(layout) / 2);
  }
};

Error translateReduce(Translator &t, const Inst &inst) {
  constexpr uint32_t row = 1, column = 2, neighborhood = 4;
  const MatrixType from = KILN_TRY(matrixType(t, inst, t.typeIdOf(inst[0]))),
                   to = KILN_TRY(matrixType(t, inst, inst.typeId));
  if (from.use != lgc::MatrixUse::Accumulator || to.use != lgc::MatrixUse::Accumulator ||
      from.value != to.value || from.small != to.small)
    return t.invalid(inst, "operand and result are not accumulators of one component type");
  const uint32_t reduce = inst[1];
  if (reduce == neighborhood) // there are no matrices of half the size
    return t.unsupportedOp(inst, "reduction of 2 x 2 components");
  if (!reduce || reduce & ~(row | column))
    return t.invalid(inst, "reduction " + Twine(reduce));
  Type *component = from.value->getElementType();
  auto combine = KILN_TRY(componentFunction(t, inst, component, {component, component}));
  auto value = KILN_TRY(t.value(inst[0]));
  Reduction r{t, Lanes(t), combine};
  if (reduce & column) {
    Value *all = r.column(value, from.layout);
    if (reduce & row)
      all = r.across(all, 1, side / 2);
    all = r.lanes.from(all, reduce & row ? t.i32(0) : r.lanes.masked(side - 1));
    return t.setValue(inst, t.b.CreateVectorSplat(from.layout.components, all));
  }
  Value *result = PoisonValue::get(from.value);
  for (unsigned i = 0; i < from.layout.components; ++i) {
    Value *all = r.across(t.b.CreateExtractElement(value, i), 1, side / 2);
    all = r.lanes.from(all, r.lanes.masked(~(side - 1)));
    result = t.b.CreateInsertElement(result, all, i);
  }
  return t.setValue(inst, result);
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpCooperativeMatrixConvertNV, translateConvert),
    valueOp(spv::Op::OpCooperativeMatrixTransposeNV, translateTranspose, Sig::Any, 1),
    instOp(spv::Op::OpCooperativeMatrixPerElementOpNV, translatePerElement),
    instOp(spv::Op::OpCooperativeMatrixReduceNV, translateReduce),
};

} // namespace

ArrayRef<OpEntry> cooperativeMatrixLaneOps() { return table; }

Value *changeMatrixUse(Translator &t, Value *value, const MatrixType &from, const MatrixType &to) {
  const bool isA = to.use == lgc::MatrixUse::A;
  if (to.use == from.use || (!isA && isSameLayout(from.layout, to.layout)))
    return value;
  Lanes lanes(t);
  Line line = lanes.columns(value, from.layout);
  if (!isA)
    return lanes.pick(line, to.layout);
  Value *result = lanes.pick(lanes.transpose(line), to.layout);
  if (!to.layout.rotates)
    return result;
  Value *inner = lanePlace(t, to.layout).inner;
  return lanes.from(result, t.b.CreateOr(lanes.masked(~(side - 1)), inner));
}

HandlerResult convertMatrix(ValueOp &op, ValueHandler convert) {
  const MatrixType from = KILN_TRY(matrixType(op.t, op.inst, op.t.typeIdOf(op.argIds[0]))),
                   to = KILN_TRY(matrixType(op.t, op.inst, op.inst.typeId));
  if (from.use != to.use && from.use != lgc::MatrixUse::Accumulator)
    return op.t.invalid(op.inst, "only accumulators become matrices of another use");
  op.type = FixedVectorType::get(to.value->getElementType(), from.layout.components);
  Value *converted = KILN_TRY(convert(op));
  return changeMatrixUse(op.t, converted, from, to);
}

} // namespace llpc
