//===- Atomic.cpp - atomic instructions -----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Atomics on memory become relaxed LLVM atomics with a sync scope. Their memory semantics become
/// fences around them (Barrier.cpp), which can be restricted to the storage classes that the
/// semantics name.
#include "llpc/translate/Barrier.h"
#include "llpc/translate/ImageUtils.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

/// Operands that all atomics have in common.
struct AtomicAccess {
  Value *pointer = nullptr;
  Type *type = nullptr; ///< of the pointee: integer or float scalar
  const char *scopeName = "";
  SyncScope::ID scope = SyncScope::System;
  MemorySemantics semantics;
  bool isVolatile = false;
  Align align;
};

/// Reads pointer, scope and semantics (operands 0 to 2).
Expected<AtomicAccess> atomicAccess(Translator &t, const Inst &inst) {
  // What is accessed through an untyped pointer: the result, or what is stored.
  const Id accessedId = inst.typeId || inst.size() < 4 ? inst.typeId : t.typeIdOf(inst[3]);
  const TypedPointer pointerType = KILN_TRY(accessedType(t, inst, inst[0], accessedId));
  if (!pointerType.pointeeId || t.pointerInfo(inst[0]).isHandle)
    return t.invalid(inst, "operand %" + Twine(inst[0]) + " points to no number");
  AtomicAccess access;
  auto pointer = KILN_TRY(t.value(inst[0]));
  auto type = KILN_TRY(t.type(pointerType.pointeeId));
  if (!type->isIntegerTy() && !type->isFloatingPointTy())
    return t.invalid(inst, "atomic access to a type that is neither integer nor float");
  if (type->isIntegerTy(1))
    return t.invalid(inst, "atomic access to a bool");
  if (!pointer->getType()->isPointerTy() ||
      pointer->getType()->getPointerAddressSpace() == lgc::AddrSpace::Constant ||
      pointerType.storage == spv::StorageClass::Input)
    return t.invalid(inst, "atomic access to read-only memory");
  auto scope = KILN_TRY(t.readConstant(inst[1]));
  auto scopeName = KILN_TRY(t.syncScopeName(inst, scope));
  auto semantics = KILN_TRY(memorySemantics(t, inst[2]));
  access.pointer = pointer;
  access.type = type;
  access.scopeName = scopeName;
  access.scope = t.context.getOrInsertSyncScopeID(scopeName);
  access.semantics = semantics;
  access.isVolatile = semantics.isVolatile || t.pointerInfo(inst[0]).isVolatile;
  access.align = Align(std::max(type->getScalarSizeInBits() / 8, 1u));
  return access;
}

Expected<Value *> operandOfType(Translator &t, const Inst &inst, size_t index, Type *type) {
  auto value = KILN_TRY(t.value(inst[index]));
  if (value->getType() != type)
    return t.invalid(inst, "value has another type than the pointee");
  return value;
}

Error checkResultType(Translator &t, const Inst &inst, const AtomicAccess &access) {
  auto type = KILN_TRY(t.type(inst.typeId));
  if (type != access.type)
    return t.invalid(inst, "result type is not the pointer's pointee type");
  return Error::success();
}

Error translateAtomicLoad(Translator &t, const Inst &inst) {
  auto access = KILN_TRY(atomicAccess(t, inst));
  KILN_TRY(checkResultType(t, inst, access));
  LoadInst *load =
      t.b.CreateAlignedLoad(access.type, access.pointer, access.align, access.isVolatile);
  load->setAtomic(AtomicOrdering::Monotonic, access.scope);
  createFence(t, access.semantics, AtomicOrdering::Acquire, access.scopeName);
  return t.setValue(inst, load);
}

Error translateAtomicStore(Translator &t, const Inst &inst) {
  auto access = KILN_TRY(atomicAccess(t, inst));
  auto value = KILN_TRY(operandOfType(t, inst, 3, access.type));
  createFence(t, access.semantics, AtomicOrdering::Release, access.scopeName);
  StoreInst *store = t.b.CreateAlignedStore(value, access.pointer, access.align, access.isVolatile);
  store->setAtomic(AtomicOrdering::Monotonic, access.scope);
  return Error::success();
}

