//===- TensorAddressing.cpp - SPV_NV_tensor_addressing ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Layouts and views are made field by field, and say which element of a tensor a component of a
/// matrix is (SPV_NV_cooperative_matrix2, "Tensor Layout and View").
#include "llpc/translate/TensorAddressing.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

constexpr uint32_t maxDims = 5;

/// Fields of `dims` numbers.
enum LayoutField : uint32_t { BlockSize, Dimension, Stride, Offset, Span, LayoutFields };
enum ViewField : uint32_t { ViewDimension, ViewStride, ViewFields };
/// Numbers behind a view's fields.
enum ClipNumber : uint32_t { FirstRow, Rows, FirstColumn, Columns, ClipNumbers };

uint32_t layoutSize(uint32_t dims) { return LayoutFields * dims + 1; }
uint32_t viewSize(uint32_t dims) { return ViewFields * dims + ClipNumbers; }

Expected<uint32_t> dimsOf(Translator &t, const Inst &type) {
  const uint32_t dims = KILN_TRY(t.readConstant32(type[0]));
  if (!dims || dims > maxDims)
    return t.invalid(type, Twine(dims) + " dimensions");
  return dims;
}

/// The definition of the type \p id, which is of \p opcode.
Expected<const Inst *> tensorTypeOf(Translator &t, const Inst &inst, Id id, spv::Op opcode) {
  const Inst *type = t.spv.definition(id);
  if (!type || type->opcode != opcode)
    return t.invalid(inst, "%" + Twine(id) + " is no " + spirv::opName(opcode));
  return type;
}

Constant *numbers(Translator &t, ArrayRef<uint32_t> values) {
  return ConstantDataVector::get(t.context, values);
}

Error createLayout(Translator &t, const Inst &inst) {
  const Inst *type = KILN_TRY(tensorTypeOf(t, inst, inst.typeId, spv::Op::OpTypeTensorLayoutNV));
  const uint32_t dims = KILN_TRY(dimsOf(t, *type));
  SmallVector<uint32_t, 32> values(layoutSize(dims), 0);
  std::fill_n(values.begin(), dims, 1); // BlockSize
  return t.setValue(inst, numbers(t, values));
}

Error createView(Translator &t, const Inst &inst) {
  const Inst *type = KILN_TRY(tensorTypeOf(t, inst, inst.typeId, spv::Op::OpTypeTensorViewNV));
  const uint32_t dims = KILN_TRY(dimsOf(t, *type));
  SmallVector<uint32_t, 16> values(viewSize(dims), 0);
  values[ViewFields * dims + Rows] = values[ViewFields * dims + Columns] = UINT32_MAX;
  return t.setValue(inst, numbers(t, values));
}

/// An instruction that changes a copy of a layout or view.
struct Change {
  Translator &t;
  const Inst &inst;
  uint32_t dims;
  Value *value;
  SmallVector<Value *, 10> operands;

  Value *get(uint32_t field, uint32_t dim) const {
    return t.b.CreateExtractElement(value, field * dims + dim);
  }
  void set(uint32_t field, uint32_t dim, Value *number) {
    value = t.b.CreateInsertElement(value, number, field * dims + dim);
  }
};

/// Operands are as many as \p perDim for each dimension and \p more.
Expected<Change> changeOf(Translator &t, const Inst &inst, spv::Op opcode, uint32_t perDim,
                          uint32_t more = 0) {
  const Inst *type = KILN_TRY(tensorTypeOf(t, inst, inst.typeId, opcode));
  if (t.typeIdOf(inst[0]) != inst.typeId)
    return t.invalid(inst, "%" + Twine(inst[0]) + " is not of the result's type");
  Change change{t, inst, KILN_TRY(dimsOf(t, *type)), KILN_TRY(t.value(inst[0])), {}};
  if (inst.size() != 1 + perDim * change.dims + more)
    return t.invalid(inst,
                     Twine(inst.size()) + " operands for " + Twine(change.dims) + " dimensions");
  for (Id id : inst.operands.drop_front()) {
    auto number = KILN_TRY(t.value(id));
    if (!number->getType()->isIntegerTy(32))
      return t.invalid(inst, "%" + Twine(id) + " is no 32-bit integer");
    change.operands.push_back(number);
  }
  return change;
}

