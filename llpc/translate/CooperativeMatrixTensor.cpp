//===- CooperativeMatrixTensor.cpp - matrices in tensors -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// OpCooperativeMatrixLoadTensorNV and StoreTensorNV: each component has an address of its own,
/// which a layout and a view give, or is what a function makes of its block.
#include "llpc/translate/Accessor.h"
#include "llpc/translate/TensorAddressing.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

struct TensorAccess {
  Translator &t;
  const Inst &inst;
  MatrixType type;
  Translator::Place memory;
  TensorAddress address;
  Function *decode = nullptr; ///< null: components lie in memory as they are
  uint64_t blockBytes = 0;    ///< of what it takes

  Value *load(Value *object);
  void store(Value *object);

private:
  Accessor accessor() { return {t, memory.storage, memory.access, inst}; }
  uint64_t componentBytes() const { return type.value->getScalarSizeInBits() / 8; }
  TensorPlace placeOf(const TilePlace &tile, unsigned component, bool isStore) {
    return address.place(tile.row(component), tile.column(component),
                         type.columns.all * lgc::matrixSide, isStore);
  }
  Value *pointerTo(const TensorPlace &place) {
    return accessor().elementPointer(memory.pointer, place.index, componentBytes());
  }
  Value *decoded(const TensorPlace &place);
  Value *loaded(const TensorPlace &place, Value *old);
};

Value *TensorAccess::decoded(const TensorPlace &place) {
  IRBuilder<> &b = t.b;
  Value *base = memory.pointer;
  if (memory.storage == spv::StorageClass::StorageBuffer)
    base = b.CreateIntToPtr(t.op(lgc::OpId::BufferAddressOp, b.getInt64Ty(), {base}),
                            b.getPtrTy(lgc::AddrSpace::Global));
  Value *offset = b.CreateMul(b.CreateZExt(place.index, b.getInt64Ty()), b.getInt64(blockBytes));
  auto array = [&](ArrayRef<Value *> coordinates) {
    Value *result = PoisonValue::get(ArrayType::get(b.getInt32Ty(), coordinates.size()));
    for (auto [i, coordinate] : enumerate(coordinates))
      result = b.CreateInsertValue(result, coordinate, i);
    return result;
  };
  Value *pointer = b.CreateGEP(b.getInt8Ty(), base, offset);
  Value *block = array(place.block);
  return b.CreateCall(decode, {pointer, block, array(place.inBlock)});
}

Value *TensorAccess::loaded(const TensorPlace &place, Value *old) {
  IRBuilder<> &b = t.b;
  Type *component = type.value->getElementType();
  Value *value =
      decode ? decoded(place) : accessor().loadLeaf(component, pointerTo(place), componentBytes());
  if (place.isInside) {
    Value *bits =
        b.CreateZExtOrTrunc(address.clampValue(), b.getIntNTy(component->getPrimitiveSizeInBits()));
    value = b.CreateSelect(place.isInside, value, b.CreateBitCast(bits, component));
  }
  return place.isInClip ? b.CreateSelect(place.isInClip, value, old) : value;
}

Value *TensorAccess::load(Value *object) {
  Value *result = PoisonValue::get(type.value);
  forEachTile(type, [&](TileIndex index) {
    const TilePlace place(t, type, index);
    Value *tile = tileOf(t, object, type, index);
    for (unsigned i = 0; i < type.layout.components; ++i) {
      Value *value =
          loaded(placeOf(place, i, /*isStore=*/false), t.b.CreateExtractElement(tile, i));
      tile = t.b.CreateInsertElement(tile, value, i);
    }
    result = withTile(t, result, type, index, tile);
  });
  return result;
}

/// \p body where \p condition is true; null: always.
void emitIf(Translator &t, Value *condition, function_ref<void()> body) {
  if (!condition)
    return body();
  Function *function = t.internals().current.function;
  BasicBlock *before = t.b.GetInsertBlock();
  BasicBlock *then = BasicBlock::Create(t.context, "inside", function, before->getNextNode());
  BasicBlock *after = BasicBlock::Create(t.context, "", function, then->getNextNode());
  t.b.CreateCondBr(condition, then, after);
  t.b.SetInsertPoint(then);
  body();
  t.b.CreateBr(after);
  t.b.SetInsertPoint(after);
}

