//===- AmdExtensions.cpp - AMD's extended instruction sets ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// SPV_AMD_shader_ballot, SPV_AMD_shader_trinary_minmax and SPV_AMD_gcn_shader.
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include <spirv/unified1/AMD_gcn_shader.h>
#include <spirv/unified1/AMD_shader_ballot.h>
#include <spirv/unified1/AMD_shader_trinary_minmax.h>

using namespace llvm;

namespace llpc {
namespace {

// --- SPV_AMD_shader_trinary_minmax

template <Intrinsic::ID Id> HandlerResult translateThree(ValueOp &op) {
  return binaryIntrinsic(op, Id, binaryIntrinsic(op, Id, op.args[0], op.args[1]), op.args[2]);
}

/// The form that code generation makes v_med3 of.
template <Intrinsic::ID Min, Intrinsic::ID Max> HandlerResult translateMiddle(ValueOp &op) {
  Value *x = op.args[0], *y = op.args[1], *z = op.args[2];
  Value *upper = binaryIntrinsic(op, Min, binaryIntrinsic(op, Max, x, y), z);
  return binaryIntrinsic(op, Max, binaryIntrinsic(op, Min, x, y), upper);
}

HandlerResult translateFMiddle(ValueOp &op) {
  if (op.type->getScalarType()->isDoubleTy())
    return translateMiddle<Intrinsic::minnum, Intrinsic::maxnum>(op);
  return op.t.mapElements(
      {op.args[0], op.args[1], op.args[2]}, [&](ArrayRef<Value *> e) -> Value * {
        return op.b.CreateIntrinsic(Intrinsic::amdgcn_fmed3, {e[0]->getType()}, {e[0], e[1], e[2]});
      });
}

constexpr ExtEntry trinaryTable[] = {
    {AMD_shader_trinary_minmaxFMin3AMD, "FMin3AMD", translateThree<Intrinsic::minnum>,
     Sig::SameFloat, 3},
    {AMD_shader_trinary_minmaxUMin3AMD, "UMin3AMD", translateThree<Intrinsic::umin>, Sig::SameInt,
     3},
    {AMD_shader_trinary_minmaxSMin3AMD, "SMin3AMD", translateThree<Intrinsic::smin>, Sig::SameInt,
     3},
    {AMD_shader_trinary_minmaxFMax3AMD, "FMax3AMD", translateThree<Intrinsic::maxnum>,
     Sig::SameFloat, 3},
    {AMD_shader_trinary_minmaxUMax3AMD, "UMax3AMD", translateThree<Intrinsic::umax>, Sig::SameInt,
     3},
    {AMD_shader_trinary_minmaxSMax3AMD, "SMax3AMD", translateThree<Intrinsic::smax>, Sig::SameInt,
     3},
    {AMD_shader_trinary_minmaxFMid3AMD, "FMid3AMD", translateFMiddle, Sig::SameFloat, 3},
    {AMD_shader_trinary_minmaxUMid3AMD, "UMid3AMD",
     translateMiddle<Intrinsic::umin, Intrinsic::umax>, Sig::SameInt, 3},
    {AMD_shader_trinary_minmaxSMid3AMD, "SMid3AMD",
     translateMiddle<Intrinsic::smin, Intrinsic::smax>, Sig::SameInt, 3},
};

// --- SPV_AMD_gcn_shader

Value *cube(ValueOp &op, Intrinsic::ID id) {
  Value *p[3];
  for (unsigned i = 0; i < 3; ++i)
    p[i] = op.b.CreateExtractElement(op.args[0], i);
  return op.b.CreateIntrinsic(id, {p[0], p[1], p[2]});
}

Error checkCubeOperand(ValueOp &op) {
  return expectOperand(op, 0, FixedVectorType::get(op.b.getFloatTy(), 3));
}

HandlerResult translateCubeFaceIndex(ValueOp &op) {
  KILN_TRY(checkCubeOperand(op));
  KILN_TRY(expectResult(op, op.b.getFloatTy()));
  return cube(op, Intrinsic::amdgcn_cubeid);
}

/// Coordinates on the face, 0 to 1: the hardware gives both, and twice the major axis.
HandlerResult translateCubeFaceCoord(ValueOp &op) {
  KILN_TRY(checkCubeOperand(op));
  Type *type = FixedVectorType::get(op.b.getFloatTy(), 2);
  KILN_TRY(expectResult(op, type));
  Value *axis = unaryIntrinsic(op, Intrinsic::fabs, cube(op, Intrinsic::amdgcn_cubema));
  Value *factor = divideFloat(op, floatConstant(op.b.getFloatTy(), 1.0), axis);
  Value *st = PoisonValue::get(type);
  st = op.b.CreateInsertElement(st, cube(op, Intrinsic::amdgcn_cubesc), uint64_t(0));
  st = op.b.CreateInsertElement(st, cube(op, Intrinsic::amdgcn_cubetc), uint64_t(1));
  st = op.b.CreateFMul(st, splatTo(op, factor, type));
  return op.b.CreateFAdd(st, floatConstant(type, 0.5));
}

HandlerResult translateTime(ValueOp &op) {
  KILN_TRY(expectResult(op, op.b.getInt64Ty()));
  auto scope = static_cast<uint32_t>(lgc::ExecScope::Subgroup);
  return op.t.op(lgc::OpId::ShaderClockOp, op.type, {op.t.i32(scope)});
}

constexpr ExtEntry gcnShaderTable[] = {
    {AMD_gcn_shaderCubeFaceIndexAMD, "CubeFaceIndexAMD", translateCubeFaceIndex, Sig::Any, 1},
    {AMD_gcn_shaderCubeFaceCoordAMD, "CubeFaceCoordAMD", translateCubeFaceCoord, Sig::Any, 1},
    {AMD_gcn_shaderTimeAMD, "TimeAMD", translateTime, Sig::Any, 0},
};

// --- SPV_AMD_shader_ballot

Error checkLaneResult(ValueOp &op) {
  if (op.t.shader)
    op.t.shader->usesSubgroupOps = true;
  if (!isIntShape(op.type) && !isFloatShape(op.type) && !isBoolShape(op.type))
    return wrongResult(op, "bool, integer or float scalar or vector");
  return expectOperand(op, 0, op.type);
}

/// Operand 1: a constant vector of `count` 32-bit words below `limit`.
Error checkPattern(ValueOp &op, unsigned count, uint64_t limit) {
  KILN_TRY(expectOperand(op, 1, FixedVectorType::get(op.b.getInt32Ty(), count)));
  auto *pattern = dyn_cast<Constant>(op.args[1]);
  for (unsigned i = 0; i < count; ++i) {
    auto *word = pattern ? dyn_cast_or_null<ConstantInt>(pattern->getAggregateElement(i)) : nullptr;
    if (!word || word->getZExtValue() >= limit)
      return op.t.invalid(op.inst, "operand 1: expected constants below " + Twine(limit));
  }
  return Error::success();
}

HandlerResult translateSwizzle(ValueOp &op) {
  KILN_TRY(checkLaneResult(op));
  KILN_TRY(checkPattern(op, 4, 4));
  return op.t.op(lgc::OpId::SubgroupSwizzleQuadOp, op.type, {op.args[0], op.args[1]});
}

HandlerResult translateSwizzleMasked(ValueOp &op) {
  KILN_TRY(checkLaneResult(op));
  KILN_TRY(checkPattern(op, 3, 32));
  return op.t.op(lgc::OpId::SubgroupSwizzleMaskedOp, op.type, {op.args[0], op.args[1]});
}

HandlerResult translateWriteInvocation(ValueOp &op) {
  KILN_TRY(checkLaneResult(op));
  KILN_TRY(expectOperand(op, 1, op.type));
  if (!isIntShape(op.args[2]->getType()) || op.args[2]->getType()->isVectorTy())
    return wrongOperand(op, 2, "integer scalar");
  return op.t.op(lgc::OpId::SubgroupWriteInvocationOp, op.type,
                 {op.args[0], op.args[1], toU32(op, op.args[2])});
}

HandlerResult translateMbcnt(ValueOp &op) {
  KILN_TRY(expectOperand(op, 0, op.b.getInt64Ty()));
  KILN_TRY(expectResult(op, op.b.getInt32Ty()));
  if (op.t.shader)
    op.t.shader->usesSubgroupOps = true;
  return op.t.op(lgc::OpId::SubgroupMbcntOp, op.type, {op.args[0]});
}

constexpr ExtEntry ballotTable[] = {
    {AMD_shader_ballotSwizzleInvocationsAMD, "SwizzleInvocationsAMD", translateSwizzle, Sig::Any,
     2},
    {AMD_shader_ballotSwizzleInvocationsMaskedAMD, "SwizzleInvocationsMaskedAMD",
     translateSwizzleMasked, Sig::Any, 2},
    {AMD_shader_ballotWriteInvocationAMD, "WriteInvocationAMD", translateWriteInvocation, Sig::Any,
     3},
    {AMD_shader_ballotMbcntAMD, "MbcntAMD", translateMbcnt, Sig::Any, 1},
};

} // namespace

ArrayRef<ExtEntry> amdTrinaryMinMaxOps() { return trinaryTable; }
ArrayRef<ExtEntry> amdGcnShaderOps() { return gcnShaderTable; }
ArrayRef<ExtEntry> amdShaderBallotOps() { return ballotTable; }

} // namespace llpc
