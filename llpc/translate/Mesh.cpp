//===- Mesh.cpp - task and mesh shaders -----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Launching mesh workgroups, output counts, and the payload. Outputs of mesh shaders are direct
/// variables (Interface.h). The payload is memory of lgc's: a pointer in addrspace(7) that the
/// entry block of each function asks for, in natural layout, which is the same on both sides.
///   before: OpEmitMeshTasksEXT %x %y %z %payload
///   after:  lgc.emit.mesh.tasks(x, y, z) ; ret void
#include "llpc/translate/Mesh.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

using lgc::ShaderStage;

/// Vulkan limit maxTaskPayloadSize, as drivers for AMD hardware report it: an entry of the ring.
constexpr uint64_t maxPayloadBytes = 16 * 1024;

/// Operands `first` .. as i32.
Expected<SmallVector<Value *, 3>> counts(Translator &t, const Inst &inst, unsigned number) {
  SmallVector<Value *, 3> values;
  for (unsigned i = 0; i < number; ++i) {
    auto value = KILN_TRY(t.value(inst[i]));
    if (!value->getType()->isIntegerTy(32))
      return t.invalid(inst, "count %" + Twine(inst[i]) + " is not a 32-bit integer");
    values.push_back(value);
  }
  return values;
}

Error translateSetMeshOutputs(Translator &t, const Inst &inst) {
  if (!t.isStage(ShaderStage::Mesh))
    return t.invalid(inst, "only allowed in mesh shaders");
  auto values = KILN_TRY(counts(t, inst, 2));
  t.op(lgc::OpId::SetMeshOutputsOp, t.b.getVoidTy(), values);
  return Error::success();
}

Error translateEmitMeshTasks(Translator &t, const Inst &inst) {
  if (!t.isStage(ShaderStage::Task))
    return t.invalid(inst, "only allowed in task shaders");
  // In a callee it would have to end the caller too.
  if (t.internals().current.function != t.internals().entryFunction)
    return t.unsupportedOp(inst, "launching mesh workgroups in a function that is called");
  auto values = KILN_TRY(counts(t, inst, 3));
  t.op(lgc::OpId::EmitMeshTasksOp, t.b.getVoidTy(), values);
  t.b.CreateRetVoid();
  return Error::success();
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpSetMeshOutputsEXT, translateSetMeshOutputs),
    instOp(spv::Op::OpEmitMeshTasksEXT, translateEmitMeshTasks),
};

} // namespace

Expected<Value *> taskPayloadVariable(Translator &t, const Inst &variable, Id pointeeId) {
  Translator::State &s = t.internals();
  if (!t.isStage(ShaderStage::Task) && !t.isStage(ShaderStage::Mesh))
    return t.invalid(variable, "task payload in a " +
                                   StringRef(lgc::shaderStageName(t.options.stage)) + " shader");
  if (s.taskPayload && s.taskPayload != variable.resultId)
    return t.invalid(variable, "second task payload, %" + Twine(s.taskPayload) + " is one already");
  if (variable.size() >= 2)
    return t.unsupportedOp(variable, "initializer of a task payload");
  s.taskPayload = variable.resultId;
  auto type = KILN_TRY(t.memoryType(pointeeId));
  const uint64_t bytes = t.module->getDataLayout().getTypeAllocSize(type).getFixedValue();
  if (bytes > maxPayloadBytes)
    return lgc::limitExceeded(spirv::place(variable) + ": task payload of " + Twine(bytes) +
                              " bytes exceeds the limit of " + Twine(maxPayloadBytes));
  if (!s.current.allocaPoint)
    return t.invalid(variable, "task payload used outside a function");
  IRBuilderBase::InsertPointGuard guard(t.b);
  t.b.SetInsertPoint(s.current.allocaPoint);
  Value *result =
      t.op(lgc::OpId::TaskPayloadOp, PointerType::get(t.context, lgc::AddrSpace::Buffer), {});
  PointerInfo info;
  info.variable = &variable;
  info.alignBytes = 16;
  t.setPointerInfo(variable.resultId, info);
  s.current.resources[variable.resultId] = result;
  return result;
}

static uint64_t elementCount(const Type *type) {
  return type->isArrayTy() ? type->getArrayNumElements() : type->getStructNumElements();
}

static Value *elementAddress(Translator &t, Type *type, Value *pointer, uint64_t index) {
  return t.b.CreateInBoundsGEP(type, pointer, {t.i32(0), t.i32(static_cast<uint32_t>(index))});
}

Value *loadPayload(Translator &t, Type *type, Value *pointer, bool isVolatile) {
  if (!type->isAggregateType())
    return t.b.CreateLoad(type, pointer, isVolatile);
  Value *result = PoisonValue::get(type);
  for (uint64_t i = 0; i < elementCount(type); ++i) {
    Type *element = GetElementPtrInst::getTypeAtIndex(type, i);
    Value *value = loadPayload(t, element, elementAddress(t, type, pointer, i), isVolatile);
    result = t.b.CreateInsertValue(result, value, static_cast<unsigned>(i));
  }
  return result;
}

void storePayload(Translator &t, Value *value, Value *pointer, bool isVolatile) {
  Type *type = value->getType();
  if (!type->isAggregateType()) {
    t.b.CreateStore(value, pointer, isVolatile);
    return;
  }
  for (uint64_t i = 0; i < elementCount(type); ++i) {
    Value *element = t.b.CreateExtractValue(value, static_cast<unsigned>(i));
    storePayload(t, element, elementAddress(t, type, pointer, i), isVolatile);
  }
}

ArrayRef<OpEntry> meshOps() { return table; }

} // namespace llpc
