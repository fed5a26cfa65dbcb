//===- LoadStore.cpp - loads and stores of SPIR-V values ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Natural layout (Function, Private, Workgroup): one LLVM load or store of memoryType(), with
/// bool <-> i32 conversion. Explicit layout: scalars and vectors are one access each, aggregates
/// are taken apart along Offset, ArrayStride and MatrixStride.
#include "lgc/LargeValues.h"
#include "llpc/translate/Accessor.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/Mesh.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace llpc {

namespace {

uint64_t alignAt(uint64_t base, uint64_t offset) { return MinAlign(base, offset); }

/// Layout of a matrix in memory; the info comes from the structure member's decorations.
struct MatrixShape {
  unsigned columns, rows;
  Type *scalar;
  uint64_t stride;
  bool rowMajor;
  uint64_t scalarBytes() const { return scalar->getScalarSizeInBits() / 8; }
  uint64_t offset(unsigned column, unsigned row) const {
    return rowMajor ? row * stride + column * scalarBytes() : column * stride + row * scalarBytes();
  }
};

Expected<MatrixShape> matrixShape(Accessor &a, Id typeId, const PointerInfo &info) {
  auto type = KILN_TRY(a.t.type(typeId));
  auto *array = cast<ArrayType>(type);
  auto *column = cast<FixedVectorType>(array->getElementType());
  if (!info.matrixStride)
    return a.t.invalid(a.place, "matrix in memory without MatrixStride");
  return MatrixShape{static_cast<unsigned>(array->getNumElements()), column->getNumElements(),
                     column->getElementType(), info.matrixStride, info.rowMajor};
}

Expected<Value *> loadExplicit(Accessor &a, Id typeId, Value *pointer, PointerInfo info);
Error storeExplicit(Accessor &a, Id typeId, Value *value, Value *pointer, PointerInfo info);

/// A vector whose components are `stride` bytes apart (a column of a row-major matrix).
Expected<Value *> loadStrided(Accessor &a, FixedVectorType *type, Value *pointer, uint64_t stride,
                              uint64_t align) {
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    result = a.t.b.CreateInsertElement(result,
                                       a.loadLeaf(type->getElementType(),
                                                  a.offsetPointer(pointer, i * stride),
                                                  alignAt(align, i * stride)),
                                       i);
  return result;
}

Expected<Value *> loadMatrix(Accessor &a, Id typeId, Value *pointer, const PointerInfo &info) {
  auto shape = KILN_TRY(matrixShape(a, typeId, info));
  auto type = KILN_TRY(a.t.type(typeId));
  auto *columnType = cast<FixedVectorType>(cast<ArrayType>(type)->getElementType());
  Value *result = PoisonValue::get(type);
  if (!shape.rowMajor) {
    for (unsigned c = 0; c < shape.columns; ++c)
      result =
          a.t.b.CreateInsertValue(result,
                                  a.loadLeaf(columnType, a.offsetPointer(pointer, c * shape.stride),
                                             alignAt(info.alignBytes, c * shape.stride)),
                                  c);
    return result;
  }
  // Rows are contiguous: load them as vectors and transpose in registers.
  auto *rowType = FixedVectorType::get(shape.scalar, shape.columns);
  SmallVector<Value *, 4> rows;
  for (unsigned r = 0; r < shape.rows; ++r)
    rows.push_back(a.loadLeaf(rowType, a.offsetPointer(pointer, r * shape.stride),
                              alignAt(info.alignBytes, r * shape.stride)));
  for (unsigned c = 0; c < shape.columns; ++c) {
    Value *column = PoisonValue::get(columnType);
    for (unsigned r = 0; r < shape.rows; ++r)
      column = a.t.b.CreateInsertElement(column, a.t.b.CreateExtractElement(rows[r], c), r);
    result = a.t.b.CreateInsertValue(result, column, c);
  }
  return result;
}

Error storeMatrix(Accessor &a, Id typeId, Value *value, Value *pointer, const PointerInfo &info) {
  auto shape = KILN_TRY(matrixShape(a, typeId, info));
  for (unsigned c = 0; c < shape.columns; ++c) {
    Value *column = a.t.b.CreateExtractValue(value, c);
    if (!shape.rowMajor) {
      a.storeLeaf(column, a.offsetPointer(pointer, c * shape.stride),
                  alignAt(info.alignBytes, c * shape.stride));
      continue;
    }
    for (unsigned r = 0; r < shape.rows; ++r) {
      Value *element = a.t.b.CreateExtractElement(column, r);
      a.storeLeaf(element, a.offsetPointer(pointer, shape.offset(c, r)),
                  alignAt(info.alignBytes, shape.offset(c, r)));
    }
  }
  return Error::success();
}

/// Calls `visit(elementTypeId, offset, index, info)` for each member or element of an aggregate.
template <typename Visit>
Error visitElements(Accessor &a, const Inst &type, const PointerInfo &info, Visit visit) {
  if (type.opcode == spv::Op::OpTypeStruct) {
    for (uint32_t i = 0; i < type.size(); ++i) {
      auto offset = KILN_TRY(memberOffset(a.t, a.place, type.resultId, i));
      PointerInfo inner = memberInfo(a.t.spv, type.resultId, i, info);
      inner.alignBytes = alignAt(info.alignBytes, offset);
      KILN_TRY(visit(type[i], offset, i, inner));
    }
    return Error::success();
  }
  auto length = KILN_TRY(a.t.readConstant(type[1]));
  const uint64_t stride = arrayStride(a.t.spv, type.resultId);
  if (!stride)
    return a.t.invalid(a.place, "array %" + Twine(type.resultId) + " has no ArrayStride");
  KILN_TRY(a.count(length));
  for (uint64_t i = 0; i < length; ++i) {
    PointerInfo inner = info;
    inner.alignBytes = alignAt(info.alignBytes, i * stride);
    KILN_TRY(visit(type[0], i * stride, static_cast<unsigned>(i), inner));
  }
  return Error::success();
}

/// Is the array so long that a loop goes over its elements? (lgc-lower-large-values) Loops need a
/// block that is still open, and a place for the array, which must leave some of a stack frame.
bool needsLoop(Accessor &a, Type *type) {
  return type->isArrayTy() && lgc::isLargeValue(type) &&
         a.t.module->getDataLayout().getTypeAllocSize(type) <= a.maxLoopBytes &&
         a.t.b.GetInsertPoint() == a.t.b.GetInsertBlock()->end();
}

/// Where a loop puts an array, one for all of its type: nothing is there behind the loop's load or
/// store.
AllocaInst *loopArray(Translator &t, Type *type) {
  AllocaInst *&array = t.internals().current.loopArrays[type];
  if (!array)
    array = t.createTemporary(type, "");
  return array;
}

/// for (i = 0; i < count; ++i) body(i), as it is: unrolled it would be what it is to avoid.
Error emitLoop(Translator &t, uint64_t count, function_ref<Error(Value *index)> body) {
  Function *function = t.internals().current.function;
  BasicBlock *before = t.b.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(t.context, "elements", function, before->getNextNode());
  BasicBlock *after = BasicBlock::Create(t.context, "", function, loop->getNextNode());
  t.b.CreateBr(loop);
  t.b.SetInsertPoint(loop);
  PHINode *index = t.b.CreatePHI(t.b.getInt32Ty(), 2);
  index->addIncoming(t.i32(0), before);
  KILN_TRY(body(index));
  Value *next = t.b.CreateNUWAdd(index, t.i32(1));
  BranchInst *back = t.b.CreateCondBr(
      t.b.CreateICmpULT(next, t.b.getInt32(static_cast<uint32_t>(count))), loop, after);
  index->addIncoming(next, t.b.GetInsertBlock());
  MDNode *asItIs = MDNode::get(t.context, MDString::get(t.context, "llvm.loop.unroll.disable"));
  MDNode *id = MDNode::getDistinct(t.context, {nullptr, asItIs});
  id->replaceOperandWith(0, id);
  back->setMetadata(LLVMContext::MD_loop, id);
  t.b.SetInsertPoint(after);
  return Error::success();
}

/// Goes over the elements of an explicitly laid out array in memory and of a temporary with its
/// value. `visit(elementTypeId, pointer, place in the temporary, info)`.
template <typename Visit>
Error loopOverElements(Accessor &a, const Inst &array, Type *type, Value *pointer, AllocaInst *copy,
                       const PointerInfo &info, Visit visit) {
  const uint64_t stride = arrayStride(a.t.spv, array.resultId);
  if (!stride)
    return a.t.invalid(a.place, "array %" + Twine(array.resultId) + " has no ArrayStride");
  const uint64_t length = type->getArrayNumElements();
  KILN_TRY(a.count(length));
  PointerInfo inner = info;
  inner.alignBytes = alignAt(info.alignBytes, stride);
  return emitLoop(a.t, length, [&](Value *index) -> Error {
    Value *place = a.t.b.CreateInBoundsGEP(type, copy, {a.t.i32(0), index});
    return visit(array[0], a.elementPointer(pointer, index, stride), place, inner);
  });
}

Expected<Value *> loadInLoop(Accessor &a, const Inst &array, Type *type, Value *pointer,
                             const PointerInfo &info) {
  AllocaInst *copy = loopArray(a.t, type);
  KILN_TRY(loopOverElements(
      a, array, type, pointer, copy, info,
      [&](Id elementId, Value *from, Value *place, const PointerInfo &inner) -> Error {
        a.t.b.CreateStore(KILN_TRY(loadExplicit(a, elementId, from, inner)), place);
        return Error::success();
      }));
  return a.t.b.CreateLoad(type, copy);
}

Error storeInLoop(Accessor &a, const Inst &array, Value *value, Value *pointer,
                  const PointerInfo &info) {
  AllocaInst *copy = loopArray(a.t, value->getType());
  a.t.b.CreateStore(value, copy);
  return loopOverElements(
      a, array, value->getType(), pointer, copy, info,
      [&](Id elementId, Value *to, Value *place, const PointerInfo &inner) -> Error {
        Type *element = value->getType()->getArrayElementType();
        return storeExplicit(a, elementId, a.t.b.CreateLoad(element, place), to, inner);
      });
}

Expected<Value *> loadExplicit(Accessor &a, Id typeId, Value *pointer, PointerInfo info) {
  KILN_TRY(a.count(1));
  auto inst = KILN_TRY(a.t.typeInst(typeId));
  auto type = KILN_TRY(a.t.type(typeId));
  switch (inst->opcode) {
  case spv::Op::OpTypeMatrix:
    return loadMatrix(a, typeId, pointer, info);
  case spv::Op::OpTypeVector:
    if (type->getScalarType()->isIntegerTy(1))
      return a.t.invalid(a.place, "bool has no memory layout here");
    if (info.rowMajor && info.matrixStride)
      return loadStrided(a, cast<FixedVectorType>(type), pointer, info.matrixStride,
                         info.alignBytes);
    return a.loadLeaf(type, pointer, info.alignBytes);
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
    return a.loadLeaf(type, pointer, info.alignBytes);
  case spv::Op::OpTypePointer:
  case spv::Op::OpTypeUntypedPointerKHR:
    if (type->getPointerAddressSpace() != lgc::AddrSpace::Global)
      return a.t.unsupportedOp(a.place, "load of a logical pointer");
    return a.loadLeaf(type, pointer, info.alignBytes);
  case spv::Op::OpTypeStruct:
  case spv::Op::OpTypeArray: {
    if (needsLoop(a, type))
      return loadInLoop(a, *inst, type, pointer, info);
    Value *result = PoisonValue::get(type);
    KILN_TRY(visitElements(
        a, *inst, info,
        [&](Id elementId, uint64_t offset, unsigned i, const PointerInfo &inner) -> Error {
          auto element =
              KILN_TRY(loadExplicit(a, elementId, a.offsetPointer(pointer, offset), inner));
          result = a.t.b.CreateInsertValue(result, element, i);
          return Error::success();
        }));
    return result;
  }
  default:
    return a.t.unsupportedOp(a.place, "load of " + spirv::opName(inst->opcode));
  }
}

Error storeExplicit(Accessor &a, Id typeId, Value *value, Value *pointer, PointerInfo info) {
  KILN_TRY(a.count(1));
  auto inst = KILN_TRY(a.t.typeInst(typeId));
  auto type = KILN_TRY(a.t.type(typeId));
  switch (inst->opcode) {
  case spv::Op::OpTypeMatrix:
    return storeMatrix(a, typeId, value, pointer, info);
  case spv::Op::OpTypeVector:
    if (type->getScalarType()->isIntegerTy(1))
      return a.t.invalid(a.place, "bool has no memory layout here");
    if (info.rowMajor && info.matrixStride) {
      for (unsigned i = 0; i < cast<FixedVectorType>(type)->getNumElements(); ++i) {
        const uint64_t offset = uint64_t(i) * info.matrixStride;
        Value *element = a.t.b.CreateExtractElement(value, i);
        a.storeLeaf(element, a.offsetPointer(pointer, offset), alignAt(info.alignBytes, offset));
      }
      return Error::success();
    }
    a.storeLeaf(value, pointer, info.alignBytes);
    return Error::success();
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
    a.storeLeaf(value, pointer, info.alignBytes);
    return Error::success();
  case spv::Op::OpTypePointer:
  case spv::Op::OpTypeUntypedPointerKHR:
    if (type->getPointerAddressSpace() != lgc::AddrSpace::Global)
      return a.t.unsupportedOp(a.place, "store of a logical pointer");
    a.storeLeaf(value, pointer, info.alignBytes);
    return Error::success();
  case spv::Op::OpTypeStruct:
  case spv::Op::OpTypeArray:
    if (needsLoop(a, type))
      return storeInLoop(a, *inst, value, pointer, info);
    return visitElements(
        a, *inst, info,
        [&](Id elementId, uint64_t offset, unsigned i, const PointerInfo &inner) -> Error {
          Value *element = a.t.b.CreateExtractValue(value, i);
          return storeExplicit(a, elementId, element, a.offsetPointer(pointer, offset), inner);
        });
  default:
    return a.t.unsupportedOp(a.place, "store of " + spirv::opName(inst->opcode));
  }
}

/// What an access in natural layout says of its address; empty: aligned as the type is. Elsewhere
/// than in kernels every address is.
MaybeAlign naturalAlign(const Translator &t, const Translator::Access &access) {
  return isKernel(t) && access.alignBytes ? MaybeAlign(access.alignBytes) : MaybeAlign();
}

uint64_t countElements(Type *type) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return SaturatingMultiply<uint64_t>(std::max<uint64_t>(array->getNumElements(), 1),
                                        countElements(array->getElementType()));
  uint64_t sum = 1;
  if (auto *structTy = dyn_cast<StructType>(type))
    for (Type *element : structTy->elements())
      sum = SaturatingAdd(sum, countElements(element));
  return sum;
}

} // namespace

