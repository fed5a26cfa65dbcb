//===- AccessChain.cpp - pointer arithmetic -------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Access chains in explicit layout are byte offsets (variable parts first, then one constant), in
/// natural layout one typed GEP, and on arrays of resources lgc.resource.index. Also the pointer
/// comparisons and OpArrayLength.
#include "llpc/spirv/AccessChain.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace llpc {

namespace {
// --------------------------------------------------------------------------------

/// State while walking the indices of an access chain.
struct Chain {
  Translator &t;
  const Inst &inst;
  spv::StorageClass storage;
  Id typeId; ///< type of what the pointer points to so far
  PointerInfo info;
  Value *pointer;
  // explicit layout
  uint64_t constantOffset = 0;
  Value *variableOffset = nullptr;
  // natural layout
  SmallVector<Value *, 8> gepIndices = {};
  Type *gepType = nullptr;

  IntegerType *indexType() const {
    switch (storage) {
    case spv::StorageClass::PhysicalStorageBuffer:
    case spv::StorageClass::CrossWorkgroup:
    case spv::StorageClass::Generic:
      return t.b.getInt64Ty();
    case spv::StorageClass::UniformConstant:
      return isKernel(t) ? t.b.getInt64Ty() : t.b.getInt32Ty();
    default:
      return t.b.getInt32Ty();
    }
  }
};

Expected<Value *> indexValue(Chain &c, Id id) {
  auto index = KILN_TRY(c.t.value(id));
  if (!index->getType()->isIntegerTy() || index->getType()->isIntegerTy(1))
    return c.t.invalid(c.inst, "index %" + Twine(id) + " is not a scalar integer");
  return c.t.b.CreateSExtOrTrunc(index, c.indexType());
}

void addScaled(Chain &c, Value *index, uint64_t stride) {
  if (auto *constant = dyn_cast<ConstantInt>(index)) {
    c.constantOffset += static_cast<uint64_t>(constant->getSExtValue()) * stride;
    c.info.alignBytes =
        MinAlign(c.info.alignBytes, static_cast<uint64_t>(constant->getSExtValue()) * stride);
    return;
  }
  Value *scaled = c.t.b.CreateMul(index, ConstantInt::get(c.indexType(), stride));
  c.variableOffset = c.variableOffset ? c.t.b.CreateAdd(c.variableOffset, scaled) : scaled;
  c.info.alignBytes = MinAlign(c.info.alignBytes, stride);
}

/// Emits the byte offset collected so far.
void flushOffset(Chain &c) {
  Type *i8 = c.t.b.getInt8Ty();
  if (c.variableOffset)
    c.pointer = c.t.b.CreateGEP(i8, c.pointer, c.variableOffset);
  if (c.constantOffset)
    c.pointer = c.t.b.CreateGEP(i8, c.pointer, ConstantInt::get(c.indexType(), c.constantOffset));
  c.variableOffset = nullptr;
  c.constantOffset = 0;
}

Error memberIndex(Chain &c, const Inst &structType, Id indexId, uint32_t &member) {
  auto value = KILN_TRY(c.t.readConstant32(indexId));
  if (value >= structType.size())
    return c.t.invalid(c.inst, "member index " + Twine(value) + " of a structure with " +
                                   Twine(structType.size()) + " members");
  member = value;
  const Id id = structType.resultId;
  c.info.coherent |= c.t.spv.findDecoration(id, spv::Decoration::Coherent, value) != nullptr;
  c.info.isVolatile |= c.t.spv.findDecoration(id, spv::Decoration::Volatile, value) != nullptr;
  // glslang puts the qualifiers of a buffer on its members.
  auto has = [&](spv::Decoration kind) {
    return c.t.spv.findDecoration(id, kind, value) != nullptr;
  };
  c.info.invariant |= has(spv::Decoration::NonWritable) && !has(spv::Decoration::Aliased) &&
                      (c.info.restrictAlias || has(spv::Decoration::Restrict));
  return Error::success();
}

Error stepExplicit(Chain &c, const Inst &type, Id indexId) {
  if (type.opcode == spv::Op::OpTypeStruct) {
    uint32_t member = 0;
    KILN_TRY(memberIndex(c, type, indexId, member));
    const auto *offset = c.t.spv.findDecoration(type.resultId, spv::Decoration::Offset, member);
    if (!offset)
      return c.t.invalid(c.inst, "member " + Twine(member) + " of %" + Twine(type.resultId) +
                                     " has no Offset decoration");
    c.constantOffset += offset->operands[0];
    c.info.alignBytes = MinAlign(c.info.alignBytes, offset->operands[0]);
    const auto *stride =
        c.t.spv.findDecoration(type.resultId, spv::Decoration::MatrixStride, member);
    c.info.matrixStride = stride ? stride->operands[0] : 0;
    c.info.rowMajor =
        c.t.spv.findDecoration(type.resultId, spv::Decoration::RowMajor, member) != nullptr;
    c.typeId = type[member];
    return Error::success();
  }
  auto index = KILN_TRY(indexValue(c, indexId));
  uint64_t stride = 0;
  switch (type.opcode) {
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeRuntimeArray:
    stride = arrayStride(c.t.spv, type.resultId);
    if (!stride)
      return c.t.invalid(c.inst, "array %" + Twine(type.resultId) + " has no ArrayStride");
    break;
  case spv::Op::OpTypeMatrix: {
    if (!c.info.matrixStride)
      return c.t.invalid(c.inst, "matrix without MatrixStride");
    auto element = KILN_TRY(c.t.typeInst(type[0]));
    auto scalar = KILN_TRY(c.t.type((*element)[0]));
    stride = c.info.rowMajor ? scalar->getScalarSizeInBits() / 8 : c.info.matrixStride;
    break;
  }
  case spv::Op::OpTypeVector: {
    auto scalar = KILN_TRY(c.t.type(type[0]));
    stride = c.info.rowMajor && c.info.matrixStride ? c.info.matrixStride
                                                    : scalar->getScalarSizeInBits() / 8;
    c.info.matrixStride = 0;
    c.info.rowMajor = false;
    break;
  }
  default:
    return c.t.invalid(c.inst, "index into " + spirv::opName(type.opcode));
  }
  addScaled(c, index, stride);
  c.typeId = type[0];
  return Error::success();
}

Error stepNatural(Chain &c, const Inst &type, Id indexId) {
  if (type.opcode == spv::Op::OpTypeStruct) {
    uint32_t member = 0;
    KILN_TRY(memberIndex(c, type, indexId, member));
    c.gepIndices.push_back(c.t.i32(member));
    c.typeId = type[member];
    return Error::success();
  }
  switch (type.opcode) {
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeMatrix:
  case spv::Op::OpTypeVector:
  case spv::Op::OpTypeCooperativeMatrixKHR:
    break;
  default:
    return c.t.invalid(c.inst, "index into " + spirv::opName(type.opcode));
  }
  auto index = KILN_TRY(indexValue(c, indexId));
  c.gepIndices.push_back(index);
  c.typeId = type[0];
  return Error::success();
}

/// Descriptor array levels: consumes one index of an array of resources or of buffer blocks.
Error stepHandle(Chain &c, const Inst &type, Id indexId) {
  if (type.opcode != spv::Op::OpTypeArray && type.opcode != spv::Op::OpTypeRuntimeArray)
    return c.t.invalid(c.inst, "index into " + spirv::opName(type.opcode) + " of a resource");
  auto index = KILN_TRY(indexValue(c, indexId));
  // Elements per step of this level: the product of the inner array lengths.
  uint64_t scale = 1;
  for (const Inst *inner = c.t.spv.definition(type[0]);
       inner && inner->opcode == spv::Op::OpTypeArray; inner = c.t.spv.definition((*inner)[0])) {
    auto length = KILN_TRY(c.t.readConstant((*inner)[1]));
    scale = SaturatingMultiply(scale, length);
  }
  if (scale > UINT32_MAX)
    return lgc::limitExceeded(spirv::place(c.inst) + ": descriptor array too large");
  if (scale != 1)
    index = c.t.b.CreateMul(index, c.t.i32(static_cast<uint32_t>(scale)));
  c.pointer = c.t.op(lgc::OpId::ResourceIndexOp, c.pointer->getType(), {c.pointer, index});
  c.info.nonUniform |= c.t.hasDecoration(indexId, spv::Decoration::NonUniform);
  c.typeId = type[0];
  return Error::success();
}

/// A handle that now points to one whole buffer block becomes an address.
void leaveHandle(Chain &c) {
  if (isHandlePointee(c.t.spv, c.typeId, c.storage))
    return;
  uint32_t flags = 0;
  const bool uniformBlock = c.storage == spv::StorageClass::Uniform &&
                            !c.t.hasDecoration(c.typeId, spv::Decoration::BufferBlock);
  if (uniformBlock)
    flags |= lgc::ResourceFlags::UniformBlock;
  if (uniformBlock || c.info.invariant)
    flags |= lgc::ResourceFlags::ReadOnly;
  c.info.invariant |= uniformBlock;
  if (c.info.nonUniform || c.t.hasDecoration(c.inst.resultId, spv::Decoration::NonUniform))
    flags |= lgc::ResourceFlags::NonUniform;
  c.pointer = c.t.op(lgc::OpId::BufferPtrOp, PointerType::get(c.t.context, lgc::AddrSpace::Buffer),
                     {c.pointer, c.t.i32(flags)});
  c.info.isHandle = false;
}

/// OpPtrAccessChain's Element operand: steps over whole pointees.
Error stepElement(Chain &c, Id elementId, Id pointerTypeId) {
  if (isHandlePointee(c.t.spv, c.typeId, c.storage))
    return c.t.unsupportedOp(c.inst, "pointer arithmetic on resource arrays");
  auto index = KILN_TRY(indexValue(c, elementId));
  if (!isExplicitLayout(c.t, c.storage)) {
    auto type = KILN_TRY(c.t.memoryType(c.typeId));
    c.pointer = c.t.b.CreateGEP(type, c.pointer, index);
    return Error::success();
  }
  const uint32_t stride = arrayStride(c.t.spv, pointerTypeId);
  if (!stride)
    return c.t.invalid(c.inst, "pointer type %" + Twine(pointerTypeId) + " has no ArrayStride");
  addScaled(c, index, stride);
  return Error::success();
}

/// An untyped chain says what its base points to. Arrays of blocks are of descriptors, which are no
/// memory.
Error reinterpretBase(Chain &c, Id typeId) {
  if (c.info.isHandle != isHandlePointee(c.t.spv, typeId, c.storage))
    return c.t.invalid(c.inst,
                       "one of base and base type %" + Twine(typeId) + " is an array of blocks");
  if (!isExplicitLayout(c.t, c.storage))
    return c.t.unsupportedOp(c.inst, "untyped access to memory without explicit layout");
  c.typeId = typeId;
  c.info.matrixStride = 0;
  c.info.rowMajor = false;
  return Error::success();
}

Error walkChain(Chain &c, ArrayRef<Id> indices) {
  const bool explicitLayout = isExplicitLayout(c.t, c.storage);
  const bool isResource = c.storage == spv::StorageClass::UniformConstant && !isKernel(c.t);
  if (!explicitLayout && !isResource && !indices.empty()) {
    auto type = KILN_TRY(c.t.memoryType(c.typeId));
    c.gepType = type;
    c.gepIndices.push_back(c.t.i32(0));
  }
  for (Id indexId : indices) {
    auto type = KILN_TRY(c.t.typeInst(c.typeId));
    if (isHandlePointee(c.t.spv, c.typeId, c.storage)) {
      if (!c.info.isHandle)
        return c.t.invalid(c.inst, "a structure with Block or BufferBlock within another one");
      KILN_TRY(stepHandle(c, *type, indexId));
      leaveHandle(c);
    } else if (explicitLayout) {
      KILN_TRY(stepExplicit(c, *type, indexId));
    } else {
      KILN_TRY(stepNatural(c, *type, indexId));
    }
  }
  flushOffset(c);
  if (c.gepType)
    c.pointer = c.t.b.CreateGEP(c.gepType, c.pointer, c.gepIndices);
  return Error::success();
}

Error translateAccessChain(Translator &t, const Inst &inst) {
  const Id baseId = spirv::accessChainOf(inst)->baseId;
  auto base = KILN_TRY(t.value(baseId));
  auto type = KILN_TRY(pointerTypeOf(t, inst, baseId));
  auto result = KILN_TRY(pointerTypeOf(t, inst, inst.resultId));
  auto &places = t.internals().current.placesInBlocks;
  const bool isInBlock = places.contains(baseId);
  if (result.storage != type.storage && !isInBlock)
    return t.invalid(inst, "result has another storage class than the base");
  if (!base->getType()->isPointerTy())
    return t.invalid(inst, "base is not a pointer");
  if (directVariable(t, baseId))
    return translateDirectChain(t, inst);
  PointerInfo info;
  const spv::StorageClass storage = type.storage;
  Value *pointer = KILN_TRY(followChain(t, inst, base, info, type));
  info.reachedTypeId = type.pointeeId;
  t.setPointerInfo(inst.resultId, info);
  if (isInBlock)
    places[inst.resultId] = type;
  else if (type.pointeeId != result.pointeeId && !t.spv.isUntypedPointer(inst.resultId))
    return t.invalid(inst, "the indices lead to type %" + Twine(type.pointeeId) +
                               ", the result points to %" + Twine(result.pointeeId));
  // A constant table is addressed in the constant address space whatever SPIR-V's class says.
  const bool isTable = pointer->getType()->getPointerAddressSpace() == lgc::AddrSpace::Constant &&
                       storage == spv::StorageClass::Function;
  if (!isTable && !isInBlock)
    return t.setValue(inst, pointer);
  t.internals().values[inst.resultId] = pointer;
  return Error::success();
}

/// Operands: a pointer to the block, or the block's type and an untyped pointer; then the member.
Error translateArrayLength(Translator &t, const Inst &inst) {
  const bool isUntyped = inst.opcode == spv::Op::OpUntypedArrayLengthKHR;
  auto pointer = KILN_TRY(t.value(inst[isUntyped]));
  auto type = KILN_TRY(pointerTypeOf(t, inst, inst[isUntyped]));
  if (isUntyped)
    type.pointeeId = inst[0];
  auto structType = KILN_TRY(t.typeInst(type.pointeeId));
  const uint32_t member = inst[1 + isUntyped];
  if (structType->opcode != spv::Op::OpTypeStruct || structType->size() == 0 ||
      member != structType->size() - 1)
    return t.invalid(inst, "operand is not the last member of a structure");
  auto array = KILN_TRY(t.typeInst((*structType)[member]));
  const uint32_t stride = arrayStride(t.spv, array->resultId);
  const auto *offset = t.spv.findDecoration(type.pointeeId, spv::Decoration::Offset, member);
  if (array->opcode != spv::Op::OpTypeRuntimeArray || !stride || !offset)
    return t.invalid(inst, "member is not a runtime array with Offset and ArrayStride");
  if (pointer->getType()->getPointerAddressSpace() != lgc::AddrSpace::Buffer)
    return t.unsupportedOp(inst, "length of an array outside a buffer block");
  Value *bytes = t.op(lgc::OpId::BufferLengthOp, t.b.getInt32Ty(), {pointer});
  // An untyped pointer may lead to behind the buffer's first byte. Its low 32 bits say how far.
  if (isUntyped)
    bytes = t.b.CreateIntrinsic(Intrinsic::usub_sat, {t.b.getInt32Ty()},
                                {bytes, t.b.CreatePtrToInt(pointer, t.b.getInt32Ty())});
  // A buffer shorter than the array's offset (null descriptor) has length 0.
  Value *start = t.i32(offset->operands[0]);
  Value *rest = t.b.CreateIntrinsic(Intrinsic::usub_sat, {t.b.getInt32Ty()}, {bytes, start});
  return t.setValue(inst, t.b.CreateUDiv(rest, t.i32(stride)));
}

Error translatePtrCompare(Translator &t, const Inst &inst) {
  auto a = KILN_TRY(t.value(inst[0]));
  auto b = KILN_TRY(t.value(inst[1]));
  if (!a->getType()->isPointerTy() || a->getType() != b->getType())
    return t.invalid(inst, "operands are not pointers of one kind");
  const auto predicate = inst.opcode == spv::Op::OpPtrEqual ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE;
  return t.setValue(inst, t.b.CreateICmp(predicate, a, b));
}

Error translatePtrDiff(Translator &t, const Inst &inst) {
  auto a = KILN_TRY(t.value(inst[0]));
  auto b = KILN_TRY(t.value(inst[1]));
  auto type = KILN_TRY(pointerTypeOf(t, inst, inst[0]));
  auto result = KILN_TRY(t.type(inst.typeId));
  if (!a->getType()->isPointerTy() || a->getType() != b->getType() || !result->isIntegerTy())
    return t.invalid(inst, "operands are not pointers of one kind");
  // Of untyped pointers: bytes.
  uint64_t stride = t.spv.isUntypedPointer(inst[0]) ? 1 : arrayStride(t.spv, t.typeIdOf(inst[0]));
  if (!stride) {
    auto memory = KILN_TRY(t.memoryType(type.pointeeId));
    stride = t.module->getDataLayout().getTypeAllocSize(memory).getFixedValue();
  }
  // Buffer pointers must point into one buffer; their low 32 bits are the byte offset.
  const bool global = a->getType()->getPointerAddressSpace() == lgc::AddrSpace::Global;
  Type *wide = global ? t.b.getInt64Ty() : t.b.getInt32Ty();
  Value *first = t.b.CreatePtrToInt(a, wide), *second = t.b.CreatePtrToInt(b, wide);
  Value *bytes = t.b.CreateSub(first, second);
  Value *elements = t.b.CreateSDiv(bytes, ConstantInt::get(wide, std::max<uint64_t>(stride, 1)));
  return t.setValue(inst, t.b.CreateSExtOrTrunc(elements, result));
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpAccessChain, translateAccessChain),
    instOp(spv::Op::OpInBoundsAccessChain, translateAccessChain),
    instOp(spv::Op::OpPtrAccessChain, translateAccessChain),
    instOp(spv::Op::OpInBoundsPtrAccessChain, translateAccessChain),
    instOp(spv::Op::OpUntypedAccessChainKHR, translateAccessChain),
    instOp(spv::Op::OpUntypedInBoundsAccessChainKHR, translateAccessChain),
    instOp(spv::Op::OpUntypedPtrAccessChainKHR, translateAccessChain),
    instOp(spv::Op::OpUntypedInBoundsPtrAccessChainKHR, translateAccessChain),
    instOp(spv::Op::OpArrayLength, translateArrayLength),
    instOp(spv::Op::OpUntypedArrayLengthKHR, translateArrayLength),
    instOp(spv::Op::OpPtrEqual, translatePtrCompare),
    instOp(spv::Op::OpPtrNotEqual, translatePtrCompare),
    instOp(spv::Op::OpPtrDiff, translatePtrDiff),
};

} // namespace

Expected<Value *> followChain(Translator &t, const Inst &inst, Value *base, PointerInfo &info,
                              TypedPointer &type) {
  const spirv::AccessChain chain = *spirv::accessChainOf(inst);
  type = KILN_TRY(pointerTypeOf(t, inst, chain.baseId));
  Chain c{t, inst, type.storage, type.pointeeId, t.pointerInfo(chain.baseId), base};
  if (chain.baseTypeId)
    KILN_TRY(reinterpretBase(c, chain.baseTypeId));
  if (!c.typeId)
    return t.invalid(inst, "typed access chain with an untyped base");
  c.info.nonUniform |= t.hasDecoration(chain.baseId, spv::Decoration::NonUniform);
  if (chain.elementId)
    KILN_TRY(stepElement(c, chain.elementId, t.typeIdOf(chain.baseId)));
  KILN_TRY(walkChain(c, chain.indices));
  info = c.info;
  info.nonUniform |= t.hasDecoration(inst.resultId, spv::Decoration::NonUniform);
  type.pointeeId = c.typeId;
  return c.pointer;
}

ArrayRef<OpEntry> accessChainOps() { return table; }

} // namespace llpc
