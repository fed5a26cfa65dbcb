//===- RayQuery.cpp - ray queries and acceleration structures --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// SPV_KHR_ray_query and SPV_KHR_ray_tracing_position_fetch. An acceleration structure is its
/// address; a query is private memory, which operations of lgc work on.
///   before: %more = OpRayQueryProceedKHR %bool %query
///   after:  %more = call i1 @lgc.ray.query.proceed(ptr addrspace(5) %query)
#include "llpc/translate/RayQuery.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

using lgc::OpId;
using lgc::RayQueryValue;

Value *addressOfStructure(Translator &t, Value *descriptor) {
  Value *words = t.b.CreateShuffleVector(descriptor, {0, 1});
  return t.b.CreateBitCast(words, t.b.getInt64Ty());
}

namespace {

/// Memory of the query that operand 0 points to.
Expected<Value *> queryOperand(Translator &t, const Inst &inst) {
  auto type = KILN_TRY(pointerTypeOf(t, inst, inst[0]));
  const Inst *pointee = type.pointeeId ? t.spv.definition(type.pointeeId) : nullptr;
  if (!pointee || pointee->opcode != spv::Op::OpTypeRayQueryKHR)
    return t.invalid(inst, "operand %" + Twine(inst[0]) + " is no pointer to a ray query");
  auto pointer = KILN_TRY(t.value(inst[0]));
  if (pointer->getType()->getPointerAddressSpace() != lgc::AddrSpace::Private)
    return t.invalid(inst, "ray query that is no variable of a function or Private");
  return pointer;
}

Expected<Value *> operandOfType(Translator &t, const Inst &inst, unsigned index, Type *type) {
  auto value = KILN_TRY(t.value(inst[index]));
  if (value->getType() != type)
    return t.invalid(inst, "operand " + Twine(index) + " has type " + typeText(value->getType()) +
                               ", expected " + typeText(type));
  return value;
}

Error translateInitialize(Translator &t, const Inst &inst) {
  Type *i32 = t.b.getInt32Ty(), *f32 = t.b.getFloatTy(), *vector = FixedVectorType::get(f32, 3);
  Type *const types[] = {nullptr, t.b.getInt64Ty(), i32, i32, vector, f32, vector, f32};
  auto query = KILN_TRY(queryOperand(t, inst));
  const Inst *structure = t.spv.definition(t.typeIdOf(inst[1]));
  if (!structure || structure->opcode != spv::Op::OpTypeAccelerationStructureKHR)
    return t.invalid(inst, "operand 1 is no acceleration structure");
  SmallVector<Value *, 8> args = {query};
  for (unsigned i = 1; i < std::size(types); ++i) {
    auto value = KILN_TRY(operandOfType(t, inst, i, types[i]));
    args.push_back(value);
  }
  t.op(OpId::RayQueryInitializeOp, t.b.getVoidTy(), args);
  return Error::success();
}

template <OpId Id> Error translateDecision(Translator &t, const Inst &inst) {
  auto query = KILN_TRY(queryOperand(t, inst));
  t.op(Id, t.b.getVoidTy(), {query});
  return Error::success();
}

Error translateGenerate(Translator &t, const Inst &inst) {
  auto query = KILN_TRY(queryOperand(t, inst));
  auto distance = KILN_TRY(operandOfType(t, inst, 1, t.b.getFloatTy()));
  t.op(OpId::RayQueryGenerateOp, t.b.getVoidTy(), {query, distance});
  return Error::success();
}

/// Error unless the result of \p inst has this type.
Error expectResultType(Translator &t, const Inst &inst, Type *type) {
  auto result = KILN_TRY(t.type(inst.typeId));
  if (result != type)
    return t.invalid(inst, "result has type " + typeText(result) + ", expected " + typeText(type));
  return Error::success();
}

Error translateProceed(Translator &t, const Inst &inst) {
  auto query = KILN_TRY(queryOperand(t, inst));
  KILN_TRY(expectResultType(t, inst, t.b.getInt1Ty()));
  return t.setValue(inst, t.op(OpId::RayQueryProceedOp, t.b.getInt1Ty(), {query}));
}

struct Question {
  spv::Op opcode;
  RayQueryValue value;
};
constexpr Question questions[] = {
    {spv::Op::OpRayQueryGetIntersectionTypeKHR, RayQueryValue::Type},
    {spv::Op::OpRayQueryGetIntersectionTKHR, RayQueryValue::T},
    {spv::Op::OpRayQueryGetIntersectionInstanceCustomIndexKHR, RayQueryValue::CustomIndex},
    {spv::Op::OpRayQueryGetIntersectionInstanceIdKHR, RayQueryValue::Instance},
    {spv::Op::OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR,
     RayQueryValue::SbtOffset},
    {spv::Op::OpRayQueryGetIntersectionGeometryIndexKHR, RayQueryValue::Geometry},
    {spv::Op::OpRayQueryGetIntersectionPrimitiveIndexKHR, RayQueryValue::Primitive},
    {spv::Op::OpRayQueryGetIntersectionBarycentricsKHR, RayQueryValue::Barycentrics},
    {spv::Op::OpRayQueryGetIntersectionFrontFaceKHR, RayQueryValue::FrontFace},
    {spv::Op::OpRayQueryGetIntersectionObjectRayDirectionKHR, RayQueryValue::ObjectDirection},
    {spv::Op::OpRayQueryGetIntersectionObjectRayOriginKHR, RayQueryValue::ObjectOrigin},
    {spv::Op::OpRayQueryGetIntersectionObjectToWorldKHR, RayQueryValue::ObjectToWorld},
    {spv::Op::OpRayQueryGetIntersectionWorldToObjectKHR, RayQueryValue::WorldToObject},
    {spv::Op::OpRayQueryGetIntersectionTriangleVertexPositionsKHR, RayQueryValue::Positions},
    {spv::Op::OpRayQueryGetIntersectionCandidateAABBOpaqueKHR, RayQueryValue::CandidateOpaque},
    {spv::Op::OpRayQueryGetWorldRayOriginKHR, RayQueryValue::Origin},
    {spv::Op::OpRayQueryGetWorldRayDirectionKHR, RayQueryValue::Direction},
    {spv::Op::OpRayQueryGetRayTMinKHR, RayQueryValue::TMin},
    {spv::Op::OpRayQueryGetRayFlagsKHR, RayQueryValue::Flags},
};

Type *answerType(IRBuilder<> &b, RayQueryValue value) {
  Type *vector = FixedVectorType::get(b.getFloatTy(), 3);
  switch (value) {
  case RayQueryValue::T:
  case RayQueryValue::TMin:
    return b.getFloatTy();
  case RayQueryValue::Barycentrics:
    return FixedVectorType::get(b.getFloatTy(), 2);
  case RayQueryValue::FrontFace:
  case RayQueryValue::CandidateOpaque:
    return b.getInt1Ty();
  case RayQueryValue::ObjectDirection:
  case RayQueryValue::ObjectOrigin:
  case RayQueryValue::Origin:
  case RayQueryValue::Direction:
    return vector;
  case RayQueryValue::ObjectToWorld:
  case RayQueryValue::WorldToObject:
    return ArrayType::get(vector, 4);
  case RayQueryValue::Positions:
    return ArrayType::get(vector, 3);
  default:
    return b.getInt32Ty();
  }
}

/// All that have an operand say which intersection they mean.
Error translateGet(Translator &t, const Inst &inst) {
  const RayQueryValue value =
      find_if(questions, [&](const Question &q) { return q.opcode == inst.opcode; })->value;
  auto query = KILN_TRY(queryOperand(t, inst));
  Type *type = answerType(t.b, value);
  KILN_TRY(expectResultType(t, inst, type));
  uint32_t committed = 0;
  if (value < RayQueryValue::CandidateOpaque) {
    committed = KILN_TRY(t.readConstant32(inst[1]));
    if (committed > 1)
      return t.invalid(inst, "intersection " + Twine(committed) + " is neither candidate nor " +
                                 "committed");
  }
  return t.setValue(inst, t.op(OpId::RayQueryGetOp, type,
                               {query, t.i32(static_cast<uint32_t>(value)), t.i32(committed)}));
}

/// The address as 64 bits or as two times 32.
HandlerResult translateConvertUToStructure(ValueOp &op) {
  Type *from = op.args[0]->getType(), *i64 = op.b.getInt64Ty();
  const Inst *type = op.t.spv.definition(op.inst.typeId);
  if (from != i64 && from != FixedVectorType::get(op.b.getInt32Ty(), 2))
    return wrongOperand(op, 0, "64-bit integer or two 32-bit ones");
  if (!type || type->opcode != spv::Op::OpTypeAccelerationStructureKHR)
    return wrongResult(op, "acceleration structure");
  return op.b.CreateBitCast(op.args[0], i64);
}

constexpr OpEntry get(spv::Op op) { return instOp(op, translateGet); }

constexpr OpEntry table[] = {
    valueOp(spv::Op::OpConvertUToAccelerationStructureKHR, translateConvertUToStructure, Sig::Any,
            1),
    instOp(spv::Op::OpRayQueryInitializeKHR, translateInitialize),
    instOp(spv::Op::OpRayQueryTerminateKHR, translateDecision<OpId::RayQueryTerminateOp>),
    instOp(spv::Op::OpRayQueryConfirmIntersectionKHR, translateDecision<OpId::RayQueryConfirmOp>),
    instOp(spv::Op::OpRayQueryGenerateIntersectionKHR, translateGenerate),
    instOp(spv::Op::OpRayQueryProceedKHR, translateProceed),
    get(spv::Op::OpRayQueryGetIntersectionTypeKHR),
    get(spv::Op::OpRayQueryGetIntersectionTKHR),
    get(spv::Op::OpRayQueryGetIntersectionInstanceCustomIndexKHR),
    get(spv::Op::OpRayQueryGetIntersectionInstanceIdKHR),
    get(spv::Op::OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR),
    get(spv::Op::OpRayQueryGetIntersectionGeometryIndexKHR),
    get(spv::Op::OpRayQueryGetIntersectionPrimitiveIndexKHR),
    get(spv::Op::OpRayQueryGetIntersectionBarycentricsKHR),
    get(spv::Op::OpRayQueryGetIntersectionFrontFaceKHR),
    get(spv::Op::OpRayQueryGetIntersectionObjectRayDirectionKHR),
    get(spv::Op::OpRayQueryGetIntersectionObjectRayOriginKHR),
    get(spv::Op::OpRayQueryGetIntersectionObjectToWorldKHR),
    get(spv::Op::OpRayQueryGetIntersectionWorldToObjectKHR),
    get(spv::Op::OpRayQueryGetIntersectionTriangleVertexPositionsKHR),
    get(spv::Op::OpRayQueryGetIntersectionCandidateAABBOpaqueKHR),
    get(spv::Op::OpRayQueryGetWorldRayOriginKHR),
    get(spv::Op::OpRayQueryGetWorldRayDirectionKHR),
    get(spv::Op::OpRayQueryGetRayTMinKHR),
    get(spv::Op::OpRayQueryGetRayFlagsKHR),
};

} // namespace

ArrayRef<OpEntry> rayQueryOps() { return table; }

} // namespace llpc