PointerInfo memberInfo(const spirv::Module &spv, Id structId, uint32_t i, PointerInfo info) {
  if (const auto *d = spv.findDecoration(structId, spv::Decoration::MatrixStride, i))
    info.matrixStride = d->operands[0];
  info.rowMajor = spv.findDecoration(structId, spv::Decoration::RowMajor, i) != nullptr;
  return info;
}

Expected<uint64_t> memberOffset(Translator &t, const Inst &place, Id structId, uint32_t i) {
  const spirv::Decoration *d = t.spv.findDecoration(structId, spv::Decoration::Offset, i);
  if (!d)
    return t.invalid(place, "member " + Twine(i) + " of %" + Twine(structId) +
                                " has no Offset decoration");
  return d->operands[0];
}

Expected<Value *> Translator::load(Id typeId, Value *pointer, spv::StorageClass storage,
                                   const PointerInfo &info, const Access &access,
                                   const Inst &place) {
  Accessor a{*this, storage, access, place};
  a.invariant =
      storage == spv::StorageClass::PushConstant ||
      (info.invariant && !info.isVolatile && !info.coherent &&
       (storage == spv::StorageClass::Uniform || storage == spv::StorageClass::StorageBuffer));
  if (isExplicitLayout(*this, storage)) {
    PointerInfo start = info;
    if (access.alignBytes)
      start.alignBytes = access.alignBytes;
    return loadExplicit(a, typeId, pointer, start);
  }
  auto valueType = KILN_TRY(type(typeId));
  auto memory = KILN_TRY(memoryType(typeId));
  KILN_TRY(a.count(countElements(memory)));
  if (a.isAtomic() && (memory->isAggregateType() || memory->isVectorTy()))
    return fromMemory(*this, b.CreateLoad(memory, pointer, access.isVolatile), valueType);
  if (storage == spv::StorageClass::TaskPayloadWorkgroupEXT && memory->isAggregateType())
    return fromMemory(*this, loadPayload(*this, memory, pointer, access.isVolatile), valueType);
  LoadInst *loaded =
      b.CreateAlignedLoad(memory, pointer, naturalAlign(*this, access), access.isVolatile);
  if (a.isAtomic())
    loaded->setAtomic(
        AtomicOrdering::Monotonic,
        context.getOrInsertSyncScopeID(access.syncScope ? access.syncScope : "agent"));
  return fromMemory(*this, loaded, valueType);
}

