//===- RayTracing.cpp - shaders of ray tracing pipelines ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// SPV_KHR_ray_tracing. Payloads and callable data are private memory of the shader that traces or
/// calls; the other one gets a pointer to it, and so are hit attributes.
///   before: OpTraceRayKHR %as %flags %mask %offset %stride %miss %o %tmin %d %tmax %payload
///   after:  lgc.ray.trace(i64 as, flags, mask, offset, stride, miss, o, tmin, d, tmax, payload)
#include "llpc/translate/RayTracing.h"
#include "llpc/spirv/Grammar.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

using lgc::OpId;
using lgc::ShaderStage;

/// Vulkan limit maxRayHitAttributeSize.
constexpr uint64_t maxAttributeBytes = 32;

constexpr uint32_t bit(ShaderStage stage) { return 1u << static_cast<unsigned>(stage); }
constexpr uint32_t rayGeneration = bit(ShaderStage::RayGen),
                   intersection = bit(ShaderStage::Intersect), anyHit = bit(ShaderStage::AnyHit),
                   closestHit = bit(ShaderStage::ClosestHit), miss = bit(ShaderStage::Miss),
                   callable = bit(ShaderStage::Callable);
constexpr uint32_t hits = anyHit | closestHit;

/// Where a storage class is allowed, and what a variable of it is.
struct StorageRow {
  spv::StorageClass storage;
  uint32_t stages;
  OpId id;
  unsigned addrSpace;
};
constexpr StorageRow storageRows[] = {
    {spv::StorageClass::IncomingRayPayloadKHR, hits | miss, OpId::RayPayloadOp,
     lgc::AddrSpace::Private},
    {spv::StorageClass::IncomingCallableDataKHR, callable, OpId::RayPayloadOp,
     lgc::AddrSpace::Private},
    {spv::StorageClass::HitAttributeKHR, hits | intersection, OpId::RayAttributesOp,
     lgc::AddrSpace::Private},
    {spv::StorageClass::ShaderRecordBufferKHR,
     rayGeneration | intersection | hits | miss | callable, OpId::RayRecordOp,
     lgc::AddrSpace::Global},
};

Error requireStage(Translator &t, const Inst &inst, uint32_t stages) {
  if (bit(t.options.stage) & stages)
    return Error::success();
  return t.invalid(inst,
                   Twine("not allowed in ") + lgc::shaderStageName(t.options.stage) + " shaders");
}

/// Operand \p index, which must have this type.
Expected<Value *> operand(Translator &t, const Inst &inst, unsigned index, Type *type) {
  auto value = KILN_TRY(t.value(inst[index]));
  if (value->getType() != type)
    return t.invalid(inst, "operand " + Twine(index) + " has type " + typeText(value->getType()) +
                               ", expected " + typeText(type));
  return value;
}

/// A pointer to the payload or data that operand \p index is.
Expected<Value *> dataOperand(Translator &t, const Inst &inst, unsigned index,
                              spv::StorageClass own, spv::StorageClass incoming) {
  auto type = KILN_TRY(pointerTypeOf(t, inst, inst[index]));
  if (type.storage != own && type.storage != incoming)
    return t.invalid(
        inst, "operand %" + Twine(inst[index]) + " is no variable of storage class " +
                  spirv::enumName(spirv::OperandKind::StorageClass, static_cast<uint32_t>(own)));
  return operand(t, inst, index, PointerType::get(t.context, lgc::AddrSpace::Private));
}

Error translateTrace(Translator &t, const Inst &inst) {
  KILN_TRY(requireStage(t, inst, rayGeneration | closestHit | miss));
  const Inst *structure = t.spv.definition(t.typeIdOf(inst[0]));
  if (!structure || structure->opcode != spv::Op::OpTypeAccelerationStructureKHR)
    return t.invalid(inst, "operand 0 is no acceleration structure");
  Type *i32 = t.b.getInt32Ty(), *f32 = t.b.getFloatTy(), *vector = FixedVectorType::get(f32, 3);
  Type *const types[] = {t.b.getInt64Ty(), i32, i32, i32, i32, i32, vector, f32, vector, f32};
  SmallVector<Value *, 11> args;
  for (unsigned i = 0; i < std::size(types); ++i)
    args.push_back(KILN_TRY(operand(t, inst, i, types[i])));
  args.push_back(KILN_TRY(dataOperand(t, inst, std::size(types), spv::StorageClass::RayPayloadKHR,
                                      spv::StorageClass::IncomingRayPayloadKHR)));
  t.op(OpId::RayTraceOp, t.b.getVoidTy(), args);
  return Error::success();
}

