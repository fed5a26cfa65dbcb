//===- Memory.cpp - function variables, loads, stores, copies --------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/DebugVariables.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/RayQuery.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace llpc {

Expected<TypedPointer> pointerTypeOf(Translator &t, const Inst &inst, Id pointerId) {
  const auto &places = t.internals().current.placesInBlocks;
  if (auto place = places.find(pointerId); place != places.end())
    return place->second;
  const Inst *type = t.spv.definition(t.typeIdOf(pointerId));
  if (type && type->opcode == spv::Op::OpTypeUntypedPointerKHR)
    return TypedPointer{static_cast<spv::StorageClass>((*type)[0]), 0};
  if (!type || type->opcode != spv::Op::OpTypePointer)
    return t.invalid(inst, "operand %" + Twine(pointerId) + " is not a pointer");
  return TypedPointer{static_cast<spv::StorageClass>((*type)[0]), (*type)[1]};
}

Expected<TypedPointer> accessedType(Translator &t, const Inst &inst, Id pointerId, Id typeId) {
  auto type = KILN_TRY(pointerTypeOf(t, inst, pointerId));
  if (!t.spv.isUntypedPointer(pointerId))
    return type;
  if (!isExplicitLayout(t, type.storage))
    return t.unsupportedOp(inst, "untyped access to memory without explicit layout");
  type.pointeeId = typeId;
  return type;
}

PointerInfo accessInfo(Translator &t, Id pointerId, Id typeId) {
  PointerInfo info = t.pointerInfo(pointerId);
  if (t.spv.isUntypedPointer(pointerId) && info.reachedTypeId != typeId) {
    info.matrixStride = 0;
    info.rowMajor = false;
  }
  return info;
}

Expected<Translator::Access> memoryOperands(Translator &t, const Inst &inst, size_t &index,
                                            const PointerInfo &info, bool isStore) {
  Translator::Access access;
  access.isVolatile = info.isVolatile;
  access.coherent = info.coherent;
  if (index >= inst.size())
    return access;
  const uint32_t mask = inst[index++];
  auto has = [mask](spv::MemoryAccessMask bit) { return (mask & static_cast<uint32_t>(bit)) != 0; };
  auto next = [&]() -> uint32_t { return index < inst.size() ? inst[index++] : 0; };
  access.isVolatile |= has(spv::MemoryAccessMask::Volatile);
  access.nonTemporal = has(spv::MemoryAccessMask::Nontemporal);
  if (has(spv::MemoryAccessMask::Aligned)) {
    const uint32_t align = next();
    if (!isPowerOf2_32(align))
      return t.invalid(inst, "Aligned operand " + Twine(align) + " is not a power of two");
    access.alignBytes = std::min<uint32_t>(align, 64);
  }
  for (auto [bit, store] : {std::pair{spv::MemoryAccessMask::MakePointerAvailable, true},
                            std::pair{spv::MemoryAccessMask::MakePointerVisible, false}}) {
    if (!has(bit))
      continue;
    auto scope = KILN_TRY(t.readConstant(next()));
    auto name = KILN_TRY(t.syncScopeName(inst, scope));
    if (store == isStore)
      access.syncScope = name;
  }
  return access;
}