Error Translator::store(Id typeId, Value *value, Value *pointer, spv::StorageClass storage,
                        const PointerInfo &info, const Access &access, const Inst &place) {
  auto expected = KILN_TRY(type(typeId));
  if (value->getType() != expected)
    return invalid(place, "stored value has another type than the pointee");
  Accessor a{*this, storage, access, place};
  if (isExplicitLayout(*this, storage)) {
    PointerInfo start = info;
    if (access.alignBytes)
      start.alignBytes = access.alignBytes;
    return storeExplicit(a, typeId, value, pointer, start);
  }
  auto memory = KILN_TRY(memoryType(typeId));
  KILN_TRY(a.count(countElements(memory)));
  value = toMemory(*this, value, memory);
  if (storage == spv::StorageClass::TaskPayloadWorkgroupEXT && memory->isAggregateType()) {
    storePayload(*this, value, pointer, access.isVolatile);
    return Error::success();
  }
  StoreInst *stored =
      b.CreateAlignedStore(value, pointer, naturalAlign(*this, access), access.isVolatile);
  if (a.isAtomic() && !memory->isAggregateType() && !memory->isVectorTy())
    stored->setAtomic(
        AtomicOrdering::Monotonic,
        context.getOrInsertSyncScopeID(access.syncScope ? access.syncScope : "agent"));
  return Error::success();
}