Value *createAtomic(Translator &t, const AtomicAccess &access, AtomicRMWInst::BinOp op,
                    Value *value) {
  createFence(t, access.semantics, AtomicOrdering::Release, access.scopeName);
  AtomicRMWInst *rmw = t.b.CreateAtomicRMW(op, access.pointer, value, access.align,
                                           AtomicOrdering::Monotonic, access.scope);
  rmw->setVolatile(access.isVolatile);
  if (AtomicRMWInst::isFPOperation(op))
    // Vulkan memory is never fine-grained host memory, and float atomics may flush denormals.
    for (const char *name : {"amdgpu.no.fine.grained.memory", "amdgpu.no.remote.memory",
                             "amdgpu.ignore.denormal.mode"})
      rmw->setMetadata(name, MDNode::get(t.context, {}));
  createFence(t, access.semantics, AtomicOrdering::Acquire, access.scopeName);
  return rmw;
}

struct AtomicRow {
  spv::Op opcode;
  AtomicRMWInst::BinOp op;
  bool isFloat;
};
constexpr AtomicRow rows[] = {
    {spv::Op::OpAtomicIAdd, AtomicRMWInst::Add, false},
    {spv::Op::OpAtomicISub, AtomicRMWInst::Sub, false},
    {spv::Op::OpAtomicSMin, AtomicRMWInst::Min, false},
    {spv::Op::OpAtomicUMin, AtomicRMWInst::UMin, false},
    {spv::Op::OpAtomicSMax, AtomicRMWInst::Max, false},
    {spv::Op::OpAtomicUMax, AtomicRMWInst::UMax, false},
    {spv::Op::OpAtomicAnd, AtomicRMWInst::And, false},
    {spv::Op::OpAtomicOr, AtomicRMWInst::Or, false},
    {spv::Op::OpAtomicXor, AtomicRMWInst::Xor, false},
    {spv::Op::OpAtomicFAddEXT, AtomicRMWInst::FAdd, true},
    {spv::Op::OpAtomicFMinEXT, AtomicRMWInst::FMin, true},
    {spv::Op::OpAtomicFMaxEXT, AtomicRMWInst::FMax, true},
};

Error translateAtomicArithmetic(Translator &t, const Inst &inst) {
  auto access = KILN_TRY(atomicAccess(t, inst));
  KILN_TRY(checkResultType(t, inst, access));
  auto value = KILN_TRY(operandOfType(t, inst, 3, access.type));
  for (const AtomicRow &row : rows)
    if (row.opcode == inst.opcode) {
      if (access.type->isFloatingPointTy() != row.isFloat)
        return t.invalid(inst, row.isFloat ? "result type is not a float"
                                           : "result type is not an integer");
      return t.setValue(inst, createAtomic(t, access, row.op, value));
    }
  return t.unsupportedOp(inst, "atomic operation");
}

Error translateAtomicExchange(Translator &t, const Inst &inst) {
  auto access = KILN_TRY(atomicAccess(t, inst));
  KILN_TRY(checkResultType(t, inst, access));
  auto value = KILN_TRY(operandOfType(t, inst, 3, access.type));
  return t.setValue(inst, createAtomic(t, access, AtomicRMWInst::Xchg, value));
}

Error translateAtomicIncrement(Translator &t, const Inst &inst) {
  auto access = KILN_TRY(atomicAccess(t, inst));
  KILN_TRY(checkResultType(t, inst, access));
  if (!access.type->isIntegerTy())
    return t.invalid(inst, "result type is not an integer");
  const auto op =
      inst.opcode == spv::Op::OpAtomicIIncrement ? AtomicRMWInst::Add : AtomicRMWInst::Sub;
  return t.setValue(inst, createAtomic(t, access, op, ConstantInt::get(access.type, 1)));
}

/// Operands: pointer, scope, semantics if equal, semantics if unequal, value, comparator.
Error translateAtomicCompareExchange(Translator &t, const Inst &inst) {
  auto access = KILN_TRY(atomicAccess(t, inst));
  KILN_TRY(checkResultType(t, inst, access));
  auto unequal = KILN_TRY(memorySemantics(t, inst[3]));
  auto value = KILN_TRY(operandOfType(t, inst, 4, access.type));
  auto comparator = KILN_TRY(operandOfType(t, inst, 5, access.type));
  if (!access.type->isIntegerTy())
    return t.invalid(inst, "result type is not an integer");
  // One set of fences serves both outcomes.
  access.semantics.acquire |= unequal.acquire;
  access.semantics.release |= unequal.release;
  access.semantics.workgroupMemory |= unequal.workgroupMemory;
  access.semantics.globalMemory |= unequal.globalMemory;
  createFence(t, access.semantics, AtomicOrdering::Release, access.scopeName);
  AtomicCmpXchgInst *exchange =
      t.b.CreateAtomicCmpXchg(access.pointer, comparator, value, access.align,
                              AtomicOrdering::Monotonic, AtomicOrdering::Monotonic, access.scope);
  exchange->setVolatile(access.isVolatile || unequal.isVolatile);
  createFence(t, access.semantics, AtomicOrdering::Acquire, access.scopeName);
  return t.setValue(inst, t.b.CreateExtractValue(exchange, 0));
}

