//===- Group.cpp - SPIR-V group and non-uniform instructions --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Subgroup instructions of core SPIR-V, SPV_KHR_shader_ballot, SPV_KHR_subgroup_vote,
/// SPV_KHR_subgroup_rotate, SPV_KHR_quad_control and SPV_AMD_shader_ballot: checks, then one
/// lgc.subgroup.* operation each. Only the scope Subgroup exists in Vulkan; OpGroup* of kernels
/// have Workgroup, too (WorkgroupCollectives.h).
///   before: %r = OpGroupNonUniformIAdd %uint %scope ClusteredReduce %x %uint_4
///   after:  %r = call i32 @lgc.subgroup.arith(i32 IAdd, i32 Reduce, i32 %x, i32 4)
#include "llpc/translate/Kernel.h"
#include "llpc/translate/ValueHelpers.h"
#include "llpc/translate/WorkgroupCollectives.h"
#include "pal_shim/abi/Try.h"
#include <algorithm>

using namespace llvm;

namespace llpc {
namespace {

using lgc::GroupArith;
using lgc::GroupScan;
using lgc::OpId;

void noteSubgroupUse(Translator &t) {
  if (t.shader)
    t.shader->usesSubgroupOps = true;
}

Error checkScope(Translator &t, const Inst &inst, Id scopeId) {
  auto scope = KILN_TRY(t.readConstant(scopeId));
  if (scope != static_cast<uint64_t>(spv::Scope::Subgroup))
    return t.unsupportedOp(inst, "scope " + Twine(scope) + ", only Subgroup is");
  noteSubgroupUse(t);
  return Error::success();
}

/// Values that move between lanes: bool, integer or float, scalar or vector.
bool isLaneValue(const Type *type) {
  return isIntShape(type) || isFloatShape(type) || isBoolShape(type);
}

Error checkLaneValue(const ValueOp &op, unsigned index) {
  return isLaneValue(op.args[index]->getType())
             ? Error::success()
             : wrongOperand(op, index, "bool, integer or float scalar or vector");
}

Error checkBallot(const ValueOp &op, unsigned index) {
  return expectOperand(op, index, FixedVectorType::get(op.b.getInt32Ty(), 4));
}

/// A lane number or distance.
Expected<Value *> laneOperand(ValueOp &op, unsigned index) {
  Type *type = op.args[index]->getType();
  if (!isIntShape(type) || type->isVectorTy())
    return wrongOperand(op, index, "integer scalar");
  return toU32(op, op.args[index]);
}

/// Instructions of core SPIR-V have the scope in front of the operands, the extensions' have none.
template <bool HasScope> Error dropScope(ValueOp &op) {
  if constexpr (HasScope) {
    KILN_TRY(checkScope(op.t, op.inst, op.argIds[0]));
    op.args = op.args.drop_front();
    op.argIds = op.argIds.drop_front();
  } else {
    noteSubgroupUse(op.t);
  }
  return Error::success();
}

HandlerResult translateElect(ValueOp &op) {
  KILN_TRY(dropScope<true>(op));
  KILN_TRY(expectResult(op, op.b.getInt1Ty()));
  return op.t.op(OpId::SubgroupElectOp, op.type, {});
}

/// bool(bool): votes.
template <OpId Id, bool HasScope> HandlerResult translateVote(ValueOp &op) {
  KILN_TRY(dropScope<HasScope>(op));
  KILN_TRY(expectOperand(op, 0, op.b.getInt1Ty()));
  KILN_TRY(expectResult(op, op.b.getInt1Ty()));
  return op.t.op(Id, op.type, {op.args[0]});
}

template <bool HasScope> HandlerResult translateAllEqual(ValueOp &op) {
  KILN_TRY(dropScope<HasScope>(op));
  KILN_TRY(checkLaneValue(op, 0));
  KILN_TRY(expectResult(op, op.b.getInt1Ty()));
  return op.t.op(OpId::SubgroupAllEqualOp, op.type, {op.args[0]});
}

/// T(T, lane)
template <OpId Id, bool HasScope> HandlerResult translateWithLane(ValueOp &op) {
  KILN_TRY(dropScope<HasScope>(op));
  KILN_TRY(checkLaneValue(op, 0));
  KILN_TRY(expectResult(op, op.args[0]->getType()));
  auto lane = KILN_TRY(laneOperand(op, 1));
  return op.t.op(Id, op.type, {op.args[0], lane});
}

template <bool HasScope> HandlerResult translateBroadcastFirst(ValueOp &op) {
  KILN_TRY(dropScope<HasScope>(op));
  KILN_TRY(checkLaneValue(op, 0));
  KILN_TRY(expectResult(op, op.args[0]->getType()));
  return op.t.op(OpId::SubgroupBroadcastFirstOp, op.type, {op.args[0]});
}

template <bool HasScope> HandlerResult translateBallot(ValueOp &op) {
  KILN_TRY(dropScope<HasScope>(op));
  KILN_TRY(expectOperand(op, 0, op.b.getInt1Ty()));
  KILN_TRY(expectResult(op, FixedVectorType::get(op.b.getInt32Ty(), 4)));
  return op.t.op(OpId::SubgroupBallotOp, op.type, {op.args[0]});
}

HandlerResult translateInverseBallot(ValueOp &op) {
  KILN_TRY(dropScope<true>(op));
  KILN_TRY(checkBallot(op, 0));
  KILN_TRY(expectResult(op, op.b.getInt1Ty()));
  return op.t.op(OpId::SubgroupInverseBallotOp, op.type, {op.args[0]});
}

HandlerResult translateBallotBitExtract(ValueOp &op) {
  KILN_TRY(dropScope<true>(op));
  KILN_TRY(checkBallot(op, 0));
  KILN_TRY(expectResult(op, op.b.getInt1Ty()));
  auto lane = KILN_TRY(laneOperand(op, 1));
  return op.t.op(OpId::SubgroupBallotBitExtractOp, op.type, {op.args[0], lane});
}

template <OpId Id> HandlerResult translateBallotFind(ValueOp &op) {
  KILN_TRY(dropScope<true>(op));
  KILN_TRY(checkBallot(op, 0));
  if (!op.type->isIntegerTy() || op.type->isIntegerTy(1))
    return wrongResult(op, "integer scalar");
  Value *bit = op.t.op(Id, op.b.getInt32Ty(), {op.args[0]});
  return op.b.CreateZExtOrTrunc(bit, op.type);
}

HandlerResult translateQuadSwap(ValueOp &op) {
  KILN_TRY(dropScope<true>(op));
  KILN_TRY(checkLaneValue(op, 0));
  KILN_TRY(expectResult(op, op.args[0]->getType()));
  auto direction = KILN_TRY(op.t.readConstant32(op.argIds[1]));
  if (direction > 2)
    return op.t.invalid(op.inst, "direction " + Twine(direction) + ", expected 0 to 2");
  return op.t.op(OpId::SubgroupQuadSwapOp, op.type, {op.args[0], op.t.i32(direction)});
}

/// A cluster size operand: constant power of two; larger than any subgroup means all of it.
Expected<uint32_t> clusterSize(Translator &t, const Inst &inst, Id id) {
  auto size = KILN_TRY(t.readConstant32(id));
  if (size == 0 || !isPowerOf2_32(size))
    return t.invalid(inst, "cluster size " + Twine(size) + ", expected a power of two");
  return size > 64 ? 0 : size;
}

/// Scope, value, delta and perhaps a cluster size.
HandlerResult translateRotate(ValueOp &op) {
  if (op.args.size() != 3 && op.args.size() != 4)
    return op.t.invalid(op.inst, Twine(op.args.size()) + " operands, expected 3 or 4");
  KILN_TRY(dropScope<true>(op));
  KILN_TRY(checkLaneValue(op, 0));
  KILN_TRY(expectResult(op, op.args[0]->getType()));
  auto delta = KILN_TRY(laneOperand(op, 1));
  uint32_t size = 0;
  if (op.args.size() == 3) {
    auto given = KILN_TRY(clusterSize(op.t, op.inst, op.argIds[2]));
    size = given;
  }
  return op.t.op(OpId::SubgroupRotateOp, op.type, {op.args[0], delta, op.t.i32(size)});
}

// --- Instructions with a group operation

/// The literal after the scope. ClusteredReduce is a Reduce with a size.
Expected<GroupScan> groupScan(Translator &t, const Inst &inst, uint32_t literal) {
  switch (static_cast<spv::GroupOperation>(literal)) {
  case spv::GroupOperation::Reduce:
  case spv::GroupOperation::ClusteredReduce:
    return GroupScan::Reduce;
  case spv::GroupOperation::InclusiveScan:
    return GroupScan::Inclusive;
  case spv::GroupOperation::ExclusiveScan:
    return GroupScan::Exclusive;
  default:
    return t.unsupportedOp(inst, "group operation " + Twine(literal));
  }
}

Error translateBallotBitCount(Translator &t, const Inst &inst) {
  KILN_TRY(checkScope(t, inst, inst[0]));
  auto scan = KILN_TRY(groupScan(t, inst, inst[1]));
  auto ballot = KILN_TRY(t.value(inst[2]));
  auto type = KILN_TRY(t.type(inst.typeId));
  if (ballot->getType() != FixedVectorType::get(t.b.getInt32Ty(), 4))
    return t.invalid(inst,
                     "operand 2 has type " + typeText(ballot->getType()) + ", expected <4 x i32>");
  if (!type->isIntegerTy() || type->isIntegerTy(1))
    return t.invalid(inst, "result has type " + typeText(type) + ", expected integer scalar");
  Value *count = t.op(OpId::SubgroupBallotBitCountOp, t.b.getInt32Ty(),
                      {t.i32(static_cast<uint32_t>(scan)), ballot});
  return t.setValue(inst, t.b.CreateZExtOrTrunc(count, type));
}

/// One arithmetic instruction: what it computes, on which kind of value.
struct ArithRow {
  spv::Op opcode;
  GroupArith arith;
  bool (*isOperand)(const Type *);
  const char *expected;
};

constexpr const char *intKind = "integer scalar or vector";
constexpr const char *floatKind = "float scalar or vector";
constexpr const char *boolKind = "bool scalar or vector";

/// Ascending by opcode. OpGroup*AMD and OpGroup* are SPV_AMD_shader_ballot's.
constexpr ArithRow arithRows[] = {
    {spv::Op::OpGroupIAdd, GroupArith::IAdd, isIntShape, intKind},
    {spv::Op::OpGroupFAdd, GroupArith::FAdd, isFloatShape, floatKind},
    {spv::Op::OpGroupFMin, GroupArith::FMin, isFloatShape, floatKind},
    {spv::Op::OpGroupUMin, GroupArith::UMin, isIntShape, intKind},
    {spv::Op::OpGroupSMin, GroupArith::SMin, isIntShape, intKind},
    {spv::Op::OpGroupFMax, GroupArith::FMax, isFloatShape, floatKind},
    {spv::Op::OpGroupUMax, GroupArith::UMax, isIntShape, intKind},
    {spv::Op::OpGroupSMax, GroupArith::SMax, isIntShape, intKind},
    {spv::Op::OpGroupNonUniformIAdd, GroupArith::IAdd, isIntShape, intKind},
    {spv::Op::OpGroupNonUniformFAdd, GroupArith::FAdd, isFloatShape, floatKind},
    {spv::Op::OpGroupNonUniformIMul, GroupArith::IMul, isIntShape, intKind},
    {spv::Op::OpGroupNonUniformFMul, GroupArith::FMul, isFloatShape, floatKind},
    {spv::Op::OpGroupNonUniformSMin, GroupArith::SMin, isIntShape, intKind},
    {spv::Op::OpGroupNonUniformUMin, GroupArith::UMin, isIntShape, intKind},
    {spv::Op::OpGroupNonUniformFMin, GroupArith::FMin, isFloatShape, floatKind},
    {spv::Op::OpGroupNonUniformSMax, GroupArith::SMax, isIntShape, intKind},
    {spv::Op::OpGroupNonUniformUMax, GroupArith::UMax, isIntShape, intKind},
    {spv::Op::OpGroupNonUniformFMax, GroupArith::FMax, isFloatShape, floatKind},
    {spv::Op::OpGroupNonUniformBitwiseAnd, GroupArith::And, isIntShape, intKind},
    {spv::Op::OpGroupNonUniformBitwiseOr, GroupArith::Or, isIntShape, intKind},
    {spv::Op::OpGroupNonUniformBitwiseXor, GroupArith::Xor, isIntShape, intKind},
    {spv::Op::OpGroupNonUniformLogicalAnd, GroupArith::And, isBoolShape, boolKind},
    {spv::Op::OpGroupNonUniformLogicalOr, GroupArith::Or, isBoolShape, boolKind},
    {spv::Op::OpGroupNonUniformLogicalXor, GroupArith::Xor, isBoolShape, boolKind},
    {spv::Op::OpGroupIAddNonUniformAMD, GroupArith::IAdd, isIntShape, intKind},
    {spv::Op::OpGroupFAddNonUniformAMD, GroupArith::FAdd, isFloatShape, floatKind},
    {spv::Op::OpGroupFMinNonUniformAMD, GroupArith::FMin, isFloatShape, floatKind},
    {spv::Op::OpGroupUMinNonUniformAMD, GroupArith::UMin, isIntShape, intKind},
    {spv::Op::OpGroupSMinNonUniformAMD, GroupArith::SMin, isIntShape, intKind},
    {spv::Op::OpGroupFMaxNonUniformAMD, GroupArith::FMax, isFloatShape, floatKind},
    {spv::Op::OpGroupUMaxNonUniformAMD, GroupArith::UMax, isIntShape, intKind},
    {spv::Op::OpGroupSMaxNonUniformAMD, GroupArith::SMax, isIntShape, intKind},
};

/// OpGroup* of a kernel, by all of its workgroup.
Expected<bool> isOfWorkgroup(Translator &t, const Inst &inst) {
  if (!isKernel(t) || inst.opcode < spv::Op::OpGroupAll || inst.opcode > spv::Op::OpGroupSMax)
    return false;
  return KILN_TRY(t.readConstant(inst[0])) == static_cast<uint64_t>(spv::Scope::Workgroup);
}

/// OpGroupAll, OpGroupAny: scope, bool.
template <OpId Vote, GroupArith Arith> Error translateGroupVote(Translator &t, const Inst &inst) {
  auto value = KILN_TRY(t.value(inst[1]));
  auto type = KILN_TRY(t.type(inst.typeId));
  if (!value->getType()->isIntegerTy(1) || type != value->getType())
    return t.invalid(inst, "operand 1 and result must be bool");
  if (KILN_TRY(isOfWorkgroup(t, inst))) {
    Value *number = t.b.CreateZExt(value, t.b.getInt32Ty());
    Value *all = KILN_TRY(workgroupArith(t, inst, Arith, GroupScan::Reduce, number));
    return t.setValue(inst, t.b.CreateICmpNE(all, t.i32(0)));
  }
  KILN_TRY(checkScope(t, inst, inst[0]));
  return t.setValue(inst, t.op(Vote, type, {value}));
}

/// LocalInvocationIndex of a local id of one, two or three components.
Value *linearId(Translator &t, Value *id) {
  const auto *vector = dyn_cast<FixedVectorType>(id->getType());
  const unsigned count = vector ? vector->getNumElements() : 1;
  Value *index = nullptr;
  for (unsigned i = count; i-- > 0;) {
    Value *part = vector ? t.b.CreateExtractElement(id, i) : id;
    part = t.b.CreateZExtOrTrunc(part, t.b.getInt32Ty());
    Value *scaled = index ? t.b.CreateMul(index, t.i32(t.shader->workgroupSize[i])) : nullptr;
    index = scaled ? t.b.CreateAdd(scaled, part) : part;
  }
  return index;
}

/// Scope, value, local id.
Error translateGroupBroadcast(Translator &t, const Inst &inst) {
  auto value = KILN_TRY(t.value(inst[1]));
  auto id = KILN_TRY(t.value(inst[2]));
  auto type = KILN_TRY(t.type(inst.typeId));
  if (type != value->getType() || !isLaneValue(type))
    return t.invalid(inst, "operand 1 has type " + typeText(value->getType()) + ", expected " +
                               typeText(type));
  const auto *vector = dyn_cast<FixedVectorType>(id->getType());
  if (!isIntShape(id->getType()) || (vector && vector->getNumElements() > 3))
    return t.invalid(inst, "operand 2 has type " + typeText(id->getType()) +
                               ", expected integer scalar or vector of up to 3");
  if (KILN_TRY(isOfWorkgroup(t, inst))) {
    Value *index = linearId(t, id);
    Value *found = KILN_TRY(workgroupBroadcast(t, inst, value, index));
    return t.setValue(inst, found);
  }
  KILN_TRY(checkScope(t, inst, inst[0]));
  if (vector)
    return t.unsupportedOp(inst, "lane in several components");
  Value *lane = t.b.CreateZExtOrTrunc(id, t.b.getInt32Ty());
  return t.setValue(inst, t.op(OpId::SubgroupBroadcastOp, type, {value, lane}));
}

/// Scope, group operation, value and, when clustered, the size.
Error translateArith(Translator &t, const Inst &inst) {
  const auto *row = find_if(arithRows, [&](const ArithRow &r) { return r.opcode == inst.opcode; });
  KILN_CHECK(row != std::end(arithRows), "group opcode without a row");
  const bool ofWorkgroup = KILN_TRY(isOfWorkgroup(t, inst));
  if (!ofWorkgroup)
    KILN_TRY(checkScope(t, inst, inst[0]));
  auto scan = KILN_TRY(groupScan(t, inst, inst[1]));
  auto value = KILN_TRY(t.value(inst[2]));
  auto type = KILN_TRY(t.type(inst.typeId));
  if (!row->isOperand(value->getType()))
    return t.invalid(inst, "operand 2 has type " + typeText(value->getType()) + ", expected " +
                               row->expected);
  if (type != value->getType())
    return t.invalid(inst, "result has type " + typeText(type) + ", expected " +
                               typeText(value->getType()));
  if (ofWorkgroup) {
    Value *result = KILN_TRY(workgroupArith(t, inst, row->arith, scan, value));
    return t.setValue(inst, result);
  }
  uint32_t size = 0;
  if (static_cast<spv::GroupOperation>(inst[1]) == spv::GroupOperation::ClusteredReduce) {
    if (inst.size() < 4)
      return t.invalid(inst, "ClusteredReduce without a cluster size");
    auto given = KILN_TRY(clusterSize(t, inst, inst[3]));
    size = given;
  }
  return t.setValue(inst, t.op(OpId::SubgroupArithOp, type,
                               {t.i32(static_cast<uint32_t>(row->arith)),
                                t.i32(static_cast<uint32_t>(scan)), value, t.i32(size)}));
}

constexpr OpEntry plainRows[] = {
    instOp(spv::Op::OpGroupAll, translateGroupVote<OpId::SubgroupAllOp, GroupArith::And>),
    instOp(spv::Op::OpGroupAny, translateGroupVote<OpId::SubgroupAnyOp, GroupArith::Or>),
    instOp(spv::Op::OpGroupBroadcast, translateGroupBroadcast),
    valueOp(spv::Op::OpGroupNonUniformElect, translateElect, Sig::Any, 1),
    valueOp(spv::Op::OpGroupNonUniformAll, translateVote<OpId::SubgroupAllOp, true>, Sig::Any, 2),
    valueOp(spv::Op::OpGroupNonUniformAny, translateVote<OpId::SubgroupAnyOp, true>, Sig::Any, 2),
    valueOp(spv::Op::OpGroupNonUniformAllEqual, translateAllEqual<true>, Sig::Any, 2),
    valueOp(spv::Op::OpGroupNonUniformBroadcast, translateWithLane<OpId::SubgroupBroadcastOp, true>,
            Sig::Any, 3),
    valueOp(spv::Op::OpGroupNonUniformBroadcastFirst, translateBroadcastFirst<true>, Sig::Any, 2),
    valueOp(spv::Op::OpGroupNonUniformBallot, translateBallot<true>, Sig::Any, 2),
    valueOp(spv::Op::OpGroupNonUniformInverseBallot, translateInverseBallot, Sig::Any, 2),
    valueOp(spv::Op::OpGroupNonUniformBallotBitExtract, translateBallotBitExtract, Sig::Any, 3),
    instOp(spv::Op::OpGroupNonUniformBallotBitCount, translateBallotBitCount),
    valueOp(spv::Op::OpGroupNonUniformBallotFindLSB,
            translateBallotFind<OpId::SubgroupBallotFindLsbOp>, Sig::Any, 2),
    valueOp(spv::Op::OpGroupNonUniformBallotFindMSB,
            translateBallotFind<OpId::SubgroupBallotFindMsbOp>, Sig::Any, 2),
    valueOp(spv::Op::OpGroupNonUniformShuffle, translateWithLane<OpId::SubgroupShuffleOp, true>,
            Sig::Any, 3),
    valueOp(spv::Op::OpGroupNonUniformShuffleXor,
            translateWithLane<OpId::SubgroupShuffleXorOp, true>, Sig::Any, 3),
    valueOp(spv::Op::OpGroupNonUniformShuffleUp, translateWithLane<OpId::SubgroupShuffleUpOp, true>,
            Sig::Any, 3),
    valueOp(spv::Op::OpGroupNonUniformShuffleDown,
            translateWithLane<OpId::SubgroupShuffleDownOp, true>, Sig::Any, 3),
    valueOp(spv::Op::OpGroupNonUniformQuadBroadcast,
            translateWithLane<OpId::SubgroupQuadBroadcastOp, true>, Sig::Any, 3),
    valueOp(spv::Op::OpGroupNonUniformQuadSwap, translateQuadSwap, Sig::Any, 3),
    valueOp(spv::Op::OpGroupNonUniformRotateKHR, translateRotate, Sig::Any, 255),
    valueOp(spv::Op::OpGroupNonUniformQuadAllKHR, translateVote<OpId::SubgroupQuadAllOp, false>,
            Sig::Any, 1),
    valueOp(spv::Op::OpGroupNonUniformQuadAnyKHR, translateVote<OpId::SubgroupQuadAnyOp, false>,
            Sig::Any, 1),
    valueOp(spv::Op::OpSubgroupBallotKHR, translateBallot<false>, Sig::Any, 1),
    valueOp(spv::Op::OpSubgroupFirstInvocationKHR, translateBroadcastFirst<false>, Sig::Any, 1),
    valueOp(spv::Op::OpSubgroupAllKHR, translateVote<OpId::SubgroupAllOp, false>, Sig::Any, 1),
    valueOp(spv::Op::OpSubgroupAnyKHR, translateVote<OpId::SubgroupAnyOp, false>, Sig::Any, 1),
    valueOp(spv::Op::OpSubgroupAllEqualKHR, translateAllEqual<false>, Sig::Any, 1),
    valueOp(spv::Op::OpSubgroupReadInvocationKHR,
            translateWithLane<OpId::SubgroupBroadcastOp, false>, Sig::Any, 2),
};

constexpr size_t rowCount = std::size(plainRows) + std::size(arithRows);

constexpr std::array<OpEntry, rowCount> makeTable() {
  std::array<OpEntry, rowCount> rows{};
  size_t next = 0;
  for (const OpEntry &row : plainRows)
    rows[next++] = row;
  for (const ArithRow &row : arithRows)
    rows[next++] = instOp(row.opcode, translateArith);
  return rows;
}

constexpr std::array<OpEntry, rowCount> table = makeTable();

} // namespace

ArrayRef<OpEntry> groupOps() { return table; }

} // namespace llpc