Error Translator::copyBytes(const Place &to, const Place &from, uint64_t bytes, uint64_t unitBytes,
                            const Inst &place) {
  Accessor load{*this, from.storage, from.access, place};
  Accessor store{*this, to.storage, to.access, place};
  if (constexpr uint64_t max = Accessor::maxLoopBytes; bytes > max)
    return lgc::limitExceeded(spirv::place(place) + ": copy of more than " + Twine(max) + " bytes");
  auto *all = ArrayType::get(b.getIntNTy(8 * unitBytes), bytes / unitBytes);
  const auto forAll = [&](auto body) -> Error {
    if (needsLoop(load, all))
      return emitLoop(*this, all->getNumElements(), body);
    for (uint64_t i = 0; i < all->getNumElements(); ++i)
      KILN_TRY(body(i32(i)));
    return Error::success();
  };
  // All loads come first: the ends may overlap, as values of one load and one store would.
  AllocaInst *copy = loopArray(*this, all);
  KILN_TRY(forAll([&](Value *i) -> Error {
    Value *pointer = load.elementPointer(from.pointer, i, unitBytes);
    b.CreateStore(load.loadLeaf(all->getElementType(), pointer, unitBytes),
                  b.CreateInBoundsGEP(all, copy, {i32(0), i}));
    return Error::success();
  }));
  return forAll([&](Value *i) -> Error {
    Value *value = b.CreateLoad(all->getElementType(), b.CreateInBoundsGEP(all, copy, {i32(0), i}));
    store.storeLeaf(value, store.elementPointer(to.pointer, i, unitBytes), unitBytes);
    return Error::success();
  });
}

} // namespace llpc