template <uint32_t Field> Error setLayoutField(Translator &t, const Inst &inst) {
  Change change = KILN_TRY(changeOf(t, inst, spv::Op::OpTypeTensorLayoutNV, 1));
  for (uint32_t i = 0; i < change.dims; ++i)
    change.set(Field, i, change.operands[i]);
  return t.setValue(inst, change.value);
}

template <uint32_t Field> Error setViewField(Translator &t, const Inst &inst) {
  Change change = KILN_TRY(changeOf(t, inst, spv::Op::OpTypeTensorViewNV, 1));
  for (uint32_t i = 0; i < change.dims; ++i)
    change.set(Field, i, change.operands[i]);
  return t.setValue(inst, change.value);
}

Error setLayoutDimension(Translator &t, const Inst &inst) {
  Change change = KILN_TRY(changeOf(t, inst, spv::Op::OpTypeTensorLayoutNV, 1));
  IRBuilder<> &b = t.b;
  Value *stride = t.i32(1);
  for (uint32_t i = change.dims; i-- > 0;) {
    Value *size = change.operands[i];
    change.set(Dimension, i, size);
    change.set(Span, i, size);
    change.set(Offset, i, t.i32(0));
    change.set(Stride, i, stride);
    Value *block = change.get(BlockSize, i);
    Value *whole = b.CreateUDiv(size, block);
    Value *rest = b.CreateZExt(b.CreateICmpNE(b.CreateURem(size, block), t.i32(0)), b.getInt32Ty());
    Value *blocks = b.CreateAdd(whole, rest);
    stride = b.CreateMul(stride, blocks);
  }
  return t.setValue(inst, change.value);
}

Error sliceLayout(Translator &t, const Inst &inst) {
  Change change = KILN_TRY(changeOf(t, inst, spv::Op::OpTypeTensorLayoutNV, 2));
  for (uint32_t i = 0; i < change.dims; ++i) {
    change.set(Offset, i, t.b.CreateAdd(change.get(Offset, i), change.operands[2 * i]));
    change.set(Span, i, change.operands[2 * i + 1]);
  }
  return t.setValue(inst, change.value);
}

Error setClampValue(Translator &t, const Inst &inst) {
  Change change = KILN_TRY(changeOf(t, inst, spv::Op::OpTypeTensorLayoutNV, 0, 1));
  change.set(LayoutFields, 0, change.operands[0]);
  return t.setValue(inst, change.value);
}

Error setViewDimension(Translator &t, const Inst &inst) {
  Change change = KILN_TRY(changeOf(t, inst, spv::Op::OpTypeTensorViewNV, 1));
  Value *stride = t.i32(1);
  for (uint32_t i = change.dims; i-- > 0;) {
    change.set(ViewDimension, i, change.operands[i]);
    change.set(ViewStride, i, stride);
    stride = t.b.CreateMul(stride, change.operands[i]);
  }
  return t.setValue(inst, change.value);
}

Error setClip(Translator &t, const Inst &inst) {
  Change change = KILN_TRY(changeOf(t, inst, spv::Op::OpTypeTensorViewNV, 0, ClipNumbers));
  for (uint32_t i = 0; i < ClipNumbers; ++i)
    change.set(ViewFields, i, change.operands[i]);
  return t.setValue(inst, change.value);
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpCreateTensorLayoutNV, createLayout),
    instOp(spv::Op::OpTensorLayoutSetBlockSizeNV, setLayoutField<BlockSize>),
    instOp(spv::Op::OpTensorLayoutSetDimensionNV, setLayoutDimension),
    instOp(spv::Op::OpTensorLayoutSetStrideNV, setLayoutField<Stride>),
    instOp(spv::Op::OpTensorLayoutSliceNV, sliceLayout),
    instOp(spv::Op::OpTensorLayoutSetClampValueNV, setClampValue),
    instOp(spv::Op::OpCreateTensorViewNV, createView),
    instOp(spv::Op::OpTensorViewSetDimensionNV, setViewDimension),
    instOp(spv::Op::OpTensorViewSetStrideNV, setViewField<ViewStride>),
    instOp(spv::Op::OpTensorViewSetClipNV, setClip),
};