Error translateCallable(Translator &t, const Inst &inst) {
  KILN_TRY(requireStage(t, inst, rayGeneration | closestHit | miss | callable));
  auto index = KILN_TRY(operand(t, inst, 0, t.b.getInt32Ty()));
  auto data = KILN_TRY(dataOperand(t, inst, 1, spv::StorageClass::CallableDataKHR,
                                   spv::StorageClass::IncomingCallableDataKHR));
  t.op(OpId::RayCallOp, t.b.getVoidTy(), {index, data});
  return Error::success();
}

/// RayTmaxKHR is that of the nearest intersection so far.
void refreshTMax(Translator &t) {
  Translator::State &s = t.internals();
  for (const InterfaceVariable &entry : s.interfaceVariables) {
    auto *copy = dyn_cast_or_null<GlobalVariable>(s.values[entry.variable->resultId]);
    for (const InterfaceLeaf &leaf : entry.leaves)
      if (copy && leaf.path.empty() && leaf.at.builtin &&
          leaf.at.builtin->spirv == spv::BuiltIn::RayTmaxKHR)
        t.b.CreateStore(t.op(OpId::RayValueOp, leaf.type,
                             {t.i32(static_cast<uint32_t>(lgc::RayValue::TMax)), t.i32(0)}),
                        copy);
  }
}

Error translateReport(Translator &t, const Inst &inst) {
  KILN_TRY(requireStage(t, inst, intersection));
  auto distance = KILN_TRY(operand(t, inst, 0, t.b.getFloatTy()));
  auto kind = KILN_TRY(operand(t, inst, 1, t.b.getInt32Ty()));
  Value *accepted = t.op(OpId::RayReportOp, t.b.getInt1Ty(), {distance, kind});
  refreshTMax(t);
  return t.setValue(inst, accepted);
}

/// OpIgnoreIntersectionKHR and OpTerminateRayKHR.
Error translateEnd(Translator &t, const Inst &inst) {
  KILN_TRY(requireStage(t, inst, anyHit));
  const auto end =
      inst.opcode == spv::Op::OpTerminateRayKHR ? lgc::RayEnd::Terminate : lgc::RayEnd::Ignore;
  t.op(OpId::RayEndOp, t.b.getVoidTy(), {t.i32(static_cast<uint32_t>(end))});
  t.b.CreateUnreachable();
  return Error::success();
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpTraceRayKHR, translateTrace),
    instOp(spv::Op::OpExecuteCallableKHR, translateCallable),
    instOp(spv::Op::OpReportIntersectionKHR, translateReport),
    instOp(spv::Op::OpIgnoreIntersectionKHR, translateEnd),
    instOp(spv::Op::OpTerminateRayKHR, translateEnd),
};

} // namespace

Expected<Value *> rayVariable(Translator &t, const Inst &variable, spv::StorageClass storage,
                              Id pointeeId) {
  Translator::State &s = t.internals();
  const StorageRow &row =
      *find_if(storageRows, [&](const StorageRow &each) { return each.storage == storage; });
  KILN_TRY(requireStage(t, variable, row.stages));
  if (variable.size() >= 2)
    return t.unsupportedOp(variable, "initializer of memory that the caller has");
  PointerInfo info;
  info.variable = &variable;
  info.coherent = t.hasDecoration(variable.resultId, spv::Decoration::Coherent);
  info.isVolatile = t.hasDecoration(variable.resultId, spv::Decoration::Volatile);
  info.alignBytes = 4;
  if (storage == spv::StorageClass::ShaderRecordBufferKHR) {
    if (!isBlockStruct(t.spv, pointeeId))
      return t.invalid(variable, "the type of a shader record is no structure with Block");
    info.invariant = true;
  } else {
    auto type = KILN_TRY(t.memoryType(pointeeId));
    const uint64_t bytes = t.module->getDataLayout().getTypeAllocSize(type).getFixedValue();
    if (storage == spv::StorageClass::HitAttributeKHR && bytes > maxAttributeBytes)
      return lgc::limitExceeded(spirv::place(variable) + ": hit attributes of " + Twine(bytes) +
                                " bytes exceed the limit of " + Twine(maxAttributeBytes));
  }
  if (!s.current.allocaPoint)
    return t.invalid(variable, "used outside a function");
  IRBuilderBase::InsertPointGuard guard(t.b);
  t.b.SetInsertPoint(s.current.allocaPoint);
  Value *result = t.op(row.id, PointerType::get(t.context, row.addrSpace), {});
  t.setPointerInfo(variable.resultId, info);
  s.current.resources[variable.resultId] = result;
  return result;
}

ArrayRef<OpEntry> rayTracingOps() { return table; }

} // namespace llpc