void TensorAccess::store(Value *object) {
  forEachTile(type, [&](TileIndex index) {
    const TilePlace tilePlace(t, type, index);
    Value *tile = tileOf(t, object, type, index);
    for (unsigned i = 0; i < type.layout.components; ++i) {
      const TensorPlace place = placeOf(tilePlace, i, /*isStore=*/true);
      Value *condition = place.isInside;
      if (place.isInClip)
        condition = condition ? t.b.CreateAnd(condition, place.isInClip) : place.isInClip;
      Value *value = t.b.CreateExtractElement(tile, i);
      emitIf(t, condition,
             [&] { accessor().storeLeaf(value, pointerTo(place), componentBytes()); });
    }
  });
}

/// The function that a load decodes blocks with, and how large these are.
Error setDecode(TensorAccess &access) {
  Translator &t = access.t;
  const Inst &inst = access.inst;
  if (access.memory.storage != spv::StorageClass::PhysicalStorageBuffer &&
      access.memory.storage != spv::StorageClass::StorageBuffer)
    return t.invalid(inst, "decodes blocks of this storage class");
  Type *coordinates = ArrayType::get(t.b.getInt32Ty(), access.address.dims());
  access.decode =
      KILN_TRY(componentFunction(t, inst, access.type.value->getElementType(),
                                 {t.b.getPtrTy(lgc::AddrSpace::Global), coordinates, coordinates}));
  const spirv::Function *function = t.spv.findFunction(spirv::calleeOf(inst));
  const auto pointer = KILN_TRY(pointerTypeOf(t, inst, function->parameters[0]->resultId));
  if (!pointer.pointeeId)
    return t.unsupportedOp(inst, "a function that decodes what an untyped pointer points to");
  access.blockBytes = KILN_TRY(explicitExtent(t, pointer.pointeeId));
  if (!access.blockBytes)
    return t.invalid(inst, "blocks without a size");
  return Error::success();
}

/// Operands from \p index on are those of memory and of tensor addressing.
Expected<TensorAccess> tensorAccess(Translator &t, const Inst &inst, Id typeId, bool isStore) {
  const MatrixType type = KILN_TRY(matrixType(t, inst, typeId));
  const auto pointer = KILN_TRY(pointerTypeOf(t, inst, inst[0]));
  KILN_TRY(checkMatrixStorage(t, inst, pointer.storage));
  const PointerInfo info = t.pointerInfo(inst[0]);
  if (info.isHandle)
    return t.invalid(inst, "access to an array of blocks");
  size_t index = 3;
  const auto access = KILN_TRY(memoryOperands(t, inst, index, info, isStore));
  const auto extra = spirv::tensorOperands(inst);
  if (!extra)
    return t.invalid(inst, "tensor addressing operands");
  const auto address =
      KILN_TRY(TensorAddress::make(t, inst, inst[2], extra->view ? inst[extra->view] : 0));
  TensorAccess result{
      t, inst, type, {KILN_TRY(t.value(inst[0])), pointer.storage, access}, address};
  if (extra->decode && isStore)
    return t.invalid(inst, "a store does not decode");
  if (extra->decode)
    KILN_TRY(setDecode(result));
  return result;
}

Error translateLoad(Translator &t, const Inst &inst) {
  if (t.typeIdOf(inst[1]) != inst.typeId)
    return t.invalid(inst, "%" + Twine(inst[1]) + " is not of the result's type");
  auto access = KILN_TRY(tensorAccess(t, inst, inst.typeId, /*isStore=*/false));
  return t.setValue(inst, access.load(KILN_TRY(t.value(inst[1]))));
}

Error translateStore(Translator &t, const Inst &inst) {
  auto access = KILN_TRY(tensorAccess(t, inst, t.typeIdOf(inst[1]), /*isStore=*/true));
  access.store(KILN_TRY(t.value(inst[1])));
  return Error::success();
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpCooperativeMatrixLoadTensorNV, translateLoad),
    instOp(spv::Op::OpCooperativeMatrixStoreTensorNV, translateStore),
};

} // namespace

ArrayRef<OpEntry> cooperativeMatrixTensorOps() { return table; }

} // namespace llpc