/// As OpSMod: the result has the sign of \p divisor, which is above 0.
Value *floorRemainder(IRBuilder<> &b, Value *number, Value *divisor) {
  Value *rest = b.CreateSRem(number, divisor);
  Value *isNegative = b.CreateICmpSLT(rest, b.getInt32(0));
  return b.CreateSelect(isNegative, b.CreateAdd(rest, divisor), rest);
}

Value *both(IRBuilder<> &b, Value *first, Value *second) {
  return first ? b.CreateAnd(first, second) : second;
}

} // namespace

ArrayRef<OpEntry> tensorAddressingOps() { return table; }

Expected<Type *> tensorType(Translator &t, const Inst &inst) {
  const uint32_t dims = KILN_TRY(dimsOf(t, inst));
  const bool isView = inst.opcode == spv::Op::OpTypeTensorViewNV;
  return FixedVectorType::get(t.b.getInt32Ty(), isView ? viewSize(dims) : layoutSize(dims));
}

Expected<TensorAddress> TensorAddress::make(Translator &t, const Inst &inst, Id layoutId,
                                            Id viewId) {
  TensorAddress address(t);
  const Inst *type =
      KILN_TRY(tensorTypeOf(t, inst, t.typeIdOf(layoutId), spv::Op::OpTypeTensorLayoutNV));
  address.layoutDims = KILN_TRY(dimsOf(t, *type));
  address.clampMode = KILN_TRY(t.readConstant32((*type)[1]));
  if (address.clampMode > static_cast<uint32_t>(spv::TensorClampMode::RepeatMirrored))
    return t.invalid(*type, "clamp mode " + Twine(address.clampMode));
  address.layout = KILN_TRY(t.value(layoutId));
  if (!viewId)
    return address;
  type = KILN_TRY(tensorTypeOf(t, inst, t.typeIdOf(viewId), spv::Op::OpTypeTensorViewNV));
  const uint32_t dims = KILN_TRY(dimsOf(t, *type));
  address.viewHasDimensions = KILN_TRY(t.readConstant32((*type)[1])) != 0;
  if (type->size() != 2 + dims)
    return t.invalid(*type, "a permutation of " + Twine(type->size() - 2) + " dimensions");
  uint32_t seen = 0;
  for (Id id : type->operands.drop_front(2)) {
    const uint32_t dim = KILN_TRY(t.readConstant32(id));
    if (dim >= dims || seen >> dim & 1)
      return t.invalid(*type, "no permutation");
    seen |= 1u << dim;
    address.permutation.push_back(dim);
  }
  if (!address.viewHasDimensions && dims != address.layoutDims)
    return t.invalid(inst, "a view without dimensions has others than the layout");
  address.view = KILN_TRY(t.value(viewId));
  return address;
}

Value *TensorAddress::layoutField(uint32_t field, uint32_t dim) const {
  return t.b.CreateExtractElement(layout, field * layoutDims + dim);
}

Value *TensorAddress::viewField(uint32_t field, uint32_t dim) const {
  return t.b.CreateExtractElement(view, field * permutation.size() + dim);
}

Value *TensorAddress::clampValue() const { return layoutField(LayoutFields, 0); }