namespace {

Error translateVariable(Translator &t, const Inst &inst) {
  if (static_cast<spv::StorageClass>(inst[0]) != spv::StorageClass::Function)
    return t.invalid(inst, "variable in a function with another storage class than Function");
  auto pointer = KILN_TRY(pointerTypeOf(t, inst, inst.resultId));
  if (pointer.storage != spv::StorageClass::Function)
    return t.invalid(inst, "storage class differs from the pointer type's");
  Translator::State &s = t.internals();
  auto type = KILN_TRY(t.memoryType(pointer.pointeeId));
  PointerInfo info;
  info.variable = &inst;
  t.setPointerInfo(inst.resultId, info);
  auto table = s.current.constantTables.find(inst.resultId);
  if (table != s.current.constantTables.end()) {
    auto content = KILN_TRY(t.value(table->second));
    auto *constant = dyn_cast<Constant>(content);
    if (constant && constant->getType() == type) {
      auto *global =
          new GlobalVariable(*t.module, type, true, GlobalValue::InternalLinkage, constant, "table",
                             nullptr, GlobalValue::NotThreadLocal, lgc::AddrSpace::Constant);
      global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
      s.values[inst.resultId] = global;
      return Error::success();
    }
    s.current.constantTables.erase(table);
  }
  if (KILN_TRY(readInPlace(t, inst)))
    return Error::success();
  s.privateBytes += t.module->getDataLayout().getTypeAllocSize(type).getFixedValue();
  if (s.privateBytes > limits::maxPrivateBytes)
    return lgc::limitExceeded(spirv::place(inst) + ": private memory exceeds " +
                              Twine(limits::maxPrivateBytes) + " bytes");
  AllocaInst *slot = t.createTemporary(type, t.spv.name(inst.resultId));
  slot->setAlignment(std::max(slot->getAlign(), declaredAlign(t, inst.resultId)));
  KILN_TRY(t.setValue(inst, slot));
  describeVariable(t, inst, pointer.pointeeId, *slot);
  if (inst.size() < 2)
    return Error::success();
  auto initial = KILN_TRY(t.value(inst[1]));
  return t.store(pointer.pointeeId, initial, slot, spv::StorageClass::Function, info, {}, inst);
}

bool isNonUniform(Translator &t, const Inst &inst, Id pointerId) {
  return t.pointerInfo(pointerId).nonUniform ||
         t.hasDecoration(pointerId, spv::Decoration::NonUniform) ||
         (inst.resultId && t.hasDecoration(inst.resultId, spv::Decoration::NonUniform));
}

/// Load through a resource handle: images, samplers, sampled images.
Expected<Value *> loadResource(Translator &t, const Inst &inst, Value *handle, Id pointeeId) {
  auto type = KILN_TRY(t.typeInst(pointeeId));
  const uint32_t nonUniform =
      isNonUniform(t, inst, inst[0]) ? uint32_t(lgc::ResourceFlags::NonUniform) : 0;
  auto loadDesc = [&](lgc::DescKind kind, unsigned dwords, uint32_t flags) -> Value * {
    return t.op(lgc::OpId::LoadDescOp, FixedVectorType::get(t.b.getInt32Ty(), dwords),
                {handle, t.i32(static_cast<uint32_t>(kind)), t.i32(flags | nonUniform)});
  };
  auto loadImage = [&](const Inst &image) -> Value * {
    // Input attachments are declared as storage images, but they are read like sampled ones.
    const bool storage = image[5] == 2 && image[1] != static_cast<uint32_t>(spv::Dim::SubpassData);
    const uint32_t flags = storage ? uint32_t(lgc::ResourceFlags::StorageImage) : 0;
    if (image[1] == static_cast<uint32_t>(spv::Dim::Buffer))
      return loadDesc(lgc::DescKind::TexelBuffer, 4, flags);
    return loadDesc(lgc::DescKind::Image, 8, flags);
  };
  switch (type->opcode) {
  case spv::Op::OpTypeImage:
    return loadImage(*type);
  case spv::Op::OpTypeSampler:
    return loadDesc(lgc::DescKind::Sampler, 4, 0);
  case spv::Op::OpTypeSampledImage: {
    auto image = KILN_TRY(t.typeInst((*type)[0]));
    auto structTy = KILN_TRY(t.type(pointeeId));
    Value *result = PoisonValue::get(structTy);
    result = t.b.CreateInsertValue(result, loadImage(*image), 0);
    // A texel buffer has no sampler; nothing samples it.
    if ((*image)[1] == static_cast<uint32_t>(spv::Dim::Buffer))
      return result;
    return t.b.CreateInsertValue(result, loadDesc(lgc::DescKind::Sampler, 4, 0), 1);
  }
  case spv::Op::OpTypeAccelerationStructureKHR:
    return addressOfStructure(t, loadDesc(lgc::DescKind::AccelerationStructure, 4, 0));
  default:
    return t.unsupportedOp(inst, "load of " + spirv::opName(type->opcode) + " through a handle");
  }
}

bool isHelperInvocation(Translator &t, const PointerInfo &info) {
  if (!info.variable)
    return false;
  const auto *d = t.spv.findDecoration(info.variable->resultId, spv::Decoration::BuiltIn);
  return d && d->operands[0] == static_cast<uint32_t>(spv::BuiltIn::HelperInvocation);
}

Error translateLoad(Translator &t, const Inst &inst) {
  auto pointer = KILN_TRY(t.value(inst[0]));
  auto type = KILN_TRY(accessedType(t, inst, inst[0], inst.typeId));
  const PointerInfo info = accessInfo(t, inst[0], inst.typeId);
  if (inst.typeId != type.pointeeId)
    return t.invalid(inst, "result type is not the pointer's pointee type");
  if (info.isHandle && t.spv.isUntypedPointer(inst[0]))
    return t.invalid(inst, "untyped load of an array of blocks");
  if (isHandlePointee(t.spv, type.pointeeId, type.storage)) {
    auto resource = KILN_TRY(loadResource(t, inst, pointer, type.pointeeId));
    return t.setValue(inst, resource);
  }
  if (directVariable(t, inst[0])) {
    auto direct = KILN_TRY(loadDirect(t, inst, inst[0]));
    return t.setValue(inst, direct);
  }
  size_t index = 1;
  auto access = KILN_TRY(memoryOperands(t, inst, index, info, /*isStore=*/false));
  if (access.isVolatile && isHelperInvocation(t, info)) // changes with OpDemoteToHelperInvocation
    return t.setValue(inst, t.op(lgc::OpId::IsHelperOp, t.b.getInt1Ty(), {}));
  if (t.internals().current.partialLoads.count(inst.resultId))
    return loadPartially(t, inst, pointer, type.storage, info, access);
  auto value = KILN_TRY(t.load(type.pointeeId, pointer, type.storage, info, access, inst));
  return t.setValue(inst, value);
}

Error translateStore(Translator &t, const Inst &inst) {
  auto pointer = KILN_TRY(t.value(inst[0]));
  const Id valueTypeId = t.typeIdOf(inst[1]);
  auto type = KILN_TRY(accessedType(t, inst, inst[0], valueTypeId));
  if (t.internals().current.constantTables.count(inst[0]))
    return Error::success(); // the table already is a constant global
  if (isHandlePointee(t.spv, type.pointeeId, type.storage) ||
      type.storage == spv::StorageClass::PushConstant || type.storage == spv::StorageClass::Input)
    return t.invalid(inst, "store through a read-only or opaque pointer");
  auto value = KILN_TRY(t.value(inst[1]));
  if (directVariable(t, inst[0]))
    return storeDirect(t, inst, inst[0], value);
  const PointerInfo info = accessInfo(t, inst[0], valueTypeId);
  if (info.isHandle)
    return t.invalid(inst, "store to an array of blocks");
  size_t index = 2;
  auto access = KILN_TRY(memoryOperands(t, inst, index, info, /*isStore=*/true));
  return t.store(type.pointeeId, value, pointer, type.storage, info, access, inst);
}

/// What OpCopyMemory copies: one of its pointers may be untyped.
Expected<Id> copiedType(Translator &t, const Inst &inst) {
  Id typeId = 0;
  for (Id pointerId : {inst[0], inst[1]}) {
    auto type = KILN_TRY(pointerTypeOf(t, inst, pointerId));
    if (t.spv.isUntypedPointer(pointerId))
      continue;
    if (typeId && typeId != type.pointeeId)
      return t.invalid(inst, "target and source point to different types");
    typeId = type.pointeeId;
  }
  if (!typeId)
    return t.invalid(inst, "neither target nor source has a type");
  return typeId;
}

/// What both ends of a copy must be.
Error checkCopy(Translator &t, const Inst &inst, const TypedPointer &target,
                const TypedPointer &source) {
  for (const auto &[type, pointerId] : {std::pair(target, inst[0]), {source, inst[1]}})
    if (isHandlePointee(t.spv, type.pointeeId, type.storage) || t.pointerInfo(pointerId).isHandle)
      return t.invalid(inst, "copy through an opaque pointer");
  if (target.storage == spv::StorageClass::PushConstant)
    return t.invalid(inst, "copy into push constants");
  if (target.storage == spv::StorageClass::Input)
    return t.invalid(inst, "copy into an input");
  return Error::success();
}

/// The memory operands of a copy's store and of its load, from operand \p index on: one set
/// applies to both sides (SPIR-V OpCopyMemory).
Expected<std::pair<Translator::Access, Translator::Access>>
copyAccesses(Translator &t, const Inst &inst, size_t first, const PointerInfo &target,
             const PointerInfo &source) {
  size_t index = first;
  auto storeAccess = KILN_TRY(memoryOperands(t, inst, index, target, /*isStore=*/true));
  size_t sourceIndex = index < inst.size() ? index : first;
  auto loadAccess = KILN_TRY(memoryOperands(t, inst, sourceIndex, source, /*isStore=*/false));
  return std::pair(storeAccess, loadAccess);
}

Error translateCopyMemory(Translator &t, const Inst &inst) {
  auto target = KILN_TRY(t.value(inst[0]));
  auto source = KILN_TRY(t.value(inst[1]));
  const Id typeId = KILN_TRY(copiedType(t, inst));
  auto targetType = KILN_TRY(accessedType(t, inst, inst[0], typeId));
  auto sourceType = KILN_TRY(accessedType(t, inst, inst[1], typeId));
  KILN_TRY(checkCopy(t, inst, targetType, sourceType));
  const PointerInfo targetInfo = accessInfo(t, inst[0], typeId),
                    sourceInfo = accessInfo(t, inst[1], typeId);
  auto [storeAccess, loadAccess] = KILN_TRY(copyAccesses(t, inst, 2, targetInfo, sourceInfo));
  auto value = KILN_TRY(directVariable(t, inst[1]) ? loadDirect(t, inst, inst[1])
                                                   : t.load(typeId, source, sourceType.storage,
                                                            sourceInfo, loadAccess, inst));
  if (directVariable(t, inst[0]))
    return storeDirect(t, inst, inst[0], value);
  return t.store(typeId, value, target, targetType.storage, targetInfo, storeAccess, inst);
}

/// A number of bytes that is no constant, one by one.
Error copyKernelBytesOf(Translator &t, const Inst &inst, Value *target, Value *source) {
  auto size = KILN_TRY(t.value(inst[2]));
  if (!size->getType()->isIntegerTy())
    return t.invalid(inst, "operand 2 is no integer");
  auto [storeAccess, loadAccess] =
      KILN_TRY(copyAccesses(t, inst, 3, t.pointerInfo(inst[0]), t.pointerInfo(inst[1])));
  const bool isVolatile = storeAccess.isVolatile || loadAccess.isVolatile;
  Type *byte = t.b.getInt8Ty();
  emitKernelLoop(t, t.b.getInt64(0), t.b.CreateZExtOrTrunc(size, t.b.getInt64Ty()), 1,
                 [&](Value *i) {
                   Value *from = t.b.CreateGEP(byte, source, i);
                   Value *value = t.b.CreateAlignedLoad(byte, from, Align(1), isVolatile);
                   Value *to = t.b.CreateGEP(byte, target, i);
                   t.b.CreateAlignedStore(value, to, Align(1), isVolatile);
                 });
  return Error::success();
}

/// Bytes between any pointers of a kernel.
Error copyKernelBytes(Translator &t, const Inst &inst, Value *target, Value *source) {
  const Inst *size = t.spv.definition(inst[2]);
  if (!size || !isConstantOpcode(size->opcode))
    return copyKernelBytesOf(t, inst, target, source);
  const uint64_t bytes = KILN_TRY(t.readConstant(inst[2]));
  if (bytes > limits::maxAggregateElements)
    return lgc::limitExceeded(spirv::place(inst) + ": copy of more than " +
                              Twine(limits::maxAggregateElements) + " bytes");
  auto [storeAccess, loadAccess] =
      KILN_TRY(copyAccesses(t, inst, 3, t.pointerInfo(inst[0]), t.pointerInfo(inst[1])));
  t.b.CreateMemMove(target, Align(std::max(storeAccess.alignBytes, 1u)), source,
                    Align(std::max(loadAccess.alignBytes, 1u)), bytes,
                    storeAccess.isVolatile || loadAccess.isVolatile);
  return Error::success();
}

/// Bytes between untyped pointers, in the largest units that size and addresses allow: as an array
/// of integers would be copied.
Error translateCopyMemorySized(Translator &t, const Inst &inst) {
  auto target = KILN_TRY(t.value(inst[0]));
  auto source = KILN_TRY(t.value(inst[1]));
  auto targetType = KILN_TRY(accessedType(t, inst, inst[0], 0));
  auto sourceType = KILN_TRY(accessedType(t, inst, inst[1], 0));
  KILN_TRY(checkCopy(t, inst, targetType, sourceType));
  if (isKernel(t))
    return copyKernelBytes(t, inst, target, source);
  if (!t.spv.isUntypedPointer(inst[0]) && !t.spv.isUntypedPointer(inst[1]))
    return t.unsupportedOp(inst, "copy of bytes between typed pointers");
  for (const spv::StorageClass storage : {targetType.storage, sourceType.storage})
    if (!isExplicitLayout(t, storage))
      return t.unsupportedOp(inst, "copy of bytes of memory without explicit layout");
  const Inst *size = t.spv.definition(inst[2]);
  if (!size || !isConstantOpcode(size->opcode))
    return t.unsupportedOp(inst, "copy of a number of bytes that is no constant");
  const uint64_t bytes = KILN_TRY(t.readConstant(inst[2]));
  const PointerInfo targetInfo = accessInfo(t, inst[0], 0), sourceInfo = accessInfo(t, inst[1], 0);
  auto [storeAccess, loadAccess] = KILN_TRY(copyAccesses(t, inst, 3, targetInfo, sourceInfo));
  auto alignOf = [](const PointerInfo &info, const Translator::Access &access) -> uint64_t {
    return access.alignBytes ? access.alignBytes : info.alignBytes;
  };
  const uint64_t unit = MinAlign(MinAlign(bytes, 4), MinAlign(alignOf(targetInfo, storeAccess),
                                                              alignOf(sourceInfo, loadAccess)));
  return t.copyBytes({target, targetType.storage, storeAccess},
                     {source, sourceType.storage, loadAccess}, bytes, unit, inst);
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpVariable, translateVariable),
    instOp(spv::Op::OpLoad, translateLoad),
    instOp(spv::Op::OpStore, translateStore),
    instOp(spv::Op::OpCopyMemory, translateCopyMemory),
    instOp(spv::Op::OpCopyMemorySized, translateCopyMemorySized),
};

} // namespace

ArrayRef<OpEntry> memoryOps() { return table; }

} // namespace llpc