/// OpAtomicFlagTestAndSet: stores 1, tells whether it was set before.
Error translateAtomicFlagTestAndSet(Translator &t, const Inst &inst) {
  auto access = KILN_TRY(atomicAccess(t, inst));
  auto type = KILN_TRY(t.type(inst.typeId));
  if (!access.type->isIntegerTy(32) || !type->isIntegerTy(1))
    return t.invalid(inst, "a flag is a 32-bit integer and the result a bool");
  Value *old = createAtomic(t, access, AtomicRMWInst::Xchg, t.i32(1));
  return t.setValue(inst, t.b.CreateICmpNE(old, t.i32(0)));
}

Error translateAtomicFlagClear(Translator &t, const Inst &inst) {
  auto access = KILN_TRY(atomicAccess(t, inst));
  if (!access.type->isIntegerTy(32))
    return t.invalid(inst, "a flag is a 32-bit integer");
  createFence(t, access.semantics, AtomicOrdering::Release, access.scopeName);
  StoreInst *store =
      t.b.CreateAlignedStore(t.i32(0), access.pointer, access.align, access.isVolatile);
  store->setAtomic(AtomicOrdering::Monotonic, access.scope);
  return Error::success();
}

/// Pointers to texels are no addresses; ImageAtomic.cpp handles them.
template <InstHandler Memory> Error anyPointer(Translator &t, const Inst &inst) {
  return isTexelPointer(t, inst[0]) ? translateImageAtomic(t, inst) : Memory(t, inst);
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpAtomicLoad, anyPointer<translateAtomicLoad>),
    instOp(spv::Op::OpAtomicStore, anyPointer<translateAtomicStore>),
    instOp(spv::Op::OpAtomicExchange, anyPointer<translateAtomicExchange>),
    instOp(spv::Op::OpAtomicCompareExchange, anyPointer<translateAtomicCompareExchange>),
    instOp(spv::Op::OpAtomicCompareExchangeWeak, anyPointer<translateAtomicCompareExchange>),
    instOp(spv::Op::OpAtomicIIncrement, anyPointer<translateAtomicIncrement>),
    instOp(spv::Op::OpAtomicIDecrement, anyPointer<translateAtomicIncrement>),
    instOp(spv::Op::OpAtomicIAdd, anyPointer<translateAtomicArithmetic>),
    instOp(spv::Op::OpAtomicISub, anyPointer<translateAtomicArithmetic>),
    instOp(spv::Op::OpAtomicSMin, anyPointer<translateAtomicArithmetic>),
    instOp(spv::Op::OpAtomicUMin, anyPointer<translateAtomicArithmetic>),
    instOp(spv::Op::OpAtomicSMax, anyPointer<translateAtomicArithmetic>),
    instOp(spv::Op::OpAtomicUMax, anyPointer<translateAtomicArithmetic>),
    instOp(spv::Op::OpAtomicAnd, anyPointer<translateAtomicArithmetic>),
    instOp(spv::Op::OpAtomicOr, anyPointer<translateAtomicArithmetic>),
    instOp(spv::Op::OpAtomicXor, anyPointer<translateAtomicArithmetic>),
    instOp(spv::Op::OpAtomicFAddEXT, anyPointer<translateAtomicArithmetic>),
    instOp(spv::Op::OpAtomicFMinEXT, anyPointer<translateAtomicArithmetic>),
    instOp(spv::Op::OpAtomicFMaxEXT, anyPointer<translateAtomicArithmetic>),
    instOp(spv::Op::OpAtomicFlagTestAndSet, translateAtomicFlagTestAndSet),
    instOp(spv::Op::OpAtomicFlagClear, translateAtomicFlagClear),
};

} // namespace

ArrayRef<OpEntry> atomicOps() { return table; }

} // namespace llpc