/// The number of the component in the span of the layout.
Value *TensorAddress::throughView(Value *row, Value *column, uint32_t columns,
                                  TensorPlace &place) const {
  IRBuilder<> &b = t.b;
  auto clip = [&](Value *&at, ClipNumber first, ClipNumber count) {
    Value *begin = viewField(ViewFields, first);
    Value *isBehind = b.CreateICmpUGE(at, begin);
    at = b.CreateSub(at, begin);
    place.isInClip = both(b, place.isInClip, isBehind);
    place.isInClip = both(b, place.isInClip, b.CreateICmpULT(at, viewField(ViewFields, count)));
  };
  clip(row, FirstRow, Rows);
  clip(column, FirstColumn, Columns);
  Value *width =
      b.CreateBinaryIntrinsic(Intrinsic::umin, t.i32(columns), viewField(ViewFields, Columns));
  Value *index = b.CreateAdd(b.CreateMul(row, width), column);
  Value *result = t.i32(0);
  Coordinates strides(permutation.size());
  Value *next = t.i32(1);
  for (uint32_t i = permutation.size(); i-- > 0;) {
    strides[i] = viewHasDimensions ? viewField(ViewStride, i) : next;
    if (!viewHasDimensions)
      next = b.CreateMul(next, layoutField(Span, i));
  }
  for (uint32_t i = permutation.size(); i-- > 0;) {
    const uint32_t dim = permutation[i];
    Value *size = viewHasDimensions ? viewField(ViewDimension, dim) : layoutField(Span, dim);
    Value *coordinate = b.CreateURem(index, size);
    index = b.CreateUDiv(index, size);
    result = b.CreateAdd(result, b.CreateMul(coordinate, strides[dim]));
  }
  return result;
}

Value *TensorAddress::clampCoordinate(Value *c, uint32_t dim, bool isStore,
                                      TensorPlace &place) const {
  using Mode = spv::TensorClampMode;
  IRBuilder<> &b = t.b;
  auto mode = static_cast<Mode>(clampMode);
  if (isStore && mode != Mode::Undefined)
    mode = Mode::Constant;
  Value *size = layoutField(Dimension, dim);
  switch (mode) {
  case Mode::Undefined:
    return c;
  case Mode::Constant: {
    Value *isInside = b.CreateICmpULT(c, size);
    place.isInside = both(b, place.isInside, isInside);
    return b.CreateSelect(isInside, c, t.i32(0));
  }
  case Mode::ClampToEdge:
    c = b.CreateBinaryIntrinsic(Intrinsic::smax, c, t.i32(0));
    return b.CreateBinaryIntrinsic(Intrinsic::smin, c, b.CreateSub(size, t.i32(1)));
  case Mode::Repeat:
    return floorRemainder(b, c, size);
  case Mode::RepeatMirrored: {
    Value *period = b.CreateSub(b.CreateShl(size, 1), t.i32(2));
    c = floorRemainder(b, c, b.CreateBinaryIntrinsic(Intrinsic::smax, period, t.i32(1)));
    Value *isBack = b.CreateICmpSGE(c, size);
    return b.CreateSelect(isBack, b.CreateSub(period, c), c);
  }
  default:
    KILN_ICE("unknown clamp mode");
  }
}

TensorPlace TensorAddress::place(Value *row, Value *column, uint32_t columns, bool isStore) const {
  IRBuilder<> &b = t.b;
  TensorPlace place;
  Value *number = view ? throughView(row, column, columns, place)
                       : b.CreateAdd(b.CreateMul(row, t.i32(columns)), column);
  place.block.resize(layoutDims);
  place.inBlock.resize(layoutDims);
  place.index = t.i32(0);
  for (uint32_t dim = layoutDims; dim-- > 0;) {
    Value *span = layoutField(Span, dim);
    Value *c = b.CreateAdd(b.CreateURem(number, span), layoutField(Offset, dim));
    number = b.CreateUDiv(number, span);
    c = clampCoordinate(c, dim, isStore, place);
    Value *size = layoutField(BlockSize, dim);
    place.inBlock[dim] = b.CreateURem(c, size);
    place.block[dim] = b.CreateUDiv(c, size);
    place.index = b.CreateAdd(place.index, b.CreateMul(place.block[dim], layoutField(Stride, dim)));
  }
  // What is not in the clip region may be anywhere, and is not loaded for its own sake.
  if (place.isInClip)
    place.index = b.CreateSelect(place.isInClip, place.index, t.i32(0));
  return place;
}

} // namespace llpc
